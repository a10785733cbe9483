// SPDX-License-Identifier: MIT

// Water comes down.
//
// What lands in a cell in one step is put there at once: whole numbers of units, and sums of momentum and tracers that do not depend
// on the order of particles (terms are rounded to a part of the largest of them, so that their sum is exact). Then depths change,
// each by one rounding; what rounding keeps from a cell, or lends it, is shared by all cells of the next landing. Then faces get
// their momentum, from both of their cells at once.

#include "spray.h"

#include "../flow/cell_disc.h"
#include "../flow/tracers.h"

#include <math.h>
#include <string.h>

// Terms are rounded to 2^-30 of the largest: 2^22 of them have an exact sum in a double.
#define TN_SUM_ROUNDING 4194304.0 // 2^22

// Power is a mean over this time, s: water comes down in pieces.
#define TN_SPLASH_TIME 0.25f

// A term without the places that a sum with it might lose. The same for the opposite sign.
static double tnTrimTerm(double term, double largest)
{
	const double rounding = TN_SUM_ROUNDING * largest;
	const double size = (term < 0.0 ? -term : term) + rounding - rounding;
	return term < 0.0 ? -size : size;
}

// The sum over particles of a landing of their units times a number of theirs, m of depth, in any order. The numbers are floats
// `stride` bytes apart.
static double tnSumOver(const tnSpray* spray, const tnLanding* landing, const void* numbers, size_t stride)
{
	double sum = 0.0;
	double largest = 0.0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int32_t i = landing->first; i >= 0; i = spray->landings[i])
		{
			float number;
			memcpy(&number, (const char*)numbers + (size_t)i * stride, sizeof(number));
			const double term = (double)spray->units[i] / TN_SPRAY_UNITS * number;
			const double size = term < 0.0 ? -term : term;
			largest = pass == 0 && size > largest ? size : largest;
			sum += pass == 0 ? 0.0 : tnTrimTerm(term, largest);
		}
	}
	return sum;
}

// Particles by cell. Returns how many cells there are.
static int tnCollectLandings(tnSpray* spray)
{
	int count = 0;
	for (int begin = 0; begin < spray->count; begin += TN_FLIGHT_BLOCK)
	{
		for (int k = 0; k < spray->landedCounts[begin / TN_FLIGHT_BLOCK]; ++k)
		{
			const int32_t i = spray->landed[begin + k];
			const int32_t cell = spray->landings[i];
			if (cell < 0)
			{
				continue;
			}
			spray->landedCount += 1;
			if (spray->marks[cell] == 0)
			{
				spray->landing[count] = (tnLanding){.cell = cell, .first = -1};
				spray->marks[cell] = ++count;
			}
			tnLanding* landing = spray->landing + (spray->marks[cell] - 1);
			spray->landings[i] = landing->first;
			landing->first = i;
		}
	}
	return count;
}

static void tnMixIn(
	const tnSpray* spray, tnGrid* grid, const tnLanding* landing, ptrdiff_t cell, float added, double depth)
{
	const size_t stride = (size_t)spray->tracerCount * sizeof(float);
	for (int i = 0; i < grid->tracerCount && added > 0.0f; ++i)
	{
		float* c = grid->tracers[i] + cell;
		const float mean = (float)(tnSumOver(spray, landing, spray->tracers + i, stride) / depth);
		*c = tnMixTracer(*c, grid->depth[cell] - added, added, mean);
	}
}

// Put water into a cell, and `share` units that the spray has left over.
static void tnGiveBack(tnSpray* spray, tnGrid* grid, tnLanding* landing, int64_t share)
{
	const int column = landing->cell % grid->columnCount;
	const int row = landing->cell / grid->columnCount;
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	int64_t units = 0;
	for (int32_t i = landing->first; i >= 0; i = spray->landings[i])
	{
		units += spray->units[i];
	}
	landing->depth = (double)units / TN_SPRAY_UNITS;
	const float before = grid->depth[cell];
	const double wanted = (double)(units + share) / TN_SPRAY_UNITS;
	// However deep the cell is: water that has come down cannot stay in the air.
	const float after = tnMaxFloat((float)((double)before + wanted), 0.0f);
	grid->depth[cell] = after;
	grid->maxDepth = tnMaxFloat(grid->maxDepth, after);
	tnMixIn(spray, grid, landing, cell, after - before, (double)units / TN_SPRAY_UNITS);
	landing->push[0] = tnSumOver(spray, landing, &spray->particles[0].velocity.x, sizeof(tnSprayParticle));
	landing->push[1] = tnSumOver(spray, landing, &spray->particles[0].velocity.z, sizeof(tnSprayParticle));
	const int64_t given = (int64_t)(((double)after - (double)before) * TN_SPRAY_UNITS);
	spray->rest += units - given;
}

// Foam by the speed of what has landed, sound by its energy.
static void tnSplash(tnSpray* spray, const tnSprayStep* step, const tnLanding* landing)
{
	const tnGrid* grid = step->grid;
	const int column = landing->cell % grid->columnCount;
	const int row = landing->cell / grid->columnCount;
	float energy = 0.0f; // J/m^2
	for (int32_t i = landing->first; i >= 0; i = spray->landings[i])
	{
		const tnVec3 v = spray->particles[i].velocity;
		const float speed = sqrtf(v.x * v.x + v.z * v.z + v.y * v.y);
		const float depth = (float)((double)spray->units[i] / TN_SPRAY_UNITS);
		tnFoam_AddSplash(step->foam, grid, column, row, depth, speed);
		energy += 0.5f * TN_WATER_DENSITY * depth * speed * speed;
	}
	const int block = row / TN_SOUND_BLOCK * tnSounds_CountColumns(grid) + column / TN_SOUND_BLOCK;
	spray->splashes[block] += energy * grid->cellSize * grid->cellSize / (TN_SPLASH_TIME + step->timeStep);
}

// ---------------------------------------------------------------------------------------------------------------------
// Momentum

// Section of the face of a cell on its lower or upper side along an axis, and the landing on the other side, NULL if there is none.
static float tnLookAcross(
	const tnSpray* spray, const tnGrid* grid, int32_t index, bool alongX, bool isUpper, const tnLanding** across)
{
	const int column = index % grid->columnCount;
	const int row = index / grid->columnCount;
	int otherColumn = column + (alongX ? (isUpper ? 1 : -1) : 0);
	int otherRow = row + (alongX ? 0 : (isUpper ? 1 : -1));
	if (grid->wrapX)
	{
		otherColumn = (otherColumn + grid->columnCount) % grid->columnCount;
	}
	if (grid->wrapZ)
	{
		otherRow = (otherRow + grid->rowCount) % grid->rowCount;
	}
	const bool isInside =
		otherColumn >= 0 && otherColumn < grid->columnCount && otherRow >= 0 && otherRow < grid->rowCount;
	const int32_t mark = isInside ? spray->marks[otherColumn + otherRow * grid->columnCount] : 0;
	*across = mark > 0 ? spray->landing + (mark - 1) : NULL;
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const ptrdiff_t other = tnGrid_Index(grid, otherColumn, otherRow);
	return tnFaceDepth(grid->bed[cell], grid->depth[cell], grid->bed[other], grid->depth[other]);
}

// What a landing brings to one of its two faces along an axis.
typedef struct tnLandingShare
{
	double depth; // m of the section of the face
	float push;   // m^2/s, with the velocity of what has landed
} tnLandingShare;

// As much as the face has of the section of both, so that water behind both gets as much faster. No more than the face holds,
// though: a film beside a step has no mass to speak of, and ground takes the rest.
static tnLandingShare tnGetLandingShare(
	const tnSpray* spray, const tnGrid* grid, const tnLanding* landing, bool alongX, bool isUpper, float section)
{
	const tnLanding* across;
	const float other = tnLookAcross(spray, grid, landing->cell, alongX, !isUpper, &across);
	const double both = (double)section + (other > TN_DRY_DEPTH ? (double)other : 0.0);
	const double most = both > landing->depth ? both : landing->depth;
	return (tnLandingShare){
		.depth = landing->depth * (double)section / most,
		.push = (float)(landing->push[alongX ? 0 : 1] * (double)section / most),
	};
}

// The discharge that a face gains, m^2/s. Where faces store velocities, what has landed has theirs already, and changes it only as
// far as its own is another: water gets no faster than what comes down on it, however often.
static float tnGetLandingPush(const tnGrid* grid, tnLandingShare share, float section, float velocity)
{
	if (!tnGrid_StoresVelocity(grid))
	{
		return share.push;
	}
	const double most = share.depth > (double)section ? (double)section / share.depth : 1.0;
	return (float)(((double)share.push - share.depth * velocity) * most);
}

// Each face once: a lower face by its cell, an upper one if nobody else does it.
static void tnPushLanding(tnSpray* spray, tnGrid* grid, const tnLanding* landing, bool alongX)
{
	for (int isUpper = 0; isUpper < 2; ++isUpper)
	{
		const tnLanding* across;
		const float section = tnLookAcross(spray, grid, landing->cell, alongX, isUpper, &across);
		if (!(section > TN_DRY_DEPTH) || (isUpper && across != NULL))
		{
			continue;
		}
		tnLandingShare share = tnGetLandingShare(spray, grid, landing, alongX, isUpper, section);
		if (across != NULL)
		{
			const tnLandingShare more = tnGetLandingShare(spray, grid, across, alongX, true, section);
			share.depth += more.depth;
			share.push += more.push;
		}
		const int column = landing->cell % grid->columnCount + (alongX ? isUpper : 0);
		const int row = landing->cell / grid->columnCount + (alongX ? 0 : isUpper);
		const float velocity = (alongX ? grid->flowX : grid->flowZ)[tnGrid_Index(grid, column, row)];
		tnAddDischarge(grid, column, row, alongX, section, tnGetLandingPush(grid, share, section, velocity));
	}
}

void tnSpray_Land(tnSpray* spray, const tnSprayStep* step)
{
	tnGrid* grid = step->grid;
	for (int i = 0; i < spray->splashCount; ++i)
	{
		spray->splashes[i] *= TN_SPLASH_TIME / (TN_SPLASH_TIME + step->timeStep);
	}
	const int count = tnCollectLandings(spray);
	const int64_t share = count > 0 ? spray->rest / count : 0;
	for (int i = 0; i < count; ++i)
	{
		tnGiveBack(spray, grid, spray->landing + i, share);
		tnSplash(spray, step, spray->landing + i);
	}
	for (int i = 0; i < count; ++i)
	{
		const tnLanding* landing = spray->landing + i;
		tnPushLanding(spray, grid, landing, true);
		tnPushLanding(spray, grid, landing, false);
		const int column = landing->cell % grid->columnCount;
		const int row = landing->cell / grid->columnCount;
		tnTiles_Touch(step->tiles, (tnCellBox){column, column + 1, row, row + 1});
	}
	for (int i = 0; i < count; ++i)
	{
		spray->marks[spray->landing[i].cell] = 0;
	}
}
