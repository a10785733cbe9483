// SPDX-License-Identifier: MIT

#pragma once

#include "world/scene_model.h"

// Reading values out of a JSON document into a scene. Each kind of object has a table of rules (key, type, range), and
// one function reads any object by its table. Every function that returns bool returns false after it has left an error
// in the reader.

// Bounds every time in a scene, seconds: four months. A float32 still tells seconds apart there.
#define TNS_MAX_SECONDS 1.0e7

// Longest name of a scene, source, gauge, region or tracer, bytes.
#define TNS_MAX_NAME 64

// Longest text of a description, bytes.
#define TNS_MAX_DESCRIPTION 2000

#define TNS_LENGTH ((double)TN_MAX_LENGTH)

// A feature may reach beyond the world, but not beyond what a world can be.
#define TNS_WHERE (2.0 * TNS_LENGTH)

typedef enum tnsRuleType
{
	tns_floatRule = 0,
	tns_doubleRule,
	tns_intRule,
	tns_seedRule,
	tns_boolRule,
	// An array of two numbers.
	tns_vectorRule,
	// An array of three numbers.
	tns_spaceRule,
	// Any text.
	tns_textRule,
	// A short text without commas and quotes, fit for a column of a table.
	tns_nameRule,
	// One of `names`, stored as an int.
	tns_choiceRule,
	tns_fileRule,
	// Read by the code that reads the object.
	tns_customRule,
} tnsRuleType;

typedef struct tnsRule
{
	const char* key;
	tnsRuleType type;
	bool required;
	size_t offset;
	double low, high;
	// Ends with NULL.
	const char* const* names;
} tnsRule;

typedef struct tnsSceneReader
{
	tnsScene* scene;
	tnsResult result;
	// Of a scene of voxels. NULL with columns.
	const struct tnsLiquidInfo* liquids;
	int liquidCount;
} tnsSceneReader;

// The first error wins. Returns false.
bool tnsFail(tnsSceneReader* reader, tnsPlace place, const char* format, ...);

// Zeroed memory that lives as long as the scene. NULL after an error.
void* tnsSceneAlloc(tnsSceneReader* reader, size_t count, size_t size);

// A value as it stands after "got" in errors.
tnsQuote tnsDescribe(const tnsJson* value);

bool tnsCheckNumber(tnsSceneReader* reader, const tnsJson* value, const char* key, double low, double high);
bool tnsCheckWhole(tnsSceneReader* reader, const tnsJson* value, const char* key, double low, double high);
bool tnsCheckText(tnsSceneReader* reader, const tnsJson* value, const char* key, bool isName);
bool tnsCheckArray(tnsSceneReader* reader, const tnsJson* value, const char* what, int maxCount);

// names ends with NULL.
bool tnsReadChoice(
	tnsSceneReader* reader, const tnsJson* value, const char* key, const char* const* names, int* choice);

// An array of `count` numbers in a range.
bool tnsReadNumbers(
	tnsSceneReader* reader, const tnsJson* value, const char* key, int count, double low, double high, double* numbers);
bool tnsReadFileRef(tnsSceneReader* reader, const tnsJson* value, const char* key, tnsFileRef* file);

// "#rrggbb" as light, 0 to 1.
bool tnsReadColor(tnsSceneReader* reader, const tnsJson* value, tnVec3* color);

// Reads all members by their rules. Keys without a rule are errors, and so are required keys that are missing.
bool tnsReadObject(
	tnsSceneReader* reader, const tnsJson* value, const char* what, const tnsRule* rules, int ruleCount, void* target);

#define TNS_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define TNS_READ(reader, value, what, rules, target) \
	tnsReadObject((reader), (value), (what), (rules), TNS_COUNT_OF(rules), (target))

// Exactly one of the keys, or, if optional, at most one. Returns its index, -1 for none or after an error.
int tnsFindOneOf(
	tnsSceneReader* reader, const tnsJson* object, const char* what, const char* const* keys, int count, bool optional);

// object has the keys x and z, for the place of the error.
bool tnsCheckInside(tnsSceneReader* reader, const tnsJson* object, const char* what, tnVec2 position);

bool tnsFindTracer(tnsSceneReader* reader, const char* name, tnsPlace place, int* channel);

// Concentrations by name: {"dye": 1}. value may be NULL.
bool tnsReadConcentrations(tnsSceneReader* reader, const tnsJson* value, float* concentrations);

// ---------------------------------------------------------------------------------------------------------------------
// Parts of a scene. Where value may be missing it is NULL, and the part gets its defaults.

bool tnsReadFeature(tnsSceneReader* reader, const tnsJson* value, tnsFeature* feature);
bool tnsReadTerrain(tnsSceneReader* reader, const tnsJson* value);
bool tnsReadWater(tnsSceneReader* reader, const tnsJson* value);
bool tnsReadTracerPatches(tnsSceneReader* reader, const tnsJson* value);
bool tnsReadRain(tnsSceneReader* reader, const tnsJson* value, const char* what, tnsRainRule* rain);

// index counts items of the same kind; those before it are in the scene already.
bool tnsReadSource(tnsSceneReader* reader, const tnsJson* value, int index, tnsSourceRule* source);
bool tnsReadGauge(tnsSceneReader* reader, const tnsJson* value, int index, tnsGaugeRule* gauge);
bool tnsReadRegion(tnsSceneReader* reader, const tnsJson* value, int index, tnsRegionRule* region);
// All of a list that may be missing.
bool tnsReadRegions(tnsSceneReader* reader, const tnsJson* root);
bool tnsReadEdit(tnsSceneReader* reader, const tnsJson* value, tnsEdit* edit);

bool tnsReadGroundLook(tnsSceneReader* reader, const tnsJson* value);
bool tnsReadCamera(tnsSceneReader* reader, const tnsJson* value);

// Bodies, and the joints between them.
bool tnsReadBodies(tnsSceneReader* reader, const tnsJson* bodies, const tnsJson* joints);
// The index of a body by its name, or by that of one of several copies: "log 3".
bool tnsFindBody(tnsSceneReader* reader, const tnsJson* value, const char* key, int* index);
// The same, and how many there are: all copies under the name that they have in common.
bool tnsFindBodies(tnsSceneReader* reader, const tnsJson* value, const char* key, int* index, int* count);

// The layer, and jets.
bool tnsReadFoam(tnsSceneReader* reader, const tnsJson* value);
bool tnsReadSpray(tnsSceneReader* reader, const tnsJson* value, const tnsJson* jets);

// After the bodies and the camera, which waves can follow.
bool tnsReadWaves(tnsSceneReader* reader, const tnsJson* value);

// What makes a game of it. Last, because it refers to regions, tracers and bodies.
bool tnsReadLevel(tnsSceneReader* reader, const tnsJson* value);
