// SPDX-License-Identifier: MIT

#pragma once

#include "json.h"
#include "procedural.h"

// What a scene file says, checked. Filled by scene.c, used by scene_run.c. Strings belong to the JSON document.

// A file next to the scene. The place is where the scene names it.
typedef struct tnsFileRef
{
	// NULL for none.
	const char* path;
	tnsPlace place;
} tnsFileRef;

typedef struct tnsTerrainRule
{
	tnsTerrainDef def;
	tnsFileRef file;
	// Size of a raw file. 0: as the world.
	int fileColumns, fileRows;
	bool hasFill;
	float fill;
	// Applied to the heights before the features.
	double scale, offset;
	tnsFeature* features;
	int featureCount;
	tnsPlace place;
} tnsTerrainRule;

typedef enum tnsAreaKind
{
	tns_boxArea = 0,
	tns_discArea,
	// The whole world.
	tns_allArea,
	tns_areaKindCount,
} tnsAreaKind;

// Covers the cells whose centres are inside.
typedef struct tnsArea
{
	tnsAreaKind kind;
	double x, z, width, length, radius;
} tnsArea;

// Water of an area at the start: up to a level, or of a depth.
typedef struct tnsWaterPatch
{
	tnsArea area;
	bool byLevel;
	double level, depth;
} tnsWaterPatch;

typedef struct tnsWaterRule
{
	bool hasLevel;
	float level;
	tnsFileRef depthFile;
	float depthScale;
	tnsWaterPatch* patches;
	int patchCount;
	tnVec2 velocity;
	tnsFileRef velocityFiles[2];
	tnsPlace place;
} tnsWaterRule;

typedef struct tnsTracerPatch
{
	tnsArea area;
	int channel;
	float concentration;
} tnsTracerPatch;

typedef struct tnsSourceRule
{
	const char* name;
	tnSourceDef def;
	double start, stop;
	tnsPlace place;
} tnsSourceRule;

// Rain, evaporation or infiltration.
typedef struct tnsRainRule
{
	bool given;
	// m/s.
	float rate, mmPerHour;
	double start, stop;
	tnsFileRef map;
	tnsPlace place;
} tnsRainRule;

typedef struct tnsGaugeRule
{
	const char* name;
	tnVec2 position;
	tnsPlace place;
} tnsGaugeRule;

typedef struct tnsRegionRule
{
	const char* name;
	tnRegionDef def;
	tnsPlace place;
} tnsRegionRule;

typedef struct tnsEdgeRule
{
	tnCurvePoint* curve;
	int curveCount;
	tnsPlace place;
} tnsEdgeRule;

typedef enum tnsEditKind
{
	tns_brushEdit = 0,
	tns_terrainEdit,
	tns_waterEdit,
	tns_impulseEdit,
	tns_tracerEdit,
	tns_editKindCount,
} tnsEditKind;

// Something done to the world at a time.
typedef struct tnsEdit
{
	tnsEditKind kind;
	double time;
	// 0: once.
	double every, until;
	tnBrush brush;
	tnsFeature feature;
	// Water, impulse, tracer.
	tnVec2 center;
	float radius;
	float volume;
	tnVec2 impulse;
	int channel;
	float concentration;
	tnsPlace place;
} tnsEdit;

// Of a camera that does not say, degrees.
#define TNS_FIELD_OF_VIEW 45.0

// Eye, target and field of view as numbers that all follow the same kind of curve.
#define TNS_CAMERA_VALUES 7

typedef struct tnsCameraKey
{
	double time;
	// x, y, z of the eye, x, y, z of the target, meters, and the vertical field of view, degrees.
	double values[TNS_CAMERA_VALUES];
} tnsCameraKey;

// A camera that goes around a point, from one angle to another, in the seconds of the scene.
typedef struct tnsOrbit
{
	double target[3];
	// Of the eye from the target, along the ground and above it, meters.
	double distance, height;
	// Degrees: 0 in the south of the target, 90 in its east.
	double from, to;
	double fieldOfView;
} tnsOrbit;

typedef struct tnsCameraRule
{
	bool isOrbit;
	tnsOrbit orbit;
	tnsCameraKey* keys;
	int keyCount;
} tnsCameraRule;

struct tnsScene
{
	tnsJsonDocument* document;
	// Memory of the arrays below, as a list.
	void* blocks;
	char* fileName;
	// Ends with a separator, or is empty. NULL: files cannot be opened.
	char* baseFolder;
	// The name a scene has if it does not say.
	char* baseName;

	tnsSceneInfo info;
	tnsCells cells;
	tnsTerrainRule terrain;
	tnsWaterRule water;
	tnsTracerPatch* tracerPatches;
	int tracerPatchCount;
	tnsEdgeRule edges[tn_sideCount];
	tnsSourceRule* sources;
	tnsGaugeRule* gauges;
	tnsRegionRule* regions;
	tnsEdit* edits;
	int editCount;
	tnsRainRule rain, evaporation, infiltration;
	tnsCameraRule camera;
};

// "file:line:column: text"
tnsResult tnsMakeSceneError(const tnsScene* scene, tnsStatus status, tnsPlace place, const char* format, ...);
