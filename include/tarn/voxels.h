// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/vector.h"

/// @file Water for block worlds: solid and liquid share voxels, volumes are whole numbers, nothing is ever lost.
///
/// A voxel (x, y, z) is a cube, y up. 16 x 16 x 16 of them are a chunk, 8 x 8 x 8 chunks a block; a host loads and
/// unloads blocks. A voxel has room for `cap` units, of which the ground takes a share and one liquid the rest or less.
/// What is not loaded is a wall. A step moves every unit by at most one voxel, save for what connected water levels out.

/// Voxels along a side of a chunk, and of a block.
#define TN_VOXEL_CHUNK 16
#define TN_VOXEL_BLOCK 128
/// Voxels of a chunk.
#define TN_CHUNK_VOXELS 4096
/// Most kinds of liquid, numbered from 1. 0 means none.
#define TN_MAX_LIQUIDS 15
/// Most units of a voxel.
#define TN_MAX_VOXEL_CAP 4096
/// Solid of a voxel that is nothing but ground.
#define TN_VOXEL_ROCK 255
/// Coordinates of voxels are in [-TN_MAX_VOXEL, TN_MAX_VOXEL).
#define TN_MAX_VOXEL (1 << 20)

/// A world of voxels. One thread at a time; two worlds share nothing.
typedef struct tnVoxelWorld tnVoxelWorld;

/// A place in the grid: of a voxel, a chunk or a block.
typedef struct tnVoxel
{
	int32_t x, y, z;
} tnVoxel;

/// Voxels from low up to, and without, high.
typedef struct tnVoxelBox
{
	tnVoxel low;
	tnVoxel high;
} tnVoxelBox;

/// How water finds its level.
typedef enum tnVoxelRules
{
	/// Down and sideways, and connected water levels out as a whole: no stairs, and U-bends level. The default.
	tn_componentRules = 0,
	/// Down and sideways only: water remains in the arm of a U-bend into which it was poured.
	tn_basicRules,
	/// Down, sideways and up: liquid is compressed by a 32nd of a voxel for each voxel of depth, and what is too much rises.
	/// U-bends level after a while, to about a voxel. A voxel has `cap` to TN_MAX_VOXEL_CAP units then, which cap, at most
	/// TN_MAX_VOXEL_CAP / 2, leaves for (TN_MAX_VOXEL_CAP - cap) / (cap / 32) voxels of depth. For comparison.
	tn_pressureRules,
	tn_voxelRulesCount,
} tnVoxelRules;

/// A kind of liquid.
typedef struct tnLiquidDef
{
	/// How many times longer than water it takes for everything, in [1, 1000]. Default 1.
	int32_t viscosity;
	/// kg/m^3, > 0. Heavier liquids sink through lighter ones, which press on them. Default 1000.
	float density;
	/// Does connected liquid level out as a whole? Without it a liquid clumps, as lava does. Default true.
	bool levels;
	/// A voxel of it with air above loses one unit each so many steps, in [1, 1e6]; 0 never. Default 0.
	int32_t evaporation;
	uint32_t stamp;
} tnLiquidDef;

TN_API tnLiquidDef tnDefaultLiquidDef(void);

/// What becomes of two liquids that touch. Each step, at each face between them, as much as there is up to `rate` units of
/// both is turned.
typedef struct tnReactionDef
{
	/// Two different kinds.
	int32_t first, second;
	/// Units of each at most, each step, >= 1. Default 64.
	int32_t rate;
	/// Ground that each pair of units leaves, in units, in [0, 2]; the rest is gone as steam. It is put where the first was.
	/// Default 1.
	int32_t ground;
	uint32_t stamp;
} tnReactionDef;

TN_API tnReactionDef tnDefaultReactionDef(void);

typedef struct tnVoxelWorldDef
{
	/// Units of a full voxel, in [8, TN_MAX_VOXEL_CAP]. Default 1024.
	int32_t cap;
	tnVoxelRules rules;
	/// Side of a voxel, m, and steps a second: they turn what is counted into speeds and forces. Default 0.75 m, 60.
	float voxelSize;
	float stepRate;
	/// m/s^2. Default 9.81.
	float gravity;
	/// Liquids 1 to liquidCount, in [1, TN_MAX_LIQUIDS]. Default 1: water.
	int32_t liquidCount;
	tnLiquidDef liquids[TN_MAX_LIQUIDS];
	/// Steps between two looks at which water is connected, in [1, 64]. Default 8.
	int32_t levelInterval;
	/// Chunks whose liquid moves or has a shape, at most, 10 KiB each. Water that would need one more waits. It is part of the
	/// rules: what happens depends on it, and on nothing else that has to do with memory. Default 16384.
	int32_t chunkLimit;
	/// So many of them are made at once. More are made in portions of 64 at the start of a step, when it may need more than
	/// there are: with chunkReserve = chunkLimit a step never makes any. What a step finds out about liquid (which parts of it
	/// are connected, what waits, what reactions leave, what flows) may still need memory, as long as it grows. Default 64.
	int32_t chunkReserve;
	/// Bytes that the world may have in all, 0 for no limit. Calls that need more are refused, steps as well. Default 0.
	size_t memoryLimit;
	tnAllocator allocator;
	tnTaskSystem tasks;
	tnErrorHook errors;
	tnSimd simd;
	uint32_t stamp;
} tnVoxelWorldDef;

TN_API tnVoxelWorldDef tnDefaultVoxelWorldDef(void);

/// @param world receives the world, NULL on failure
TN_API tnResult tnCreateVoxelWorld(const tnVoxelWorldDef* def, tnVoxelWorld** world);
/// NULL is fine. From a task of the world itself, so during a step, nothing is destroyed, and the error hook is told; all
/// other calls are refused then, too.
TN_API void tnDestroyVoxelWorld(tnVoxelWorld* world);
/// What it was created with. The default for NULL.
TN_API tnVoxelWorldDef tnVoxelWorld_GetDef(const tnVoxelWorld* world);

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

/// A block of air. Fill it before the next step, or let water come in.
/// @param block (0, 0, 0) covers voxels 0 to 127, (-1, 0, 0) those from -128 to -1 in x
TN_API tnResult tnVoxelWorld_LoadBlock(tnVoxelWorld* world, tnVoxel block);
/// Its liquid leaves with it, and the ledger says so. What stays meets a wall.
TN_API tnResult tnVoxelWorld_UnloadBlock(tnVoxelWorld* world, tnVoxel block);
TN_API bool tnVoxelWorld_IsLoaded(const tnVoxelWorld* world, tnVoxel block);

// ---------------------------------------------------------------------------------------------------------------------
// Changing voxels. Boxes must lie in loaded blocks; arrays have x fastest, then z, then y.

/// Ground of every voxel of a box. Liquid for which there is no room any more goes up, or to where connected liquid has
/// room; until then it waits and is in the ledger.
/// @param solid 0 air to TN_VOXEL_ROCK
TN_API tnResult tnVoxelWorld_SetSolid(tnVoxelWorld* world, tnVoxelBox box, const uint8_t* solid);
/// The same with one value for all.
TN_API tnResult tnVoxelWorld_FillSolid(tnVoxelWorld* world, tnVoxelBox box, int solid);
/// Voxels whose centers are within a ball.
TN_API tnResult tnVoxelWorld_FillSolidBall(tnVoxelWorld* world, tnVec3 center, float radius, int solid);

/// Put up to `amount` units of a liquid into each voxel of a box that is empty or has the same liquid.
/// @param added receives how many units found room; may be NULL
TN_API tnResult tnVoxelWorld_AddLiquid(tnVoxelWorld* world, tnVoxelBox box, int liquid, int amount, int64_t* added);
/// Take up to `amount` units out of each voxel, of any liquid.
TN_API tnResult tnVoxelWorld_RemoveLiquid(tnVoxelWorld* world, tnVoxelBox box, int amount, int64_t* removed);

/// Something that gives or takes liquid in each step.
typedef struct tnVoxelSourceId
{
	int32_t index1;
	uint32_t generation;
} tnVoxelSourceId;

typedef struct tnVoxelSourceDef
{
	tnVoxelBox box;
	/// What it gives. A drain takes any liquid with 0, or only this one.
	int32_t liquid;
	/// Units in each voxel of the box each step, in [-TN_MAX_VOXEL_CAP, TN_MAX_VOXEL_CAP]; negative drains.
	int32_t rate;
	uint32_t stamp;
} tnVoxelSourceDef;

TN_API tnVoxelSourceDef tnDefaultVoxelSourceDef(void);
TN_API tnResult tnVoxelWorld_CreateSource(tnVoxelWorld* world, const tnVoxelSourceDef* def, tnVoxelSourceId* id);
TN_API tnResult tnVoxelWorld_DestroySource(tnVoxelWorld* world, tnVoxelSourceId id);

/// An endless sea: connected liquid of its kind that touches the box has its level.
typedef struct tnVoxelOceanDef
{
	/// Voxels in it that have room and lie below the level are kept filled.
	tnVoxelBox box;
	int32_t liquid;
	/// Height of the surface, in units: y * cap + units of the voxel y.
	int64_t level;
	uint32_t stamp;
} tnVoxelOceanDef;

TN_API tnVoxelOceanDef tnDefaultVoxelOceanDef(void);
/// One ocean at most for each liquid.
TN_API tnResult tnVoxelWorld_SetOcean(tnVoxelWorld* world, const tnVoxelOceanDef* def);
TN_API tnResult tnVoxelWorld_RemoveOcean(tnVoxelWorld* world, int liquid);

TN_API tnResult tnVoxelWorld_SetReaction(tnVoxelWorld* world, const tnReactionDef* def);

// ---------------------------------------------------------------------------------------------------------------------
// Time

/// One step.
/// @param workLimit voxels that may be worked on, >= 0; 0 for all that move. What is left over goes on in later steps,
/// nothing is lost, and the rest is the same. One half is for the chunks nearest to the points of interest, which go on at
/// full rate as far as it reaches; all others share what is left, in turn. Work is done by whole neighbourhoods, a chunk
/// with those around it that move, 61 440 voxels at most: one of them in each step, even if the limit is smaller.
/// Sources, levels of connected liquid and jets do not count.
/// @return tn_outOfMemory if there is not as much memory as the step may need. Then nothing has changed, and the next call
/// tries again.
TN_API tnResult tnVoxelWorld_Step(tnVoxelWorld* world, int64_t workLimit);

/// The same step beside the host, by a thread of tarn's and the workers of the world: it begins here, and tnVoxelWorld_EndStep waits for
/// its end and has its result. Between the two everything that takes a const world, and meshers that are not shared, answers for the
/// world before the step, from any number of threads at once; everything else, samples too, is refused with tn_notAvailable. The bits
/// are those of tnVoxelWorld_Step.
///
/// What hosts read meanwhile is a second store of voxels: memory for it is asked for here, and chunks that have changed since the
/// last time are copied. With a memoryLimit it counts when it grows. Hooks for memory and tasks are called by tarn's thread as well.
/// Without threads (WebAssembly) the step is made here.
TN_API tnResult tnVoxelWorld_BeginStep(tnVoxelWorld* world, int64_t workLimit);
/// tn_notAvailable if there is none, from its tasks, and from threads that have not begun it.
TN_API tnResult tnVoxelWorld_EndStep(tnVoxelWorld* world);
/// Is a step between its begin and its end?
TN_API bool tnVoxelWorld_IsStepRunning(const tnVoxelWorld* world);

/// Will nothing change any more unless somebody changes it? Not with sources, before an ocean has filled its box, or while
/// liquid that evaporates is open to the air.
TN_API bool tnVoxelWorld_IsAtRest(const tnVoxelWorld* world);

/// Most points of interest.
#define TN_MAX_VOXEL_INTERESTS 64
TN_API tnResult tnVoxelWorld_SetInterests(tnVoxelWorld* world, const tnVoxel* points, int count);

// ---------------------------------------------------------------------------------------------------------------------
// Asking

/// What is in a voxel.
typedef struct tnVoxelState
{
	/// Units of liquid, and of liquid and ground together at most `cap`; more under pressure with tn_pressureRules.
	int32_t amount;
	/// Units that fit: beside ground, and beside bodies that take room (tarn/voxel_body.h).
	int32_t room;
	/// 0 none.
	uint8_t liquid;
	/// Ground, without bodies: 0 to TN_VOXEL_ROCK.
	uint8_t solid;
	bool loaded;
	/// Nothing moves here.
	bool settled;
} tnVoxelState;

/// Rock where nothing is loaded.
TN_API tnVoxelState tnVoxelWorld_GetVoxel(const tnVoxelWorld* world, tnVoxel voxel);

/// Copy a box. Any array may be NULL; rock where nothing is loaded.
/// @param solid, amounts, liquids as many as the box has voxels
TN_API tnResult tnVoxelWorld_Read(
	const tnVoxelWorld* world, tnVoxelBox box, uint8_t* solid, uint16_t* amounts, uint8_t* liquids);

/// Where the units of one liquid are and came from. At any time
/// volume + waiting = added + loaded + sources + ocean + reactions - removed - unloaded - drains - evaporated.
typedef struct tnVoxelLedger
{
	/// In voxels, and on the way to a place in connected liquid.
	int64_t volume;
	int64_t waiting;
	int64_t added;
	int64_t removed;
	int64_t loaded;
	int64_t unloaded;
	int64_t sources;
	int64_t drains;
	/// Given by oceans, less what they took.
	int64_t ocean;
	int64_t evaporated;
	/// Made by reactions, less what they took.
	int64_t reactions;
	/// volume + waiting less what it should be. Always 0.
	int64_t drift;
} tnVoxelLedger;

/// Counts all voxels with liquid.
TN_API tnVoxelLedger tnVoxelWorld_GetLedger(const tnVoxelWorld* world, int liquid);

typedef struct tnVoxelStats
{
	int64_t stepCount;
	int32_t blockCount;
	/// Chunks that have a shape of ground, or of liquid, of their own.
	int32_t solidChunkCount;
	int32_t liquidChunkCount;
	/// Chunks in which something moves, and those of them that the last step worked on.
	int32_t awakeChunkCount;
	int32_t workedChunkCount;
	/// Voxels that the last step worked on.
	int64_t workedVoxelCount;
	/// Chunks that wait for memory: see chunkLimit.
	int32_t waitingChunkCount;
	/// Bodies of connected liquid.
	int32_t componentCount;
	size_t byteCount;
} tnVoxelStats;

TN_API tnVoxelStats tnVoxelWorld_GetStats(const tnVoxelWorld* world);

/// Of all voxels, with ground as it is without bodies, and the number of steps. The same on every machine.
TN_API uint64_t tnVoxelWorld_GetHash(const tnVoxelWorld* world);

/// Chunks whose liquid or ground has changed since the last call, in the order of their places; then they count as seen.
/// @param chunks receives places of chunks: (1, 0, 0) begins at voxel 16
/// @return how many there were; those past capacity are kept for the next call
TN_API int tnVoxelWorld_TakeChanged(tnVoxelWorld* world, tnVoxel* chunks, int capacity);
