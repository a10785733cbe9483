// SPDX-License-Identifier: MIT

// What a stroke of each tool does to a world in one step.

#include "tools/tools.h"

#include "bodies/scene_bodies.h"

#include <math.h>
#include <stdio.h>

static const float s_pi = 3.14159265f;

// Rates at strength 1, as a share of the radius of the brush per second: a brush looks as quick in a puddle as on a
// mountain. Water may come faster than ground, because it runs away.
static const float s_pourRate = 0.3f;
static const float s_digRate = 0.2f;
// A spring runs as long as it likes, so it brings less than a hand that pours.
static const float s_springRate = 0.1f;
// Share of the way to the flat or to the speed of the stroke, per second.
static const float s_flattenRate = 3.0f;
static const float s_pushRate = 6.0f;
// How much water the spoon of the stir tool displaces, and how wide it is, in radii of the brush.
static const float s_stirHeight = 0.06f;
static const float s_stirSlimness = 0.5f;
// Drops a second at strength 1, and the side of the cube of water that the largest has, in radii of the brush.
static const float s_dropRate = 15.0f;
static const float s_dropSize = 0.12f;
// Fastest that a push makes water, m/s: a broom, not a cannon.
static const float s_maxPush = 15.0f;
// A cloudburst, m/s of water: 2 mm a second can be seen to fill puddles, real rain cannot.
static const float s_rainRate = 2.0e-3f;

const char* tnpGetToolName(tnpTool tool)
{
	static const char* const names[tnp_toolCount] = {"look", "pour", "drain", "raise", "lower", "flatten", "source",
		"well", "dye", "push", "rain", "grab", "throw", "stack", "cut", "stir", "drops", "build", "dig", "lava", "hose",
		"drive", "hole", "pump"};
	return (int)tool >= 0 && tool < tnp_toolCount ? names[tool] : "";
}

const char* tnpGetToolRefusal(tnpTool tool)
{
	const bool needsPhysics = tool >= tnp_grabTool && tool <= tnp_cutTool;
	return needsPhysics && tnsHavePhysics() == false
		? "Bodies do not move here: tarn was built without a physics engine"
		: NULL;
}

bool tnpIsWaveTool(tnpTool tool)
{
	return tool == tnp_stirTool || tool == tnp_dropsTool;
}

float tnpGetRainRate(const tnpStroke* stroke)
{
	return stroke->tool == tnp_rainTool ? s_rainRate * stroke->strength : 0.0f;
}

static float tnpGetDiscRate(const tnpStroke* stroke, float share)
{
	return s_pi * stroke->radius * stroke->radius * stroke->radius * share * stroke->strength;
}

static tnResult tnpDig(tnWorld* world, const tnpStroke* stroke, float amount)
{
	tnBrush brush = tnDefaultBrush();
	brush.kind = stroke->tool == tnp_flattenTool ? tn_flattenBrush : tn_raiseBrush;
	brush.center = stroke->center;
	brush.radius = stroke->radius;
	// Soft all the way to the middle: mounds and pits, no pillars and shafts.
	brush.falloff = stroke->tool == tnp_flattenTool ? 0.3f : 1.0f;
	brush.amount = amount;
	brush.height = stroke->height;
	return tnWorld_EditTerrain(world, &brush);
}

// Bring the water of the disc nearer to the velocity of the stroke.
static tnResult tnpPush(tnWorld* world, const tnpStroke* stroke, float share)
{
	tnRegionDef region = tnDefaultRegionDef();
	region.shape = tn_discRegion;
	region.center = stroke->center;
	region.extent = (tnVec2){stroke->radius, stroke->radius};
	tnRegionState state;
	const tnResult result = tnWorld_MeasureRegion(world, &region, &state);
	if (result.status != tn_ok || !(state.volume > 0.0))
	{
		return result;
	}
	const tnSample sample = tnWorld_Sample(world, stroke->center);
	const float length = sqrtf(stroke->velocity.x * stroke->velocity.x + stroke->velocity.z * stroke->velocity.z);
	if (!(length > 0.0f))
	{
		return result;
	}
	float wanted = length * stroke->strength;
	wanted = wanted < s_maxPush ? wanted : s_maxPush;
	const tnVec2 along = {stroke->velocity.x / length, stroke->velocity.z / length};
	// Water that is faster than the broom already is not held back by it.
	const float speed = along.x * sample.velocity.x + along.z * sample.velocity.z;
	const float gain = wanted > speed ? (wanted - speed) * share : 0.0f;
	const float density = 1000.0f; // kg/m^3
	const float push = density * (float)state.volume * gain;
	return tnWorld_AddImpulse(world, stroke->center, stroke->radius, (tnVec2){along.x * push, along.z * push});
}

// Drag an ellipse from where the stroke acted last. Both outlines lie along the way: no water is made.
static tnResult tnpStir(tnWorld* world, const tnpStroke* stroke)
{
	const tnVec2 way = {stroke->center.x - stroke->from.x, stroke->center.z - stroke->from.z};
	if (!(way.x * way.x + way.z * way.z > 1.0e-12f))
	{
		return (tnResult){0};
	}
	tnWaveEllipse before = {0};
	before.center = stroke->from;
	before.axis = way;
	before.radii = (tnVec2){stroke->radius, s_stirSlimness * stroke->radius};
	before.height = s_stirHeight * stroke->strength * stroke->radius;
	tnWaveEllipse after = before;
	after.center = stroke->center;
	return tnWorld_AddWave(world, &before, &after);
}

// A number in [0, 1) from a counter and what it is for (the finalizer of MurmurHash3, Appleby 2011).
static float tnpDraw(uint32_t counter, uint32_t purpose)
{
	uint32_t bits = counter * 0x9E3779B1u + purpose * 0x85EBCA77u;
	bits = (bits ^ bits >> 16) * 0x85EBCA6Bu;
	bits = (bits ^ bits >> 13) * 0xC2B2AE35u;
	bits ^= bits >> 16;
	return (float)(bits >> 8) / 16777216.0f;
}

static tnResult tnpLetDropsFall(tnWorld* world, const tnpStroke* stroke, float timeStep)
{
	enum
	{
		most = 64,
	};
	// So many drops since the first tick, and one tick before.
	const double rate = (double)(s_dropRate * stroke->strength * timeStep);
	const double end = floor(rate * (double)(stroke->tick + 1)), begin = floor(rate * (double)stroke->tick);
	const int count = (int)fmin(end - begin, most);
	const float size = s_dropSize * stroke->radius;
	tnWaveDrop drops[most];
	for (int i = 0; i < count; ++i)
	{
		const uint32_t counter = (uint32_t)(int64_t)begin + (uint32_t)i;
		// Evenly over the disc: points of the square that are outside go to the middle, where somebody points.
		tnVec2 place = {2.0f * tnpDraw(counter, 1) - 1.0f, 2.0f * tnpDraw(counter, 2) - 1.0f};
		const bool outside = place.x * place.x + place.z * place.z > 1.0f;
		place = outside ? (tnVec2){0.0f, 0.0f} : place;
		drops[i].position =
			(tnVec2){stroke->center.x + stroke->radius * place.x, stroke->center.z + stroke->radius * place.z};
		drops[i].volume = size * size * size * (0.3f + 0.7f * tnpDraw(counter, 3));
	}
	return tnWorld_AddDrops(world, drops, count);
}

tnResult tnpApplyStroke(tnWorld* world, const tnpStroke* stroke, float timeStep)
{
	const float flatten = s_flattenRate * stroke->strength * timeStep;
	const float push = s_pushRate * timeStep;
	if (tnpIsWaveTool(stroke->tool) && tnWorld_GetDef(world).waves.enable == false)
	{
		return (tnResult){0};
	}
	switch (stroke->tool)
	{
		case tnp_pourTool:
			return tnWorld_AddWater(
				world, stroke->center, stroke->radius, tnpGetDiscRate(stroke, s_pourRate) * timeStep, NULL);
		case tnp_drainTool:
			return tnWorld_AddWater(
				world, stroke->center, stroke->radius, -tnpGetDiscRate(stroke, s_pourRate) * timeStep, NULL);
		case tnp_raiseTool:
			return tnpDig(world, stroke, s_digRate * stroke->strength * stroke->radius * timeStep);
		case tnp_lowerTool:
			return tnpDig(world, stroke, -s_digRate * stroke->strength * stroke->radius * timeStep);
		case tnp_flattenTool:
			return tnpDig(world, stroke, flatten < 1.0f ? flatten : 1.0f);
		case tnp_dyeTool:
			return stroke->channel < 0
				? (tnResult){0}
				: tnWorld_AddTracer(world, stroke->channel, stroke->center, stroke->radius, 1.0f);
		case tnp_pushTool:
			return tnpPush(world, stroke, push < 1.0f ? push : 1.0f);
		case tnp_stirTool:
			return tnpStir(world, stroke);
		case tnp_dropsTool:
			return tnpLetDropsFall(world, stroke, timeStep);
		case tnp_lookTool:
		case tnp_sourceTool:
		case tnp_wellTool:
		case tnp_rainTool:
		case tnp_grabTool:
		case tnp_throwTool:
		case tnp_stackTool:
		case tnp_cutTool:
		case tnp_digTool:
		case tnp_buildTool:
		case tnp_lavaTool:
		case tnp_hoseTool:
		case tnp_driveTool:
		case tnp_holeTool:
		case tnp_pumpTool:
		case tnp_toolCount:
			break;
	}
	return (tnResult){0};
}

static tnResult tnpRemoveSpring(tnWorld* world, tnpSprings* springs, int index)
{
	const tnResult result = tnWorld_DestroySource(world, springs->items[index].id);
	springs->count -= 1;
	springs->items[index] = springs->items[springs->count];
	return result;
}

tnResult tnpClickSpring(tnWorld* world, tnpSprings* springs, const tnpStroke* stroke, char* text, size_t size)
{
	const tnSourceKind kind = stroke->tool == tnp_wellTool ? tn_wellSource : tn_rateSource;
	const char* name = kind == tn_wellSource ? "Well" : "Spring";
	for (int i = 0; i < springs->count; ++i)
	{
		const tnpSpring* spring = springs->items + i;
		const float dx = stroke->center.x - spring->center.x;
		const float dz = stroke->center.z - spring->center.z;
		if (spring->kind == kind && dx * dx + dz * dz <= spring->radius * spring->radius)
		{
			snprintf(text, size, "%s removed", name);
			return tnpRemoveSpring(world, springs, i);
		}
	}
	if (springs->count == TNP_MAX_SPRINGS)
	{
		snprintf(text, size, "There are %d springs and wells already", springs->count);
		return (tnResult){0};
	}
	tnSourceDef def = tnDefaultSourceDef();
	def.kind = kind;
	def.center = stroke->center;
	def.radius = stroke->radius;
	def.rate = tnpGetDiscRate(stroke, s_springRate);
	def.level = tnWorld_Sample(world, stroke->center).surface;
	tnpSpring spring = {.kind = kind, .center = stroke->center, .radius = stroke->radius};
	const tnResult result = tnWorld_CreateSource(world, &def, &spring.id);
	if (result.status != tn_ok)
	{
		snprintf(text, size, "%s", result.text);
		return result;
	}
	springs->items[springs->count] = spring;
	springs->count += 1;
	if (kind == tn_wellSource)
	{
		snprintf(text, size, "Well at %.1f m", (double)def.level);
	}
	else
	{
		snprintf(text, size, "Spring of %.3g m3/s", (double)def.rate);
	}
	return result;
}
