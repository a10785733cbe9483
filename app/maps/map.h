// SPDX-License-Identifier: MIT

#pragma once

#include "maps/map_font.h"

#include <stdbool.h>

/// @file A map of the water: hill-shaded terrain, water coloured by depth and speed, names, legend and scale.

enum
{
	maxMapTracers = 8,
	maxMapText = 160,
	// One for every method, and room.
	maxMapPanels = 8,
};

/// What the water on the map shows.
typedef enum MapMode
{
	/// As the eye would see it from above: depth by colour, speed by foam and streaks.
	mapWater = 0,
	/// One quantity by a scale of colours, over a grey ground.
	mapDepth,
	mapSpeed,
	/// As the eye would see it, with one tracer only.
	mapTracer,
	/// How fast the water turns: blue against the clock, red with it, over a grey ground, with streaks along the flow.
	mapVorticity,
	/// The height of the wave layer: blue below the surface of the flow, red above it, over a grey ground.
	mapWaves,
	/// As the eye would see it, with the wave layer on top of the flow.
	mapSurfaceWithWaves,
} MapMode;

/// What is drawn in a panel, one value per cell, packed row by row.
typedef struct MapFields
{
	const float* bed;
	const float* depth;
	const float* velocityX;
	const float* velocityZ;
	const float* tracers[maxMapTracers];
	/// Height of the wave layer on a finer grid (MapDef.waveScale). Only for the two modes that show it.
	const float* waves;
} MapFields;

typedef enum MapMarkKind
{
	mapGauge = 0,
	mapDisc,
	mapBox,
} MapMarkKind;

/// A named place.
typedef struct MapMark
{
	MapMarkKind kind;
	const char* name;
	/// Meters in the host's space. Disc: extentX is the radius. Box: half widths.
	float x, z, extentX, extentZ;
} MapMark;

/// What a map is made for. Strings and marks must outlive the map.
typedef struct MapDef
{
	int columnCount, rowCount;
	float cellSize;
	float originX, originZ;
	/// Pixels per cell. 0: the map chooses, so that pictures are about 1000 pixels wide.
	float pixelsPerCell;
	MapMode mode;
	/// Channel shown by mapTracer.
	int tracer;
	/// Depth and speed at the end of the scales. 0: the map chooses, and only ever makes them longer.
	float maxDepth, maxSpeed;
	const char* title;
	const char* subtitle;
	/// Worlds of one size shown beside each other, in [1, maxMapPanels], and a line over each of them if there are
	/// several. They share the scales.
	int panelCount;
	const char* captions[maxMapPanels];
	int tracerCount;
	const char* tracerNames[maxMapTracers];
	const MapMark* marks;
	int markCount;
	/// Cells of the grid of waves along each side of a cell. 0 for none.
	int waveScale;
	/// Threads that draw, at least 1. The picture does not depend on it.
	int threadCount;
} MapDef;

/// Keeps the scales and the room for pixels from picture to picture.
typedef struct Map Map;

/// @return NULL if there is no memory
Map* CreateMap(const MapDef* def);

/// NULL is allowed.
void DestroyMap(Map* map);

/// Draw a picture.
/// @param panels as many as the def says
/// @param time seconds, for the legend
/// @param note a line for the lower right corner, such as the volume of the water
/// @return the picture, owned by the map and good until the next call. NULL if there is no memory.
const Image* DrawMap(Map* map, const MapFields* panels, double time, const char* note);
