// SPDX-License-Identifier: MIT

// The water on the GPU: surface, flow, foam and tracers between two states of the world.

#include "water/water.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Shores. Water meets the ground somewhere between a wet cell and a dry one. The mesh must run into the ground there,
// so dry cells beside water get a surface too, though they show none of it:
//
//       water  ~~~~~~~~~~/..o    o: the surface goes on level, under the ground of the dry cell. Where it passes the
//              _________/           slope of the ground is the shore, at any place between the two cells.
//
//       water  ~~~~~.            A dry cell that lies lower than the water beside it is the front of a flood: there
//              ______'___o       the surface falls to its bed.
//
// Cells further out follow from the ones before, for coarse meshes that skip cells. Further still the surface lies
// just under the ground.
//
// Bodies. Where one takes room from a cell, the surface stands higher than its depth says, by the lift of the world. A
// cell in which a body comes through the surface, or on whose dry ground it stands, is like a wall:
//
//       ~~~~~~~~~~|~~o  |      The surface goes on level into the body, and behind a thin one as far below the
//                 |   \ |      ground as it was above it: it meets the ground at the border of the two cells.
//       __________|____\|_o__

enum
{
	ringCount = 3
};

// Water that is not deeper than this is only wet ground, meters.
#define FILM TN_WET_DEPTH
// How far below dry ground the surface lies where there is no water near, cells.
#define HIDDEN 0.5f
// Foam and wetness lose the share 1 - 1/e of themselves in this time, seconds.
#define FOAM_LIFE 2.0f
// Spray is a splash so many seconds before it lands.
#define SPLASH_TIME 0.05f
#define DRYING_TIME 12.0f
// Longest step that memory is carried over, seconds.
#define LONGEST_STEP 0.25

bool tnrMakeWater(tnrWater* water, const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const size_t cellCount = (size_t)def.columnCount * (size_t)def.rowCount;
	*water = (tnrWater){.columnCount = def.columnCount,
		.rowCount = def.rowCount,
		.cellSize = def.cellSize,
		.gravity = def.gravity,
		.tracerCount = def.tracerCount,
		.time = -1.0};
	water->depth = malloc(cellCount * sizeof(float));
	water->surface = malloc(cellCount * sizeof(float));
	water->velocityX = malloc(cellCount * sizeof(float));
	water->velocityZ = malloc(cellCount * sizeof(float));
	water->foam = calloc(cellCount, sizeof(float));
	water->wetness = calloc(cellCount, sizeof(float));
	water->scratch = calloc(cellCount, sizeof(float));
	water->reach = calloc(cellCount, 1);
	water->awake = calloc(cellCount, 1);
	water->tracers = calloc(cellCount * (size_t)(def.tracerCount > 0 ? def.tracerCount : 1), sizeof(float));
	water->halves = malloc(cellCount * sizeof(uint16_t) * 4);
	if (water->depth == NULL || water->surface == NULL || water->velocityX == NULL || water->velocityZ == NULL ||
		water->foam == NULL || water->wetness == NULL || water->scratch == NULL || water->reach == NULL ||
		water->awake == NULL || water->tracers == NULL || water->halves == NULL)
	{
		tnrForgetWater(water);
		return false;
	}
	const int columns = def.columnCount, rows = def.rowCount;
	water->surfaceTexture = tnrMakeTexture(GL_R32F, columns, rows, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	water->flowTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	water->waveTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	const bool hasTracers = def.tracerCount > 0;
	water->tracerTexture =
		tnrMakeTexture(GL_RGBA16F, hasTracers ? columns : 1, hasTracers ? rows : 1, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	return true;
}

void tnrDestroyWater(tnrWater* water)
{
	glDeleteTextures(1, &water->surfaceTexture);
	glDeleteTextures(1, &water->flowTexture);
	glDeleteTextures(1, &water->waveTexture);
	glDeleteTextures(1, &water->tracerTexture);
	tnrForgetWater(water);
}

void tnrForgetWater(tnrWater* water)
{
	free(water->depth);
	free(water->surface);
	free(water->velocityX);
	free(water->velocityZ);
	free(water->foam);
	free(water->wetness);
	free(water->scratch);
	free(water->reach);
	free(water->awake);
	free(water->tracers);
	free(water->halves);
	memset(water, 0, sizeof(*water));
}

// Add what bodies lift the surface by, between the last two states. Dry cells below a body that stands on the ground
// have a lift too, the pressure there; as they stay dry nothing comes of it.
static void tnrAddLifts(tnrWater* water, const tnWorld* world, float alpha)
{
	const tnFieldView now = tnWorld_GetLift(world), previous = tnWorld_GetPreviousLift(world);
	for (int row = 0; row < water->rowCount && now.data != NULL; ++row)
	{
		const float* a = now.data + (size_t)row * (size_t)now.stride;
		const float* b = previous.data != NULL ? previous.data + (size_t)row * (size_t)previous.stride : a;
		const size_t begin = (size_t)row * (size_t)water->columnCount;
		for (int column = 0; column < water->columnCount; ++column)
		{
			const float lift = b[column] + (a[column] - b[column]) * alpha;
			if (lift != 0.0f)
			{
				water->surface[begin + (size_t)column] += lift;
			}
		}
	}
}

// Of tnrHideInsides: water stands over a body, and it is not known yet from where.
#define UNSURE 255

// Has water over a body come from beside it? Then a neighbour stands higher than the body.
static bool tnrIsFlooded(const tnrWater* water, size_t cell, float height)
{
	const int column = (int)(cell % (size_t)water->columnCount), row = (int)(cell / (size_t)water->columnCount);
	for (int side = 0; side < 9; ++side)
	{
		const int c = column + side % 3 - 1, r = row + side / 3 - 1;
		if (c >= 0 && r >= 0 && c < water->columnCount && r < water->rowCount)
		{
			const size_t other = (size_t)r * (size_t)water->columnCount + (size_t)c;
			if (water->reach[other] == 1 && water->surface[other] > height)
			{
				return true;
			}
		}
	}
	return false;
}

static void tnrMakeWall(tnrWater* water, const tnrCover* cover, size_t cell, float highest)
{
	water->reach[cell] = 0;
	water->surface[cell] = water->surface[cell] < highest ? water->surface[cell] : highest;
	cover->low[cell] = -INFINITY;
}

// Where a body comes through the surface nobody sees the surface, but a mesh with vertices in the middle of cells shows
// half a cell of what is inside beside the body: pressures of a dam, what has been left on its top. So these cells
// become walls, and keep their own height only where no open water is beside them. Over a body that is flooded from
// beside it water is drawn.
static void tnrHideInsides(tnrWater* water, const tnrCover* cover)
{
	// Meters. Thinner water on top of a body is not drawn. Cells and faces of a body agree on its height to the second.
	const float thickest = 0.01f, slack = 0.02f;
	for (int i = 0; i < cover->cellCount; ++i)
	{
		const size_t cell = (size_t)cover->cells[i];
		const float high = cover->high[cell], surface = water->surface[cell];
		if (water->reach[cell] != 1 || surface <= cover->low[cell])
		{
			continue;
		}
		if (surface < high + thickest)
		{
			tnrMakeWall(water, cover, cell, high - slack);
			continue;
		}
		water->reach[cell] = UNSURE;
	}
	// Forwards and backwards by turns; no body is wider than what this reaches and then still in one picture.
	const int mostSweeps = 64;
	bool changed = true;
	for (int sweep = 0; sweep < mostSweeps && changed; ++sweep)
	{
		changed = false;
		for (int i = 0; i < cover->cellCount; ++i)
		{
			const size_t cell = (size_t)cover->cells[sweep % 2 == 0 ? i : cover->cellCount - 1 - i];
			if (water->reach[cell] == UNSURE && tnrIsFlooded(water, cell, cover->high[cell] - slack))
			{
				water->reach[cell] = 1;
				changed = true;
			}
		}
	}
	for (int i = 0; i < cover->cellCount; ++i)
	{
		const size_t cell = (size_t)cover->cells[i];
		if (water->reach[cell] == UNSURE)
		{
			tnrMakeWall(water, cover, cell, cover->high[cell] - slack);
		}
	}
}

// Depths between the last two states; `reach` becomes 1 in wet cells.
static void tnrCopyDepths(tnrWater* water, const tnrGround* ground, const tnWorld* world, float alpha)
{
	const tnFieldView now = tnWorld_GetDepth(world), previous = tnWorld_GetPreviousDepth(world);
	water->maxDepth = 0.0f;
	for (int row = 0; row < water->rowCount; ++row)
	{
		const float* a = now.data + (size_t)row * (size_t)now.stride;
		const float* b = previous.data != NULL ? previous.data + (size_t)row * (size_t)previous.stride : a;
		const size_t begin = (size_t)row * (size_t)water->columnCount;
		for (int column = 0; column < water->columnCount; ++column)
		{
			const size_t cell = begin + (size_t)column;
			const float depth = b[column] + (a[column] - b[column]) * alpha;
			water->depth[cell] = depth;
			water->reach[cell] = depth > FILM ? 1 : 0;
			water->surface[cell] = ground->bed[cell] + depth;
			water->maxDepth = depth > water->maxDepth ? depth : water->maxDepth;
		}
	}
}

// What stands around a cell that is dry.
typedef struct Around
{
	// Of neighbours that were reached before.
	float sum, highest;
	int count;
	// Of those, walls.
	int wallCount;
} Around;

// Is there a body instead of a surface?
static bool tnrIsWall(const tnrWater* water, const tnrCover* cover, const float* bed, size_t cell)
{
	// Engines leave gaps between things that touch.
	const float gap = 0.1f * water->cellSize;
	return cover != NULL && water->reach[cell] != 1 && cover->low[cell] <= cover->high[cell] &&
		cover->low[cell] < bed[cell] + gap;
}

static Around tnrLookAround(
	const tnrWater* water, const tnrCover* cover, const float* bed, int column, int row, int ring)
{
	Around around = {.highest = -INFINITY};
	for (int j = -1; j <= 1; ++j)
	{
		for (int i = -1; i <= 1; ++i)
		{
			const int c = column + i, r = row + j;
			if (c < 0 || r < 0 || c >= water->columnCount || r >= water->rowCount)
			{
				continue;
			}
			const size_t other = (size_t)r * (size_t)water->columnCount + (size_t)c;
			if (water->reach[other] > 0 && water->reach[other] <= ring)
			{
				around.sum += water->surface[other];
				around.highest = water->surface[other] > around.highest ? water->surface[other] : around.highest;
				++around.count;
				around.wallCount += tnrIsWall(water, cover, bed, other) ? 1 : 0;
			}
		}
	}
	return around;
}

// The surface that a dry cell gets from neighbours that were reached before it. @return false if it has none
static bool tnrContinueSurface(
	const tnrWater* water, const tnrCover* cover, const float* bed, int column, int row, int ring, float* surface)
{
	const Around around = tnrLookAround(water, cover, bed, column, row, ring);
	const size_t cell = (size_t)row * (size_t)water->columnCount + (size_t)column;
	const float ground = bed[cell];
	if (around.count == 0)
	{
		return false;
	}
	if (tnrIsWall(water, cover, bed, cell))
	{
		// Only as far as one cell into the body: on its other side the water may stand lower, or not at all.
		*surface = ring == 1 ? around.sum / (float)around.count : *surface;
		return ring == 1;
	}
	if (around.wallCount == around.count)
	{
		*surface = around.highest > ground ? 2.0f * ground - around.highest : ground - HIDDEN * water->cellSize;
		return true;
	}
	*surface = around.highest > ground ? ground : around.sum / (float)around.count;
	return true;
}

static void tnrContinueSurfaces(tnrWater* water, const tnrCover* cover, const float* bed)
{
	for (int ring = 1; ring <= ringCount; ++ring)
	{
		for (int row = 0; row < water->rowCount; ++row)
		{
			for (int column = 0; column < water->columnCount; ++column)
			{
				const size_t cell = (size_t)row * (size_t)water->columnCount + (size_t)column;
				if (water->reach[cell] == 0 &&
					tnrContinueSurface(water, cover, bed, column, row, ring, &water->surface[cell]))
				{
					water->reach[cell] = (uint8_t)(ring + 1);
				}
			}
		}
	}
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	for (size_t i = 0; i < cellCount; ++i)
	{
		if (water->reach[i] == 0 && (cover == NULL || cover->low[i] > -INFINITY))
		{
			water->surface[i] = bed[i] - HIDDEN * water->cellSize;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Foam

static float tnrGetBilinear(const tnrWater* water, const float* field, float x, float z)
{
	x = tnrClamp(x, 0.0f, (float)(water->columnCount - 1));
	z = tnrClamp(z, 0.0f, (float)(water->rowCount - 1));
	const int column = tnrClampInt((int)x, 0, water->columnCount - 2),
			  row = tnrClampInt((int)z, 0, water->rowCount - 2);
	const float fx = x - (float)column, fz = z - (float)row;
	const float* p = field + (size_t)row * (size_t)water->columnCount + (size_t)column;
	return tnrMix(tnrMix(p[0], p[1], fx), tnrMix(p[water->columnCount], p[water->columnCount + 1], fx), fz);
}

// For worlds without foam of their own: white water where it is faster than its own waves, where it runs steeply down, and where it piles up.
static float tnrMakeFoam(const tnrWater* water, size_t cell, float slopeX, float slopeZ, float divergence)
{
	const float depth = water->depth[cell];
	const float u = water->velocityX[cell], w = water->velocityZ[cell];
	const float speed = sqrtf(u * u + w * w);
	const float froude = speed / sqrtf(water->gravity * (depth + 0.02f));
	const float fast = tnrSmoothStep(0.9f, 2.2f, froude) * tnrSmoothStep(0.6f, 3.0f, speed);
	const float slope = sqrtf(slopeX * slopeX + slopeZ * slopeZ);
	const float fall = tnrSmoothStep(0.12f, 0.5f, slope) * tnrSmoothStep(0.5f, 2.0f, speed);
	const float jump = tnrSmoothStep(0.35f, 1.6f, -divergence) * tnrSmoothStep(0.4f, 1.5f, speed);
	return tnrClamp(0.45f * fast + 0.6f * fall + 0.8f * jump, 0.0f, 1.0f) * tnrSmoothStep(0.004f, 0.05f, depth);
}

// What a body stirs up that is over a cell, at the height of the surface, and moves against the water.
static float tnrStirFoam(const tnrWater* water, const tnrCover* cover, size_t cell, size_t from)
{
	if (cover->low[from] > water->surface[cell] || cover->high[from] < water->surface[cell])
	{
		return 0.0f;
	}
	const float u = cover->velocity[from].x - water->velocityX[cell];
	const float w = cover->velocity[from].z - water->velocityZ[cell];
	return 0.75f * tnrSmoothStep(0.5f, 3.0f, sqrtf(u * u + w * w));
}

// Carry foam with the flow, let it age, and add what is made now. Into scratch.
// @param keep share of the foam that is left after the step
static void tnrUpdateFoamCell(tnrWater* water, const tnrCover* cover, int column, int row, float step, float keep)
{
	const int columns = water->columnCount;
	const size_t cell = (size_t)row * (size_t)columns + (size_t)column;
	if (water->depth[cell] <= FILM)
	{
		water->scratch[cell] = 0.0f;
		return;
	}
	const size_t west = column > 0 ? cell - 1 : cell, east = column < columns - 1 ? cell + 1 : cell;
	const size_t north = row > 0 ? cell - (size_t)columns : cell;
	const size_t south = row < water->rowCount - 1 ? cell + (size_t)columns : cell;
	const float scale = 0.5f / water->cellSize;
	const float divergence =
		(water->velocityX[east] - water->velocityX[west] + water->velocityZ[south] - water->velocityZ[north]) * scale;
	const float slopeX = (water->surface[east] - water->surface[west]) * scale;
	const float slopeZ = (water->surface[south] - water->surface[north]) * scale;
	float foam = 0.0f;
	if (step > 0.0f)
	{
		const float shift = step / water->cellSize;
		const float x = (float)column - water->velocityX[cell] * shift, z = (float)row - water->velocityZ[cell] * shift;
		foam = tnrGetBilinear(water, water->foam, x, z) * keep;
	}
	float made = tnrMakeFoam(water, cell, slopeX, slopeZ, divergence);
	if (cover != NULL)
	{
		const size_t places[5] = {cell, west, east, north, south};
		for (int i = 0; i < 5; ++i)
		{
			const float stirred = tnrStirFoam(water, cover, cell, places[i]);
			made = stirred > made ? stirred : made;
		}
	}
	water->scratch[cell] = foam > made ? foam : made;
}

static void tnrUpdateFoam(tnrWater* water, const tnrCover* cover, float step)
{
	const float keep = expf(-step / FOAM_LIFE);
	for (int row = 0; row < water->rowCount; ++row)
	{
		for (int column = 0; column < water->columnCount; ++column)
		{
			tnrUpdateFoamCell(water, cover, column, row, step, keep);
		}
	}
	float* swap = water->foam;
	water->foam = water->scratch;
	water->scratch = swap;
}

float tnrGetTimeToLand(const tnrWater* water, const tnSprayParticle* particle, tnVec2 origin)
{
	const float x = (particle->position.x - origin.x) / water->cellSize;
	const float z = (particle->position.z - origin.z) / water->cellSize;
	// What has just left a lip may still be over the stream above.
	const float youngest = 0.25f;
	if (particle->age < youngest || !(x >= 0.0f && z >= 0.0f) || x >= (float)water->columnCount ||
		z >= (float)water->rowCount || !(particle->velocity.y < 0.0f))
	{
		return INFINITY;
	}
	const size_t cell = (size_t)z * (size_t)water->columnCount + (size_t)x;
	return fmaxf(particle->position.y - water->surface[cell], 0.0f) / -particle->velocity.y;
}

// Foam in a disc, most in its middle. Place and radius in cells.
static void tnrAddFoam(tnrWater* water, float x, float z, float radius, float made)
{
	const int firstColumn = tnrClampInt((int)ceilf(x - radius), 0, water->columnCount);
	const int firstRow = tnrClampInt((int)ceilf(z - radius), 0, water->rowCount);
	const int columnEnd = tnrClampInt((int)floorf(x + radius) + 1, 0, water->columnCount);
	const int rowEnd = tnrClampInt((int)floorf(z + radius) + 1, 0, water->rowCount);
	for (int row = firstRow; row < rowEnd; ++row)
	{
		for (int column = firstColumn; column < columnEnd; ++column)
		{
			const float dx = ((float)column - x) / radius, dz = ((float)row - z) / radius;
			const float foam = made * tnrClamp(1.0f - dx * dx - dz * dz, 0.0f, 1.0f);
			const size_t cell = (size_t)row * (size_t)water->columnCount + (size_t)column;
			if (foam > water->foam[cell] && water->depth[cell] > FILM)
			{
				water->foam[cell] = foam;
			}
		}
	}
}

// Where waves broke in the last step: as wide as the crest is long, whiter the higher it was against its length.
static void tnrAddBreakers(tnrWater* water, const tnWorld* world)
{
	const tnBreakers breakers = tnWorld_GetBreakers(world);
	const tnVec2 origin = tnWorld_GetDef(world).origin;
	for (int i = 0; i < breakers.count; ++i)
	{
		const tnBreaker* breaker = &breakers.breakers[i];
		// Lower crests than these turn over without a sound.
		const float made = 0.9f * tnrSmoothStep(0.01f, 0.06f, breaker->amplitude);
		const float radius = fmaxf(0.25f * breaker->wavelength, 0.5f * water->cellSize) / water->cellSize;
		const float x = (breaker->position.x - origin.x) / water->cellSize - 0.5f;
		const float z = (breaker->position.z - origin.z) / water->cellSize - 0.5f;
		if (!(made > 0.0f && radius < 64.0f && fabsf(x) < 1.0e6f && fabsf(z) < 1.0e6f))
		{
			continue;
		}
		tnrAddFoam(water, x, z, radius, made);
	}
}

// Where spray is about to come down: foam some times as wide as what falls, whiter the faster.
static void tnrAddSplashes(tnrWater* water, const tnWorld* world)
{
	const tnSprayView spray = tnWorld_GetSpray(world);
	const tnVec2 origin = tnWorld_GetDef(world).origin;
	for (int i = 0; i < spray.count; ++i)
	{
		const tnSprayParticle* particle = spray.particles + i;
		const float x = (particle->position.x - origin.x) / water->cellSize - 0.5f;
		const float z = (particle->position.z - origin.z) / water->cellSize - 0.5f;
		const float made = tnrSmoothStep(1.0f, 7.0f, -particle->velocity.y);
		if (made > 0.0f && tnrGetTimeToLand(water, particle, origin) < SPLASH_TIME)
		{
			const float width = 8.0f * cbrtf(particle->volume) / water->cellSize;
			tnrAddFoam(water, x, z, tnrClamp(width, 1.2f, 16.0f), made);
		}
	}
}

// What the shader needs to cover that share of the water with its web; up to 1.3, where nothing of the water is left.
static float tnrGetWhiteness(float cover)
{
	return fminf(4.4f * cover, 0.395f + 0.45f * cover) + 0.45f * tnrSmoothStep(0.75f, 1.0f, cover);
}

// The foam of the world itself, if it has some.
static bool tnrCopyFoam(tnrWater* water, const tnWorld* world)
{
	const tnFieldView view = tnWorld_GetFoam(world);
	for (int row = 0; row < water->rowCount && view.data != NULL; ++row)
	{
		const float* from = view.data + (size_t)row * (size_t)view.stride;
		float* to = water->foam + (size_t)row * (size_t)water->columnCount;
		for (int column = 0; column < water->columnCount; ++column)
		{
			to[column] = tnrGetWhiteness(from[column] / (1.0f + from[column]));
		}
	}
	return view.data != NULL;
}

static void tnrUpdateWetness(tnrWater* water, float step)
{
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	const float keep = expf(-step / DRYING_TIME);
	for (size_t i = 0; i < cellCount; ++i)
	{
		const float now = tnrClamp(water->depth[i] * (1.0f / (2.0f * FILM)), 0.0f, 1.0f);
		const float before = water->wetness[i] * keep;
		water->wetness[i] = now > before ? now : before;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Upload

static void tnrUploadFlow(tnrWater* water)
{
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	float fastest = 0.0f;
	for (size_t i = 0; i < cellCount; ++i)
	{
		uint16_t* texel = water->halves + i * 4;
		const float u = water->velocityX[i], w = water->velocityZ[i];
		texel[0] = tnrMakeHalf(water->depth[i]);
		texel[1] = tnrMakeHalf(u);
		texel[2] = tnrMakeHalf(w);
		texel[3] = tnrMakeHalf(water->foam[i]);
		const float squared = u * u + w * w;
		fastest = squared > fastest ? squared : fastest;
	}
	water->maxSpeed = sqrtf(fastest);
	tnrBindTexture(tnr_flowUnit, water->flowTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, water->columnCount, water->rowCount, GL_RGBA, GL_HALF_FLOAT, water->halves);
}

// Slope between two cells of the display surface. Cells that no water reached have no say.
static float tnrGetSlope(const tnrWater* water, size_t before, size_t cell, size_t after)
{
	const size_t a = water->reach[before] > 0 ? before : cell, b = water->reach[after] > 0 ? after : cell;
	const float cells = (a != cell ? 1.0f : 0.0f) + (b != cell ? 1.0f : 0.0f);
	return cells > 0.0f ? (water->surface[b] - water->surface[a]) / (cells * water->cellSize) : 0.0f;
}

// Slopes for normals, wetness, and how the surface bends (1/m), which gathers or spreads the light beneath.
static void tnrUploadWaves(tnrWater* water)
{
	const int columns = water->columnCount, rows = water->rowCount;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const size_t cell = (size_t)row * (size_t)columns + (size_t)column;
			const size_t west = column > 0 ? cell - 1 : cell, east = column < columns - 1 ? cell + 1 : cell;
			const size_t north = row > 0 ? cell - (size_t)columns : cell;
			const size_t south = row < rows - 1 ? cell + (size_t)columns : cell;
			float slopeX = 0.0f, slopeZ = 0.0f, bend = 0.0f;
			if (water->reach[cell] > 0)
			{
				slopeX = tnrGetSlope(water, west, cell, east);
				slopeZ = tnrGetSlope(water, north, cell, south);
			}
			if (water->reach[west] == 1 && water->reach[east] == 1 && water->reach[north] == 1 &&
				water->reach[south] == 1 && water->reach[cell] == 1)
			{
				const float* surface = water->surface;
				bend = (surface[west] + surface[east] + surface[north] + surface[south] - 4.0f * surface[cell]) /
					(water->cellSize * water->cellSize);
			}
			uint16_t* texel = water->halves + cell * 4;
			texel[0] = tnrMakeHalf(slopeX);
			texel[1] = tnrMakeHalf(slopeZ);
			texel[2] = tnrMakeHalf(water->wetness[cell]);
			texel[3] = tnrMakeHalf(bend);
		}
	}
	tnrBindTexture(tnr_waveUnit, water->waveTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RGBA, GL_HALF_FLOAT, water->halves);
}

static void tnrCopyTracers(tnrWater* water, const tnWorld* world)
{
	const size_t columns = (size_t)water->columnCount;
	for (int channel = 0; channel < water->tracerCount; ++channel)
	{
		const tnFieldView tracer = tnWorld_GetTracer(world, channel);
		float* to = water->tracers + (size_t)channel * columns * (size_t)water->rowCount;
		for (int row = 0; row < water->rowCount && tracer.data != NULL; ++row)
		{
			memcpy(
				to + (size_t)row * columns, tracer.data + (size_t)row * (size_t)tracer.stride, columns * sizeof(float));
		}
	}
	water->tracersAreStale = true;
}

void tnrUpdateWater(tnrWater* water, const tnrGround* ground, const tnrCover* cover, const tnWorld* world, float alpha)
{
	const double time = tnWorld_GetTime(world);
	const double passed = water->time >= 0.0 && time > water->time ? time - water->time : 0.0;
	const float step = (float)(passed < LONGEST_STEP ? passed : LONGEST_STEP);
	water->time = time;
	water->subSteps = tnWorld_GetStats(world).subStepsWanted;

	tnrCopyDepths(water, ground, world, alpha);
	tnrAddLifts(water, world, alpha);
	if (cover != NULL)
	{
		tnrHideInsides(water, cover);
	}
	tnrContinueSurfaces(water, cover, ground->bed);
	tnWorld_CopyVelocities(world, water->velocityX, water->velocityZ);
	tnWorld_CopyAwake(world, water->awake);
	tnrCopyTracers(water, world);
	if (tnrCopyFoam(water, world) == false)
	{
		tnrUpdateFoam(water, cover, step);
		tnrAddBreakers(water, world);
		tnrAddSplashes(water, world);
	}
	tnrUpdateWetness(water, step);

	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrBindTexture(tnr_surfaceUnit, water->surfaceTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, water->columnCount, water->rowCount, GL_RED, GL_FLOAT, water->surface);
	tnrUploadFlow(water);
	tnrUploadWaves(water);
}

void tnrMixTracers(tnrWater* water, const tnrLook* look)
{
	const bool same = memcmp(water->tracerColors, look->tracerColors, sizeof(look->tracerColors)) == 0 &&
		memcmp(water->tracerDensity, look->tracerDensity, sizeof(look->tracerDensity)) == 0;
	if (water->tracerCount == 0 || (same && water->tracersAreStale == false))
	{
		return;
	}
	memcpy(water->tracerColors, look->tracerColors, sizeof(look->tracerColors));
	memcpy(water->tracerDensity, look->tracerDensity, sizeof(look->tracerDensity));
	water->tracersAreStale = false;
	const size_t cellCount = (size_t)water->columnCount * (size_t)water->rowCount;
	for (size_t i = 0; i < cellCount; ++i)
	{
		tnVec3 color = {0.0f, 0.0f, 0.0f};
		float density = 0.0f;
		for (int channel = 0; channel < water->tracerCount; ++channel)
		{
			const float amount =
				tnrClamp(water->tracers[(size_t)channel * cellCount + i], 0.0f, 100.0f) * look->tracerDensity[channel];
			color = tnrAddScaled(color, look->tracerColors[channel], amount);
			density += amount;
		}
		uint16_t* texel = water->halves + i * 4;
		texel[0] = tnrMakeHalf(color.x);
		texel[1] = tnrMakeHalf(color.y);
		texel[2] = tnrMakeHalf(color.z);
		texel[3] = tnrMakeHalf(density);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrBindTexture(tnr_tracerUnit, water->tracerTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, water->columnCount, water->rowCount, GL_RGBA, GL_HALF_FLOAT, water->halves);
}
