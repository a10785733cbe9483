// SPDX-License-Identifier: MIT

// Defaults of bodies and their shapes, and whether a def is one that a body can be made of.

#include "body_def_check.h"

tnShapeDef tnDefaultShapeDef(void)
{
	tnShapeDef def = {0};
	def.kind = tn_boxShape;
	def.halfExtents = (tnVec3){0.5f, 0.5f, 0.5f};
	def.radius = 0.5f;
	def.halfLength = 0.5f;
	def.pose.rotation.w = 1.0f;
	def.stamp = TN_DEF_STAMP;
	return def;
}

tnBodyDef tnDefaultBodyDef(void)
{
	tnBodyDef def = {0};
	def.mass = 500.0f;
	def.pose.rotation.w = 1.0f;
	def.pressureDrag = 1.0f;
	def.suction = 0.5f;
	def.creepSpeed = 0.5f;
	def.skinFriction = 0.005f;
	def.damping = 0.5f;
	def.hollows = true;
	def.stamp = TN_DEF_STAMP;
	return def;
}

static bool tnIsShort(tnVec3 v, float limit)
{
	return tnAbsFloat(v.x) <= limit && tnAbsFloat(v.y) <= limit && tnAbsFloat(v.z) <= limit;
}

tnResult tnBodies_CheckMotion(const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	const float far = 10.0f * TN_MAX_LENGTH;
	const float fast = 1.0e4f;
	if (pose == NULL)
	{
		return tnFail(tn_invalidArgument, "pose must not be NULL");
	}
	const tnVec3 p = pose->position;
	const tnQuat q = pose->rotation;
	if (!tnIsShort(p, far))
	{
		return tnFail(tn_invalidArgument, "pose.position must be within %g along each axis, got (%g, %g, %g)",
			(double)far, (double)p.x, (double)p.y, (double)p.z);
	}
	const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if (!(square > 1.0e-6f && square < 1.0e6f))
	{
		return tnFail(tn_invalidArgument, "pose.rotation must have a length in (0.001, 1000), got (%g, %g, %g, %g)",
			(double)q.x, (double)q.y, (double)q.z, (double)q.w);
	}
	if (!tnIsShort(velocity, fast))
	{
		return tnFail(tn_invalidArgument, "velocity must be at most %g along each axis, got (%g, %g, %g)", (double)fast,
			(double)velocity.x, (double)velocity.y, (double)velocity.z);
	}
	if (!tnIsShort(spin, fast))
	{
		return tnFail(tn_invalidArgument, "spin must be at most %g along each axis, got (%g, %g, %g)", (double)fast,
			(double)spin.x, (double)spin.y, (double)spin.z);
	}
	return tnSuccess();
}

tnResult tnBodies_CheckDef(const tnBodyDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "def.stamp is wrong: start from tnDefaultBodyDef(), got 0x%x", (unsigned)def->stamp);
	}
	if (def->shapes == NULL || def->shapeCount < 1)
	{
		return tnFail(tn_invalidArgument, "shapes must hold at least one, got %d%s", def->shapeCount,
			def->shapes == NULL ? " at NULL" : "");
	}
	if (!(def->mass > 0.0f))
	{
		return tnFail(tn_invalidArgument, "mass must be > 0, got %g", (double)def->mass);
	}
	if ((int)def->mode < 0 || def->mode >= tn_bodyModeCount)
	{
		return tnFail(tn_invalidArgument, "mode must be in [0, %d], got %d", tn_bodyModeCount - 1, (int)def->mode);
	}
	const struct
	{
		const char* name;
		float value, limit;
	} factors[] = {
		{"pressureDrag", def->pressureDrag, 1000.0f},
		{"suction", def->suction, 1.0f},
		{"creepSpeed", def->creepSpeed, 1000.0f},
		{"skinFriction", def->skinFriction, 1000.0f},
		{"damping", def->damping, 1000.0f},
	};
	for (int i = 0; i < (int)(sizeof(factors) / sizeof(factors[0])); ++i)
	{
		if (!(factors[i].value >= 0.0f && factors[i].value <= factors[i].limit))
		{
			return tnFail(tn_invalidArgument, "%s must be in [0, %g], got %g", factors[i].name,
				(double)factors[i].limit, (double)factors[i].value);
		}
	}
	return tnBodies_CheckMotion(&def->pose, def->velocity, def->spin);
}
