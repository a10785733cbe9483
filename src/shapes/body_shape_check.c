// SPDX-License-Identifier: MIT

// Checks of the def of a shape, field by field.

#include "body_shape_check.h"

#include "body_triangles.h"

// Shortest rotation that still has a direction.
#define TN_LEAST_QUAT 1.0e-6f

static bool tnIsLength(float value)
{
	return value > 0.0f && value <= TN_MAX_LENGTH;
}

static bool tnIsPlace(tnVec3 p)
{
	return tnAbsFloat(p.x) <= TN_MAX_LENGTH && tnAbsFloat(p.y) <= TN_MAX_LENGTH && tnAbsFloat(p.z) <= TN_MAX_LENGTH;
}

static tnResult tnCheckShapePose(int index, const tnPose* pose)
{
	const tnVec3 p = pose->position;
	if (!tnIsPlace(p))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d].pose.position must be at most %g along each axis, got (%g, %g, %g)", index,
			(double)TN_MAX_LENGTH, (double)p.x, (double)p.y, (double)p.z);
	}
	const tnQuat q = pose->rotation;
	const bool finite = tnIsFinite(q.x) && tnIsFinite(q.y) && tnIsFinite(q.z) && tnIsFinite(q.w);
	const float most =
		tnMaxFloat(tnMaxFloat(tnAbsFloat(q.x), tnAbsFloat(q.y)), tnMaxFloat(tnAbsFloat(q.z), tnAbsFloat(q.w)));
	if (!finite || !(most >= TN_LEAST_QUAT))
	{
		return tnFail(tn_invalidArgument,
			"shapes[%d].pose.rotation must be finite and not near zero, got (%g, %g, %g, %g)", index, (double)q.x,
			(double)q.y, (double)q.z, (double)q.w);
	}
	return tnSuccess();
}

static tnResult tnCheckPoints(int index, const tnShapeDef* shape, int most)
{
	if (shape->points == NULL)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].points must not be NULL", index);
	}
	if (shape->pointCount < 4 || shape->pointCount > most)
	{
		return tnFail(
			tn_invalidArgument, "shapes[%d].pointCount must be in [4, %d], got %d", index, most, shape->pointCount);
	}
	for (int i = 0; i < shape->pointCount; ++i)
	{
		const tnVec3 p = shape->points[i];
		if (!tnIsPlace(p))
		{
			return tnFail(tn_invalidArgument,
				"shapes[%d].points[%d] must be at most %g along each axis, got (%g, %g, %g)", index, i,
				(double)TN_MAX_LENGTH, (double)p.x, (double)p.y, (double)p.z);
		}
	}
	return tnSuccess();
}

static tnResult tnCheckTriangles(int index, const tnShapeDef* shape)
{
	if (shape->triangles == NULL)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].triangles must not be NULL", index);
	}
	if (shape->triangleCount < 4 || shape->triangleCount > TN_MAX_BODY_TRIANGLES)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].triangleCount must be in [4, %d], got %d", index,
			TN_MAX_BODY_TRIANGLES, shape->triangleCount);
	}
	for (int i = 0; i < 3 * shape->triangleCount; ++i)
	{
		const int32_t point = shape->triangles[i];
		if (point < 0 || point >= shape->pointCount)
		{
			return tnFail(tn_invalidArgument, "shapes[%d].triangles[%d] must be in [0, %d], got %d", index, i,
				shape->pointCount - 1, (int)point);
		}
	}
	return tnSuccess();
}

tnResult tnCheckShape(int index, const tnShapeDef* shape)
{
	if (shape->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].stamp is wrong: start from tnDefaultShapeDef(), got 0x%x", index,
			(unsigned)shape->stamp);
	}
	if ((int)shape->kind < 0 || shape->kind >= tn_shapeKindCount)
	{
		return tnFail(tn_invalidArgument, "shapes[%d].kind must be in [0, %d], got %d", index, tn_shapeKindCount - 1,
			(int)shape->kind);
	}
	const tnVec3 half = shape->halfExtents;
	if (shape->kind == tn_boxShape && !(tnIsLength(half.x) && tnIsLength(half.y) && tnIsLength(half.z)))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfExtents must be in (0, %g], got (%g, %g, %g)", index,
			(double)TN_MAX_LENGTH, (double)half.x, (double)half.y, (double)half.z);
	}
	const bool isRound =
		shape->kind == tn_sphereShape || shape->kind == tn_capsuleShape || shape->kind == tn_cylinderShape;
	if (isRound && !tnIsLength(shape->radius))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].radius must be in (0, %g], got %g", index, (double)TN_MAX_LENGTH,
			(double)shape->radius);
	}
	if (shape->kind == tn_cylinderShape && !tnIsLength(shape->halfLength))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfLength must be in (0, %g], got %g", index,
			(double)TN_MAX_LENGTH, (double)shape->halfLength);
	}
	if (shape->kind == tn_capsuleShape && !(shape->halfLength >= 0.0f && shape->halfLength <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "shapes[%d].halfLength must be in [0, %g], got %g", index,
			(double)TN_MAX_LENGTH, (double)shape->halfLength);
	}
	tnResult result = tnCheckShapePose(index, &shape->pose);
	if (result.status == tn_ok && (shape->kind == tn_hullShape || shape->kind == tn_meshShape))
	{
		result = tnCheckPoints(index, shape, shape->kind == tn_hullShape ? TN_MAX_HULL_POINTS : TN_MAX_BODY_POINTS);
	}
	if (result.status == tn_ok && shape->kind == tn_meshShape)
	{
		result = tnCheckTriangles(index, shape);
	}
	return result;
}
