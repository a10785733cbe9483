// SPDX-License-Identifier: MIT

// The settings that users may change: names, ranges, and what each of them acts on.

#include "viewer/play_internal.h"

#include <math.h>
#include <string.h>

typedef struct tnpParameterRow
{
	const char* name;
	const char* title;
	const char* unit;
	float low, high, standard;
	bool logarithmic;
} tnpParameterRow;

// Names are in links: never change one. The ranges of the brush radius and of the size of new bodies depend on the
// world, and the standards of the look are those of the renderer.
static const tnpParameterRow s_rows[tnp_parameterCount] = {
	[tnp_brushRadius] = {"brushRadius", "brush radius", "m", 1.0f, 100.0f, 5.0f, true},
	[tnp_brushStrength] = {"brushStrength", "strength", "x", 0.1f, 10.0f, 1.0f, true},
	[tnp_bodySize] = {"bodySize", "body size", "m", 0.1f, 20.0f, 1.0f, true},
	[tnp_pace] = {"pace", "pace", "x", 0.05f, 4.0f, 1.0f, true},
	[tnp_rain] = {"rain", "rain", "mm/h", 0.0f, 1000.0f, 0.0f, false},
	[tnp_vorticityConfinement] = {"vorticityConfinement", "eddy boost", "", 0.0f, 1.0f, 0.0f, false},
	[tnp_windSpeed] = {"windSpeed", "wind", "m/s", 0.0f, 30.0f, 0.0f, false},
	[tnp_windDirection] = {"windDirection", "wind to", "deg", 0.0f, 360.0f, 0.0f, false},
	[tnp_gravity] = {"gravity", "gravity", "m/s2", 0.5f, 30.0f, 9.81f, true},
	[tnp_friction] = {"friction", "friction", "1/s", 0.0f, 2.0f, 0.0f, false},
	[tnp_manning] = {"manning", "roughness", "", 0.0f, 0.2f, 0.0f, false},
	[tnp_froudeLimit] = {"froudeLimit", "Froude limit", "", 0.0f, 10.0f, 0.0f, false},
	[tnp_liveliness] = {"liveliness", "liveliness", "x", 0.05f, 4.0f, 1.0f, true},
	[tnp_subSteps] = {"subSteps", "sub-steps", "", 1.0f, 32.0f, 8.0f, false},
	[tnp_foamLifetime] = {"foamLifetime", "foam lasts", "s", 0.1f, 120.0f, 8.0f, true},
	[tnp_foamStrength] = {"foamStrength", "foam made", "x", 0.0f, 10.0f, 1.0f, false},
	[tnp_sleepSpeed] = {"sleepSpeed", "sleeps below", "m/s", 0.0f, 0.1f, 0.001f, false},
	[tnp_waveDamping] = {"waveDamping", "wave damping", "1/s", 0.0f, 2.0f, 0.0f, false},
	[tnp_waveViscosity] = {"waveViscosity", "wave viscosity", "m2/s", 0.0f, 0.1f, 0.0f, false},
	[tnp_waveBreaking] = {"waveBreaking", "waves break at", "x", 0.05f, 4.0f, 1.0f, true},
	[tnp_sprayLedge] = {"sprayLedge", "spray from falls of", "m", 0.05f, 20.0f, 1.0f, true},
	[tnp_sprayBreaking] = {"sprayBreaking", "spray from fronts of", "", 0.0f, 2.0f, 0.36f, false},
	[tnp_sprayDrag] = {"sprayDrag", "drag of the air", "1/m", 0.0f, 0.5f, 0.01f, false},
	[tnp_sunAzimuth] = {"sunAzimuth", "sun direction", "deg", 0.0f, 360.0f, 0.0f, false},
	[tnp_sunElevation] = {"sunElevation", "sun height", "deg", 2.0f, 90.0f, 45.0f, false},
	[tnp_exposure] = {"exposure", "exposure", "x", 0.25f, 4.0f, 1.0f, true},
	[tnp_ripples] = {"ripples", "ripples", "", 0.0f, 2.0f, 1.0f, false},
	[tnp_foam] = {"foam", "foam", "", 0.0f, 2.0f, 1.0f, false},
	[tnp_caustics] = {"caustics", "caustics", "", 0.0f, 2.0f, 1.0f, false},
	[tnp_glitter] = {"glitter", "sun glitter", "", 0.0f, 2.0f, 1.0f, false},
	[tnp_shadows] = {"shadows", "shadows", "", 0.0f, 1.0f, 1.0f, false},
};

static const float s_degrees = 57.2957795f;

static float tnpClampValue(float value, float low, float high)
{
	return value < low ? low : value > high ? high : value;
}

// Degrees.
static void tnpSetSun(tnpPlay* play, float azimuth, float elevation)
{
	play->values[tnp_sunAzimuth] = azimuth - 360.0f * floorf(azimuth / 360.0f);
	play->values[tnp_sunElevation] = tnpClampValue(elevation, 2.0f, 90.0f);
}

void tnpSetDefaultParameters(tnpPlay* play)
{
	for (int i = 0; i < tnp_parameterCount; ++i)
	{
		play->values[i] = s_rows[i].standard;
	}
	const tnrLook look = tnrDefaultLook();
	tnpSetSun(play, look.sunAzimuth * s_degrees, look.sunElevation * s_degrees);
	play->values[tnp_exposure] = look.exposure;
	play->values[tnp_ripples] = look.ripples;
	play->values[tnp_foam] = look.foam;
	play->values[tnp_caustics] = look.caustics;
	play->values[tnp_glitter] = look.glitter;
	play->values[tnp_shadows] = look.shadows;
}

static float tnpGetShortSide(const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	return (float)(def.columnCount < def.rowCount ? def.columnCount : def.rowCount) * def.cellSize;
}

// Of the brush among voxels, in voxels: from one to a cave, and wide enough to see what it does.
static const float s_smallestBall = 1.0f;
static const float s_largestBall = 16.0f;
static const float s_usualBall = 2.5f;

static float tnpGetVoxelSize(const tnpPlay* play)
{
	return play->voxels->info->worldDef.voxelSize;
}

static bool tnpIsTuning(tnpParameterIndex index)
{
	return index >= tnp_firstTuned && index <= tnp_lastTuned;
}

// Has the world something for a number of its def to act on?
static bool tnpIsTuned(const tnpPlay* play, tnpParameterIndex index)
{
	const tnWorldDef def = tnWorld_GetDef(play->world);
	switch (index)
	{
		case tnp_liveliness:
			return def.method == tn_pipeMethod;
		case tnp_foamLifetime:
		case tnp_foamStrength:
			return def.foam.enable;
		case tnp_sleepSpeed:
			return def.enableSleep;
		case tnp_waveDamping:
		case tnp_waveViscosity:
			return def.waves.enable;
		case tnp_waveBreaking:
			// What never breaks cannot begin to.
			return def.waves.enable && def.waves.breakingLimit > 0.0f;
		case tnp_sprayLedge:
		case tnp_sprayBreaking:
		case tnp_sprayDrag:
			return def.spray.enable;
		default:
			return true;
	}
}

static float tnpReadTuning(const tnWorldDef* def, tnpParameterIndex index)
{
	switch (index)
	{
		case tnp_gravity:
			return def->gravity;
		case tnp_friction:
			return def->friction;
		case tnp_manning:
			return def->manning;
		case tnp_froudeLimit:
			return def->froudeLimit;
		case tnp_liveliness:
			return def->liveliness;
		case tnp_subSteps:
			return (float)def->maxSubSteps;
		case tnp_foamLifetime:
			return def->foam.lifetime;
		case tnp_foamStrength:
			return def->foam.strength;
		case tnp_sleepSpeed:
			return def->sleepSpeed;
		case tnp_waveViscosity:
			return def->waves.viscosity;
		case tnp_waveBreaking:
			return def->waves.breakingLimit;
		case tnp_sprayLedge:
			return def->spray.ledgeHeight;
		case tnp_sprayBreaking:
			return def->spray.breakingSlope;
		case tnp_sprayDrag:
			return def->spray.drag;
		default:
			return def->waves.damping;
	}
}

static tnResult tnpTuneWorld(tnWorld* world, tnpParameterIndex index, float value)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	tnSprayDef spray = def.spray;
	switch (index)
	{
		case tnp_gravity:
			return tnWorld_SetGravity(world, value);
		case tnp_friction:
			return tnWorld_SetFriction(world, value);
		case tnp_manning:
			return tnWorld_SetManning(world, value);
		case tnp_froudeLimit:
			return tnWorld_SetFroudeLimit(world, value);
		case tnp_liveliness:
			return tnWorld_SetLiveliness(world, value);
		case tnp_subSteps:
			return tnWorld_SetMaxSubSteps(world, (int)(value + 0.5f));
		case tnp_foamLifetime:
			return tnWorld_SetFoam(world, value, def.foam.strength);
		case tnp_foamStrength:
			return tnWorld_SetFoam(world, def.foam.lifetime, value);
		case tnp_sleepSpeed:
			return tnWorld_SetSleep(world, def.enableSleep, value, def.sleepTime);
		case tnp_waveViscosity:
			return tnWorld_SetWaves(world, value, def.waves.breakingLimit, def.waves.restHeight);
		case tnp_waveBreaking:
			return tnWorld_SetWaves(world, def.waves.viscosity, value, def.waves.restHeight);
		case tnp_sprayLedge:
			spray.ledgeHeight = value;
			return tnWorld_SetSpray(world, &spray);
		case tnp_sprayBreaking:
			spray.breakingSlope = value;
			return tnWorld_SetSpray(world, &spray);
		case tnp_sprayDrag:
			spray.drag = value;
			return tnWorld_SetSpray(world, &spray);
		default:
			return tnWorld_SetWaveDamping(world, value);
	}
}

// Voxels know the tools, the clock and the light.
static bool tnpIsUsed(const tnpPlay* play, tnpParameterIndex index)
{
	switch (index)
	{
		case tnp_brushRadius:
		case tnp_brushStrength:
			// Levels say how wide and strong tools are.
			return play->level == NULL;
		case tnp_bodySize:
			return play->level == NULL;
		case tnp_rain:
		case tnp_vorticityConfinement:
		case tnp_windSpeed:
		case tnp_windDirection:
			return play->voxels == NULL && play->level == NULL;
		case tnp_caustics:
			return play->voxels == NULL;
		default:
			return tnpIsTuning(index) == false ||
				(play->world != NULL && play->level == NULL && tnpIsTuned(play, index));
	}
}

void tnpFitParameters(tnpPlay* play)
{
	if (play->voxels != NULL)
	{
		tnpSetParameter(play, tnp_brushRadius, s_usualBall * tnpGetVoxelSize(play));
		// Crates of a meter, or two voxels: they take room.
		tnpSetParameter(play, tnp_bodySize, fmaxf(1.0f, 2.0f * tnpGetVoxelSize(play)));
		tnpSetSun(play, play->voxels->info->sun.x, play->voxels->info->sun.z);
		play->hasSceneSun = true;
		return;
	}
	if (play->hasSceneSun)
	{
		// That of the voxels before would stand anywhere.
		const tnrLook look = tnrDefaultLook();
		tnpSetSun(play, look.sunAzimuth * s_degrees, look.sunElevation * s_degrees);
		play->hasSceneSun = false;
	}
	// A thumb on a map of the world.
	tnpSetParameter(play, tnp_brushRadius, 0.05f * tnpGetShortSide(play->world));
	// Crates of a meter, where that is neither finer than the grid nor half of the world.
	tnpSetParameter(play, tnp_bodySize, fmaxf(1.0f, 2.0f * tnWorld_GetDef(play->world).cellSize));
	play->values[tnp_rain] = 0.0f;
	play->values[tnp_vorticityConfinement] = tnWorld_GetDef(play->world).vorticityConfinement;
	const tnVec2 wind = tnsScene_GetInfo(play->scene)->wind;
	const float angle = atan2f(wind.z, wind.x) * s_degrees;
	play->values[tnp_windSpeed] = tnpClampValue(hypotf(wind.x, wind.z), 0.0f, s_rows[tnp_windSpeed].high);
	play->values[tnp_windDirection] = angle < 0.0f ? angle + 360.0f : angle;
}

tnpParameter tnpGetParameter(const tnpPlay* play, tnpParameterIndex index)
{
	const tnpParameterRow* row = s_rows + index;
	tnpParameter parameter = {row->name, row->title, row->unit, row->low, row->high, play->values[index],
		row->logarithmic, tnpIsUsed(play, index), tnpIsTuning(index)};
	if (tnpIsTuning(index))
	{
		// The world knows; and scenes may have more than the slider.
		const tnWorldDef def = play->world != NULL ? tnWorld_GetDef(play->world) : tnDefaultWorldDef();
		parameter.value = parameter.used ? tnpReadTuning(&def, index) : parameter.value;
		parameter.low = fminf(parameter.low, parameter.value);
		parameter.high = fmaxf(parameter.high, parameter.value);
	}
	if (index == tnp_brushRadius && play->voxels != NULL)
	{
		parameter.low = s_smallestBall * tnpGetVoxelSize(play);
		parameter.high = s_largestBall * tnpGetVoxelSize(play);
	}
	if (index == tnp_brushRadius && play->world != NULL)
	{
		parameter.low = tnWorld_GetDef(play->world).cellSize;
		parameter.high = 0.25f * tnpGetShortSide(play->world);
		// Worlds of four cells have one size of brush; the slider still needs a range.
		parameter.high = parameter.high > 1.5f * parameter.low ? parameter.high : 1.5f * parameter.low;
	}
	if (index == tnp_bodySize && play->voxels != NULL)
	{
		parameter.low = 0.5f * tnpGetVoxelSize(play);
		parameter.high = s_largestBall * tnpGetVoxelSize(play);
	}
	if (index == tnp_bodySize && play->world != NULL)
	{
		parameter.low = 0.5f * tnWorld_GetDef(play->world).cellSize;
		parameter.high = fmaxf(0.2f * tnpGetShortSide(play->world), 2.0f * parameter.low);
	}
	return parameter;
}

void tnpSetParameter(tnpPlay* play, tnpParameterIndex index, float value)
{
	const tnpParameter parameter = tnpGetParameter(play, index);
	play->values[index] = tnpClampValue(value, parameter.low, parameter.high);
	if (tnpIsTuning(index) && parameter.used)
	{
		const tnResult tuned = tnpTuneWorld(play->world, index, play->values[index]);
		if (tuned.status != tn_ok)
		{
			tnpPlay_ShowMessage(play, tuned.text);
		}
	}
	if (index == tnp_vorticityConfinement && play->world != NULL)
	{
		tnWorld_SetVorticityConfinement(play->world, play->values[index]);
	}
	if ((index == tnp_windSpeed || index == tnp_windDirection) && play->world != NULL && tnpHasWaves(play))
	{
		const float angle = play->values[tnp_windDirection] / s_degrees, speed = play->values[tnp_windSpeed];
		tnWorld_SetWind(play->world, (tnVec2){speed * cosf(angle), speed * sinf(angle)});
	}
}

void tnpChangeParameter(tnpPlay* play, tnpParameterIndex index, float value)
{
	if (play->level == NULL || tnpIsUsed(play, index))
	{
		tnpSetParameter(play, index, value);
	}
}

void tnpApplyLook(tnpPlay* play)
{
	tnrLook* look = &play->look;
	look->sunAzimuth = play->values[tnp_sunAzimuth] / s_degrees;
	look->sunElevation = play->values[tnp_sunElevation] / s_degrees;
	look->exposure = play->values[tnp_exposure];
	look->ripples = play->values[tnp_ripples];
	look->foam = play->values[tnp_foam];
	look->caustics = play->values[tnp_caustics];
	look->glitter = play->values[tnp_glitter];
	look->shadows = play->values[tnp_shadows];
}

int tnpPlay_GetParameterCount(const tnpPlay* play)
{
	(void)play;
	return tnp_parameterCount;
}

tnpParameter tnpPlay_GetParameter(const tnpPlay* play, int index)
{
	if (index < 0 || index >= tnp_parameterCount)
	{
		return (tnpParameter){"", "", "", 0.0f, 0.0f, 0.0f, false, false, false};
	}
	return tnpGetParameter(play, (tnpParameterIndex)index);
}

bool tnpPlay_SetParameter(tnpPlay* play, const char* name, float value)
{
	for (int i = 0; name != NULL && isfinite(value) && i < tnp_parameterCount; ++i)
	{
		if (strcmp(name, s_rows[i].name) == 0)
		{
			tnpChangeParameter(play, (tnpParameterIndex)i, value);
			return true;
		}
	}
	return false;
}

void tnpPlay_SetPace(tnpPlay* play, float pace)
{
	tnpPlay_SetParameter(play, "pace", pace);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ways in which water can move

const char* const g_tnpWayNames[TNP_WAY_COUNT] = {
	"pipe", "linear", "shallow", "shallow-fine", "shallow-sl", "shallow-mc"};

const char* const g_tnpViewNames[tnr_viewCount] = {
	"picture", "depth", "speed", "vorticity", "tracer", "wet cells", "awake tiles", "sub-steps"};

static const struct
{
	tnMethod method;
	tnAdvection advection;
} s_ways[TNP_WAY_COUNT] = {
	{tn_pipeMethod, tn_conservativeAdvection},
	{tn_linearMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_fineAdvection},
	{tn_shallowMethod, tn_semiLagrangianAdvection},
	{tn_shallowMethod, tn_macCormackAdvection},
};

int tnpGetWay(const tnpPlay* play)
{
	const tnWorldDef def = tnWorld_GetDef(play->world);
	for (int i = 0; i < TNP_WAY_COUNT; ++i)
	{
		if (s_ways[i].method == def.method && (def.method != tn_shallowMethod || s_ways[i].advection == def.advection))
		{
			return i;
		}
	}
	return 0;
}

tnrResult tnpSetWay(tnpPlay* play, int way)
{
	return tnpPlay_SetMethod(play, s_ways[way].method, s_ways[way].advection);
}
