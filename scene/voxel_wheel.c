// SPDX-License-Identifier: MIT

#include "voxel_scene_model.h"

// A water wheel in a voxel world: a rigid wheel that liquid pushes at its blades.
//
// Turns are kept as cosine and sine, and only + - * / sqrt are used: the same bits everywhere.

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
