// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "files/json.h"
#include "level.h"
#include "tarn/spray.h"
#include "tarn/waves.h"
#include "terrain/procedural.h"

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

// What the ground shows. Heights are NAN, and files none, unless the scene says.
typedef struct tnsGroundLookRule
{
	float beachLevel, treeLine, snowLine, rockSlope;
	tnsFileRef blendMap;
	tnsFileRef textures[TNS_GROUND_COUNT];
	float textureSize;
} tnsGroundLookRule;

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

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

// A crane: from a time on, the point of the body at its hook is pulled along with a velocity, and then held.
typedef struct tnsLiftRule
{
	bool given;
	double start, stop, release;
	tnVec3 velocity;
	// In the frame of the body.
	tnVec3 at;
} tnsLiftRule;

// A motor that pushes along the body's direction, and is turned to follow a path.
typedef struct tnsThrustRule
{
	bool given;
	double start, stop;
	float force;
	// In the frame of the body: where, and whereto.
	tnVec3 at, direction;
	// Most that the motor turns to each side to steer, degrees.
	float rudder;
	tnVec2* path;
	int pathCount;
	// How near a point of the path counts as reached, meters.
	float reach;
} tnsThrustRule;

// A body, or several that are alike.
// What becomes of the hollows of a body when it comes.
typedef struct tnsHoldRule
{
	// Water in them, as a share of what they hold.
	float held[TN_MAX_HOLLOWS];
	int heldCount;
	// In the frame of the shapes; in the slots of their order.
	tnLeakDef leaks[TN_MAX_LEAKS];
	int leakCount;
	tnPumpDef pumps[TN_MAX_LEAKS];
	int pumpCount;
} tnsHoldRule;

typedef struct tnsBodyRule
{
	// NULL for none.
	const char* name;
	tnShapeDef* shapes;
	int shapeCount;
	// One of them is given: kg/m^3, kg.
	bool hasMass;
	float density, mass;
	// The centre of mass, if it is not that of the shapes.
	bool hasCenter;
	tnVec3 center;
	bool fixed, tied;
	// Of the frame of the shapes.
	tnPose pose;
	tnVec3 velocity, spin;
	// mode, drag and the like.
	tnBodyDef water;
	float friction, bounce;
	tnVec3 color;
	double appear, release, remove;
	tnsLiftRule lift;
	tnsThrustRule thrust;
	tnsHoldRule hold;
	int count[3];
	tnVec3 spacing;
	// Seconds from one copy to the next.
	double delay;
	// Index of the first copy, and how many.
	int first, copyCount;
	tnsPlace place;
} tnsBodyRule;

typedef enum tnsJointKind
{
	tns_ballJoint = 0,
	tns_hingeJoint,
	tns_fixedJoint,
	tns_ropeJoint,
	tns_slideJoint,
	tns_jointKindCount,
} tnsJointKind;

typedef struct tnsJointRule
{
	tnsJointKind kind;
	// Indices of bodies; b is -1 for the ground.
	int a, b;
	// Where the bodies are joined, and the other end of a rope.
	tnVec3 at, to;
	tnVec3 axis;
	// Of a rope, meters. 0: from one end to the other.
	float length;
	// Of a hinge: torque with which it holds, N m; and how many turns it is driven to at which time, until the last one.
	float friction;
	tnCurvePoint* turns;
	int turnCount;
	// Of a slide: how far it goes along its axis from where it begins, meters; the body on a hinge that drives it, or -1; and how
	// far a turn of that takes it.
	float range[2];
	int wheel;
	float perTurn;
	double cut;
	tnsPlace place;
} tnsJointRule;

// ---------------------------------------------------------------------------------------------------------------------
// Waves

typedef enum tnsInterestKind
{
	tns_fixedInterest = 0,
	tns_bodyInterest,
	tns_displacerInterest,
	tns_cameraInterest,
	tns_interestKindCount,
} tnsInterestKind;

// A place around which waves are fine, and what it follows.
typedef struct tnsInterestRule
{
	tnsInterestKind kind;
	tnVec2 at;
	float reach;
	// Of a body or a displacer.
	int index;
	tnsPlace place;
} tnsInterestRule;

// A point of the way of a displacer. Between two points the speed changes evenly with time.
typedef struct tnsWayPoint
{
	// m, m/s.
	double x, z, speed;
	// Since the first point, m and s.
	double distance, time;
} tnsWayPoint;

// Something of elliptic outline that moves through the water by itself: a boat without physics.
typedef struct tnsDisplacerRule
{
	// NULL for none.
	const char* name;
	// A closed way ends with its first point again. One point: it stays there.
	tnsWayPoint* path;
	int pathCount;
	bool closed;
	// Of points that do not say, m/s. Negative: none.
	double speed;
	// Where one that stays in one place points to.
	tnVec2 heading;
	// Along the way and across it, m.
	tnVec2 radii;
	float height;
	// It comes and goes within the time of a ramp, s.
	double start, stop, ramp;
	tnsPlace place;
} tnsDisplacerRule;

// Drops that fall into the water.
typedef struct tnsDropsRule
{
	tnsArea area;
	// Each second; with rain, each second and for each mm/h of it.
	double perSecond;
	// m^3.
	double leastVolume, mostVolume;
	uint32_t seed;
	double start, stop;
	bool withRain;
	tnsPlace place;
} tnsDropsRule;

typedef struct tnsWavesRule
{
	tnsInterestRule* interests;
	int interestCount;
	tnsDisplacerRule* displacers;
	int displacerCount;
	tnsDropsRule* drops;
	int dropsCount;
	tnSwell swells[TN_MAX_SWELLS];
	int swellCount;
	tnsPlace swellPlace;
	tnSpectrumDef sea;
	bool hasSea;
	tnsPlace seaPlace;
	bool hasWind;
	tnsPlace windPlace;
	tnsPlace place;
} tnsWavesRule;

// Water out of a nozzle.
typedef struct tnsJetRule
{
	tnJetDef def;
	double start, stop;
	tnsPlace place;
} tnsJetRule;

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
	tnsGroundLookRule ground;
	tnsBodyRule* bodies;
	int bodyRuleCount;
	tnsJointRule* joints;
	int jointCount;
	tnsWavesRule waves;
	tnsJetRule* jets;
	int jetCount;
	bool hasLevel;
	tnsLevelInfo level;
};

// "file:line:column: text"
tnsResult tnsMakeSceneError(const tnsScene* scene, tnsStatus status, tnsPlace place, const char* format, ...);
