// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_scene.h"
#include "world/scene_rules.h"

// What a scene of voxels says, checked. Filled by voxel_scene_rules.c, used by voxel_run.c. Lengths are in voxels.

// Voxels along a side of a scene, at most: four blocks.
#define TNS_MAX_SCENE_VOXELS 512

// Most blades of a wheel, and places on a blade where the liquid is asked for.
#define TNS_MAX_BLADES 64
#define TNS_BLADE_PATCHES 4

// Steps that a scene can name.
#define TNS_MAX_STEPS 1000000

typedef enum tnsGroundKind
{
	tns_boxGround = 0,
	tns_ballGround,
	tns_cylinderGround,
	tns_pathGround,
	tns_hullGround,
	tns_noiseGround,
	// From here on: heights of columns.
	tns_hillsGround,
	tns_slopeGround,
	tns_coneGround,
	tns_canyonGround,
	tns_groundKindCount,
} tnsGroundKind;

typedef struct tnsVoxelPoint
{
	double x, y, z;
} tnsVoxelPoint;

// A form of ground or of air. Which fields count is up to its kind.
typedef struct tnsGroundRule
{
	tnsGroundKind kind;
	int solid;
	// box, hull, noise.
	tnVoxelBox box;
	// ball, cylinder, path, cone: how thick. hull: of its planks.
	double radius;
	// ball and cone: where. cylinder: two ends. path, canyon: a line with corners.
	tnsVoxelPoint* points;
	int pointCount;
	// hull: where walls across it are, along x.
	double* bulkheads;
	int bulkheadCount;
	// Heights. hills: of their middle, how far up and down, and from hill to hill. slope: of its two ends.
	double height, amplitude, length;
	double from, to;
	bool alongZ;
	// cone: of its crater.
	double crater, depth;
	// canyon: of its floor, and how much its sides rise in each voxel.
	double width, steepness;
	// noise: least value of what is ground, 0 to 1.
	double limit;
	uint32_t seed;
	tnsPlace place;
} tnsGroundRule;

// Liquid that is put somewhere, or taken away if the amount is negative.
typedef struct tnsPourRule
{
	tnVoxelBox box;
	int liquid, amount;
	// Of sources: steps.
	int begin, end;
	tnsPlace place;
} tnsPourRule;

typedef struct tnsOceanRule
{
	tnVoxelBox box;
	int liquid;
	double level;
	tnsPlace place;
} tnsOceanRule;

typedef struct tnsReactionRule
{
	tnReactionDef def;
	tnsPlace place;
} tnsReactionRule;

// Something done to the world before a step, or before several.
typedef struct tnsVoxelEdit
{
	int step, every, until;
	// How much further it is done from one time to the next.
	tnVoxel move;
	// Of ground, or of liquid.
	bool isPour;
	tnsGroundRule ground;
	tnsPourRule pour;
	tnsPlace place;
} tnsVoxelEdit;

typedef struct tnsWheelRule
{
	tnsVoxelPoint center;
	double radius, hub, width;
	int bladeCount;
	int axis;
	// kg m^2, 0 to be found from its size; N m s.
	double inertia, friction;
	tnsPlace place;
} tnsWheelRule;

struct tnsVoxelScene
{
	tnsScene* base; // memory and names
	tnsVoxelSceneInfo info;
	tnsGroundRule* ground;
	tnsPourRule* fills;
	tnsPourRule* sources;
	tnsOceanRule* oceans;
	tnsReactionRule* reactions;
	tnsVoxelEdit* edits;
	tnsWheelRule* wheels;
	tnsVoxelProp* props;
	int groundCount, fillCount, sourceCount, oceanCount, reactionCount, editCount;
	tnVoxel interests[TN_MAX_VOXEL_INTERESTS];
	int interestCount;
	tnsPlace interestPlace;
};

// voxel_ground_rules.c: one form. @param what "ground", "dig" or "build"
bool tnsReadGround(
	tnsSceneReader* reader, const tnsJson* value, const char* what, tnVoxel size, int solid, tnsGroundRule* ground);
bool tnsReadVoxel(tnsSceneReader* reader, const tnsJson* value, const char* key, tnVoxel* voxel);
bool tnsReadVoxelPoint(tnsSceneReader* reader, const tnsJson* value, const char* key, tnsVoxelPoint* point);
// A box of voxels within the size.
bool tnsReadVoxelBox(tnsSceneReader* reader, const tnsJson* value, const char* key, tnVoxel size, tnVoxelBox* box);

// voxel_scene_rules.c: the whole file.
bool tnsReadVoxelScene(tnsSceneReader* reader, const tnsJson* root, tnsVoxelScene* scene);

// voxel_ground.c: make the ground of a form, moved by some voxels, in the part of a world that belongs to a scene.
tnResult tnsMakeGround(tnVoxelWorld* world, const tnsGroundRule* ground, tnVoxel move, tnVoxel size);

// voxel_wheel.c
tnsWheel tnsMakeWheel(const tnsWheelRule* rule, float voxelSize);
// Where its blades meet the liquid. @param points room for TNS_BLADE_PATCHES for each blade @return how many
int tnsWheel_GetPoints(const tnsWheel* wheel, tnVec3* points);
// Turn it for a step. @param samples at its points
void tnsWheel_Turn(tnsWheel* wheel, const tnsWheelRule* rule, const tnVoxelSample* samples, const tnVoxelWorldDef* def);
