// SPDX-License-Identifier: MIT

#pragma once

#include "../world/world.h"
#include "surface_kernels.h"
#include "tarn/surface.h"

// A surface from inside. surface.c has its life and the order of an update, surface_tile.c what is done for a tile,
// surface_cover.c what bodies do to it, surface_decks.c the water on them, surface_foam.c the foam of worlds that have none,
// surface_waves.c the wave layer, surface_spray.c water in the air, surface_mesh.c triangles.

// Cells below and above bodies, as a surface needs it: by the middle of each cell. The water itself knows better, with shares of
// cells; here it only matters where the surface must go on level because a body stands in the way, and where one stirs up foam.
typedef struct tnSurfaceCover
{
	// All by cell, row by row without gaps. Heights between which a body is over the middle of a cell, meters; low > high
	// where there is none.
	float* low;
	float* high;
	tnVec2* velocity; // m/s
	float* held;      // the surface of a wall, m
	uint8_t* kind;    // tnSurfaceCoverKind
	int32_t* cells;   // those that are covered
	int cellCount;
	uint64_t* hashes; // by tile: of all of that, 0 where there is none; and at the last update
	uint64_t* hashesBefore;
	bool any; // the arrays are there
} tnSurfaceCover;

typedef enum tnSurfaceCoverKind
{
	tn_coverNone = 0,
	// A body that leaves the surface as it is, because it is below or above it.
	tn_coverOpen,
	// One that stands on the ground: where there is no water it is a wall.
	tn_coverStands,
	// One that comes through the surface: a wall.
	tn_coverWall,
	// Water stands over it, and it is not known yet from where.
	tn_coverUnsure,
} tnSurfaceCoverKind;

// Foam that something made just now.
typedef struct tnSurfaceSplash
{
	float x, z, radius; // cells
	float foam;
} tnSurfaceSplash;

typedef struct tnSurfaceTileState
{
	uint32_t seen;   // tnTiles.changes at the last update
	uint32_t edits;  // tnTiles.edits then
	bool awake;      // was it awake then?
	bool moves;      // the two states differ in its block
	bool lifted;     // there is a lift in its block
	bool dries;      // wetness falls
	bool foams;      // there is foam that fades
	bool foamsNext;  // the same after this update
	bool hasFoam;    // foam of the layer was there, or beside it
	bool splashed;   // something makes foam in it in this update
	bool wavy;       // waves of the layer move in it or beside it
	bool waved;      // they did at the last update
	uint8_t wetness; // 0: all 0, 1: all 1, 2: neither
	uint8_t side;    // which of the two buffers has its foam
	tnSurfaceBounds bounds;
} tnSurfaceTileState;

// Scratch of a worker.
typedef struct tnSurfaceScratch
{
	float depth[TN_SURFACE_CELLS];
	float surface[TN_SURFACE_CELLS];
	float rings[TN_SURFACE_CELLS];
	float velocityX[TN_SURFACE_CELLS];
	float velocityZ[TN_SURFACE_CELLS];
	float faces[2][TN_SURFACE_STRIDE];
	float sections[2][TN_SURFACE_STRIDE];
	float drifted[TN_SURFACE_TILE * TN_SURFACE_TILE];
	float foam[TN_SURFACE_TILE * TN_SURFACE_TILE];
	float oldFoam[(TN_SURFACE_TILE + 16) * (TN_SURFACE_TILE + 16)];
	float rows[tn_surfaceChannelCount][TN_SURFACE_STRIDE];
	float texels[TN_SURFACE_TILE * TN_MAX_SURFACE_CHANNELS];
	float waves[2 * 2048]; // see surface_waves.c
	float waveRow[TN_SURFACE_STRIDE];
} tnSurfaceScratch;

struct tnSurface
{
	const tnWorld* world;
	tnSurfaceDef def;
	tnMemory memory;
	const tnSurfaceKernels* kernels;
	int columnCount, rowCount, tileColumnCount, tileRowCount, tileCount;
	float cellSize;
	bool has[tn_surfaceChannelCount];
	bool guesses; // foam is guessed
	bool isBusy;  // it is being updated

	uint8_t* texels[TN_MAX_SURFACE_LAYERS];
	size_t texelBytes[TN_MAX_SURFACE_LAYERS];
	size_t tileBytes[TN_MAX_SURFACE_LAYERS];
	size_t layerBytes[TN_MAX_SURFACE_LAYERS];
	tnSurfaceTileState* tiles;
	uint8_t* dirty;   // by tile: must be made anew
	uint8_t* changed; // by tile: bits of layers of which texels have changed in this update
	uint8_t* pending; // the same, until somebody asks
	int* list;        // tiles of a pass
	tnSurfaceChange* changes;
	// Foam that is guessed and wetness, 64 * 64 cells for each tile.
	float* foam[2];
	float* wetness;
	tnSurfaceSplash* splashes;
	int splashCount, splashCapacity;
	tnSurfaceCover cover;
	tnSurfaceScratch* scratch;
	int workerCount;
	tnSprayInstance* spray;
	int sprayCount, sprayCapacity;

	// Of the last update; time is negative before the first.
	double time;
	int64_t stepCount;
	float alpha;
	// Of this update: time since then, seconds; what is left of wetness and foam after it; seconds before the last state.
	float passed, keepWetness, keepFoam, back;
};

static inline tnCellBox tnSurface_GetBox(const tnSurface* surface, int tile)
{
	const int column = tile % surface->tileColumnCount * TN_SURFACE_TILE;
	const int row = tile / surface->tileColumnCount * TN_SURFACE_TILE;
	return (tnCellBox){column, tnMinInt(column + TN_SURFACE_TILE, surface->columnCount), row,
		tnMinInt(row + TN_SURFACE_TILE, surface->rowCount)};
}

static inline int tnSurface_FindTile(const tnSurface* surface, int column, int row)
{
	return row / TN_SURFACE_TILE * surface->tileColumnCount + column / TN_SURFACE_TILE;
}

// Of the cells of a tile, in the fields of foam and wetness.
static inline ptrdiff_t tnSurface_GetFieldBegin(int tile)
{
	return (ptrdiff_t)tile * TN_SURFACE_TILE * TN_SURFACE_TILE;
}

// Cell (column, row) of a block, from the first cell of its tile.
static inline ptrdiff_t tnSurface_GetBlockIndex(int column, int row)
{
	return (ptrdiff_t)(row + TN_SURFACE_MARGIN) * TN_SURFACE_STRIDE + TN_SURFACE_PAD + TN_SURFACE_MARGIN + column;
}

static inline tnSurfaceScratch* tnSurface_GetScratch(const tnSurface* surface, int workerIndex)
{
	return surface->scratch + workerIndex;
}

// The states of the grid that a row of it lies between.
tnSurfaceStates tnSurface_GetStates(const tnSurface* surface, int column, int row);
// Surface and depth of one cell as the states say, nothing continued.
float tnSurface_GetCell(const tnSurface* surface, int column, int row, float* depth);

// surface_tile.c: make a tile anew. Sets its state and the bits of the layers that have changed.
void tnSurface_MakeTile(tnSurface* surface, int tile, tnSurfaceScratch* scratch);
// Copy what its neighbours lend it.
void tnSurface_FillHalo(tnSurface* surface, int tile);

// surface_cover.c: find out what bodies cover. False without memory.
bool tnSurface_UpdateCover(tnSurface* surface);
void tnSurface_FreeCover(tnSurface* surface);
// Continue the surface of a block in which there are bodies, in all rings.
void tnSurface_ApplyCover(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch);
void tnSurface_GrowAroundBodies(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch);

// surface_decks.c: water on decks instead of that below: heights of a block, its velocities, ground and foam of a row of a tile
// (each may be NULL), and what tells whether tiles have changed. Heights: returns whether there is any.
bool tnSurface_ApplyDecks(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch);
void tnSurface_ApplyDeckVelocities(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch);
void tnSurface_ApplyDeckRow(const tnSurface* surface, tnCellBox box, int row, float* beds, float* foam);
void tnSurface_HashDecks(const tnSurface* surface, uint64_t* hashes);

// surface_foam.c: what breakers and spray make, before tiles are.
void tnSurface_FindSplashes(tnSurface* surface);
// Foam of a tile that has drifted here from where it was at the last update. False: there is none.
bool tnSurface_DriftFoam(const tnSurface* surface, tnCellBox box, int tile, tnSurfaceScratch* scratch);
// What splashes and bodies add to the foam of a tile. Returns whether there is some.
bool tnSurface_AddSplashes(const tnSurface* surface, tnCellBox box, const tnSurfaceScratch* scratch, float* foam);

// surface_waves.c: where the layer moves, and its heights on top of those of a block.
void tnSurface_FindWaves(tnSurface* surface);
void tnSurface_AddWaves(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch);

// surface_spray.c
void tnSurface_UpdateSpray(tnSurface* surface);
