// SPDX-License-Identifier: MIT

// Which bodies make their waves in the wave layer, and are none of the flow's business.
//
// The flow moves what a body displaces with sqrt(g H), which is wrong for all waves that are not much longer than the
// depth. A body that is small against the depth makes no others. So with a wave layer it takes only the share 1 - r of its
// room from the flow, and displaces the share r in the layer instead (src/waves/wave_wakes.c), which has all its waves, as
// long as they are, with their right speeds. What a body displaces is counted once, whatever r is. At r = 1 the flow runs
// on where the body is, as deep as around it, and carries it along by drag; it has the level of the water, and with that
// the body floats.
//
//   r = s((H / L - 1/2) / (1 - 1/2)) s((1/2 - T / H) / (1/2 - 1/4)) s((D / W - 1/100) / (3/100 - 1/100))
//   s(x) = x^2 (3 - 2 x), x in [0, 1]
//
// H is the least depth around it, L its length, T how deep it reaches, D how deep a box as tall and of its density would
// float, and W the width of a square as large as its mean cross-section. So r is 0 of what stands on the ground, dams a river or fills a channel: that is the flow's, and so is a body that
// never moves, which is a wall to the layer. So are leaves and sheets of foam, which make no waves that one sees, but leave
// the water on each wave: the flow's implicit heads can bear that. r follows in some seconds where the ground rises.

#include "../flow/cell_disc.h"
#include "../shapes/submerged_mesh.h"
#include "bodies.h"

#include <math.h>

// Depth over length from which on a body is wholly the layer's, and below which it is the flow's. In water as deep as the
// body is long waves twice as long as it (what it makes most of) have 0.88 of the speed that they have in deep water; in
// half of that 0.66, where the flow's 0.70 is near enough.
#define TN_DEEP_WATER 1.0f
#define TN_SHALLOW_WATER 0.5f
// How much of the depth a body may take up for that.
#define TN_LOW_DRAFT 0.25f
#define TN_HIGH_DRAFT 0.5f
// What floats less deep than this share of its width is the flow's, or the layer's from the second on.
#define TN_LEAST_FLOAT 0.01f
#define TN_MOST_FLOAT 0.03f
// From one to the other, s: slow against all waves that that could make in the flow.
#define TN_RELIEF_TIME 4.0f

// From 0 at `low` to 1 at `high`.
static float tnRise(float value, float low, float high)
{
	const float x = tnClampFloat((value - low) / (high - low), 0.0f, 1.0f);
	return x * x * (3.0f - 2.0f * x);
}

// The water at a cell near by.
static void tnLookAtWater(const tnGrid* grid, int column, int row, float* least, float* highest)
{
	column = grid->wrapX ? ((column % grid->columnCount) + grid->columnCount) % grid->columnCount : column;
	row = grid->wrapZ ? ((row % grid->rowCount) + grid->rowCount) % grid->rowCount : row;
	if (column < 0 || column >= grid->columnCount || row < 0 || row >= grid->rowCount)
	{
		return;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const float height = tnGrid_GetHeight(grid, cell);
	*least = tnMinFloat(*least, height);
	*highest = tnMaxFloat(*highest, grid->bed[cell] + height);
}

static float tnFindTarget(const tnBody* body, const tnGrid* grid)
{
	const tnVec3 v = body->motion.velocity, s = body->motion.spin;
	const bool moves = v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || s.x != 0.0f || s.y != 0.0f || s.z != 0.0f;
	if (!tnIsFinite(body->def.mass) && !moves)
	{
		return 0.0f;
	}
	const tnCellBox* box = &body->touched;
	const int columns[3] = {box->columnBegin, (box->columnBegin + box->columnEnd) / 2, box->columnEnd - 1};
	const int rows[3] = {box->rowBegin, (box->rowBegin + box->rowEnd) / 2, box->rowEnd - 1};
	float least = TN_MAX_LENGTH;
	float highest = -TN_MAX_LENGTH;
	for (int i = 0; i < 9; ++i)
	{
		tnLookAtWater(grid, columns[i % 3], rows[i / 3], &least, &highest);
	}
	if (!(least > TN_DRY_DEPTH && least < TN_MAX_LENGTH))
	{
		return 0.0f;
	}
	tnVec3 low = {0.0f, 0.0f, 0.0f};
	tnVec3 high = low;
	for (int i = 0; i < body->mesh.pointCount; ++i)
	{
		const tnVec3 p = body->aheadPoints[i];
		low = (tnVec3){tnMinFloat(low.x, p.x), tnMinFloat(low.y, p.y), tnMinFloat(low.z, p.z)};
		high = (tnVec3){tnMaxFloat(high.x, p.x), tnMaxFloat(high.y, p.y), tnMaxFloat(high.z, p.z)};
	}
	const float length = tnMaxFloat(tnMaxFloat(high.x - low.x, high.z - low.z), 1.0e-6f);
	const float draft = highest - (body->aheadPose.position.y + low.y);
	const float tall = tnMaxFloat(high.y - low.y, 1.0e-6f);
	const float volume = tnMaxFloat(body->mesh.volume, 1.0e-12f);
	const float width = sqrtf(volume / tall);
	const float floats = tnIsFinite(body->def.mass) ? body->def.mass / (TN_WATER_DENSITY * volume) * tall : width;
	return tnRise(floats, TN_LEAST_FLOAT * width, TN_MOST_FLOAT * width) *
		tnRise(least, TN_SHALLOW_WATER * length, TN_DEEP_WATER * length) *
		(1.0f - tnRise(draft, TN_LOW_DRAFT * least, TN_HIGH_DRAFT * least));
}

void tnBody_FindRelief(tnBody* body, const tnGrid* grid, float timeStep)
{
	if (body->prints == NULL)
	{
		return;
	}
	const float target = tnFindTarget(body, grid);
	const float most = timeStep / TN_RELIEF_TIME;
	// Who has just come has no share yet.
	body->relief = body->cutCount == 0 ? target : tnClampFloat(target, body->relief - most, body->relief + most);
}
