// SPDX-License-Identifier: MIT

#include "voxels/voxel_scene_model.h"

#include <math.h>

// A water wheel in a voxel world: a rigid wheel that liquid pushes at its blades.
//
// Each blade is a few patches of area A at radius r. With u the speed of the liquid there along the way of the patch,
// and w the spin of the wheel, the liquid drags with F = 1/2 density C A |u - w r| (u - w r), so
//
//	inertia dw/dt = sum r F - friction w.
//
// The factor |u - w r| is taken from before the step and the rest from after it: whatever the step, the spin tends to
// where the torques balance, and does not swing around it. Without friction that is where the blades have the speed of
// the stream.
//
// Turns are kept as cosine and sine, and only + - * / sqrt are used: the same bits everywhere.

// Drag of a flat board.
#define TNS_BOARD_DRAG 1.2

// A wheel of wood, kg/m^3, that is a seventh of the cylinder around it.
#define TNS_WHEEL_DENSITY 100.0

// Cosine and sine of a share of a whole turn, in [0, 1], by their series.
static void tnsGetTurn(double share, double* cosine, double* sine)
{
	const double x = 6.283185307179586 * (share > 0.5 ? share - 1.0 : share);
	double term = 1.0, sums[2] = {1.0, 0.0};
	for (int i = 1; i < 26; ++i)
	{
		term *= x / (double)i;
		sums[i % 2] += i % 4 < 2 ? term : -term;
	}
	*cosine = sums[0];
	*sine = sums[1];
}

tnsWheel tnsMakeWheel(const tnsWheelRule* rule, float voxelSize)
{
	const double unit = (double)voxelSize;
	return (tnsWheel){
		.center = {(float)(rule->center.x * unit), (float)(rule->center.y * unit), (float)(rule->center.z * unit)},
		.radius = (float)(rule->radius * unit),
		.hub = (float)(rule->hub * unit),
		.width = (float)(rule->width * unit),
		.bladeCount = rule->bladeCount,
		.alongZ = rule->axis == 1,
		.cosine = 1.0f,
	};
}

tnVec3 tnsWheel_GetBlade(const tnsWheel* wheel, int blade)
{
	double c, s;
	tnsGetTurn((double)blade / (double)wheel->bladeCount, &c, &s);
	const double x = c * (double)wheel->cosine - s * (double)wheel->sine;
	const double y = s * (double)wheel->cosine + c * (double)wheel->sine;
	return wheel->alongZ ? (tnVec3){(float)x, (float)y, 0.0f} : (tnVec3){0.0f, (float)x, (float)y};
}

// Patches of a blade: two along it, two across.
static double tnsGetPatchRadius(const tnsWheel* wheel, int patch)
{
	const double share = patch % 2 == 0 ? 0.75 : 0.25;
	return (double)wheel->radius * share + (double)wheel->hub * (1.0 - share);
}

int tnsWheel_GetPoints(const tnsWheel* wheel, tnVec3* points)
{
	for (int i = 0; i < wheel->bladeCount; ++i)
	{
		const tnVec3 blade = tnsWheel_GetBlade(wheel, i);
		for (int patch = 0; patch < TNS_BLADE_PATCHES; ++patch)
		{
			const float r = (float)tnsGetPatchRadius(wheel, patch);
			const float along = (patch < 2 ? -0.25f : 0.25f) * wheel->width;
			tnVec3* point = &points[i * TNS_BLADE_PATCHES + patch];
			*point =
				(tnVec3){wheel->center.x + r * blade.x, wheel->center.y + r * blade.y, wheel->center.z + r * blade.z};
			point->x += wheel->alongZ ? 0.0f : along;
			point->z += wheel->alongZ ? along : 0.0f;
		}
	}
	return wheel->bladeCount * TNS_BLADE_PATCHES;
}

// Turn it on by an angle: by fractions of polynomials that are a rotation exactly, and that angle to second order.
static void tnsTurnBy(tnsWheel* wheel, double angle)
{
	const double t = 0.5 * angle, down = 1.0 / (1.0 + t * t);
	const double c = (1.0 - t * t) * down, s = 2.0 * t * down;
	const double x = (double)wheel->cosine * c - (double)wheel->sine * s;
	const double y = (double)wheel->sine * c + (double)wheel->cosine * s;
	const double length = sqrt(x * x + y * y);
	wheel->cosine = (float)(x / length);
	wheel->sine = (float)(y / length);
	wheel->turns += angle / 6.283185307179586;
}

void tnsWheel_Turn(tnsWheel* wheel, const tnsWheelRule* rule, const tnVoxelSample* samples, const tnVoxelWorldDef* def)
{
	const double dt = 1.0 / (double)def->stepRate, spin = (double)wheel->spin;
	const double radius = (double)wheel->radius, width = (double)wheel->width;
	const double mass = TNS_WHEEL_DENSITY * 3.14159265 * radius * radius * width;
	const double inertia = rule->inertia > 0.0 ? rule->inertia : 0.5 * mass * radius * radius;
	const double area = (radius - (double)wheel->hub) * width / TNS_BLADE_PATCHES;
	double push = 0.0, hold = rule->friction;
	for (int i = 0; i < wheel->bladeCount * TNS_BLADE_PATCHES; ++i)
	{
		const tnVoxelSample* sample = &samples[i];
		if (sample->inLiquid == false)
		{
			continue;
		}
		const tnVec3 blade = tnsWheel_GetBlade(wheel, i / TNS_BLADE_PATCHES), v = sample->velocity;
		const double u = wheel->alongZ ? (double)blade.x * (double)v.y - (double)blade.y * (double)v.x
									   : (double)blade.y * (double)v.z - (double)blade.z * (double)v.y;
		const double r = tnsGetPatchRadius(wheel, i % TNS_BLADE_PATCHES);
		const double density = (double)def->liquids[sample->liquid - 1].density;
		const double drag = 0.5 * density * TNS_BOARD_DRAG * area * fabs(u - spin * r) * r;
		push += drag * u;
		hold += drag * r;
	}
	wheel->spin = (float)((inertia * spin + dt * push) / (inertia + dt * hold));
	tnsTurnBy(wheel, (double)wheel->spin * dt);
}
