// SPDX-License-Identifier: MIT

// Sampling. A place lies in a cell N. Along each axis one neighbour of N is near and the other far:
//
//     .---.---.---.
//     |   | V | XV|       N, X, Z, XZ are the four cell centres around the place (here it is in the lower right of N),
//     .---.---.---.       and have a say in bed, surface and tracers, with the weights of bilinear interpolation.
//     | W | N | X |       Slopes and velocities live on faces. Along x they are read on the lines W N X and WZ Z XZ,
//     .---.---.---.       linear from face to face, and then weighted between the two lines; likewise along z on
//     | WZ| Z | XZ|       V N Z and XV X XZ.
//     .---.---.---.
//
// Shores. Only wet cells, and lines whose middle cell is wet, have a say; their weights are made to add up to 1. A lake
// so stays level up to the point where the ground comes through. A dry cell that lies lower than the water beside it is
// not a shore but the front of a flood: there the surface falls to its bed. Where the water is a film too thin to be
// wet, it is added to the bed as it is.
//
// Cells are told apart by distance and not by direction, and sums over X and Z commute: mirrored and rotated water,
// sampled at mirrored and rotated places, gives the same bits, as far as the places themselves are exact.
//
// As many places as a vector has lanes are sampled at once, and memory is asked for ahead of that.

#include "grid_sample.h"

#include "../core/instruction_sets.h"

#include <math.h>
#include <string.h>

// What every processor of the target has: nothing is chosen at run time here.
#if defined(TN_HAVE_SSE2)
#define TN_SIMD_SSE2
#elif defined(TN_HAVE_NEON)
#define TN_SIMD_NEON
#elif defined(TN_HAVE_WASM) && defined(__wasm_simd128__)
#define TN_SIMD_WASM
#else
#define TN_SIMD_SCALAR
#endif
#include "../core/simd.h"

enum
{
	// Places that are looked up and whose memory is asked for before they are sampled: the work on about this many
	// samples hides a trip to main memory. A power of two, and a multiple of every vector width.
	TN_PLACES_AHEAD = 16,
};

// What all samples of a grid share.
typedef struct tnFrame
{
	double originX, originZ;
	double cellsPerMeter;
	double columnCount, rowCount;
	float slopeScale; // 1 / cellSize
	float limit;      // TN_READ_LIMIT * g
	bool storesVelocity;
} tnFrame;

// Where a place is in the grid.
typedef struct tnPlace
{
	ptrdiff_t cell; // N
	// Steps in memory from N to X, W, Z, V. 0 where the world ends.
	ptrdiff_t nearX, farX, nearZ, farZ;
	// Is +x (+z) the near side?
	bool forwardX, forwardZ;
	bool inside;
	// Distance from the centre of N towards X and Z in cells, in [0, 0.5]. 0 outside the outermost centres.
	float alongX, alongZ;
	// The same without that cut: at -0.5 and 0.5 are the faces of N.
	float faceX, faceZ;
} tnPlace;

// The cells of the figure.
enum
{
	TN_CELL_N,
	TN_CELL_X,
	TN_CELL_W,
	TN_CELL_Z,
	TN_CELL_V,
	TN_CELL_XZ,
	TN_CELL_WZ,
	TN_CELL_XV,
	TN_CELL_COUNT,
};

// Faces on the near and far side of the middle cell of a line.
enum
{
	TN_FACE_NEAR_X,  // of N, towards X
	TN_FACE_FAR_X,   // of N, towards W
	TN_FACE_NEAR_XZ, // of Z
	TN_FACE_FAR_XZ,
	TN_FACE_NEAR_Z,  // of N, towards Z
	TN_FACE_FAR_Z,   // of N, towards V
	TN_FACE_NEAR_ZX, // of X
	TN_FACE_FAR_ZX,
	TN_FACE_COUNT,
};

// What is read for the places of one vector.
typedef struct tnGather
{
	float bed[TN_CELL_COUNT][TN_SIMD_WIDTH];
	float depth[TN_CELL_COUNT][TN_SIMD_WIDTH];
	float flow[TN_FACE_COUNT][TN_SIMD_WIDTH];
	float alongX[TN_SIMD_WIDTH], alongZ[TN_SIMD_WIDTH];
	float faceX[TN_SIMD_WIDTH], faceZ[TN_SIMD_WIDTH];
	// 1 if there is a cell on that side, else 0.
	float hasNearX[TN_SIMD_WIDTH], hasFarX[TN_SIMD_WIDTH], hasNearZ[TN_SIMD_WIDTH], hasFarZ[TN_SIMD_WIDTH];
	// Slope per cell towards X (Z) to slope along x (z).
	float slopeScaleX[TN_SIMD_WIDTH], slopeScaleZ[TN_SIMD_WIDTH];
} tnGather;

// What comes out.
typedef struct tnScatter
{
	float bed[TN_SIMD_WIDTH], surface[TN_SIMD_WIDTH], depth[TN_SIMD_WIDTH];
	float velocityX[TN_SIMD_WIDTH], velocityZ[TN_SIMD_WIDTH];
	float normalX[TN_SIMD_WIDTH], normalY[TN_SIMD_WIDTH], normalZ[TN_SIMD_WIDTH];
	float wet[TN_SIMD_WIDTH]; // 1 or 0
} tnScatter;

// Slope of the water and velocity along one axis on a line of three cells.
typedef struct tnLineW
{
	tnFloatW slope; // meters per cell, towards the near side
	tnFloatW velocity;
} tnLineW;

static tnFrame tnMakeFrame(const tnGrid* grid)
{
	tnFrame frame;
	frame.originX = (double)grid->origin.x;
	frame.originZ = (double)grid->origin.z;
	frame.cellsPerMeter = 1.0 / (double)grid->cellSize;
	frame.columnCount = grid->columnCount;
	frame.rowCount = grid->rowCount;
	frame.slopeScale = 1.0f / grid->cellSize;
	frame.limit = TN_READ_LIMIT * grid->gravity;
	frame.storesVelocity = tnGrid_StoresVelocity(grid);
	return frame;
}

TN_INLINE double tnClampDouble(double value, double low, double high)
{
	value = low < value ? value : low;
	return value < high ? value : high;
}

TN_INLINE tnPlace tnFindPlace(const tnGrid* grid, const tnFrame* frame, tnVec2 position)
{
	double u = ((double)position.x - frame->originX) * frame->cellsPerMeter;
	double v = ((double)position.z - frame->originZ) * frame->cellsPerMeter;

	tnPlace place;
	place.inside = u >= 0.0 && u <= frame->columnCount && v >= 0.0 && v <= frame->rowCount;
	if (!place.inside && !(tnIsFinite(position.x) && tnIsFinite(position.z)))
	{
		u = 0.0;
		v = 0.0;
	}

	const double centerU = tnClampDouble(u, 0.5, frame->columnCount - 0.5);
	const double centerV = tnClampDouble(v, 0.5, frame->rowCount - 0.5);
	const int column = (int)centerU;
	const int row = (int)centerV;
	const float faceX = (float)(tnClampDouble(u, 0.0, frame->columnCount) - (column + 0.5));
	const float faceZ = (float)(tnClampDouble(v, 0.0, frame->rowCount) - (row + 0.5));
	const ptrdiff_t left = column > 0 ? -1 : 0;
	const ptrdiff_t right = column < grid->columnCount - 1 ? 1 : 0;
	const ptrdiff_t up = row > 0 ? -(ptrdiff_t)grid->stride : 0;
	const ptrdiff_t down = row < grid->rowCount - 1 ? (ptrdiff_t)grid->stride : 0;

	// Not by a branch: which side is near is a coin toss that no processor can foresee.
	place.forwardX = faceX >= 0.0f;
	place.forwardZ = faceZ >= 0.0f;
	const ptrdiff_t pickX = -(ptrdiff_t)place.forwardX;
	const ptrdiff_t pickZ = -(ptrdiff_t)place.forwardZ;
	place.cell = tnGrid_Index(grid, column, row);
	place.nearX = left ^ ((left ^ right) & pickX);
	place.farX = right ^ ((left ^ right) & pickX);
	place.nearZ = up ^ ((up ^ down) & pickZ);
	place.farZ = down ^ ((up ^ down) & pickZ);
	place.alongX = fabsf((float)(centerU - (column + 0.5)));
	place.alongZ = fabsf((float)(centerV - (row + 0.5)));
	place.faceX = fabsf(faceX);
	place.faceZ = fabsf(faceZ);
	return place;
}

// Ask for the memory that a sample will read. Tracers are left out: they are rarely sampled in bulk.
TN_INLINE void tnPrefetchPlace(const tnGrid* grid, const tnPlace* place)
{
	const ptrdiff_t cell = place->cell;
	TN_PREFETCH(grid->bed + cell);
	TN_PREFETCH(grid->depth + cell);
	TN_PREFETCH(grid->flowX + cell);
	TN_PREFETCH(grid->flowZ + cell);
	TN_PREFETCH(grid->bed + cell + place->nearZ);
	TN_PREFETCH(grid->depth + cell + place->nearZ);
	TN_PREFETCH(grid->bed + cell + place->farZ);
	TN_PREFETCH(grid->depth + cell + place->farZ);
	TN_PREFETCH(grid->flowX + cell + place->nearZ);
	TN_PREFETCH(grid->flowZ + cell + grid->stride);
}

TN_INLINE void tnGatherCell(const tnGrid* grid, tnGather* gather, int lane, int which, ptrdiff_t cell)
{
	gather->bed[which][lane] = grid->bed[cell];
	gather->depth[which][lane] = tnGrid_GetHeight(grid, cell);
}

TN_INLINE void tnGatherPlace(const tnGrid* grid, const tnFrame* frame, const tnPlace* place, tnGather* gather, int lane)
{
	const ptrdiff_t cell = place->cell;
	tnGatherCell(grid, gather, lane, TN_CELL_N, cell);
	tnGatherCell(grid, gather, lane, TN_CELL_X, cell + place->nearX);
	tnGatherCell(grid, gather, lane, TN_CELL_W, cell + place->farX);
	tnGatherCell(grid, gather, lane, TN_CELL_Z, cell + place->nearZ);
	tnGatherCell(grid, gather, lane, TN_CELL_V, cell + place->farZ);
	tnGatherCell(grid, gather, lane, TN_CELL_XZ, cell + place->nearX + place->nearZ);
	tnGatherCell(grid, gather, lane, TN_CELL_WZ, cell + place->farX + place->nearZ);
	tnGatherCell(grid, gather, lane, TN_CELL_XV, cell + place->nearX + place->farZ);

	// Face c lies on the negative side of cell c.
	const ptrdiff_t stepX = place->forwardX ? 1 : 0;
	const ptrdiff_t stepZ = place->forwardZ ? grid->stride : 0;
	const float* flowX = grid->flowX + cell;
	const float* flowZ = grid->flowZ + cell;
	gather->flow[TN_FACE_NEAR_X][lane] = flowX[stepX];
	gather->flow[TN_FACE_FAR_X][lane] = flowX[1 - stepX];
	gather->flow[TN_FACE_NEAR_XZ][lane] = flowX[place->nearZ + stepX];
	gather->flow[TN_FACE_FAR_XZ][lane] = flowX[place->nearZ + 1 - stepX];
	gather->flow[TN_FACE_NEAR_Z][lane] = flowZ[stepZ];
	gather->flow[TN_FACE_FAR_Z][lane] = flowZ[grid->stride - stepZ];
	gather->flow[TN_FACE_NEAR_ZX][lane] = flowZ[place->nearX + stepZ];
	gather->flow[TN_FACE_FAR_ZX][lane] = flowZ[place->nearX + grid->stride - stepZ];

	gather->alongX[lane] = place->alongX;
	gather->alongZ[lane] = place->alongZ;
	gather->faceX[lane] = place->faceX;
	gather->faceZ[lane] = place->faceZ;
	gather->hasNearX[lane] = (float)(place->nearX != 0);
	gather->hasFarX[lane] = (float)(place->farX != 0);
	gather->hasNearZ[lane] = (float)(place->nearZ != 0);
	gather->hasFarZ[lane] = (float)(place->farZ != 0);
	gather->slopeScaleX[lane] = frame->slopeScale * (float)(2 * (int)place->forwardX - 1);
	gather->slopeScaleZ[lane] = frame->slopeScale * (float)(2 * (int)place->forwardZ - 1);
}

// Between two values on the faces of a cell, at an offset from its centre towards the near one.
TN_INLINE tnFloatW tnMixFaces(tnFloatW far, tnFloatW near, tnFloatW offset)
{
	const tnFloatW middle = tnMulW(tnSplatW(0.5f), tnAddW(far, near));
	return tnAddW(middle, tnMulW(offset, tnSubW(near, far)));
}

// The velocity of a face, as tnGrid_GetFaceVelocityX. A face at the edge of the world has the same cell on both sides.
// @param part set to the part of it that the water of cell B has: TN_READ_FILM says why
TN_INLINE tnFloatW tnFaceVelocityW(bool storesVelocity, float limit, tnFloatW bedA, tnFloatW depthA, tnFloatW bedB,
	tnFloatW depthB, tnFloatW flow, tnFloatW* part)
{
	const tnFloatW dry = tnSplatW(TN_DRY_DEPTH);
	const tnFloatW surface = tnMaxW(tnAddW(bedA, depthA), tnAddW(bedB, depthB));
	const tnFloatW section = tnSubW(surface, tnMaxW(bedA, bedB));
	const tnFloatW least = tnMaxW(section, dry);
	const tnFloatW whole = tnMaxW(least, tnMulW(tnSplatW(0.5f), depthB));
	tnFloatW velocity = storesVelocity ? flow : tnDivW(flow, least);
	if (!storesVelocity)
	{
		const tnFloatW height = tnMaxW(tnSubW(surface, tnMinW(bedA, bedB)), tnSplatW(0.0f));
		const tnFloatW most = tnSqrtW(tnMulW(tnSplatW(limit), height));
		const tnFloatW limited = tnMinW(tnMaxW(velocity, tnNegW(most)), most);
		velocity = tnSelectW(tnGreaterW(tnSplatW(TN_READ_FILM), section), limited, velocity);
	}
	velocity = tnKeepW(tnGreaterW(section, dry), velocity);
	*part = tnSelectW(tnGreaterW(whole, least), tnMulW(velocity, tnDivW(least, whole)), velocity);
	return velocity;
}

TN_INLINE tnLineW tnReadLineW(bool storesVelocity, float limit, const tnGather* gather, int far, int middle, int near,
	int farFace, int nearFace, const float* hasFar, const float* hasNear, const float* offset)
{
	const tnFloatW bedF = tnLoadW(gather->bed[far]), depthF = tnLoadW(gather->depth[far]);
	const tnFloatW bedM = tnLoadW(gather->bed[middle]), depthM = tnLoadW(gather->depth[middle]);
	const tnFloatW bedN = tnLoadW(gather->bed[near]), depthN = tnLoadW(gather->depth[near]);
	const tnFloatW offsetW = tnLoadW(offset);
	const tnFloatW wetDepth = tnSplatW(TN_WET_DEPTH);

	tnLineW line;
	const tnFloatW flowF = tnLoadW(gather->flow[farFace]), flowN = tnLoadW(gather->flow[nearFace]);
	tnFloatW partF, partN;
	tnFaceVelocityW(storesVelocity, limit, bedF, depthF, bedM, depthM, flowF, &partF);
	const tnFloatW velocityN = tnFaceVelocityW(storesVelocity, limit, bedN, depthN, bedM, depthM, flowN, &partN);
	// At the face itself the velocity is its own, from both sides.
	const tnFloatW rest = tnMulW(tnAddW(offsetW, offsetW), tnSubW(velocityN, partN));
	line.velocity = tnAddW(tnMixFaces(partF, partN, offsetW), rest);

	// Only a face between two wet cells has a slope. With one such face the slope is one-sided, with none it is zero.
	// Depths of cells that do not exist become zero here.
	const tnFloatW hasFarW = tnLoadW(hasFar), hasNearW = tnLoadW(hasNear);
	const tnFloatW surfaceM = tnAddW(bedM, depthM);
	const tnMaskW wetF = tnGreaterW(tnMulW(depthF, hasFarW), wetDepth);
	const tnMaskW wetN = tnGreaterW(tnMulW(depthN, hasNearW), wetDepth);
	const tnFloatW waterF = tnKeepW(wetF, tnSubW(surfaceM, tnAddW(bedF, depthF)));
	const tnFloatW waterN = tnKeepW(wetN, tnSubW(tnAddW(bedN, depthN), surfaceM));
	line.slope = tnMixFaces(tnSelectW(wetF, waterF, waterN), tnSelectW(wetN, waterN, waterF), offsetW);
	return line;
}

// Slope of the ground on a line, meters per cell, towards the near side.
TN_INLINE tnFloatW tnReadBedSlopeW(const tnGather* gather, int far, int middle, int near, const float* hasFar,
	const float* hasNear, const float* offset)
{
	const tnFloatW bedM = tnLoadW(gather->bed[middle]);
	const tnMaskW isFar = tnGreaterW(tnLoadW(hasFar), tnSplatW(0.0f));
	const tnMaskW isNear = tnGreaterW(tnLoadW(hasNear), tnSplatW(0.0f));
	const tnFloatW slopeF = tnSubW(bedM, tnLoadW(gather->bed[far]));
	const tnFloatW slopeN = tnSubW(tnLoadW(gather->bed[near]), bedM);
	return tnMixFaces(tnSelectW(isFar, slopeF, slopeN), tnSelectW(isNear, slopeN, slopeF), tnLoadW(offset));
}

// `along` of the way from a to b.
TN_INLINE tnFloatW tnMixW(tnFloatW a, tnFloatW b, tnFloatW along)
{
	return tnAddW(tnMulW(tnSubW(tnSplatW(1.0f), along), a), tnMulW(along, b));
}

// (n + d) + (x + z)
TN_INLINE tnFloatW tnSum4(tnFloatW n, tnFloatW d, tnFloatW x, tnFloatW z)
{
	return tnAddW(tnAddW(n, d), tnAddW(x, z));
}

TN_INLINE void tnComputeSamples(const tnGather* gather, bool storesVelocity, float limit, tnScatter* scatter)
{
	const tnFloatW zero = tnSplatW(0.0f), one = tnSplatW(1.0f);
	const tnFloatW wetDepth = tnSplatW(TN_WET_DEPTH);
	const tnFloatW alongX = tnLoadW(gather->alongX), alongZ = tnLoadW(gather->alongZ);
	const tnFloatW weightN = tnMulW(tnSubW(one, alongX), tnSubW(one, alongZ));
	const tnFloatW weightX = tnMulW(alongX, tnSubW(one, alongZ));
	const tnFloatW weightZ = tnMulW(tnSubW(one, alongX), alongZ);
	const tnFloatW weightD = tnMulW(alongX, alongZ);

	const tnFloatW bedN = tnLoadW(gather->bed[TN_CELL_N]), depthN = tnLoadW(gather->depth[TN_CELL_N]);
	const tnFloatW bedX = tnLoadW(gather->bed[TN_CELL_X]), depthX = tnLoadW(gather->depth[TN_CELL_X]);
	const tnFloatW bedZ = tnLoadW(gather->bed[TN_CELL_Z]), depthZ = tnLoadW(gather->depth[TN_CELL_Z]);
	const tnFloatW bedD = tnLoadW(gather->bed[TN_CELL_XZ]), depthD = tnLoadW(gather->depth[TN_CELL_XZ]);

	// Differences to one of the values: equal values so give exactly that value.
	const tnFloatW bedSum = tnSum4(zero, tnMulW(weightD, tnSubW(bedD, bedN)), tnMulW(weightX, tnSubW(bedX, bedN)),
		tnMulW(weightZ, tnSubW(bedZ, bedN)));
	const tnFloatW bed = tnAddW(bedN, bedSum);

	// The weights of the wet cells, and the rest.
	const tnMaskW wetN = tnGreaterW(depthN, wetDepth), wetX = tnGreaterW(depthX, wetDepth);
	const tnMaskW wetZ = tnGreaterW(depthZ, wetDepth), wetD = tnGreaterW(depthD, wetDepth);
	const tnFloatW shareN = tnKeepW(wetN, weightN), dryN = tnSubW(weightN, shareN);
	const tnFloatW shareX = tnKeepW(wetX, weightX), dryX = tnSubW(weightX, shareX);
	const tnFloatW shareZ = tnKeepW(wetZ, weightZ), dryZ = tnSubW(weightZ, shareZ);
	const tnFloatW shareD = tnKeepW(wetD, weightD), dryD = tnSubW(weightD, shareD);
	const tnFloatW wetShare = tnSum4(shareN, shareD, shareX, shareZ);
	const tnMaskW anyWet = tnGreaterW(wetShare, zero);

	const tnFloatW surfaceN = tnAddW(bedN, depthN), surfaceX = tnAddW(bedX, depthX);
	const tnFloatW surfaceZ = tnAddW(bedZ, depthZ), surfaceD = tnAddW(bedD, depthD);
	const tnFloatW none = tnSplatW(-TN_WALL);
	const tnFloatW sides = tnMaxW(tnSelectW(wetX, surfaceX, none), tnSelectW(wetZ, surfaceZ, none));
	const tnFloatW base = tnSelectW(wetN, surfaceN, tnSelectW(wetD, surfaceD, sides));
	const tnFloatW sum = tnSum4(tnMulW(shareN, tnSubW(surfaceN, base)), tnMulW(shareD, tnSubW(surfaceD, base)),
		tnMulW(shareX, tnSubW(surfaceX, base)), tnMulW(shareZ, tnSubW(surfaceZ, base)));
	tnFloatW water = tnAddW(base, tnDivW(sum, tnSelectW(anyWet, wetShare, one)));
	// Most places are under water altogether: what only shores need is left out there, and would change no bit.
	const tnFloatW dryShare = tnSum4(dryN, dryD, dryX, dryZ);
	if (tnAnyW(tnGreaterW(dryShare, zero)))
	{
		const tnFloatW fall =
			tnSum4(tnMulW(dryN, tnMinW(tnSubW(bedN, water), zero)), tnMulW(dryD, tnMinW(tnSubW(bedD, water), zero)),
				tnMulW(dryX, tnMinW(tnSubW(bedX, water), zero)), tnMulW(dryZ, tnMinW(tnSubW(bedZ, water), zero)));
		water = tnSelectW(anyWet, tnAddW(water, fall), bed);
	}
	const tnFloatW waterDepth = tnSubW(water, bed);
	const tnMaskW wet = tnGreaterW(waterDepth, wetDepth);

	const tnFloatW isWet = tnKeepW(wet, one);
	const bool allWet = !tnAnyW(tnGreaterW(one, isWet));
	tnFloatW depth = waterDepth;
	tnFloatW surface = water;
	if (!allWet)
	{
		const tnFloatW film =
			tnSum4(tnMulW(dryN, depthN), tnMulW(dryD, depthD), tnMulW(dryX, depthX), tnMulW(dryZ, depthZ));
		const tnFloatW filmDepth = tnMinW(tnMaxW(waterDepth, film), wetDepth);
		depth = tnSelectW(wet, waterDepth, filmDepth);
		surface = tnSelectW(wet, water, tnAddW(bed, filmDepth));
	}
	tnStoreW(scatter->bed, bed);
	tnStoreW(scatter->depth, depth);
	tnStoreW(scatter->surface, surface);
	tnStoreW(scatter->wet, isWet);

	const tnLineW x0 = tnReadLineW(storesVelocity, limit, gather, TN_CELL_W, TN_CELL_N, TN_CELL_X, TN_FACE_FAR_X,
		TN_FACE_NEAR_X, gather->hasFarX, gather->hasNearX, gather->faceX);
	const tnLineW x1 = tnReadLineW(storesVelocity, limit, gather, TN_CELL_WZ, TN_CELL_Z, TN_CELL_XZ, TN_FACE_FAR_XZ,
		TN_FACE_NEAR_XZ, gather->hasFarX, gather->hasNearX, gather->faceX);
	const tnLineW z0 = tnReadLineW(storesVelocity, limit, gather, TN_CELL_V, TN_CELL_N, TN_CELL_Z, TN_FACE_FAR_Z,
		TN_FACE_NEAR_Z, gather->hasFarZ, gather->hasNearZ, gather->faceZ);
	const tnLineW z1 = tnReadLineW(storesVelocity, limit, gather, TN_CELL_XV, TN_CELL_X, TN_CELL_XZ, TN_FACE_FAR_ZX,
		TN_FACE_NEAR_ZX, gather->hasFarZ, gather->hasNearZ, gather->faceZ);

	// A line whose middle cell is dry, or that is not near at all, has no say; if neither has, the result is zero.
	const tnFloatW nearZ = tnKeepW(wetZ, alongZ), nearX = tnKeepW(wetX, alongX);
	const tnFloatW mixX = tnSelectW(wetN, nearZ, one), mixZ = tnSelectW(wetN, nearX, one);
	const tnMaskW hasLineX = tnOrMaskW(wetN, tnGreaterW(nearZ, zero));
	const tnMaskW hasLineZ = tnOrMaskW(wetN, tnGreaterW(nearX, zero));
	tnStoreW(scatter->velocityX, tnKeepW(wet, tnKeepW(hasLineX, tnMixW(x0.velocity, x1.velocity, mixX))));
	tnStoreW(scatter->velocityZ, tnKeepW(wet, tnKeepW(hasLineZ, tnMixW(z0.velocity, z1.velocity, mixZ))));

	tnFloatW slopeX = tnKeepW(hasLineX, tnMixW(x0.slope, x1.slope, mixX));
	tnFloatW slopeZ = tnKeepW(hasLineZ, tnMixW(z0.slope, z1.slope, mixZ));
	if (!allWet)
	{
		const tnFloatW bedX0 =
			tnReadBedSlopeW(gather, TN_CELL_W, TN_CELL_N, TN_CELL_X, gather->hasFarX, gather->hasNearX, gather->faceX);
		const tnFloatW bedX1 = tnReadBedSlopeW(
			gather, TN_CELL_WZ, TN_CELL_Z, TN_CELL_XZ, gather->hasFarX, gather->hasNearX, gather->faceX);
		const tnFloatW bedZ0 =
			tnReadBedSlopeW(gather, TN_CELL_V, TN_CELL_N, TN_CELL_Z, gather->hasFarZ, gather->hasNearZ, gather->faceZ);
		const tnFloatW bedZ1 = tnReadBedSlopeW(
			gather, TN_CELL_XV, TN_CELL_X, TN_CELL_XZ, gather->hasFarZ, gather->hasNearZ, gather->faceZ);
		slopeX = tnSelectW(wet, slopeX, tnMixW(bedX0, bedX1, alongZ));
		slopeZ = tnSelectW(wet, slopeZ, tnMixW(bedZ0, bedZ1, alongX));
	}
	slopeX = tnMulW(slopeX, tnLoadW(gather->slopeScaleX));
	slopeZ = tnMulW(slopeZ, tnLoadW(gather->slopeScaleZ));
	const tnFloatW square = tnAddW(one, tnAddW(tnMulW(slopeX, slopeX), tnMulW(slopeZ, slopeZ)));
	const tnFloatW scale = tnDivW(one, tnSqrtW(square));
	tnStoreW(scatter->normalX, tnMulW(tnSubW(zero, slopeX), scale));
	tnStoreW(scatter->normalY, scale);
	tnStoreW(scatter->normalZ, tnMulW(tnSubW(zero, slopeZ), scale));
}

// A tracer counts by the water that carries it.
static void tnSampleTracers(const tnGrid* grid, const tnPlace* place, tnSample* sample)
{
	const ptrdiff_t cells[4] = {
		place->cell, place->cell + place->nearX + place->nearZ, place->cell + place->nearX, place->cell + place->nearZ};
	const float alongX = place->alongX, alongZ = place->alongZ;
	const float weights[4] = {
		(1.0f - alongX) * (1.0f - alongZ), alongX * alongZ, alongX * (1.0f - alongZ), (1.0f - alongX) * alongZ};
	float volumes[4];
	for (int k = 0; k < 4; ++k)
	{
		const float depth = grid->depth[cells[k]];
		volumes[k] = depth > TN_WET_DEPTH ? weights[k] * depth : 0.0f;
	}
	const float volume = (volumes[0] + volumes[1]) + (volumes[2] + volumes[3]);
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		const float* tracer = grid->tracers[i];
		const float sum = (volumes[0] * tracer[cells[0]] + volumes[1] * tracer[cells[1]]) +
			(volumes[2] * tracer[cells[2]] + volumes[3] * tracer[cells[3]]);
		// Cells can be wet through their lift alone: a body has a head, and no water is left below it.
		sample->tracers[i] = volume > 0.0f ? sum / volume : 0.0f;
	}
}

// Dry cells have no say.
static float tnSampleFoam(const tnGrid* grid, const tnPlace* place)
{
	const ptrdiff_t cells[4] = {
		place->cell, place->cell + place->nearX + place->nearZ, place->cell + place->nearX, place->cell + place->nearZ};
	const float alongX = place->alongX, alongZ = place->alongZ;
	const float weights[4] = {
		(1.0f - alongX) * (1.0f - alongZ), alongX * alongZ, alongX * (1.0f - alongZ), (1.0f - alongX) * alongZ};
	float sum = 0.0f, weight = 0.0f;
	for (int k = 0; k < 4; ++k)
	{
		const float share = grid->depth[cells[k]] > TN_WET_DEPTH ? weights[k] : 0.0f;
		sum += share * grid->foam[cells[k]];
		weight += share;
	}
	const float amount = weight > 0.0f ? sum / weight : 0.0f;
	// The largest float below 1: some water is left bare.
	return tnMinFloat(amount / (1.0f + amount), 0.99999994f);
}

TN_INLINE void tnWriteSample(
	const tnGrid* grid, const tnPlace* place, const tnScatter* scatter, int lane, tnSample* sample)
{
	sample->surface = scatter->surface[lane];
	sample->bed = scatter->bed[lane];
	sample->depth = scatter->depth[lane];
	sample->velocity = (tnVec2){scatter->velocityX[lane], scatter->velocityZ[lane]};
	sample->normal = (tnVec3){scatter->normalX[lane], scatter->normalY[lane], scatter->normalZ[lane]};
	memset(sample->tracers, 0, sizeof(sample->tracers));
	sample->wet = scatter->wet[lane] != 0.0f;
	sample->foam = grid->foam != NULL && sample->wet ? tnSampleFoam(grid, place) : 0.0f;
	sample->inside = place->inside;
	if (grid->tracerCount > 0 && sample->wet)
	{
		tnSampleTracers(grid, place, sample);
	}
}

// Samples up to TN_SIMD_WIDTH places.
TN_INLINE void tnSamplePlaces(
	const tnGrid* grid, const tnFrame* frame, const tnPlace* places, int count, tnSample* samples)
{
	tnGather gather;
	tnScatter scatter;
	if (count < TN_SIMD_WIDTH)
	{
		memset(&gather, 0, sizeof(gather));
	}
	for (int lane = 0; lane < count; ++lane)
	{
		tnGatherPlace(grid, frame, &places[lane], &gather, lane);
	}
	if (frame->storesVelocity)
	{
		tnComputeSamples(&gather, true, frame->limit, &scatter);
	}
	else
	{
		tnComputeSamples(&gather, false, frame->limit, &scatter);
	}
	for (int lane = 0; lane < count; ++lane)
	{
		tnWriteSample(grid, &places[lane], &scatter, lane, &samples[lane]);
	}
}

void tnSampleGridMany(const tnGrid* grid, const tnVec2* positions, int count, tnSample* samples)
{
	const tnFrame frame = tnMakeFrame(grid);
	// A ring: place i is at i modulo its size.
	tnPlace places[TN_PLACES_AHEAD];
	int found = 0;
	for (int begin = 0; begin < count; begin += TN_SIMD_WIDTH)
	{
		for (; found < count && found < begin + TN_PLACES_AHEAD; ++found)
		{
			tnPlace* place = &places[found & (TN_PLACES_AHEAD - 1)];
			*place = tnFindPlace(grid, &frame, positions[found]);
			tnPrefetchPlace(grid, place);
		}
		const int width = tnMinInt(TN_SIMD_WIDTH, count - begin);
		tnSamplePlaces(grid, &frame, &places[begin & (TN_PLACES_AHEAD - 1)], width, samples + begin);
	}
}

tnSample tnSampleGrid(const tnGrid* grid, tnVec2 position)
{
	tnSample sample;
	memset(&sample, 0, sizeof(sample));
	tnSampleGridMany(grid, &position, 1, &sample);
	return sample;
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

// The velocity that a face gives to the water of a cell, from the discharge or velocity that it stores: TN_READ_FILM.
TN_INLINE float tnGetPart(
	float flow, float section, float surface, float bottom, float depth, float limit, const bool storesVelocity)
{
	const float open = section > TN_DRY_DEPTH ? section : 1.0f;
	float velocity = storesVelocity ? flow : flow / open;
	if (!storesVelocity)
	{
		const float height = surface - bottom;
		const float most = sqrtf(limit * (height > 0.0f ? height : 0.0f));
		const float above = velocity > -most ? velocity : -most;
		const float limited = above < most ? above : most;
		velocity = section < TN_READ_FILM ? limited : velocity;
	}
	const float whole = 0.5f * depth;
	velocity = whole > open ? velocity * (open / whole) : velocity;
	return section > TN_DRY_DEPTH ? velocity : 0.0f;
}

// Velocity at the centres of cells side by side along an axis, from the faces and the neighbours on both sides. Loops
// without branches: compilers make vectors of them.
TN_INLINE void tnGetCellVelocities(const tnGrid* grid, const float* flow, ptrdiff_t cell, ptrdiff_t first,
	ptrdiff_t second, ptrdiff_t faceStep, int count, float* restrict velocities, const bool storesVelocity)
{
	const float* restrict bed = grid->bed + cell;
	const float* restrict depth = grid->depth + cell;
	const float* restrict faces = flow + cell;
	const float limit = TN_READ_LIMIT * grid->gravity;
	for (int i = 0; i < count; ++i)
	{
		const float here = bed[i] + depth[i];
		const float topBefore = tnMaxFloat(here, bed[i + first] + depth[i + first]);
		const float topAfter = tnMaxFloat(here, bed[i + second] + depth[i + second]);
		const float before = topBefore - tnMaxFloat(bed[i], bed[i + first]);
		const float after = topAfter - tnMaxFloat(bed[i], bed[i + second]);
		const float inflow =
			tnGetPart(faces[i], before, topBefore, tnMinFloat(bed[i], bed[i + first]), depth[i], limit, storesVelocity);
		const float outflow = tnGetPart(
			faces[i + faceStep], after, topAfter, tnMinFloat(bed[i], bed[i + second]), depth[i], limit, storesVelocity);
		// From zero on: what is open and has -0 counts 0.
		const float velocity = (0.0f + inflow) + outflow;
		velocities[i] = depth[i] > TN_DRY_DEPTH ? 0.5f * velocity : 0.0f;
	}
}

// The same for any method.
static void tnGetVelocitiesAlong(const tnGrid* grid, const float* flow, ptrdiff_t cell, ptrdiff_t first,
	ptrdiff_t second, ptrdiff_t faceStep, int count, float* velocities)
{
	if (tnGrid_StoresVelocity(grid))
	{
		tnGetCellVelocities(grid, flow, cell, first, second, faceStep, count, velocities, true);
	}
	else
	{
		tnGetCellVelocities(grid, flow, cell, first, second, faceStep, count, velocities, false);
	}
}

void tnGrid_CopyVelocityRow(
	const tnGrid* grid, int row, int columnBegin, int columnEnd, float* velocitiesX, float* velocitiesZ)
{
	// Across a wrapped edge a ghost stands for the neighbour. Where the world ends, the neighbour is the cell itself.
	const ptrdiff_t up = row > 0 || grid->wrapZ ? -(ptrdiff_t)grid->stride : 0;
	const ptrdiff_t down = row < grid->rowCount - 1 || grid->wrapZ ? (ptrdiff_t)grid->stride : 0;
	const int count = columnEnd - columnBegin;
	if (velocitiesZ != NULL)
	{
		const ptrdiff_t cell = tnGrid_Index(grid, columnBegin, row);
		tnGetVelocitiesAlong(grid, grid->flowZ, cell, up, down, grid->stride, count, velocitiesZ);
	}
	// Columns at the ends of the world, and those between them.
	for (int begin = columnBegin; begin < columnEnd && velocitiesX != NULL;)
	{
		const bool isFirst = begin == 0 && !grid->wrapX;
		const bool isLast = begin == grid->columnCount - 1 && !grid->wrapX;
		const int inner = grid->wrapX ? columnEnd : tnMinInt(columnEnd, grid->columnCount - 1);
		const int end = isFirst || isLast ? begin + 1 : inner;
		tnGetVelocitiesAlong(grid, grid->flowX, tnGrid_Index(grid, begin, row), isFirst ? 0 : -1, isLast ? 0 : 1, 1,
			end - begin, velocitiesX + (begin - columnBegin));
		begin = end;
	}
}

void tnGrid_CopyVelocities(const tnGrid* grid, float* velocitiesX, float* velocitiesZ)
{
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t out = (ptrdiff_t)row * grid->columnCount;
		tnGrid_CopyVelocityRow(grid, row, 0, grid->columnCount, velocitiesX != NULL ? velocitiesX + out : NULL,
			velocitiesZ != NULL ? velocitiesZ + out : NULL);
	}
}

static void tnCopyFaceRow(
	const tnGrid* grid, const float* discharge, const float* flow, ptrdiff_t step, int row, int count, float* out)
{
	const ptrdiff_t begin = tnGrid_Index(grid, 0, row);
	if (discharge != NULL)
	{
		memcpy(out, discharge + begin, (size_t)count * sizeof(float));
		return;
	}
	for (int column = 0; column < count; ++column)
	{
		const ptrdiff_t second = begin + column;
		out[column] = flow[second] * tnGrid_GetUpwindSection(grid, second - step, second, flow[second]);
	}
}

void tnGrid_CopyDischarge(const tnGrid* grid, float* dischargeX, float* dischargeZ)
{
	const ptrdiff_t columnCount = grid->columnCount;
	const bool storesVelocity = tnGrid_StoresVelocity(grid);
	const float* knownX = storesVelocity ? grid->dischargeX : grid->flowX;
	const float* knownZ = storesVelocity ? grid->dischargeZ : grid->flowZ;
	for (int row = 0; dischargeX != NULL && row < grid->rowCount; ++row)
	{
		tnCopyFaceRow(grid, knownX, grid->flowX, 1, row, grid->columnCount + 1, dischargeX + row * (columnCount + 1));
	}
	for (int row = 0; dischargeZ != NULL && row <= grid->rowCount; ++row)
	{
		tnCopyFaceRow(grid, knownZ, grid->flowZ, grid->stride, row, grid->columnCount, dischargeZ + row * columnCount);
	}
}

void tnGrid_CopySurface(const tnGrid* grid, float alpha, float* surface)
{
	TN_ASSERT(alpha == 1.0f || grid->previousDepth != NULL);
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const ptrdiff_t begin = tnGrid_Index(grid, 0, row);
		const float* bed = grid->bed + begin;
		const float* now = grid->depth + begin;
		float* out = surface + (ptrdiff_t)row * grid->columnCount;
		// At the ends the stored states themselves, not a rounded mix.
		const float* before = grid->previousDepth != NULL && alpha < 1.0f ? grid->previousDepth + begin : now;
		for (int column = 0; column < grid->columnCount; ++column)
		{
			const float depth = (1.0f - alpha) * before[column] + alpha * now[column];
			out[column] = bed[column] + depth;
		}
		const float* lift = grid->lift != NULL ? grid->lift + begin : NULL;
		const float* liftBefore = grid->previousLift != NULL && alpha < 1.0f ? grid->previousLift + begin : lift;
		for (int column = 0; column < grid->columnCount && lift != NULL; ++column)
		{
			// As tnGrid_GetHeight: not below the bed.
			out[column] =
				tnMaxFloat(out[column] + ((1.0f - alpha) * liftBefore[column] + alpha * lift[column]), bed[column]);
		}
	}
}
