// SPDX-License-Identifier: MIT

// Cameras that can be drawn, their matrices and planes, and rays through pixels.

#include "frame/camera.h"

#include "gl/vectors.h"

#include <string.h>

// Radians: what a camera without a valid angle gets.
#define DEFAULT_FIELD_OF_VIEW 0.8f

typedef struct Basis
{
	tnVec3 right, up, back;
} Basis;

static Basis tnrGetBasis(const tnrCamera* camera)
{
	Basis basis;
	basis.back = tnrNormalize(tnrSubtract(camera->eye, camera->target));
	// Straight up or down has no "up" of its own: north is up then, as on a map.
	const bool vertical = fabsf(basis.back.y) > 0.99999f;
	const tnVec3 up = vertical ? (tnVec3){0.0f, 0.0f, basis.back.y > 0.0f ? -1.0f : 1.0f} : (tnVec3){0.0f, 1.0f, 0.0f};
	basis.right = tnrNormalize(tnrCross(up, basis.back));
	basis.up = tnrCross(basis.back, basis.right);
	return basis;
}

tnrCamera tnrMendCamera(const tnrCamera* camera)
{
	tnrCamera mended = *camera;
	if (tnrIsFiniteVec3(mended.eye) == false)
	{
		mended.eye = (tnVec3){0.0f, 10.0f, 10.0f};
	}
	const tnVec3 direction = tnrSubtract(mended.target, mended.eye);
	if (tnrIsFiniteVec3(direction) == false || !(tnrLength(direction) > 1.0e-6f))
	{
		mended.target = tnrAddScaled(mended.eye, (tnVec3){0.0f, -0.6f, -0.8f}, 1.0f + tnrLength(mended.eye));
	}
	if (!(mended.fieldOfView > 0.01f && mended.fieldOfView < 3.1f))
	{
		mended.fieldOfView = DEFAULT_FIELD_OF_VIEW;
	}
	if (!(mended.nearPlane > 0.0f && mended.farPlane > mended.nearPlane && isfinite(mended.farPlane)))
	{
		mended.nearPlane = mended.farPlane = 0.0f;
	}
	return mended;
}

float tnrGetDistanceToBox(tnVec3 point, tnrBox box)
{
	const tnVec3 nearest = {tnrClamp(point.x, box.low.x, box.high.x), tnrClamp(point.y, box.low.y, box.high.y),
		tnrClamp(point.z, box.low.z, box.high.z)};
	return tnrLength(tnrSubtract(point, nearest));
}

void tnrChoosePlanes(tnrCamera* camera, tnrBox box, float cellSize)
{
	if (camera->nearPlane > 0.0f)
	{
		return;
	}
	const tnVec3 farthest = {
		camera->eye.x > 0.5f * (box.low.x + box.high.x) ? box.low.x : box.high.x,
		camera->eye.y > 0.5f * (box.low.y + box.high.y) ? box.low.y : box.high.y,
		camera->eye.z > 0.5f * (box.low.z + box.high.z) ? box.low.z : box.high.z,
	};
	// At a corner of the picture the near plane is farther away than in the middle.
	const float closest = 0.5f * tnrGetDistanceToBox(camera->eye, box);
	const float least = 0.1f * cellSize;
	camera->nearPlane = closest > least ? closest : least;
	camera->farPlane = 1.05f * tnrLength(tnrSubtract(farthest, camera->eye)) + camera->nearPlane + cellSize;
}

tnrMatrix tnrMakeViewProjection(const tnrCamera* camera, float aspect)
{
	const Basis basis = tnrGetBasis(camera);
	const float scale = 1.0f / tanf(0.5f * camera->fieldOfView);
	const float depth = 1.0f / (camera->nearPlane - camera->farPlane);
	const float a = (camera->nearPlane + camera->farPlane) * depth;
	const float b = 2.0f * camera->nearPlane * camera->farPlane * depth;
	const tnVec3 rows[3] = {basis.right, basis.up, basis.back};
	float view[3][4];
	for (int i = 0; i < 3; ++i)
	{
		view[i][0] = rows[i].x;
		view[i][1] = rows[i].y;
		view[i][2] = rows[i].z;
		view[i][3] = -tnrDot(rows[i], camera->eye);
	}
	tnrMatrix result;
	for (int column = 0; column < 4; ++column)
	{
		result.m[column * 4] = view[0][column] * scale / aspect;
		result.m[column * 4 + 1] = view[1][column] * scale;
		result.m[column * 4 + 2] = view[2][column] * a + (column == 3 ? b : 0.0f);
		result.m[column * 4 + 3] = -view[2][column];
	}
	return result;
}

// Gauss-Jordan with pivots, in double: the planes of the camera may lie far apart.
tnrMatrix tnrInvertMatrix(const tnrMatrix* matrix)
{
	double a[4][8];
	for (int row = 0; row < 4; ++row)
	{
		for (int column = 0; column < 4; ++column)
		{
			a[row][column] = matrix->m[column * 4 + row];
			a[row][column + 4] = row == column ? 1.0 : 0.0;
		}
	}
	for (int column = 0; column < 4; ++column)
	{
		int pivot = column;
		for (int row = column + 1; row < 4; ++row)
		{
			pivot = fabs(a[row][column]) > fabs(a[pivot][column]) ? row : pivot;
		}
		double swap[8];
		memcpy(swap, a[column], sizeof(swap));
		memcpy(a[column], a[pivot], sizeof(swap));
		memcpy(a[pivot], swap, sizeof(swap));
		const double scale = a[column][column] != 0.0 ? 1.0 / a[column][column] : 0.0;
		for (int i = 0; i < 8; ++i)
		{
			a[column][i] *= scale;
		}
		for (int row = 0; row < 4; ++row)
		{
			const double factor = row == column ? 0.0 : a[row][column];
			for (int i = 0; i < 8; ++i)
			{
				a[row][i] -= factor * a[column][i];
			}
		}
	}
	tnrMatrix result;
	for (int i = 0; i < 16; ++i)
	{
		result.m[i] = (float)a[i % 4][i / 4 + 4];
	}
	return result;
}

bool tnrIsBoxVisible(const tnrMatrix* viewProjection, tnrBox box)
{
	const float* m = viewProjection->m;
	for (int plane = 0; plane < 6; ++plane)
	{
		const int row = plane / 2;
		const float sign = plane % 2 == 0 ? 1.0f : -1.0f;
		const float x = m[3] + sign * m[row], y = m[7] + sign * m[4 + row];
		const float z = m[11] + sign * m[8 + row], w = m[15] + sign * m[12 + row];
		const float most = x * (x > 0.0f ? box.high.x : box.low.x) + y * (y > 0.0f ? box.high.y : box.low.y) +
			z * (z > 0.0f ? box.high.z : box.low.z);
		if (most + w < 0.0f)
		{
			return false;
		}
	}
	return true;
}

void tnrGetPixelRay(const tnrCamera* camera, int width, int height, float x, float y, tnVec3* origin, tnVec3* direction)
{
	const tnrCamera mended = tnrMendCamera(camera);
	const Basis basis = tnrGetBasis(&mended);
	const float w = (float)(width > 0 ? width : 1), h = (float)(height > 0 ? height : 1);
	const float reach = tanf(0.5f * mended.fieldOfView);
	tnVec3 ray = {-basis.back.x, -basis.back.y, -basis.back.z};
	ray = tnrAddScaled(ray, basis.right, (2.0f * x / w - 1.0f) * reach * w / h);
	ray = tnrAddScaled(ray, basis.up, (1.0f - 2.0f * y / h) * reach);
	*origin = mended.eye;
	*direction = tnrNormalize(ray);
}

// Is the box inside the picture, with a margin?
static bool tnrFitsPicture(const tnrCamera* camera, tnrBox box, float aspect)
{
	tnrCamera placed = *camera;
	placed.nearPlane = 0.01f * tnrLength(tnrSubtract(camera->eye, camera->target));
	placed.farPlane = 1000.0f * placed.nearPlane;
	const tnrMatrix matrix = tnrMakeViewProjection(&placed, aspect);
	const float* m = matrix.m;
	for (int i = 0; i < 8; ++i)
	{
		const float x = (i & 1) != 0 ? box.high.x : box.low.x, y = (i & 2) != 0 ? box.high.y : box.low.y;
		const float z = (i & 4) != 0 ? box.high.z : box.low.z;
		const float w = m[3] * x + m[7] * y + m[11] * z + m[15];
		const float px = m[0] * x + m[4] * y + m[8] * z + m[12], py = m[1] * x + m[5] * y + m[9] * z + m[13];
		if (w <= 0.0f || fabsf(px) > 0.96f * w || fabsf(py) > 0.9f * w)
		{
			return false;
		}
	}
	return true;
}

tnrCamera tnrGetOverview(const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	const float width = (float)def.columnCount * def.cellSize, length = (float)def.rowCount * def.cellSize;
	float low = INFINITY, high = -INFINITY;
	for (int row = 0; row < bed.rowCount; ++row)
	{
		for (int column = 0; column < bed.columnCount; ++column)
		{
			const float height = bed.data[(size_t)row * (size_t)bed.stride + (size_t)column];
			low = fminf(low, height);
			high = fmaxf(high, height);
		}
	}
	const tnrBox box = {{def.origin.x, low - 0.025f * (width + length), def.origin.z},
		{def.origin.x + width, tnrMix(low, high, 0.7f), def.origin.z + length}};
	tnrCamera camera = {.fieldOfView = 0.62f};
	camera.target = (tnVec3){def.origin.x + 0.5f * width, tnrMix(low, high, 0.25f), def.origin.z + 0.53f * length};
	// 33 degrees down: the far end is seen, and lakes are still mirrors. As near as the whole world allows.
	float distance = 0.5f * (width + length);
	for (int i = 0; i < 40; ++i)
	{
		camera.eye = tnrAddScaled(camera.target, (tnVec3){0.0f, 0.545f, 0.838f}, distance);
		if (tnrFitsPicture(&camera, box, 16.0f / 9.0f))
		{
			break;
		}
		distance *= 1.04f;
	}
	return camera;
}
