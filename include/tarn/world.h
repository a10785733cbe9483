// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/foam_def.h"
#include "tarn/spray_def.h"
#include "tarn/wave_def.h"

/// @file Terrain with water on it. SI units: meters, seconds, cubic meters.
///
/// Cells are stored row by row: cell (column, row) is at row * columnCount + column in every array a host passes in,
/// and covers [origin.x + column * cellSize, + cellSize) by [origin.z + row * cellSize, + cellSize).
/// Bed and depth are values of the whole cell. The surface is bed + depth.

/// A world. Create with tnCreateWorld. A world may be changed by one thread at a time, and asked by any number of threads at once while
/// nobody changes it: all that takes a const world only reads. Two worlds share nothing.
/// Tasks of a world must not call it: while it works on a step, or on another call that takes all workers, every call is
/// refused with tn_notAvailable. Calls without a result give zeros and NULL then; only defs, ids and the time can be asked
/// for.
typedef struct tnWorld tnWorld;

/// How water moves. docs/methods.md compares them.
typedef enum tnMethod
{
	/// Virtual pipes between neighbouring columns: they store discharge. Lively, cheap, right for waves, lakes, floods
	/// and slow rivers.
	tn_pipeMethod = 0,
	/// Shallow water without self-advection: faces store velocity.
	tn_linearMethod,
	/// The full shallow water equations: water carries its own momentum. Right bores, dam breaks, jets and eddies.
	/// Faces store velocity; tnAdvection says how it is carried.
	tn_shallowMethod,
	tn_methodCount,
} tnMethod;

/// How water carries its own momentum (shallow method).
typedef enum tnAdvection
{
	/// Momentum-conserving upwind, first order. The default: bores and fronts have the right speed and height.
	tn_conservativeAdvection = 0,
	/// Second order in space and time, for engineering accuracy, at about three times the cost.
	tn_fineAdvection,
	/// Velocities traced back along the flow, as games do it: a cheap look. Does not conserve momentum.
	tn_semiLagrangianAdvection,
	/// Semi-Lagrangian, corrected by tracing forth and back: livelier eddies. Does not conserve momentum either.
	tn_macCormackAdvection,
	tn_advectionCount,
} tnAdvection;

/// The cross-section of a pipe.
typedef enum tnPipeSection
{
	/// The depth of the upwind column above the higher bed: waves run with sqrt(g depth).
	tn_depthSection = 0,
	/// A constant: all waves run with sqrt(g fixedSection), whatever the depth. Cheapest; looks right where depths are
	/// alike.
	tn_fixedSection,
	/// The mean of the depths on both sides above the higher bed. Bores then have the speed and height of the
	/// advection-free equations; fronts on dry ground are slower than with tn_depthSection.
	tn_meanSection,
	tn_pipeSectionCount,
} tnPipeSection;

/// Where an edge is. West is the side of column 0, north the side of row 0.
typedef enum tnSide
{
	tn_west = 0,
	tn_east,
	tn_north,
	tn_south,
	tn_sideCount,
} tnSide;

/// What happens at an edge of the world.
typedef enum tnEdgeKind
{
	/// Nothing passes, waves reflect.
	tn_wallEdge = 0,
	/// Water falls off the edge: free outfall at critical flow, or faster if it arrives faster.
	tn_openEdge,
	/// Waves leave: a matched sponge that relaxes to the still water level `level`.
	tn_absorbEdge,
	/// A sea or lake outside holds the water at `level`, plus a tide.
	tn_levelEdge,
	/// Water enters at `inflow`.
	tn_inflowEdge,
	/// The opposite edge continues the world. Both sides must wrap.
	tn_wrapEdge,
	tn_edgeKindCount,
} tnEdgeKind;

/// One edge. Start from tnDefaultEdgeDef.
typedef struct tnEdgeDef
{
	tnEdgeKind kind;
	/// Surface outside, meters (level, absorb).
	float level;
	/// Tide around level: amplitude in meters, period in seconds, phase in turns. Amplitude 0 for none (level).
	float tideAmplitude, tidePeriod, tidePhase;
	/// Discharge per meter of edge, m^2/s, at least 0 (inflow).
	float inflow;
	/// Part of the edge through which water enters, in cells [inflowBegin, inflowEnd) along the edge. The rest is a
	/// wall. Clipped to the edge. Default: all of it (inflow).
	int inflowBegin, inflowEnd;
	/// Width of the sponge in cells, at least 1 (absorb).
	int spongeWidth;
	/// Concentrations of the water that enters (level, inflow).
	float tracers[TN_MAX_TRACERS];
} tnEdgeDef;

/// A point of a level or inflow curve. Between points the value is linear, outside it is held.
typedef struct tnCurvePoint
{
	/// Seconds since creation.
	float time;
	float value;
} tnCurvePoint;

/// Describes a world. Start from tnDefaultWorldDef, then override. Copied on creation.
typedef struct tnWorldDef
{
	/// Cells along x (columns) and z (rows). Each in [4, 65536], their product at most TN_MAX_CELLS.
	int columnCount, rowCount;
	/// Edge length of one cell, meters, in [0.001, 1000].
	float cellSize;
	/// Corner of cell (0, 0) in the host's space, meters.
	tnVec2 origin;
	/// Gravity, m/s^2, in (0, 1000]. Acts along -y.
	float gravity;

	tnMethod method;
	/// Cross-section of pipes (pipe method).
	tnPipeSection section;
	/// Height of the fixed section, meters (pipe method with tn_fixedSection).
	float fixedSection;
	/// Factor on the pipe area, in [0.01, 4]. Below 1 the water is sluggish and syrupy, above 1 nervous. 1 is water.
	/// Waves run with sqrt(liveliness g depth) (pipe method).
	float liveliness;
	/// How momentum is carried (shallow method).
	tnAdvection advection;
	/// Strength of the force that spins eddies up again that the grid has smeared out, dimensionless, in [0, 1]: an
	/// artist's knob that adds energy. 0 for none (shallow method).
	float vorticityConfinement;
	/// Friction that takes the same share of speed everywhere, per second. 0 for none.
	float friction;
	/// Manning's n, s/m^(1/3): 0.01 glass, 0.03 river bed, 0.1 brush. 0 for none.
	float manning;
	/// Fastest flow through a face as a Froude number: |q| <= froudeLimit * h * sqrt(g h), with h the upstream surface
	/// above the higher bed. TN_CRITICAL_LIMIT makes flow over weirs and sills exact. 0 for none.
	float froudeLimit;

	tnEdgeDef edges[tn_sideCount];

	/// Most sub-steps of one step, in [1, 256]. Where stability needs more, the fastest waves are slowed down instead,
	/// and tnStats says by how much.
	int maxSubSteps;

	/// Let dry and resting tiles sleep.
	bool enableSleep;
	/// Water slower than this everywhere in a tile, m/s, falls asleep after sleepTime. 0: only water exactly at rest
	/// sleeps, and sleep then changes no bit.
	float sleepSpeed;
	/// Seconds.
	float sleepTime;

	/// Tracer channels carried by the water, in [0, TN_MAX_TRACERS].
	int tracerCount;
	/// Keep the discharge that moved the water last, for tnWorld_CopyDischarge. Worlds with tracers keep it anyway, and
	/// pipes have nothing else. Without it, linear and shallow water report velocity times depth: off by what
	/// accelerates it in half a sub-step.
	bool keepDischarge;
	/// Keep the depths of the step before, for tnWorld_CopySurface and renderers.
	bool keepPrevious;

	/// Waves on top of the flow.
	tnWavesDef waves;
	/// Water in the air: see tarn/spray.h.
	tnSprayDef spray;
	/// Foam on the water.
	tnFoamDef foam;

	/// Optional hooks. Zero means memory of the C library, threads made by tarn, and silence.
	tnAllocator allocator;
	tnTaskSystem tasks;
	tnErrorHook errors;
	/// Most bytes this world may allocate. 0 for no limit.
	size_t memoryLimit;
	tnSimd simd;

	/// Written by tnDefaultWorldDef and checked on creation. Leave alone.
	uint32_t stamp;
} tnWorldDef;

/// The froudeLimit (2/3)^(3/2) of critical flow when h is an energy head.
#define TN_CRITICAL_LIMIT 0.54433105f

/// A world of 128 x 128 cells of 1 m with walls, pipes with a depth section, and no friction. Its advection is
/// tn_conservativeAdvection, should its method be tn_shallowMethod.
TN_API tnWorldDef tnDefaultWorldDef(void);

/// A wall.
TN_API tnEdgeDef tnDefaultEdgeDef(void);

/// Create a world: flat, dry, still. Allocates everything its steps will need.
/// @param world receives the world, or NULL if the result is not tn_ok
TN_API tnResult tnCreateWorld(const tnWorldDef* def, tnWorld** world);

/// Destroy a world, after the step that was begun, if any. NULL is allowed. From a task of the world itself nothing is destroyed, and
/// the error hook is told; so too from a thread that has not begun the step that runs.
TN_API void tnDestroyWorld(tnWorld* world);

/// Advance the water by one fixed step. Does not allocate.
/// @param timeStep seconds, in (0, 10], the same on every call, usually 1/60. Not the frame time.
TN_API tnResult tnWorld_Step(tnWorld* world, float timeStep);

/// The same step beside the host, by a thread of tarn's and its workers: it begins here, and tnWorld_EndStep waits for its end.
/// Between the two every call that takes a const world answers for the state before the step, from any number of threads at
/// once, and everything else is refused with tn_notAvailable (calls without a result give zeros). The bits are those of
/// tnWorld_Step.
///
/// The first call makes a second world of the same size, in which hosts read: twice the memory. Each call brings that up to date
/// before it returns, which costs what copying the tiles costs that have changed since the last one. It allocates when the world has
/// got bodies or the like since then. Views and events that were asked for between the two calls are stale after the second.
///
/// Without threads (WebAssembly) the step is made here. Hooks of a task system are called by tarn's thread; tnRecordFcn is not, but
/// by tnWorld_EndStep.
TN_API tnResult tnWorld_BeginStep(tnWorld* world, float timeStep);
/// Wait for the step that was begun. tn_notAvailable if there is none, from its tasks, and from threads that have not begun it.
TN_API tnResult tnWorld_EndStep(tnWorld* world);
/// Is a step between its begin and its end?
TN_API bool tnWorld_IsStepRunning(const tnWorld* world);

/// The def of the world, hooks included, with the edges and whatever else can change as they are now.
TN_API tnWorldDef tnWorld_GetDef(const tnWorld* world);

/// Change how water moves, between two steps. Depths, tracers and time stay bit for bit. What a face stores is turned
/// from discharge (m^2/s, pipe) into velocity (m/s, linear and shallow) or back so that its discharge, and with it the
/// momentum of the water, stays up to rounding; dry faces come to rest, and films get no more than 1000 m/s. Between
/// linear and shallow, and to the method it has, no bit of the water changes. What sleeps goes on sleeping.
/// Allocates what steps of the new method need, then frees what the old one had. On failure nothing changes.
/// @param advection kept in the def also by methods that do not use it
TN_API tnResult tnWorld_SetMethod(tnWorld* world, tnMethod method, tnAdvection advection);

/// Change def.vorticityConfinement: dimensionless, in [0, 1], 0 for none. Only the shallow method uses it.
TN_API tnResult tnWorld_SetVorticityConfinement(tnWorld* world, float strength);

// What of a def can change between two steps. All take effect in the next one, and are part of snapshots. Ranges are those of the
// def.

/// Change def.gravity, m/s^2. Water at rest stays so.
TN_API tnResult tnWorld_SetGravity(tnWorld* world, float gravity);
/// Change def.friction, per second.
TN_API tnResult tnWorld_SetFriction(tnWorld* world, float friction);
/// Change def.manning, s/m^(1/3).
TN_API tnResult tnWorld_SetManning(tnWorld* world, float manning);
/// Rough and smooth ground: factors on def.manning, in [0, 1000], one for each cell, copied; a face between two cells has the root
/// of the mean of their squares. NULL for 1 everywhere. Water on decks, and what streams sound like, know def.manning only.
/// Allocates with the first map.
TN_API tnResult tnWorld_SetManningMap(tnWorld* world, const float* map);
/// Change def.froudeLimit. 0 for none.
TN_API tnResult tnWorld_SetFroudeLimit(tnWorld* world, float limit);
/// Change def.liveliness (pipe method).
TN_API tnResult tnWorld_SetLiveliness(tnWorld* world, float liveliness);
/// Change def.section and def.fixedSection, m (pipe method).
TN_API tnResult tnWorld_SetSection(tnWorld* world, tnPipeSection section, float fixedSection);
/// Change def.maxSubSteps.
TN_API tnResult tnWorld_SetMaxSubSteps(tnWorld* world, int count);
/// Change def.enableSleep, def.sleepSpeed (m/s) and def.sleepTime (s). All water wakes up if one of the first two is another.
TN_API tnResult tnWorld_SetSleep(tnWorld* world, bool enable, float speed, float time);
/// Change def.foam.lifetime (s) and def.foam.strength. tn_notAvailable without the layer.
TN_API tnResult tnWorld_SetFoam(tnWorld* world, float lifetime, float strength);
/// Change all of def.spray but `enable` and `capacity`, which must be those of the world. tn_notAvailable without the layer.
TN_API tnResult tnWorld_SetSpray(tnWorld* world, const tnSprayDef* spray);
/// Change viscosity (m^2/s), breakingLimit and restHeight (m) of def.waves. A breakingLimit of 0 must stay so, and one above 0 must
/// stay above. tn_notAvailable without the layer. tnWorld_SetWaveDamping changes the damping.
TN_API tnResult tnWorld_SetWaves(tnWorld* world, float viscosity, float breakingLimit, float restHeight);
/// Use so many workers, at most as many as the world was created with: they have their memory. Without threads it is one all the
/// same. The result does not depend on it, and snapshots do not have it.
TN_API tnResult tnWorld_SetWorkerCount(tnWorld* world, int count);

/// Seconds of water since creation: the sum of all time steps.
TN_API double tnWorld_GetTime(const tnWorld* world);

// ---------------------------------------------------------------------------------------------------------------------
// State as a whole. Arrays hold columnCount * rowCount values and are copied.

/// Replace all bed heights, meters, |height| <= TN_MAX_LENGTH. Depth stays, so water is lifted or lowered with its
/// ground.
TN_API tnResult tnWorld_SetTerrain(tnWorld* world, const float* heights);

/// Replace the bed heights of a block of cells: any brush a host can think of. Depth stays.
/// @param heights columns * rows values, row by row
TN_API tnResult tnWorld_SetTerrainBlock(
	tnWorld* world, int column, int row, int columns, int rows, const float* heights);

/// Replace all depths, meters, in [0, TN_MAX_LENGTH]. Stops the flow. Booked as an edit.
TN_API tnResult tnWorld_SetDepths(tnWorld* world, const float* depths);

/// Replace all depths so that water stands at a level wherever the bed is lower. Stops the flow. Booked as an edit.
TN_API tnResult tnWorld_FillToLevel(tnWorld* world, float level);

/// Replace all velocities, m/s at cell centres, |v| <= 1000.
TN_API tnResult tnWorld_SetVelocities(tnWorld* world, const float* velocitiesX, const float* velocitiesZ);

/// Replace the concentrations of a tracer channel, each finite and |c| <= 1e6. Only meaningful where there is water.
TN_API tnResult tnWorld_SetTracer(tnWorld* world, int channel, const float* concentrations);

/// Horizontal acceleration of everything, m/s^2, |a| <= 1000: a tilted or shaken world. Zero by default. Nothing wet
/// sleeps while it is not zero.
TN_API tnResult tnWorld_SetAcceleration(tnWorld* world, tnVec2 acceleration);

/// Replace an edge. Two opposite edges must be changed to or from wrap together with tnWorld_SetEdges.
TN_API tnResult tnWorld_SetEdge(tnWorld* world, tnSide side, const tnEdgeDef* def);

/// Replace all four edges (tn_west, tn_east, tn_north, tn_south).
TN_API tnResult tnWorld_SetEdges(tnWorld* world, const tnEdgeDef* defs);

/// Give a level edge a curve of levels, or an inflow edge a curve of inflows. It replaces `level` or `inflow`; a tide
/// is added to it. Times must increase. Copied. Count 0 removes the curve.
TN_API tnResult tnWorld_SetEdgeCurve(tnWorld* world, tnSide side, const tnCurvePoint* points, int count);

// ---------------------------------------------------------------------------------------------------------------------
// Edits

typedef enum tnBrushKind
{
	/// Add `amount` meters of ground (negative lowers).
	tn_raiseBrush = 0,
	/// Move the ground towards `height`, the share `amount` in [0, 1] of the way.
	tn_flattenBrush,
	/// Move each cell towards the mean of its neighbours, the share `amount` in [0, 1] of the way.
	tn_smoothBrush,
	tn_brushKindCount,
} tnBrushKind;

typedef enum tnBrushShape
{
	tn_discBrush = 0,
	tn_squareBrush,
	tn_brushShapeCount,
} tnBrushShape;

/// A stroke on the terrain. Water keeps its volume: raised ground lifts it.
typedef struct tnBrush
{
	tnBrushKind kind;
	tnBrushShape shape;
	/// In the host's space. The brush may reach over the edge of the world; its centre may not.
	tnVec2 center;
	/// Meters, > 0.
	float radius;
	/// Share of the radius over which the effect fades to nothing, in [0, 1]. 0 is a hard brush.
	float falloff;
	float amount;
	float height;
} tnBrush;

/// A raising disc of 1 m with a soft rim.
TN_API tnBrush tnDefaultBrush(void);

TN_API tnResult tnWorld_EditTerrain(tnWorld* world, const tnBrush* brush);

/// Pour or take water, spread evenly over a disc.
/// @param volume m^3; negative takes, and never more than is there
/// @param moved receives the volume that was added (negative: taken). May be NULL.
TN_API tnResult tnWorld_AddWater(tnWorld* world, tnVec2 center, float radius, float volume, double* moved);

/// Push the water of a disc once.
/// @param impulse N s for water of 1000 kg/m^3. The water of the disc gains it as momentum; nothing happens if it is
/// dry.
TN_API tnResult tnWorld_AddImpulse(tnWorld* world, tnVec2 center, float radius, tnVec2 impulse);

/// Dye the water of a disc: set a tracer channel to a concentration.
TN_API tnResult tnWorld_AddTracer(tnWorld* world, int channel, tnVec2 center, float radius, float concentration);

/// Put foam on the water of a disc, in the next step.
/// @param amount in [0, 1000]: on bare water 1 covers half of it, see tnWorld_GetFoam. It covers only what is bare: each call
/// adds amount / (1 + what is there)
TN_API tnResult tnWorld_AddFoam(tnWorld* world, tnVec2 center, float radius, float amount);

/// Rain, m/s (1 mm/h is 2.8e-7), at least 0. It carries no tracer.
/// @param map factor per cell, at least 0, copied. NULL for the same everywhere.
TN_API tnResult tnWorld_SetRain(tnWorld* world, float rate, const float* map);

/// Evaporation, m/s of water surface, at least 0. Takes what is there. Map as for rain. Tracers leave with the water.
TN_API tnResult tnWorld_SetEvaporation(tnWorld* world, float rate, const float* map);

/// Infiltration into the ground, m/s, at least 0. Takes what is there. Map as for rain.
TN_API tnResult tnWorld_SetInfiltration(tnWorld* world, float rate, const float* map);

// ---------------------------------------------------------------------------------------------------------------------
// Sources, drains, wells, jets

/// A source. Zero is null.
typedef struct tnSourceId
{
	int32_t index1;
	uint32_t generation;
} tnSourceId;

typedef enum tnSourceKind
{
	/// Brings `rate` m^3/s (negative: a drain, which takes what is there).
	tn_rateSource = 0,
	/// Holds the surface of its disc at `level`: a well that fills and drains.
	tn_wellSource,
	tn_sourceKindCount,
} tnSourceKind;

typedef struct tnSourceDef
{
	tnSourceKind kind;
	/// Must be inside the world.
	tnVec2 center;
	/// Meters, > 0. Covers the cells whose centres are inside, at least the nearest cell.
	float radius;
	/// m^3/s, |rate| <= 1e9 (rate).
	float rate;
	/// Meters (well).
	float level;
	/// Velocity of the water that a positive rate brings, m/s, |v| <= 1000: a jet. The momentum goes to the water of
	/// the disc.
	tnVec2 velocity;
	/// Concentrations of the water it brings.
	float tracers[TN_MAX_TRACERS];
	uint32_t stamp;
} tnSourceDef;

/// A source of 1 m^3/s and 1 m radius at the origin.
TN_API tnSourceDef tnDefaultSourceDef(void);

/// @param id receives the source, or null
TN_API tnResult tnWorld_CreateSource(tnWorld* world, const tnSourceDef* def, tnSourceId* id);
TN_API tnResult tnWorld_DestroySource(tnWorld* world, tnSourceId id);
TN_API bool tnSource_IsValid(const tnWorld* world, tnSourceId id);
/// Change a source: move it, turn it on and off.
TN_API tnResult tnWorld_SetSource(tnWorld* world, tnSourceId id, const tnSourceDef* def);
/// @param def receives the def. @param volume receives m^3 brought since creation (negative: taken). Either may be
/// NULL.
TN_API tnResult tnWorld_GetSource(const tnWorld* world, tnSourceId id, tnSourceDef* def, double* volume);
