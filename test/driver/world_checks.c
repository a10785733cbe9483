// SPDX-License-Identifier: MIT

// What holds after every step of a world with a terrain: everything finite and in its bounds, the ledger closed, no energy
// out of nothing, twins the same.

#include "world_calls.h"

#include "world/world.h"

// Share of the turnover and of the volume that rounding may take or give in one sub-step: eight roundings of half a
// unit in the last place (2^-24) on the way from depth to depth (three sums and a product of discharges, limiting, the
// sum with the depth).
static const double s_roundingShare = 8.0 / 16777216.0;

// ---------------------------------------------------------------------------------------------------------------------
// Ledger

static double SumLedger(const tnLedger* ledger)
{
	double sum = ledger->sources + ledger->drains + ledger->wells + ledger->rain + ledger->evaporation +
		ledger->infiltration + ledger->edits;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += ledger->edges[side];
	}
	return sum;
}

// How much was brought and taken from one ledger to the next.
static double GetTurnover(const tnLedger* before, const tnLedger* after)
{
	double sum = fabs(after->sources - before->sources) + fabs(after->drains - before->drains) +
		fabs(after->wells - before->wells) + fabs(after->rain - before->rain) +
		fabs(after->evaporation - before->evaporation) + fabs(after->infiltration - before->infiltration) +
		fabs(after->edits - before->edits) + fabs(after->airborne - before->airborne) +
		fabs(after->held - before->held);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += fabs(after->edges[side] - before->edges[side]);
	}
	return sum;
}

// What landing rounds off a cell, or lends to it, waits in the air for the next one: a rounding for each cell that a drop came down
// in at once, of water as deep as there ever was. It may be gone since.
static double GetSpraySlack(Driver* d)
{
	const double depth = tnWorld_GetStats(d->worlds[0]).maxDepth;
	d->track.deepest = fmax(d->track.deepest, depth);
	const int landings = 4 + (int)fmin(d->track.cellCount, d->track.def.spray.capacity);
	return s_roundingShare * landings * d->track.cellArea * (d->track.deepest + 1.0);
}

void CheckLedger(Driver* d, int subSteps)
{
	WorldTrack* track = &d->track;
	const tnLedger ledger = tnWorld_GetLedger(d->worlds[0]);
	const double turnover = GetTurnover(&track->ledger, &ledger);
	track->driftLimit += s_roundingShare * subSteps * (track->ledger.volume + ledger.volume + turnover);
	// The sums over cells round too, in double precision.
	track->driftLimit += DBL_EPSILON * track->cellCount * (fabs(ledger.edits) + ledger.volume + turnover);
	// Depths below 2^-46 m are lost in the sums of edits and sources.
	track->driftLimit += track->cellCount * track->cellArea / 70368744177664.0;
	// What a body gives back when it goes is rounded once for each cell that gets it.
	track->driftLimit += s_roundingShare * fabs(track->ledger.held - ledger.held);
	// Water that leaves for the air, or comes back, rounds its cell once more.
	track->driftLimit += subSteps > 0 && track->def.spray.enable ? s_roundingShare * ledger.volume : 0.0;
	if (!(ledger.volume >= 0.0) || !(ledger.airborne >= -GetSpraySlack(d)) ||
		!(fabs(ledger.drift) <= track->driftLimit) || !(ledger.held >= 0.0) ||
		!(fabs(ledger.volume + ledger.airborne + ledger.held - SumLedger(&ledger) - ledger.drift) <=
			1.0e-9 * (ledger.volume + ledger.airborne + ledger.held + track->turnover + turnover)))
	{
		Fail(d, "ledger", "drift is %g of a volume of %g (%g in the air) and a turnover of %g, limit %g", ledger.drift,
			ledger.volume, ledger.airborne, turnover, track->driftLimit);
	}
	for (int i = 1; i < d->twinCount; ++i)
	{
		const tnLedger other = tnWorld_GetLedger(d->worlds[i]);
		if (other.volume != ledger.volume || GetTurnover(&other, &ledger) > 0.0)
		{
			Fail(d, "twins differ", "twins have volumes %.17g and %.17g, entries of their ledgers differ by %g",
				ledger.volume, other.volume, GetTurnover(&other, &ledger));
		}
	}
	track->ledger = ledger;
	track->turnover += turnover;
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

static void CheckDepths(Driver* d, tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	const tnFieldView foam = tnWorld_GetFoam(world);
	const tnFieldView lift = tnWorld_GetLift(world);
	float largest = 0.0f;
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			const float value = depth.data[row * depth.stride + column];
			if (!IsFinite(value) || value < 0.0f || !IsFinite(bed.data[row * bed.stride + column]))
			{
				Fail(d, "depth", "depth of (%d, %d) is %g", column, row, (double)value);
				return;
			}
			largest = value > largest ? value : largest;
			const float f = foam.data != NULL ? foam.data[row * foam.stride + column] : 0.0f;
			const float l = lift.data != NULL ? lift.data[row * lift.stride + column] : 0.0f;
			if (!IsFinite(f) || f < 0.0f || !IsFinite(l))
			{
				Fail(d, "layers", "foam of (%d, %d) is %g, lift %g", column, row, (double)f, (double)l);
				return;
			}
		}
	}
	const tnStats stats = tnWorld_GetStats(world);
	if (stats.maxDepth != largest)
	{
		Fail(d, "maxDepth", "stats.maxDepth is %.9g, the largest depth is %.9g", (double)stats.maxDepth,
			(double)largest);
	}
}

static void CheckTracers(Driver* d, tnWorld* world)
{
	for (int channel = 0; channel < d->track.def.tracerCount; ++channel)
	{
		const tnFieldView tracer = tnWorld_GetTracer(world, channel);
		for (int i = 0; i < d->track.cellCount; ++i)
		{
			const float c = tracer.data[i / tracer.columnCount * tracer.stride + i % tracer.columnCount];
			if (!(c >= d->track.low[channel] && c <= d->track.high[channel]))
			{
				Fail(d, "tracer", "tracer %d of cell %d is %.9g, all that was put in is in [%.9g, %.9g]", channel, i,
					(double)c, (double)d->track.low[channel], (double)d->track.high[channel]);
				return;
			}
		}
	}
}

// @param stepped edits may leave the two sides of a wrapped edge apart until the next step
void CheckFlow(Driver* d, int which, bool stepped)
{
	const tnWorldDef* def = &d->track.def;
	tnWorld* world = d->worlds[which];
	float* x = d->velocities[0];
	float* z = d->velocities[1];
	tnResult result = tnWorld_CopyVelocities(world, x, z);
	if (result.status != tn_ok || !AreFinite(x, d->track.cellCount) || !AreFinite(z, d->track.cellCount))
	{
		Fail(d, "velocity", "a velocity is not finite");
		return;
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const int columns = def->columnCount + (axis == 0 ? 1 : 0);
		const int rows = def->rowCount + (axis == 1 ? 1 : 0);
		result = tnWorld_CopyDischarge(world, axis == 0 ? d->faces : NULL, axis == 1 ? d->faces : NULL);
		if (result.status != tn_ok || !AreFinite(d->faces, columns * rows))
		{
			Fail(d, "discharge", "a discharge is not finite");
			return;
		}
		// The two sides of a wrapped world are one.
		const int last = axis == 0 ? def->columnCount : def->columnCount * def->rowCount;
		const int count = axis == 0 ? def->rowCount : def->columnCount;
		const int step = axis == 0 ? columns : 1;
		for (int i = 0; stepped && def->edges[2 * axis].kind == tn_wrapEdge && i < count; ++i)
		{
			if (d->faces[i * step] != d->faces[i * step + last])
			{
				Fail(d, "wrap", "discharge %d through a wrapped edge is %g on one side and %g on the other", i,
					(double)d->faces[i * step], (double)d->faces[i * step + last]);
				return;
			}
		}
	}
}

void CheckSample(Driver* d, const tnSample* sample)
{
	const tnVec3 n = sample->normal;
	const double length = sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z);
	bool good = IsFinite(sample->surface) && IsFinite(sample->bed) && IsFinite(sample->depth) &&
		IsFinite(sample->velocity.x) && IsFinite(sample->velocity.z) && n.y >= 0.0f && fabs(length - 1.0) < 1.0e-5;
	good = good && sample->foam >= 0.0f && sample->foam < 1.0f;
	good = good && sample->depth >= 0.0f;
	// Waves and bodies move the surface, not the shore.
	good = good && (d->track.def.waves.enable || d->track.hadBody || sample->wet == (sample->depth > TN_WET_DEPTH));
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		// A mean of concentrations, rounded a few times; denormals to one of their neighbours.
		const float slack = 1.0e-6f * fmaxf(fabsf(d->track.low[i]), fabsf(d->track.high[i])) + 8.0e-45f;
		good = good && sample->tracers[i] >= d->track.low[i] - slack && sample->tracers[i] <= d->track.high[i] + slack;
	}
	if (!good)
	{
		Fail(d, "sample",
			"surface %g, bed %g, depth %g, velocity (%g, %g), normal (%g, %g, %g), tracers %g %g %g, foam %g, wet %d",
			(double)sample->surface, (double)sample->bed, (double)sample->depth, (double)sample->velocity.x,
			(double)sample->velocity.z, (double)n.x, (double)n.y, (double)n.z, (double)sample->tracers[0],
			(double)sample->tracers[1], (double)sample->tracers[2], (double)sample->foam, (int)sample->wet);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Layers

static void CheckWaves(Driver* d, tnWorld* world)
{
	const int count = tnWorld_GetWaveTileCount(world);
	for (int i = 0; i < count; ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(world, i, &view).status != tn_ok)
		{
			Fail(d, "waves", "no tile %d of %d", i, count);
			return;
		}
		for (int row = 0; row < view.size; ++row)
		{
			if (!AreFinite(view.heights + row * view.stride, view.size) ||
				!AreFinite(view.rates + row * view.stride, view.size))
			{
				Fail(d, "waves", "waves of level %d are not finite", view.level);
				return;
			}
		}
	}
	const tnRippleView ripples = tnWorld_GetRipples(world);
	for (int row = 0; ripples.energy.data != NULL && row < ripples.energy.rowCount; ++row)
	{
		for (int column = 0; column < ripples.energy.columnCount; ++column)
		{
			const float energy = ripples.energy.data[row * ripples.energy.stride + column];
			const float x = ripples.directionX.data[row * ripples.directionX.stride + column];
			const float z = ripples.directionZ.data[row * ripples.directionZ.stride + column];
			if (!IsFinite(energy) || energy < 0.0f || !(x * x + z * z <= 1.001f))
			{
				Fail(d, "ripples", "energy %g, direction (%g, %g)", (double)energy, (double)x, (double)z);
				return;
			}
		}
	}
	const tnBreakers breakers = tnWorld_GetBreakers(world);
	for (int i = 0; i < breakers.count; ++i)
	{
		const tnBreaker* breaker = breakers.breakers + i;
		if (!AreFinite(&breaker->position.x, 8) || !(breaker->energy >= 0.0f))
		{
			Fail(d, "breakers", "at (%g, %g, %g), amplitude %g, energy %g", (double)breaker->position.x,
				(double)breaker->position.y, (double)breaker->position.z, (double)breaker->amplitude,
				(double)breaker->energy);
		}
	}
}

static void CheckSpray(Driver* d, tnWorld* world)
{
	const tnSprayView spray = tnWorld_GetSpray(world);
	const tnSprayStats stats = tnWorld_GetSprayStats(world);
	double sum = 0.0;
	for (int i = 0; i < spray.count; ++i)
	{
		const tnSprayParticle* p = spray.particles + i;
		sum += p->volume;
		if (!AreFinite(&p->position.x, 8) || !(p->volume >= 0.0f) || !(p->age >= 0.0f) || (int)p->kind < 0 ||
			p->kind >= tn_sprayKindCount)
		{
			Fail(d, "spray", "at (%g, %g, %g), velocity (%g, %g, %g), volume %g, age %g", (double)p->position.x,
				(double)p->position.y, (double)p->position.z, (double)p->velocity.x, (double)p->velocity.y,
				(double)p->velocity.z, (double)p->volume, (double)p->age);
			return;
		}
	}
	// Volumes are rounded to float once each.
	if (stats.particleCount != spray.count || spray.count > d->track.def.spray.capacity ||
		!(stats.airborne >= -GetSpraySlack(d)) || !(fabs(sum - stats.airborne) <= 1.0e-6 * sum + GetSpraySlack(d)) ||
		stats.bornCount < stats.landedCount + stats.particleCount)
	{
		Fail(d, "spray", "%d particles of %g m^3, stats say %d of %g; born %d, landed %d, capacity %d", spray.count,
			sum, stats.particleCount, stats.airborne, (int)stats.bornCount, (int)stats.landedCount,
			(int)d->track.def.spray.capacity);
	}
	d->report->sprayStepCount += spray.count > 0 ? 1 : 0;
}

static void CheckBodies(Driver* d)
{
	tnBodyId bodies[slotCount];
	const int count = tnWorld_GetBodies(d->worlds[0], bodies, slotCount);
	for (int i = 0; i < count && i < slotCount; ++i)
	{
		tnBodyState states[twinLimit];
		tnWrench wrenches[twinLimit];
		for (int k = 0; k < d->twinCount; ++k)
		{
			if (tnWorld_GetBodyState(d->worlds[k], bodies[i], states + k).status != tn_ok ||
				tnWorld_GetBodyWrench(d->worlds[k], bodies[i], wrenches + k).status != tn_ok)
			{
				Fail(d, "bodies", "body %d of twin %d is not there", i, k);
				return;
			}
		}
		CheckBodyState(d, states);
		CompareOutputs(d, "body states", states, sizeof(states[0]), offsetof(tnBodyState, current) + sizeof(tnVec2));
		CompareOutputs(d, "wrenches", wrenches, sizeof(wrenches[0]), sizeof(wrenches[0]));
		if (!AreFinite(&wrenches[0].force.x, 6))
		{
			Fail(d, "wrench", "force (%g, %g, %g), torque (%g, %g, %g)", (double)wrenches[0].force.x,
				(double)wrenches[0].force.y, (double)wrenches[0].force.z, (double)wrenches[0].torque.x,
				(double)wrenches[0].torque.y, (double)wrenches[0].torque.z);
		}
	}
	d->report->bodyStepCount += count > 0 ? 1 : 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Stats, events

static void CheckStats(Driver* d, int which)
{
	const tnWorldDef* def = &d->track.def;
	const tnStats stats = tnWorld_GetStats(d->worlds[which]);
	const int tiles = ((def->columnCount + 63) / 64) * ((def->rowCount + 63) / 64);
	if (stats.stepCount != d->track.stepCount || stats.subSteps < 1 || stats.subSteps > def->maxSubSteps ||
		stats.subStepsWanted < stats.subSteps || !(stats.waveSlowdown > 0.0f && stats.waveSlowdown <= 1.0f) ||
		(stats.subStepsWanted > stats.subSteps && !(stats.waveSlowdown < 1.0f)) || !(stats.stableTimeStep > 0.0f) ||
		stats.tileCount != tiles || stats.awakeTileCount < 0 || stats.awakeTileCount > tiles ||
		(!tnWorld_GetDef(d->worlds[which]).enableSleep && stats.awakeTileCount != tiles))
	{
		Fail(d, "stats", "stats: %d steps, %d of %d sub-steps, slowdown %g, stable %g, %d of %d tiles awake",
			(int)stats.stepCount, stats.subSteps, stats.subStepsWanted, (double)stats.waveSlowdown,
			(double)stats.stableTimeStep, stats.awakeTileCount, stats.tileCount);
	}
	if (tnWorld_GetTime(d->worlds[which]) != d->track.time)
	{
		Fail(d, "time", "time is %g, expected %g", tnWorld_GetTime(d->worlds[which]), d->track.time);
	}
	DriverReport* report = d->report;
	const int sleeping = stats.awakeTileCount > 0 ? stats.tileCount - stats.awakeTileCount : 0;
	report->maxSleepingTiles = sleeping > report->maxSleepingTiles ? sleeping : report->maxSleepingTiles;
}

static void CheckEvents(Driver* d)
{
	const tnRegionEvents events = tnWorld_GetRegionEvents(d->worlds[0]);
	for (int i = 0; i < events.count; ++i)
	{
		const tnRegionEvent* event = events.events + i;
		const bool ordered = i == 0 || event[-1].region.index1 < event->region.index1 ||
			(event[-1].region.index1 == event->region.index1 && event[-1].kind < event->kind);
		if (!ordered || !tnRegion_IsValid(d->worlds[0], event->region) || !(event->maxDepth >= 0.0f))
		{
			Fail(d, "event", "event %d of %d: region %d, kind %d, depth %g", i, events.count, (int)event->region.index1,
				(int)event->kind, (double)event->maxDepth);
		}
	}
	for (int i = 1; i < d->twinCount; ++i)
	{
		if (tnWorld_GetRegionEvents(d->worlds[i]).count != events.count)
		{
			Fail(d, "twins differ", "twins have %d and %d events", events.count,
				tnWorld_GetRegionEvents(d->worlds[i]).count);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Energy

void ForgetEnergy(Driver* d)
{
	d->track.energy = -1.0;
	d->track.quietSteps = 0;
}

// Depth that moves: where sub-steps are capped the section A of a face is, too, so that waves are slower by waveSlowdown. That
// goes with the root of A. What slows shallow water down is its flow as well, and its momentum is that of all of its depth.
static double GetSectionLimit(Driver* d)
{
	const double slowdown = (double)tnWorld_GetStats(d->worlds[0]).waveSlowdown;
	const bool isCapped = slowdown < 1.0 && d->track.def.method != tn_shallowMethod;
	return isCapped ? d->track.maxDepth * slowdown * slowdown : INFINITY;
}

// Kinetic energy of shallow water over density and area of a cell, m^3/s^2: sum of A u^2 / 2 over its faces. Velocities of cells
// are means of two faces: those of water that parts cancel, and later they no longer do. Columns of 4 m that have fallen over
// have 278, then 341 by their cells, and 398, then 359 by their faces.
// A is the section of the kick (shallow_kernels.inc), but no more than the mean depth of the two cells, which is what transport
// gives the velocity of the face to. On a flat bed energy is kept with the mean depth, and at a front on dry ground the section
// is twice that. At a step the mean depth is that of a pool which a film falls into, and the section is the film. Public
// functions show no velocities of faces where discharges are kept.
static double GetFaceEnergy(const tnGrid* grid)
{
	const int columnCount = grid->columnCount;
	const int rowCount = grid->rowCount;
	double sum = 0.0;
	for (int i = 0; i < 2 * columnCount * rowCount; ++i)
	{
		const bool isX = i % 2 == 0;
		const int column = i / 2 % columnCount;
		const int row = i / 2 / columnCount;
		if (isX ? column == 0 && !grid->wrapX : row == 0 && !grid->wrapZ)
		{
			continue;
		}
		const ptrdiff_t second = tnGrid_Index(grid, column, row);
		const ptrdiff_t first = isX ? tnGrid_Index(grid, (column + columnCount - 1) % columnCount, row)
									: tnGrid_Index(grid, column, (row + rowCount - 1) % rowCount);
		const double u = isX ? grid->flowX[second] : grid->flowZ[second];
		const ptrdiff_t upstream = u > 0.0 ? first : second;
		const double ground = fmax(grid->bed[first], grid->bed[second]);
		const double h = fmax((double)grid->bed[upstream] + grid->depth[upstream] - ground, 0.0);
		const double climb = ground - grid->bed[upstream];
		const double section = h + 0.5 * fmax(fmin(climb, h - climb), 0.0);
		sum += 0.5 * fmin(section, 0.5 * ((double)grid->depth[first] + grid->depth[second])) * u * u;
	}
	return sum;
}

// Of the water above the state of lowest energy that nobody computes: above the lowest bed, over density, m^5/s^2. What moves is
// A u^2 / 2. The state of pipes is the discharge q = A u, and the velocity that they show q / h.
static double GetEnergy(Driver* d, bool hasKinetic)
{
	tnWorld* world = d->worlds[0];
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	const double limit = GetSectionLimit(d);
	const bool isPipe = d->track.def.method == tn_pipeMethod;
	const bool isShallow = d->track.def.method == tn_shallowMethod;
	double sum = isShallow && hasKinetic ? GetFaceEnergy(&world->grid) : 0.0;
	for (int i = 0; i < d->track.cellCount; ++i)
	{
		const double h = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
		const double b = bed.data[i / bed.columnCount * bed.stride + i % bed.columnCount];
		const double x = d->velocities[0][i];
		const double z = d->velocities[1][i];
		const double section = fmin(h, limit);
		const double moving = isPipe && section > 0.0 ? h * (h / section) : section;
		sum += h * (double)d->track.def.gravity * (b + 0.5 * h) +
			(hasKinetic && !isShallow ? 0.5 * moving * (x * x + z * z) : 0.0);
	}
	return sum * d->track.cellArea;
}

// Does anything give energy to the water, or hold some that is not in its depths and velocities?
static bool MayGainEnergy(const Driver* d)
{
	const WorldTrack* track = &d->track;
	const bool takes = track->def.waves.enable && track->def.waves.takeFromFlow;
	bool open = track->rains || track->pushed || track->hadBody || takes || track->def.spray.enable;
	// A fixed section, or one that is livelier than water, has another energy; tracing velocities back promises none.
	const bool isPipe = track->def.method == tn_pipeMethod;
	open = open || (isPipe && (track->def.liveliness != 1.0f || track->def.section == tn_fixedSection));
	open = open ||
		(track->def.method == tn_shallowMethod &&
			(track->def.vorticityConfinement > 0.0f || track->def.advection > tn_fineAdvection));
	for (int side = 0; side < tn_sideCount; ++side)
	{
		open = open || (track->def.edges[side].kind != tn_wallEdge && track->def.edges[side].kind != tn_wrapEdge);
	}
	return open;
}

static double GetLowestEnergy(Driver* d)
{
	// Water may fall as far as the lowest bed: below that there is nothing to gain.
	const tnFieldView bed = tnWorld_GetBed(d->worlds[0]);
	double lowest = INFINITY;
	for (int i = 0; i < d->track.cellCount; ++i)
	{
		lowest = fmin(lowest, bed.data[i / bed.columnCount * bed.stride + i % bed.columnCount]);
	}
	return (double)d->track.def.gravity * lowest * tnWorld_GetLedger(d->worlds[0]).volume;
}

// No growth beyond what a leapfrog swings by: velocities are half a sub-step ahead of depths.
static void CheckEnergy(Driver* d)
{
	WorldTrack* track = &d->track;
	if (MayGainEnergy(d))
	{
		ForgetEnergy(d);
		return;
	}
	// Films that pipes have just run over have more discharge than depth: their velocities are a guess. Linear water has no
	// self-advection, so h u^2 / 2 grows where water that moves piles up (by u^2 dh/dt / 2), by a third in waves as high as it is
	// deep. Of both only the height is compared with what there was of height and motion.
	const bool isFirst = track->energy < 0.0 || track->quietSteps < 2;
	const double energy = GetEnergy(d, isFirst || track->def.method == tn_shallowMethod) - GetLowestEnergy(d);
	track->quietSteps += 1;
	d->report->quietStepCount += 1;
	// The first step after an edit sets velocities that edits leave open.
	if (track->energy < 0.0 || track->quietSteps < 3)
	{
		track->energy = energy;
		return;
	}
	const double limit = 1.2 * track->energy + 1.0e-6 * track->ledger.volume;
	if (!(energy <= limit))
	{
		Fail(d, "energy", "energy was %g and is %g after %d steps", track->energy, energy, track->quietSteps);
	}
	track->energy = fmax(track->energy, 0.0);
}

void CheckStep(Driver* d)
{
	DriverReport* report = d->report;
	report->stepCount += 1;
	report->shallowStepCount += d->track.def.method == tn_shallowMethod ? 1 : 0;
	report->waveStepCount += d->track.def.waves.enable ? 1 : 0;
	for (int i = d->twinCount - 1; i >= 0 && !HasFailed(d); --i)
	{
		CheckStats(d, i);
		CheckDepths(d, d->worlds[i]);
		CheckTracers(d, d->worlds[i]);
		// Twins with the same hash have the same of everything else, as far as it is stored.
		if (i == 0)
		{
			CheckFlow(d, i, true);
			CheckWaves(d, d->worlds[i]);
			CheckSpray(d, d->worlds[i]);
		}
	}
	CheckBodies(d);
	CheckEvents(d);
	CheckEnergy(d);
	d->track.maxDepth = (double)tnWorld_GetStats(d->worlds[0]).maxDepth;
}
