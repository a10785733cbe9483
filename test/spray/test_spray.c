// SPDX-License-Identifier: MIT

// Water in the air: paths against ballistics, volume and momentum against what left and what came, limits, bits.

#include "golden.h"
#include "harness.h"
#include "world/world.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;

static tnWorldDef GetDef(int columns, int rows, float cellSize)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = cellSize;
	def.spray.enable = true;
	def.spray.drag = 0.0f;
	def.spray.slamSpeed = 1000.0f; // what hits stays
	return def;
}

// ---------------------------------------------------------------------------------------------------------------------
// Flight

// Without drag every particle keeps to its parabola; with drag it falls no faster than sqrt(g / drag).
static int PathsAreParabolas(void)
{
	const tnWorldDef def = GetDef(61, 43, 1.0f);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){10.0f, 20.0f, 21.0f};
	jet.velocity = (tnVec3){9.0f, 7.0f, 2.0f};
	jet.spread = 0.1f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE_OK(tnWorld_Step(world, s_step));
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	const tnSprayView start = tnWorld_GetSpray(world);
	ENSURE(start.count > 0 && start.count <= 16);
	tnSprayParticle first[16];
	memcpy(first, start.particles, (size_t)start.count * sizeof(first[0]));
	for (int step = 1; step <= 120; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		const tnSprayView view = tnWorld_GetSpray(world);
		ENSURE_EQUAL_INT(view.count, start.count);
		const float t = (float)step * s_step;
		for (int i = 0; i < view.count; ++i)
		{
			const tnSprayParticle* p = view.particles + i;
			ENSURE_CLOSE(p->position.x, first[i].position.x + t * first[i].velocity.x, 1.0e-3);
			ENSURE_CLOSE(
				p->position.y, first[i].position.y + t * first[i].velocity.y - 0.5f * def.gravity * t * t, 2.0e-3);
			ENSURE_CLOSE(p->position.z, first[i].position.z + t * first[i].velocity.z, 1.0e-3);
			ENSURE_CLOSE(p->age, t, 1.0e-4);
		}
	}
	tnDestroyWorld(world);
	return 0;
}

static int DragHasATerminalSpeed(void)
{
	tnWorldDef def = GetDef(21, 23, 1.0f);
	def.spray.drag = 0.1f;
	def.spray.wind = (tnVec2){2.0f, 0.0f};
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){4.0f, 120.0f, 11.0f};
	jet.velocity = (tnVec3){0.0f, 0.0f, 0.0f};
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE_OK(tnWorld_Step(world, s_step));
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	for (int step = 0; step < 540; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	const tnSprayView view = tnWorld_GetSpray(world);
	ENSURE(view.count > 0);
	ENSURE_CLOSE(view.particles[0].velocity.y, -sqrtf(def.gravity / def.spray.drag), 0.01);
	ENSURE_CLOSE(view.particles[0].velocity.x, 2.0, 0.01);
	tnDestroyWorld(world);
	return 0;
}

// A hose at the ground at 45 degrees reaches v^2 / g: there the dry ground gets wet.
static int HosesReachAsFarAsTheyShould(void)
{
	const tnWorldDef def = GetDef(241, 33, 0.25f);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnJetDef jet = tnDefaultJetDef();
	const float speed = 20.0f;
	jet.position = (tnVec3){5.0f, 0.01f, 4.0f};
	jet.velocity = (tnVec3){speed * sqrtf(0.5f), speed * sqrtf(0.5f), 0.0f};
	jet.spread = 0.0f;
	jet.radius = 0.0f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE_OK(tnWorld_Step(world, s_step));
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	// The middle of what has landed by the moment when the last has.
	float x = 0.0f;
	for (int step = 0; step < 400 && tnWorld_GetSprayStats(world).particleCount > 0; ++step)
	{
		const tnSprayView view = tnWorld_GetSpray(world);
		x = view.particles[0].position.x;
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	ENSURE_EQUAL_INT(tnWorld_GetSprayStats(world).particleCount, 0);
	ENSURE_CLOSE(x, 5.0f + speed * speed / def.gravity, speed * s_step);
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0;
	double moment = 0.0;
	for (int i = 0; i < def.columnCount * def.rowCount; ++i)
	{
		const double d = depth.data[i / def.columnCount * depth.stride + i % def.columnCount];
		sum += d;
		moment += d * (0.25 * (i % def.columnCount + 0.5));
	}
	ENSURE(sum > 0.0);
	ENSURE_CLOSE(moment / sum, 5.0f + speed * speed / def.gravity, 1.0);
	tnDestroyWorld(world);
	return 0;
}

typedef struct Path
{
	double x, y, vx, vy;
} Path;

// dv/dt = -g - drag |v| v over a time, in many small steps of Heun.
static void FollowPath(Path* path, double gravity, double drag, double time)
{
	const int count = 200;
	const double h = time / count;
	for (int i = 0; i < count; ++i)
	{
		const double ax = -drag * hypot(path->vx, path->vy) * path->vx;
		const double ay = -gravity - drag * hypot(path->vx, path->vy) * path->vy;
		const double vx = path->vx + h * ax;
		const double vy = path->vy + h * ay;
		const double bx = -drag * hypot(vx, vy) * vx;
		const double by = -gravity - drag * hypot(vx, vy) * vy;
		path->x += h * path->vx + 0.5 * h * h * ax;
		path->y += h * path->vy + 0.5 * h * h * ay;
		path->vx += 0.5 * h * (ax + bx);
		path->vy += 0.5 * h * (ay + by);
	}
}

// A hose against the drag of the air: the path is that of a fine integration, and so is the reach, a third less than in a vacuum.
static int DragShortensTheReach(void)
{
	tnWorldDef def = GetDef(201, 33, 0.25f);
	def.spray.drag = 0.02f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnJetDef jet = tnDefaultJetDef();
	const float speed = 20.0f;
	jet.position = (tnVec3){5.0f, 0.01f, 4.0f};
	jet.velocity = (tnVec3){speed * sqrtf(0.5f), speed * sqrtf(0.5f), 0.0f};
	jet.spread = 0.0f;
	jet.radius = 0.0f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE_OK(tnWorld_Step(world, s_step));
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	const tnSprayParticle first = tnWorld_GetSpray(world).particles[0];
	Path path = {
		(double)first.position.x, (double)first.position.y, (double)first.velocity.x, (double)first.velocity.y};
	double off = 0.0, x = 0.0;
	int landed = 0;
	for (int step = 0; step < 400 && tnWorld_GetSpray(world).count == 4; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		FollowPath(&path, (double)def.gravity, (double)def.spray.drag, (double)s_step);
		const tnSprayView view = tnWorld_GetSpray(world);
		landed = 4 - view.count;
		if (landed == 0)
		{
			x = (double)view.particles[0].position.x;
			off = fmax(off, hypot(x - path.x, (double)view.particles[0].position.y - path.y));
		}
	}
	const double vacuum = (double)(speed * speed / def.gravity);
	printf("%.3f m off the path; reach %.2f m, %.2f m without drag\n", off, x - 5.0, vacuum);
	ENSURE(landed > 0 && path.y < 0.3);
	// The drag of a step is that of its beginning: 0.02 * 20 m/s * h of it is wrong, and it acts for 2.5 s.
	ENSURE(off < 0.1);
	ENSURE(x - 5.0 < 0.75 * vacuum && x - 5.0 > 0.55 * vacuum);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Falls

enum
{
	fallColumns = 71,
	fallRows = 29,
};

// A river on a plateau 10 m high that ends in a cliff, over a pool. A spring at the back, a drain in the pool.
static tnWorld* MakeFall(const tnWorldDef* def)
{
	static float bed[fallColumns * fallRows];
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	for (int i = 0; i < fallColumns * fallRows; ++i)
	{
		const int column = i % fallColumns;
		bed[i] = column < 30 ? 10.0f - 0.01f * (float)column : -2.0f;
	}
	tnSourceDef source = tnDefaultSourceDef();
	tnSourceId id;
	bool ok = tnWorld_SetTerrain(world, bed).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(world, -0.5f).status == tn_ok;
	source.center = (tnVec2){4.0f, 14.0f};
	source.radius = 3.0f;
	source.rate = 8.0f;
	ok = ok && tnWorld_CreateSource(world, &source, &id).status == tn_ok;
	source.center = (tnVec2){64.0f, 14.0f};
	source.rate = -8.0f;
	ok = ok && tnWorld_CreateSource(world, &source, &id).status == tn_ok;
	if (!ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static double GetFlux(const tnWorld* world, double* meanX, double* meanSpeed)
{
	const tnSprayView view = tnWorld_GetSpray(world);
	double volume = 0.0;
	*meanX = 0.0;
	*meanSpeed = 0.0;
	for (int i = 0; i < view.count; ++i)
	{
		const tnSprayParticle* p = view.particles + i;
		volume += (double)p->volume;
		*meanSpeed += (double)(p->volume * p->velocity.x);
		*meanX += (double)(p->volume * p->position.x);
	}
	*meanX /= volume;
	*meanSpeed /= volume;
	return volume;
}

// What goes over the cliff is in the air for sqrt(2 h / g), and comes down at that time its speed from the lip; nothing is lost in
// ten minutes.
static int FallsTakeTheirTime(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		if (TEST_LEAVES_OUT(method + 2))
		{
			continue;
		}
		tnWorldDef def = GetDef(fallColumns, fallRows, 1.0f);
		def.method = (tnMethod)method;
		def.spray.breakingSlope = 0.0f; // the pool breaks at its foot, which is in the air as well
		tnWorld* world = MakeFall(&def);
		ENSURE(world != NULL);
		for (int step = 0; step < 60 * 100; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
		}
		// In the air is what flows in the time of a fall from 9.71 m to the pool, on the mean half as far out as it comes down.
		double volume = 0.0;
		double x = 0.0;
		double speed = 0.0;
		const int count = 600;
		for (int step = 0; step < count; ++step)
		{
			double meanX, meanSpeed;
			volume += GetFlux(world, &meanX, &meanSpeed) / count;
			x += meanX / count;
			speed += meanSpeed / count;
			ENSURE_OK(tnWorld_Step(world, s_step));
		}
		const double fall = 9.71 + 0.5;
		const double time = sqrt(2.0 * fall / (double)def.gravity);
		const tnLedger after = tnWorld_GetLedger(world);
		printf("in the air %.3f of flow x time, %.3f m from where it should be, drift %.1e\n", volume / (8.0 * time),
			x - (30.0 + 0.5 * speed * time), after.drift / after.volume);
		ENSURE_CLOSE(volume, 8.0 * time, 0.1 * 8.0 * time);
		ENSURE_CLOSE(x, 30.0 + 0.5 * speed * time, 0.5);
		const tnLedger ledger = tnWorld_GetLedger(world);
		ENSURE_CLOSE(ledger.airborne, volume, 0.2 * volume);
		ENSURE(fabs(ledger.drift) <= 1.0e-6 * ledger.volume);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is given back

// Momentum of the water of a world of 61 x 37 cells of 1 m, N s.
static int MeasureMomentum(const tnWorld* world, double momentum[2])
{
	static float flowX[62 * 37];
	static float flowZ[61 * 38];
	ENSURE_OK(tnWorld_CopyDischarge(world, flowX, flowZ));
	momentum[0] = momentum[1] = 0.0;
	for (int i = 0; i < 62 * 37; ++i)
	{
		momentum[0] += 1000.0 * (double)flowX[i];
	}
	for (int i = 0; i < 61 * 38; ++i)
	{
		momentum[1] += 1000.0 * (double)flowZ[i];
	}
	return 0;
}

// Spray that comes down in a lake pushes it: the lake has the momentum of what has landed. Nothing else acts on it yet. An eighth of what a
// jet brings is thrown up again, onwards, and takes its momentum along till it lands for good.
static int LandingPushes(void)
{
	for (int run = 0; run < 2 * tn_methodCount; ++run)
	{
		const bool splashes = run >= tn_methodCount;
		tnWorldDef def = GetDef(61, 37, 1.0f);
		def.method = (tnMethod)(run % tn_methodCount);
		def.spray.slamSpeed = splashes ? 1.0f : 1000.0f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 3.0f));
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){20.0f, 3.5f, 18.0f};
		jet.velocity = (tnVec3){12.0f, 0.0f, -5.0f};
		jet.rate = 0.005f; // so little that the waves it makes are flat
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		double thrown = 0.0;
		int last = 0;
		for (int step = 0; step < 120 && step <= last + 1; ++step)
		{
			if (step == 30)
			{
				ENSURE_OK(tnWorld_DestroyJet(world, id));
			}
			ENSURE_OK(tnWorld_Step(world, s_step));
			const tnSprayView view = tnWorld_GetSpray(world);
			last = view.count > 0 || step < 60 ? step : last;
			for (int i = 0; i < view.count; ++i)
			{
				const tnSprayParticle* p = view.particles + i;
				if (p->kind == tn_splashSpray && p->age == 0.0f)
				{
					thrown += (double)p->volume;
					// From half to one and a half times 0.3 of what it had, and as much upwards.
					const float level = sqrtf(p->velocity.x * p->velocity.x + p->velocity.z * p->velocity.z);
					ENSURE(level > 0.149f * 13.0f && level < 0.451f * 13.0f);
					ENSURE(p->velocity.y > level && p->velocity.y < 1.1f * level);
				}
			}
		}
		// All of it has landed, and one step later discharges show it.
		ENSURE(tnWorld_GetSpray(world).count == 0);
		double momentum[2] = {0.0, 0.0};
		ENSURE(MeasureMomentum(world, momentum) == 0);
		const double brought = 0.005 * 30.0 * (double)s_step;
		// Rings around the place run to all sides and add nothing.
		ENSURE_CLOSE(momentum[0], 12.0e3 * brought, 0.005 * 12.0e3 * brought);
		ENSURE_CLOSE(momentum[1], -5.0e3 * brought, 0.005 * 12.0e3 * brought);
		ENSURE_CLOSE(thrown, splashes ? brought / 8.0 : 0.0, 1.0e-4 * brought);
		const tnLedger ledger = tnWorld_GetLedger(world);
		ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-7 * ledger.volume);
		tnDestroyWorld(world);
	}
	return 0;
}

// A hose over stairs with films of water pushes nothing faster than it is itself: a film has no mass to speak of.
static int FilmsAreNotShotAway(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = GetDef(41, 27, 0.5f);
		def.method = (tnMethod)method;
		def.keepDischarge = true;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		static float bed[41 * 27];
		for (int i = 0; i < 41 * 27; ++i)
		{
			bed[i] = 0.3f * (float)(i % 41 / 4) + 0.1f * (float)(i / 41 % 3);
		}
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){3.0f, 6.0f, 7.0f};
		jet.velocity = (tnVec3){12.0f, 0.0f, 1.0f};
		jet.spread = 0.2f;
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		int most = 0;
		for (int step = 0; step < 600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
			most = tnWorld_GetStats(world).subStepsWanted > most ? tnWorld_GetStats(world).subStepsWanted : most;
		}
		ENSURE(tnWorld_GetSprayStats(world).landedCount > 1000);
		ENSURE(most <= 3); // what 12 m/s need
		tnDestroyWorld(world);
	}
	return 0;
}

// With room for 16 particles a hose and a fall go on, and nothing is lost.
static int TooManyBecomeOne(void)
{
	tnWorldDef def = GetDef(fallColumns, fallRows, 1.0f);
	def.spray.capacity = 16;
	def.tracerCount = 1;
	tnWorld* world = MakeFall(&def);
	ENSURE(world != NULL);
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){40.0f, 6.0f, 14.0f};
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	for (int step = 0; step < 60 * 40; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		ENSURE(tnWorld_GetSpray(world).count <= 16);
	}
	const tnSprayStats stats = tnWorld_GetSprayStats(world);
	ENSURE(stats.mergedCount > 1000 && stats.landedCount > 10);
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(ledger.airborne > 0.0);
	ENSURE(fabs(ledger.drift) <= 1.0e-6 * ledger.volume);
	tnDestroyWorld(world);
	return 0;
}

// What joins others leaves the sum of units as it is, and that of momentum up to the last places of velocities.
static int MergersKeepTheSums(void)
{
	tnWorldDef def = GetDef(31, 23, 1.0f);
	def.spray.capacity = 16;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	TestRandom random = TestMakeRandom(7);
	int64_t units = 0;
	double momentum[3] = {0.0, 0.0, 0.0};
	double size = 0.0;
	for (int i = 0; i < 500; ++i)
	{
		tnBirth birth = {.kind = tn_jetSpray, .seed = TestRandomBits(&random)};
		birth.position = (tnVec3){TestRandomFloat(&random, 0.0f, 31.0f), 5.0f, TestRandomFloat(&random, 0.0f, 23.0f)};
		birth.velocity = (tnVec3){TestRandomFloat(&random, -9.0f, 9.0f), TestRandomFloat(&random, -9.0f, 9.0f),
			TestRandomFloat(&random, -9.0f, 9.0f)};
		const int64_t more = 1 + (int64_t)(TestRandomBits(&random) >> 2) * 97;
		tnSpray_Add(&world->spray, &world->grid, &birth, more);
		units += more;
		momentum[0] += (double)more * (double)birth.velocity.x;
		momentum[1] += (double)more * (double)birth.velocity.y;
		momentum[2] += (double)more * (double)birth.velocity.z;
		size += (double)more * 9.0;
	}
	ENSURE_EQUAL_INT(world->spray.count, 16);
	ENSURE(world->spray.mergedCount == 484 && world->spray.airborne == units);
	for (int i = 0; i < 16; ++i)
	{
		const tnVec3 v = world->spray.particles[i].velocity;
		units -= world->spray.units[i];
		momentum[0] -= (double)world->spray.units[i] * (double)v.x;
		momentum[1] -= (double)world->spray.units[i] * (double)v.y;
		momentum[2] -= (double)world->spray.units[i] * (double)v.z;
	}
	ENSURE(units == 0);
	for (int k = 0; k < 3; ++k)
	{
		ENSURE(fabs(momentum[k]) < 1.0e-6 * size);
	}
	tnDestroyWorld(world);
	return 0;
}

// Ten minutes of a fall that is pumped up again.
static int TenMinutesLoseNothing(void)
{
	tnWorldDef def = GetDef(41, 15, 1.0f);
	def.method = tn_shallowMethod;
	def.spray.drag = 0.01f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	float bed[41 * 15];
	for (int i = 0; i < 41 * 15; ++i)
	{
		bed[i] = i % 41 < 20 ? 6.0f : -2.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, bed));
	ENSURE_OK(tnWorld_FillToLevel(world, 0.0f));
	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){4.0f, 7.5f};
	source.radius = 2.0f;
	source.rate = 3.0f;
	tnSourceId id;
	ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
	source.center.x = 36.0f;
	source.rate = -3.0f;
	ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
	const double begin = tnWorld_GetLedger(world).volume;
	double most = 0.0;
	for (int step = 0; step < TEST_REPEATS(36000); ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		if (step % 600 == 599)
		{
			most = fmax(most, fabs(tnWorld_GetLedger(world).drift));
		}
	}
	const tnSprayStats stats = tnWorld_GetSprayStats(world);
	printf("drift %.2e of the water, %lld born, %lld landed\n", most / begin, (long long)stats.bornCount,
		(long long)stats.landedCount);
	ENSURE(most <= 1.0e-6 * begin);
	ENSURE(stats.landedCount > TEST_REPEATS(100000));
	// The water is there, too: nothing hides in what rounding has kept.
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.volume + ledger.airborne, begin, 1.0e-4 * begin);
	ENSURE(fabs((double)world->spray.rest / TN_SPRAY_UNITS) < 1.0e-6);
	tnDestroyWorld(world);
	return 0;
}

// Births, merging, landing and breaking take no memory.
static int StepsDoNotAllocate(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = GetDef(fallColumns, fallRows, 1.0f);
	def.allocator = TestGetAllocator(&counter);
	def.tasks.workerCount = 2;
	def.spray.capacity = 300;
	def.tracerCount = 2;
	tnWorld* world = MakeFall(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){50.0f, 14.0f}, 5.0f, 200.0f, NULL));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){40.0f, 6.0f, 14.0f};
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	const int before = counter.allocationCount;
	int breakers = 0;
	for (int step = 0; step < 60 * 20; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		const tnSprayView view = tnWorld_GetSpray(world);
		for (int i = 0; i < view.count; ++i)
		{
			breakers += view.particles[i].kind == tn_breakingSpray;
		}
	}
	const tnSprayStats stats = tnWorld_GetSprayStats(world);
	ENSURE(breakers > 0 && stats.mergedCount > 0 && stats.landedCount > 100);
	ENSURE_EQUAL_INT(counter.allocationCount, before);
	tnDestroyWorld(world);
	ENSURE(counter.liveBytes == 0 && counter.badFreeCount == 0);
	return 0;
}

// Over open edges it leaves, walls keep it, and where the world wraps it comes back on the other side.
static int EdgesAreKept(void)
{
	static const tnEdgeKind kinds[3] = {tn_wallEdge, tn_openEdge, tn_wrapEdge};
	for (int i = 0; i < 3; ++i)
	{
		tnWorldDef def = GetDef(31, 23, 1.0f);
		for (int side = 0; side < tn_sideCount; ++side)
		{
			def.edges[side].kind = kinds[i];
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){25.0f, 5.0f, 11.0f};
		jet.velocity = (tnVec3){15.0f, 0.0f, 0.0f};
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		for (int step = 0; step < 240; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		const double came = 240.0 * (double)s_step * (double)jet.rate;
		ENSURE_CLOSE(ledger.sources, came, 1.0e-6);
		ENSURE(fabs(ledger.drift) <= 1.0e-6 * came);
		if (kinds[i] == tn_openEdge)
		{
			ENSURE(ledger.edges[tn_east] < -0.5 * came);
		}
		else
		{
			ENSURE_CLOSE(ledger.volume + ledger.airborne, came, 1.0e-6);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits and bad input

static int BitsAreGolden(void)
{
	static const tnSimd sets[2] = {tn_simdAuto, tn_simdScalar};
	for (int i = 0; i < 4; ++i)
	{
		tnWorldDef def = GetDef(fallColumns, fallRows, 1.0f);
		def.spray.drag = 0.02f;
		def.spray.slamSpeed = 1.0f;
		def.tasks.workerCount = i == 2 ? 3 : 1 + i % 2;
		def.simd = sets[i / 3];
		tnWorld* world = MakeFall(&def);
		ENSURE(world != NULL);
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){40.0f, 6.0f, 14.0f};
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		for (int step = 0; step < 60 * 20; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
		}
		ENSURE(tnWorld_GetSpray(world).count > 100);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), TNC_GOLDEN_SPRAY);
		tnDestroyWorld(world);
	}
	return 0;
}

static int BadInputIsNamed(void)
{
	tnWorldDef def = GetDef(21, 17, 1.0f);
	tnWorld* world = NULL;
	def.spray.capacity = 15;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.capacity");
	def.spray.capacity = 64;
	def.spray.ledgeHeight = NAN;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.ledgeHeight");
	def.spray.ledgeHeight = 1.0f;
	def.spray.breakingSlope = -0.1f;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.breakingSlope");
	def.spray.breakingSlope = 0.36f;
	def.spray.drag = -1.0f;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.drag");
	def.spray.drag = 0.0f;
	def.spray.wind.z = INFINITY;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.wind.z");
	def.spray.wind.z = 0.0f;
	tnJetDef jet = tnDefaultJetDef();
	tnJetId id;
	def.spray.enable = false;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_REFUSED(tnWorld_CreateJet(world, &jet, &id), tn_notAvailable, "spray.enable");
	ENSURE(tnWorld_GetSpray(world).count == 0);
	tnDestroyWorld(world);
	def.spray.enable = true;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_REFUSED(tnWorld_CreateJet(NULL, &jet, &id), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnWorld_CreateJet(world, NULL, &id), tn_invalidArgument, "def");
	ENSURE_REFUSED(tnWorld_CreateJet(world, &jet, NULL), tn_invalidArgument, "id");
	jet.position.y = NAN;
	ENSURE_REFUSED(tnWorld_CreateJet(world, &jet, &id), tn_invalidArgument, "position");
	jet.position.y = 1.0f;
	jet.velocity.x = 201.0f;
	ENSURE_REFUSED(tnWorld_CreateJet(world, &jet, &id), tn_invalidArgument, "velocity");
	jet.velocity.x = 200.0f;
	jet.rate = -0.1f;
	ENSURE_REFUSED(tnWorld_CreateJet(world, &jet, &id), tn_invalidArgument, "rate");
	jet.rate = 1000.0f;
	ENSURE(id.index1 == 0);
	// As much as is allowed, from outside of the world and below the ground.
	jet.position = (tnVec3){-5.0f, -30.0f, 1.0e5f};
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	jet.position = (tnVec3){10.0f, 1.0f, 8.0f};
	ENSURE_OK(tnWorld_SetJet(world, id, &jet));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(fabs(ledger.drift) <= 1.0e-6 * (ledger.volume + ledger.airborne));
	ENSURE_OK(tnWorld_DestroyJet(world, id));
	ENSURE_REFUSED(tnWorld_DestroyJet(world, id), tn_staleId, "jet");
	ENSURE_REFUSED(tnWorld_SetJet(world, id, &jet), tn_staleId, "jet");
	tnDestroyWorld(world);
	// Cells of a millimeter: more water than the ground and the air can hold. What does not fit waits in the nozzle.
	def = GetDef(21, 17, 0.001f);
	def.spray.capacity = 64;
	ENSURE_OK(tnCreateWorld(&def, &world));
	jet.position = (tnVec3){0.01f, 5.0f, 0.008f};
	jet.velocity = (tnVec3){0.0f, 5.0f, 0.0f};
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	for (int step = 0; step < 240; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	const tnLedger full = tnWorld_GetLedger(world);
	ENSURE(full.airborne >= 0.0 && full.airborne <= 65536.0e-6 && full.volume > 0.0);
	ENSURE(fabs(full.drift) <= 1.0e-6 * (full.volume + full.airborne));
	tnDestroyWorld(world);
	return 0;
}

static float FindLargestDepth(const tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	float largest = 0.0f;
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			largest = fmaxf(largest, depth.data[(ptrdiff_t)row * depth.stride + column]);
		}
	}
	return largest;
}

// Fast jets that splash, columns of water that fall apart and break, drains: numbers are those of the water as it is.
static int StatsAreThoseOfNow(void)
{
	TestRandom random = TestMakeRandom(7);
	int lowered = 0, splashes = 0;
	for (int i = 0; i < 12; ++i)
	{
		tnWorldDef def = GetDef(TestRandomInt(&random, 4, 40), TestRandomInt(&random, 4, 40), 1.0f);
		def.method = i % 2 == 0 ? tn_pipeMethod : tn_shallowMethod;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		static float depths[40 * 40];
		for (int k = 0; k < def.columnCount * def.rowCount; ++k)
		{
			depths[k] = TestRandomInt(&random, 0, 9) == 0 ? TestRandomFloat(&random, 2.0f, 20.0f) : 0.3f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		tnJetDef jet = tnDefaultJetDef();
		const tnVec2 middle = {0.5f * (float)def.columnCount, 0.5f * (float)def.rowCount};
		jet.position = (tnVec3){middle.x, 8.0f, middle.z};
		jet.velocity = (tnVec3){2.0f, TestRandomFloat(&random, -9.0f, 3.0f), 1.0f};
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
			ENSURE(tnWorld_GetStats(world).maxDepth == FindLargestDepth(world));
			const tnSprayStats stats = tnWorld_GetSprayStats(world);
			ENSURE(stats.bornCount >= stats.landedCount + stats.particleCount);
			splashes += stats.landedCount > 0 ? 1 : 0;
			if (step % 20 == 19)
			{
				const float before = tnWorld_GetStats(world).maxDepth;
				ENSURE_OK(tnWorld_AddWater(world, middle, 100.0f, -10.0f, NULL));
				ENSURE(tnWorld_GetStats(world).maxDepth == FindLargestDepth(world));
				lowered += tnWorld_GetStats(world).maxDepth < before ? 1 : 0;
			}
		}
		tnDestroyWorld(world);
	}
	ENSURE(lowered > 12 && splashes > 100);
	return 0;
}

// Also in cells that are deeper than a host may fill them.
static int AllComesDownIntoDeepWater(void)
{
	tnWorldDef def = GetDef(6, 5, 1.0f);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	float bed[30];
	for (int i = 0; i < 30; ++i)
	{
		bed[i] = -200.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, bed));
	ENSURE_OK(tnWorld_FillToLevel(world, 99990.0f));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){3.0f, 99995.0f, 2.0f};
	jet.rate = 10.0f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	double left = 0.0;
	for (int step = 0; step < 240; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		const tnSprayView spray = tnWorld_GetSpray(world);
		double sum = 0.0;
		for (int i = 0; i < spray.count; ++i)
		{
			sum += spray.particles[i].volume;
		}
		left = fmax(left, fabs(tnWorld_GetLedger(world).airborne - sum));
	}
	const tnSprayStats stats = tnWorld_GetSprayStats(world);
	printf("%.4f m^3 were in no particle, %lld landed\n", left, (long long)stats.landedCount);
	// Depths are whole numbers of 1/128 m, and there are 30 of them.
	ENSURE(left <= 30.0 / 128.0 && stats.landedCount > 100);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"PathsAreParabolas", PathsAreParabolas},
	{"DragHasATerminalSpeed", DragHasATerminalSpeed},
	{"HosesReachAsFarAsTheyShould", HosesReachAsFarAsTheyShould},
	{"DragShortensTheReach", DragShortensTheReach},
	{"FallsTakeTheirTime", FallsTakeTheirTime},
	{"LandingPushes", LandingPushes},
	{"FilmsAreNotShotAway", FilmsAreNotShotAway},
	{"TooManyBecomeOne", TooManyBecomeOne},
	{"MergersKeepTheSums", MergersKeepTheSums},
	{"TenMinutesLoseNothing", TenMinutesLoseNothing},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
	{"EdgesAreKept", EdgesAreKept},
	{"BitsAreGolden", BitsAreGolden},
	{"StatsAreThoseOfNow", StatsAreThoseOfNow},
	{"AllComesDownIntoDeepWater", AllComesDownIntoDeepWater},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite spraySuite = TEST_SUITE("spray", s_tests);
