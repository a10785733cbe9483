// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"
#include "tarn/tarn.h"

/// @file Draws a world with OpenGL ES 3.0, WebGL 2 or desktop OpenGL 3.3. It sees a world only through its public interface and never
/// changes it. A context must be current on the calling thread during every call; the caller makes the context and
/// shows the picture. Nothing here prints or exits.
///
/// Everything on the GPU is made by tnrCreateRenderer and tnrRenderer_SetWorld; drawing a frame allocates nothing.
/// After a lost context: destroy with tnrRenderer_Forget, create again.

typedef struct tnrRenderer tnrRenderer;

/// What became of a call.
typedef struct tnrResult
{
	bool ok;
	/// One line in English; the compiler's words if a shader failed. Empty if ok.
	char text[1024];
} tnrResult;

/// A perspective camera.
typedef struct tnrCamera
{
	tnVec3 eye, target;
	/// Vertical angle, radians, in (0, pi).
	float fieldOfView;
	/// Meters, 0 < near < far. 0 for both: chosen to suit the world.
	float nearPlane, farPlane;
} tnrCamera;

typedef enum tnrView
{
	/// The picture.
	tnr_waterView = 0,
	/// Water coloured by depth, by speed, by vorticity (blue turns one way, red the other), by a tracer.
	tnr_depthView,
	tnr_speedView,
	tnr_vorticityView,
	tnr_tracerView,
	/// Wet cells.
	tnr_wetView,
	/// Tiles that are awake.
	tnr_awakeView,
	/// Sub-steps that each cell alone would need in a step.
	tnr_subStepsView,
	tnr_viewCount,
} tnrView;

/// What the ground shows. Start from tnrDefaultGroundDef.
typedef struct tnrGroundDef
{
	/// Heights between which sand, grass, rock and snow lie, meters. NAN: chosen from the terrain and its water.
	float beachLevel, treeLine, snowLine;
	/// Slope (rise over run) from which ground is bare rock.
	float rockSlope;
	/// Wallin's blend map: RGBA, weights of sand, grass, rock and snow, stretched over the world, row 0 north. NULL:
	/// materials by slope and height. Copied by tnrRenderer_SetWorld.
	const uint8_t* blendMap;
	int blendWidth, blendHeight;
	/// Pictures of sand, grass, rock and snow that repeat every so many meters, in place of those that are made: RGB as on a screen, all
	/// of them square and textureSide pixels wide, at most 4096. NULL: none. Copied by tnrRenderer_SetWorld.
	const uint8_t* textures[4];
	int textureSide;
	/// m. 0: 4 m.
	float textureSize;
} tnrGroundDef;

/// How things look. Start from tnrDefaultLook. May differ from frame to frame.
typedef struct tnrLook
{
	tnrView view;
	/// Velocity arrows on top of any view.
	bool arrows;
	/// Channel of tnr_tracerView.
	int tracer;
	/// Depth and speed that get the last colour of the scale, meters and m/s. 0: chosen from the world.
	float maxDepth, maxSpeed;
	/// Towards the sun: azimuth from +x towards +z and elevation above the horizon, radians.
	float sunAzimuth, sunElevation;
	/// Absorption of clear water for red, green, blue, 1/m, and the light it scatters back.
	tnVec3 absorption, scatter;
	/// Colour of a tracer at concentration 1, and the share of light that 1 m of it takes away, 1/m.
	tnVec3 tracerColors[TN_MAX_TRACERS];
	float tracerDensity[TN_MAX_TRACERS];
	/// Strength of effects, 0 off, 1 as intended.
	float ripples, foam, caustics, glitter, shadows;
	/// Exposure, 1 as intended.
	float exposure;
	/// Draw the water at all.
	bool water;
	/// Shadows of clouds on land and water, and what spreads from very bright places, as above.
	float clouds, bloom;
	/// Trees, grass, reeds and stones on the ground, for looks: 0 none, 1 all of them. Nothing that moves water. Default 1.
	float plants;
	/// Show a world as a block with cut sides that hangs in the air. Off, what lies at its edges goes on, ever smoother, to a horizon
	/// in haze; none of that is water for the library. Default off.
	bool sides;
} tnrLook;

/// What a body is made of.
typedef enum tnrMaterial
{
	/// By its form: crates of boards, barrels, logs, balls, stones, painted boats.
	tnr_autoMaterial = 0,
	/// Boards.
	tnr_woodMaterial,
	/// A log along y.
	tnr_barkMaterial,
	/// A barrel along y.
	tnr_metalMaterial,
	tnr_stoneMaterial,
	/// Stripes around y.
	tnr_ballMaterial,
	tnr_paintMaterial,
	tnr_materialCount,
} tnrMaterial;

/// How a body looks.
typedef struct tnrBodyLook
{
	/// As light, 0 to 1. Negative: chosen by material and index.
	tnVec3 color;
	tnrMaterial material;
	/// 0 to 1: shines, because a player points at it or holds it.
	float glow;
} tnrBodyLook;

/// A ring on the ground or water, for a tool.
typedef struct tnrMarker
{
	tnVec2 center;
	/// Meters. 0: no marker.
	float radius;
	tnVec3 color;
} tnrMarker;

/// One picture.
typedef struct tnrFrame
{
	tnrCamera camera;
	tnrLook look;
	tnrMarker marker;
	/// Seconds, for what moves on the picture alone: ripples, caustics, clouds. Any clock that goes forward.
	double time;
	/// Where to draw: a framebuffer object (0: the window) and its size in pixels.
	uint32_t framebuffer;
	int width, height;
} tnrFrame;

/// Milliseconds of the last frame by pass. GPU time where the context can tell, otherwise the time until glFinish if
/// measuring was asked for, otherwise 0.
typedef struct tnrTimings
{
	float upload, terrain, water, overlay, total;
	int triangles;
} tnrTimings;

tnrGroundDef tnrDefaultGroundDef(void);
tnrLook tnrDefaultLook(void);

enum
{
	/// Of tnrSetQuality: everything.
	tnr_bestQuality = 2,
};
/// Leave out what a small GPU may not have the time for, least seen first: 2 nothing, 1 light that spreads and two thirds of the plants, 0 all plants
/// and shadows of clouds, too. Other numbers are the nearest of these. How many pixels there are is the host's choice.
void tnrSetQuality(tnrLook* look, int quality);

/// Compile all shaders. @return NULL if the result is not ok
tnrRenderer* tnrCreateRenderer(tnrResult* result);
void tnrDestroyRenderer(tnrRenderer* renderer);
/// Free the renderer without a GL call: its context is gone.
void tnrRenderer_Forget(tnrRenderer* renderer);

/// Make room for a world, and read its terrain. Call for every new world. @param ground NULL for the default
tnrResult tnrRenderer_SetWorld(tnrRenderer* renderer, const tnWorld* world, const tnrGroundDef* ground);

/// Bring the picture up to date with the world: water, bodies, and ground that was edited (found by comparing).
/// @param alpha between the last two states of the world, 0 to 1. Worlds without keepPrevious always show the last.
void tnrRenderer_Update(tnrRenderer* renderer, const tnWorld* world, float alpha);

/// How a liquid of a voxel world looks.
typedef struct tnrLiquidLook
{
	/// Absorption for red, green, blue, 1/m, and the light it scatters back.
	tnVec3 absorption, scatter;
	/// Light that it gives: such a liquid lets none through. 0 for none.
	tnVec3 glow;
} tnrLiquidLook;

/// What to draw of a voxel world. Start from tnrDefaultVoxelDef.
typedef struct tnrVoxelDef
{
	/// Chunks that are drawn, at most 16384; those of one block by default: (0, 0, 0) to (8, 8, 8).
	tnVoxelBox chunks;
	tnVoxelMeshStyle style;
	/// See tnVoxelMeshDef. Of the clip only what lies in the chunks is drawn.
	bool cutOut;
	tnVoxelBox clip;
	/// Grass grows on level ground under the sky, otherwise all is rock.
	bool grass;
	/// Colour of rock as light, 0 to 1. Default (0.245, 0.216, 0.185): grey.
	tnVec3 rock;
	/// By number of liquid, less 1. By default 1 is water, 2 lava, 3 oil.
	tnrLiquidLook liquids[TN_MAX_LIQUIDS];
} tnrVoxelDef;

tnrVoxelDef tnrDefaultVoxelDef(void);

/// Draw a voxel world from now on, instead of the world. It is asked for its currents, which takes it some memory, and is not changed.
tnrResult tnrRenderer_SetVoxels(tnrRenderer* renderer, tnVoxelWorld* world, const tnrVoxelDef* def);
/// Bring the picture up to date: makes meshes anew of what looks different.
/// Bodies are shown where they are, whatever has changed.
/// @param changed what tnVoxelWorld_TakeChanged said, NULL for everything
void tnrRenderer_UpdateVoxels(tnrRenderer* renderer, tnVoxelWorld* world, const tnVoxel* changed, int count);

/// A box: a part of a boat, of a wheel, a gate, a crate.
typedef struct tnrBoxDef
{
	/// Its middle, and half of its sides, m.
	tnVec3 center, half;
	tnQuat rotation;
	/// The colour must be given. tnr_autoMaterial is wood.
	tnrBodyLook look;
} tnrBoxDef;

/// Boxes to draw in the world or among the voxels from now on, instead of those before. Gone with the next tnrRenderer_SetWorld or
/// tnrRenderer_SetVoxels.
void tnrRenderer_SetBoxes(tnrRenderer* renderer, const tnrBoxDef* boxes, int count);

/// Say how a body of the world looks. Until then, and for bodies nobody speaks of, it is chosen. Stays until the next
/// world; a body need not be in the picture yet.
void tnrRenderer_SetBodyLook(tnrRenderer* renderer, tnBodyId body, const tnrBodyLook* look);

/// Draw. Leaves the framebuffer bound, with depth test and blending off.
void tnrRenderer_Draw(tnrRenderer* renderer, const tnrFrame* frame);

/// What the numbers of a picture are.
typedef enum tnrColors
{
	/// Ready for a screen: sRGB, mostly in 8 bits. Light of water goes through the tone curve of this renderer.
	tnr_screenColors = 0,
	/// Light, mostly in half floats: the host has its own tone curve, and applies it later.
	tnr_linearColors,
	tnr_colorsCount,
} tnrColors;

/// A picture of a host that water is drawn over. Start from tnrDefaultOverFrame.
typedef struct tnrOverFrame
{
	/// From the host's space to clip space, column by column as OpenGL has it: depths from -w, near, to w.
	float viewProjection[16];
	tnVec3 eye;
	/// Only what concerns water has a say. The sun should be the host's.
	tnrLook look;
	/// As tnrFrame has it.
	double time;
	/// The picture so far: textures (GL_TEXTURE_2D) that are as large as it, of any format that can be read as floats. They may be
	/// attached to the framebuffer.
	uint32_t colorTexture, depthTexture;
	tnrColors colors;
	/// Where water goes: pixels that show some get its colour, and its depth if there is a depth buffer; all others stay.
	uint32_t framebuffer;
	int width, height;
	/// Draw the cut faces of the water at the edges of the world. Default off.
	bool sides;
} tnrOverFrame;

tnrOverFrame tnrDefaultOverFrame(void);

/// Draw the water of the world, and spray, over the picture of a host, who draws all else: ground, bodies, sky. Water is hidden by
/// what lies before it, shows what lies below it, and mirrors what is in the picture. Leaves all state of OpenGL as it was.
/// Depth range must be [0, 1], and polygons filled. Fails without a world, and for sizes, textures and numbers that make no picture.
tnrResult tnrRenderer_DrawOver(tnrRenderer* renderer, const tnrOverFrame* frame);

/// Leave all state of OpenGL as it was in every call with this renderer. Off by default: asking for it takes time, most of all in a
/// browser. Off, calls change bindings of textures, buffers, framebuffers, programs and vertex arrays, the active texture, unpacking
/// of pixels, the viewport, and what tnrRenderer_Draw says. tnrRenderer_DrawOver and tnrCreateRenderer always leave it as it was.
void tnrRenderer_KeepState(tnrRenderer* renderer, bool enable);

/// Measure passes by glFinish. Off by default: it stalls.
void tnrRenderer_SetMeasuring(tnrRenderer* renderer, bool enable);
tnrTimings tnrRenderer_GetTimings(const tnrRenderer* renderer);

/// For legends: the colour of a view at a share of its scale, 0 to 1, as red, green and blue of the screen, 0 to 1.
/// Views that only say yes or no have two colours, and change at one half.
tnVec3 tnrGetViewColor(tnrView view, float share);
/// For legends: what the end of the scale means in the world as of the last update. Meters, m/s, 1/s (the scale of
/// vorticity begins at minus this), concentration, or sub-steps (the scale begins at 1). 0 for views without a scale.
float tnrRenderer_GetViewEnd(const tnrRenderer* renderer, const tnrLook* look);

/// The ray through a pixel (x right, y down, in pixels). Direction has length 1.
void tnrGetPixelRay(
	const tnrCamera* camera, int width, int height, float x, float y, tnVec3* origin, tnVec3* direction);

/// A camera that shows a whole world of this size from the south, looking down at an angle.
tnrCamera tnrGetOverview(const tnWorld* world);
