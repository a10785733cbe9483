// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file What a host pulls out of a world after a step.

/// A read-only view of a field inside the world: cell (column, row) is at data[row * stride + column].
/// Stale after the next call that takes a non-const world.
typedef struct tnFieldView
{
	const float* data;
	int columnCount, rowCount;
	/// Floats from one row to the next.
	int stride;
} tnFieldView;

/// Bed heights, meters.
TN_API tnFieldView tnWorld_GetBed(const tnWorld* world);
/// Depths, meters. Without what stands on decks: tnWorld_CopyDecks.
TN_API tnFieldView tnWorld_GetDepth(const tnWorld* world);
/// Depths before the flow of the last step, meters: its sources and rain are already in. Data is NULL if
/// def.keepPrevious is off.
TN_API tnFieldView tnWorld_GetPreviousDepth(const tnWorld* world);
/// Concentrations of a tracer channel. Data is NULL if there is no such channel.
TN_API tnFieldView tnWorld_GetTracer(const tnWorld* world, int channel);
/// Amounts of foam F, without unit, at least 0: they cover F / (1 + F) of the water. Data is NULL without the layer.
TN_API tnFieldView tnWorld_GetFoam(const tnWorld* world);

/// Copy the velocities at cell centres, m/s, zero where dry: of all the water of a cell, also where only a film runs into it. Films
/// of pipes below 0.1 m are not shown faster than 4 sqrt(g d), d from the highest surface to the lowest bed beside a face.
/// Arrays of columnCount * rowCount, either may be NULL.
TN_API tnResult tnWorld_CopyVelocities(const tnWorld* world, float* velocitiesX, float* velocitiesZ);

/// Copy the discharge through the faces, m^2/s. X faces: (columnCount + 1) * rowCount, face c lies between cells c - 1
/// and c. Z faces: columnCount * (rowCount + 1). Either may be NULL.
TN_API tnResult tnWorld_CopyDischarge(const tnWorld* world, float* dischargeX, float* dischargeZ);

/// Copy which cells were computed in the last step: 1 where awake, 0 where asleep. Array of columnCount * rowCount.
TN_API tnResult tnWorld_CopyAwake(const tnWorld* world, uint8_t* awake);

/// Copy the surface between the last two steps, meters: the bed where dry.
/// That of the flow: its cells are too large for most waves of the layer. tnWorld_SampleMany has both, and
/// tnWorld_GetWaveTile the waves alone.
/// @param alpha 0 for the state before the last step, 1 for the state after it
TN_API tnResult tnWorld_CopySurface(const tnWorld* world, float alpha, float* surface);

/// Depth from which tnSample.wet and wet areas count a place as wet, meters: a film of a tenth of a millimeter is not.
#define TN_WET_DEPTH 1.0e-3f

/// The water at a place, with the waves of the layer if there is one: they move the surface of wet places, down to the bed
/// at most, and change neither `wet` nor tracers. Interpolated between cell centres; at shores only wet cells have a say in surface and
/// velocity, so that the surface neither climbs the bank nor dips to the bed. A dry cell that lies lower than the water
/// beside it is the front of a flood: there the surface falls to its bed. Water up to TN_WET_DEPTH shows in depth and
/// surface, with `wet` false. Outside the world: the nearest cell inside, with `inside` false.
typedef struct tnSample
{
	/// Height of the water surface, meters; of the bed where dry.
	float surface;
	float bed;
	/// Surface - bed, at least 0.
	float depth;
	/// m/s, zero where dry.
	tnVec2 velocity;
	/// Upward unit normal of the surface, of the bed where dry.
	tnVec3 normal;
	/// Of the water in the cells around: zero where there is none.
	float tracers[TN_MAX_TRACERS];
	/// Share of the surface that foam covers, in [0, 1). Zero where dry, and without the layer.
	float foam;
	/// Deeper than TN_WET_DEPTH.
	bool wet;
	bool inside;
} tnSample;

TN_API tnSample tnWorld_Sample(const tnWorld* world, tnVec2 position);

/// Sample many places at once. Fails if a position is not finite.
TN_API tnResult tnWorld_SampleMany(const tnWorld* world, const tnVec2* positions, int count, tnSample* samples);

/// Both levels of a column in which water stands on a body, with air or other water below it: on a bridge, a roof, in an
/// aqueduct. docs/bodies.md says what is a deck. tnWorld_Sample and tnWorld_SampleMany have the one that is seen from above,
/// without waves if that is the deck's; all other calls have the water below.
typedef struct tnDeckSample
{
	/// There is a deck over the cell around the place, wet or dry. If not, all that follows but `below` is zero.
	bool covered;
	/// Deeper than TN_WET_DEPTH.
	bool wet;
	/// Underside and top of what carries the water, and the surface of the water on it; its top where dry. Meters.
	float underside, bed, surface;
	/// Water on the deck, meters. Surface - bed where no walls stand on it, else less.
	float depth;
	/// m/s, zero where dry.
	tnVec2 velocity;
	/// The water below, as tnWorld_Sample has it where there is no deck.
	tnSample below;
} tnDeckSample;

TN_API tnDeckSample tnWorld_SampleDeck(const tnWorld* world, tnVec2 position);

/// Copy the water on decks: its depth, meters, 0 where there is none, and the height of its surface, 0 where there is none.
/// Arrays of columnCount * rowCount, either may be NULL. Returns how many cells have some.
TN_API int tnWorld_CopyDecks(const tnWorld* world, float* depths, float* surfaces);

typedef struct tnRayHit
{
	bool hit;
	/// The first thing hit is water, otherwise ground.
	bool water;
	/// In units of the direction's length.
	float distance;
	tnVec3 point;
	tnVec3 normal;
} tnRayHit;

/// Cast a ray at the surface (water, or bed where dry) from above.
/// @param direction need not be unit; @param maxDistance in units of its length, > 0
/// A ray that starts below the surface hits at distance 0. Waves of the layer are part of the surface. A ray that grazes
/// them over hundreds of their cells may miss a crest, and waves added since the last step may be hit a little late.
TN_API tnResult tnWorld_CastRay(
	const tnWorld* world, tnVec3 origin, tnVec3 direction, float maxDistance, tnRayHit* hit);

// ---------------------------------------------------------------------------------------------------------------------
// Regions

/// A watched region. Zero is null.
typedef struct tnRegionId
{
	int32_t index1;
	uint32_t generation;
} tnRegionId;

typedef enum tnRegionShape
{
	tn_discRegion = 0,
	tn_boxRegion,
	tn_regionShapeCount,
} tnRegionShape;

typedef struct tnRegionDef
{
	tnRegionShape shape;
	/// Must be inside the world.
	tnVec2 center;
	/// Disc: extent.x is the radius. Box: half widths. Meters, > 0.
	tnVec2 extent;
	/// The depth whose crossing makes events, meters, > TN_WET_DEPTH.
	float triggerDepth;
	/// How far below a depth the water must fall to count as below it again, meters, at least 0. Keeps ripples from
	/// making an event each. At most half of the depth in question is used.
	float hysteresis;
	/// Comes back in events.
	uint64_t userData;
	uint32_t stamp;
} tnRegionDef;

TN_API tnRegionDef tnDefaultRegionDef(void);

typedef struct tnRegionState
{
	/// m^3 and m^2 of the cells whose centres are inside, and at least of the cell around the center.
	double volume, wetArea, area;
	/// Meters.
	float maxDepth;
} tnRegionState;

TN_API tnResult tnWorld_CreateRegion(tnWorld* world, const tnRegionDef* def, tnRegionId* id);
TN_API tnResult tnWorld_DestroyRegion(tnWorld* world, tnRegionId id);
TN_API bool tnRegion_IsValid(const tnWorld* world, tnRegionId id);
TN_API tnResult tnWorld_GetRegionState(const tnWorld* world, tnRegionId id, tnRegionState* state);

/// Volume and wet area of a shape that is not watched.
TN_API tnResult tnWorld_MeasureRegion(const tnWorld* world, const tnRegionDef* def, tnRegionState* state);

typedef enum tnRegionEventKind
{
	/// maxDepth rose over TN_WET_DEPTH.
	tn_becameWet = 0,
	/// maxDepth fell to TN_WET_DEPTH less the hysteresis, or below.
	tn_becameDry,
	/// maxDepth rose over triggerDepth.
	tn_roseAbove,
	/// maxDepth fell to triggerDepth less the hysteresis, or below.
	tn_fellBelow,
} tnRegionEventKind;

typedef struct tnRegionEvent
{
	tnRegionId region;
	tnRegionEventKind kind;
	float maxDepth;
	uint64_t userData;
} tnRegionEvent;

/// Events of the last step, ordered by region index, then by kind. Stale after the next step.
typedef struct tnRegionEvents
{
	const tnRegionEvent* events;
	int count;
} tnRegionEvents;

TN_API tnRegionEvents tnWorld_GetRegionEvents(const tnWorld* world);

// ---------------------------------------------------------------------------------------------------------------------
// Gauges

/// A point that remembers. Zero is null.
typedef struct tnGaugeId
{
	int32_t index1;
	uint32_t generation;
} tnGaugeId;

typedef struct tnGaugeState
{
	/// The water there now, with the waves of the layer, as tnWorld_Sample has it.
	tnSample sample;
	/// Since the gauge was created or reset. Arrival: world time when depth first passed TN_WET_DEPTH, -1 if never.
	float maxDepth, maxSpeed;
	double arrivalTime;
} tnGaugeState;

/// @param position must be inside the world
TN_API tnResult tnWorld_CreateGauge(tnWorld* world, tnVec2 position, tnGaugeId* id);
TN_API tnResult tnWorld_DestroyGauge(tnWorld* world, tnGaugeId id);
TN_API bool tnGauge_IsValid(const tnWorld* world, tnGaugeId id);
TN_API tnResult tnWorld_GetGaugeState(const tnWorld* world, tnGaugeId id, tnGaugeState* state);
TN_API tnResult tnWorld_ResetGauge(tnWorld* world, tnGaugeId id);

// ---------------------------------------------------------------------------------------------------------------------
// Ledger, statistics, hash

/// Where all the water came from and went, m^3 since creation. Positive came in, negative went out.
/// volume = sources + drains + wells + rain + evaporation + infiltration + edges + edits, up to `drift`.
typedef struct tnLedger
{
	/// Water in the world now, that on decks included.
	double volume;
	double sources, drains, wells;
	double rain, evaporation, infiltration;
	double edges[tn_sideCount];
	/// SetDepths, FillToLevel, AddWater, SetHollowWater.
	double edits;
	/// Water in the air now, which is not part of `volume`.
	double airborne;
	/// Water in the hollows of bodies now, which is not part of `volume` either.
	double held;
	/// volume + airborne + held - sum of all other entries: the rounding of float32 depths.
	double drift;
} tnLedger;

/// Costs a pass over the tiles that are awake.
TN_API tnLedger tnWorld_GetLedger(tnWorld* world);

typedef struct tnStats
{
	int64_t stepCount;
	/// Of the last step: sub-steps taken, or that would have been if anything was awake, and sub-steps that full wave
	/// speed would have needed.
	int subSteps, subStepsWanted;
	/// Speed of the fastest wave over its true speed, in (0, 1]. Below 1 when maxSubSteps was too small, and while that is remembered for
	/// hosts whose time step varies.
	float waveSlowdown;
	/// Largest depth, meters, and fastest allowed sub-step, seconds.
	float maxDepth, stableTimeStep;
	int tileCount, awakeTileCount;
	/// Cells whose outflow was limited in the last sub-step are not counted: limiting is normal at shores.
	size_t byteCount;
	tnSimd simd;
} tnStats;

TN_API tnStats tnWorld_GetStats(const tnWorld* world);

/// A hash of the water: bed, depth, flow, tracers, time. The same on every machine, for any worker count and
/// instruction set. What sources and rain have saved up, and which tiles sleep, is not part of it.
TN_API uint64_t tnWorld_GetHash(const tnWorld* world);
