// SPDX-License-Identifier: MIT

#pragma once

#include "maps/map.h"
#include "maps/resample.h"

/// @file Shared by the three files that draw a map: map.c brings fields to pixels, map_shade.c colours them,
/// map_legend.c writes around them.

struct Map
{
	MapDef def;
	Resampler resampler, waveResampler;

	// The page, and the rectangle of it that shows the world. Left and top are those of the panel that is being drawn.
	Image page;
	int left, top, width, height;
	// Panels stand in rows of so many. A panel has its caption above and its cut below the world.
	int panelColumns;
	int captionHeight;
	// The cut below it, if the world is long and narrow. Height 0 for none. Low and high are its ends, meters.
	int sectionTop, sectionHeight;
	float sectionLow, sectionHigh;
	// Pixels per cell, and meters per pixel.
	float zoom, meters;

	// Ends of the scales: depth in meters, speed in m/s, vorticity in 1/s, waves in meters, concentrations.
	float depthScale, speedScale, vorticityScale, waveScale, tracerScales[maxMapTracers];
	// Lowest and highest ground, meters, and meters between contour lines.
	float lowest, highest, contourStep;
	// Factors on the slopes of ground and water before they are lit.
	float terrainSteepness, waterSteepness;
	// Slope from which ground is bare rock.
	float rockSlope;
	// Part of the scale of ground colours that is used, in (0, 1].
	float tintReach;

	// One value per cell.
	float* cells;
	float* cellWater;
	float* cellSurface;
	// One value per pixel. Water is the depth where there is water and below zero outside, so that the shore is its
	// zero line.
	float* bed;
	float* bedBlurred;
	float* water;
	// Surface of the water, carried on level into the dry cells around it.
	float* surface;
	float* cover;
	float* velocityX;
	float* velocityZ;
	// Only for mapVorticity, else NULL.
	float* vorticity;
	// Only for mapWaves and mapSurfaceWithWaves, else NULL.
	float* waves;
	float* tracers[maxMapTracers];
	float* scratch;
	// Square tile of noise for streaks.
	float* noise;
};

enum
{
	// Edge of the noise tile, a power of two.
	noiseSize = 512,
};

float Saturate(float x);
float Mix(float a, float b, float share);
Color MixColor(Color a, Color b, float share);
float Smoothstep(float begin, float end, float x);

/// The smallest of 1, 2, 5, 10, 20, ... that is not below a value.
float RoundUpNicely(float value);

/// Colour of water of a depth over a ground, seen from above.
Color ShadeDepth(Color ground, float depth, float depthScale);

/// Foam and streaks on a water colour. @param streak noise along the flow, in [0, 1]
Color ShadeSpeed(Color water, float speed, float speedScale, float streak);

/// Water with something in it.
Color ShadeTracer(Color water, int channel, float concentration, float scale);

/// A scale of colours for one quantity, dark blue to yellow. @param share in [0, 1]
Color RampColor(float share);

/// A scale of colours for a quantity with a sign, blue over white to red. @param share in [-1, 1]
Color DivergingColor(float share);

/// The colour of bare ground in full light, for the legend.
Color SandColor(void);

/// Noise of a streak that runs along x, for the legend.
float LegendStreak(const Map* map, int x, int y);

void ShadeMap(Map* map);
void DrawMarks(Map* map);
/// Make room for the heights of the panel in the range of the cut.
void ExtendSection(Map* map);
void DrawSection(Map* map);
void DrawPage(Map* map, double time, const char* note);

/// Does the map show the wave layer?
bool IsWaveMode(MapMode mode);
/// Does the map show one quantity by a scale of colours, over a grey ground?
bool IsPlainMode(MapMode mode);

/// How many panels stand in a row, and how large a cell can then be drawn, pixels.
void LayOutPanels(const MapDef* def, int* panelColumns, float* zoom);
/// Sizes of the page around panels of width x height pixels.
void LayOutPage(Map* map);
/// Make a panel the one that is being drawn.
void SelectPanel(Map* map, int panel);
