// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "levels/level_replay.h"
#include "panel/panel.h"
#include "past/past.h"
#include "play.h"
#include "tools/dam.h"
#include "tools/hose.h"
#include "tools/level_tools.h"
#include "tools/tools.h"
#include "viewer/loop.h"
#include "viewer/play_camera.h"
#include "voxels/voxel_play.h"
#include "world/scene_waves.h"

// The viewer's state, shared by play.c (scenes and the loop), play_input.c (mouse and keys), play_bodies.c (hands),
// play_voxels.c (scenes of voxels), play_past.c (going back), play_save.c (as bytes), play_panel.c (what the panel shows), play_marks.c (what stands in the world),
// play_overlay.c (both, over the picture), play_shell.c (what a shell asks for) and parameters.c.

typedef enum tnpParameterIndex
{
	tnp_brushRadius = 0,
	tnp_brushStrength,
	tnp_bodySize,
	tnp_pace,
	tnp_rain,
	tnp_vorticityConfinement,
	tnp_windSpeed,
	tnp_windDirection,
	// Of the def of the world.
	tnp_gravity,
	tnp_friction,
	tnp_manning,
	tnp_froudeLimit,
	tnp_liveliness,
	tnp_subSteps,
	tnp_foamLifetime,
	tnp_foamStrength,
	tnp_sleepSpeed,
	tnp_waveDamping,
	tnp_waveViscosity,
	tnp_waveBreaking,
	tnp_sprayLedge,
	tnp_sprayBreaking,
	tnp_sprayDrag,
	tnp_sunAzimuth,
	tnp_sunElevation,
	tnp_exposure,
	tnp_ripples,
	tnp_foam,
	tnp_caustics,
	tnp_glitter,
	tnp_shadows,
	tnp_parameterCount,
	// Of the def of the world, the first and the last one.
	tnp_firstTuned = tnp_gravity,
	tnp_lastTuned = tnp_sprayDrag,
} tnpParameterIndex;

enum
{
	// Values a graph shows, one every TNP_SAMPLE_TIME.
	TNP_HISTORY = 96,
};

// Seconds between two values of the graphs: half a minute fits into one.
#define TNP_SAMPLE_TIME 0.3

// What has happened since the last sample, and the samples.
typedef struct tnpMeter
{
	double seconds, stepSeconds, waterSeconds;
	int frames, steps;
	float framesPerSecond, millisecondsPerStep, speed, drift;
	double volume;
	float framesHistory[TNP_HISTORY], stepHistory[TNP_HISTORY], driftHistory[TNP_HISTORY];
	int next, count;
} tnpMeter;

// What a held button does.
typedef enum tnpDrag
{
	tnp_noDrag = 0,
	tnp_panelDrag,
	tnp_strokeDrag,
	tnp_turnDrag,
	tnp_panDrag,
	// A body is held.
	tnp_handDrag,
	// A row of bodies grows.
	tnp_rowDrag,
} tnpDrag;

// What the user does to bodies.
typedef struct tnpHand
{
	// Index of the body that is held, and of the one under the cursor, or -1.
	int held, hovered;
	// Where the cursor is on that body.
	tnVec3 hoverPoint;
	// The plane in which the held point moves faces the camera; it is so far away, meters.
	float depth;
	// Where the held point should be, where it was at the start of the frame, and how it moves, m/s.
	tnVec3 target, from, velocity;
	// Where the last body of a row is, and how far that was from the cursor on the ground when the row began.
	tnVec3 rowEnd, rowOffset;
	tnsBodyKind kind;
} tnpHand;

// Where things are, in units.
typedef struct tnpLayout
{
	float width, height;
	bool narrow;
	// The settings come and go.
	bool hasMenu;
	float button;
	int toolColumns, toolRows;
	// The past has no height where there is none.
	tnpBox bar, tools, settings, past;
} tnpLayout;

// What a viewer knows of a scene of its list before it is loaded.
typedef struct tnpLevelItem
{
	bool given, won;
	tnpLevelBest best;
} tnpLevelItem;

// Foldable parts of the panel, and lists.
typedef struct tnpFolds
{
	bool water, waves, brush, bodies, look, graphs, tuning;
	bool scenes, methods, views, kinds;
} tnpFolds;

struct tnpPlay
{
	// Scenes to choose from; strings are owned.
	char** titles;
	char** paths;
	tnpLevelItem* levels;
	int sceneCount, sceneIndex;
	int workerCount;
	size_t memoryLimit;
	bool allowOutside;
	bool wantsDye;

	tnsScene* scene;
	tnsRun* run;
	tnWorld* world;
	// The game, if the scene is one.
	tnsLevel* level;
	// A scene of voxels instead of scene, run and world, which then are NULL.
	tnpVoxelPlay* voxels;
	float timeStep;
	// For the dye tool, negative if there is no channel left.
	int dyeChannel;
	tnpSprings springs;
	tnpHose hose;
	// Of every scene that is opened; and what the user chose since then, or the counts for what the scene says.
	tnMethod wantedMethod;
	tnAdvection wantedAdvection;
	tnMethod method;
	tnAdvection advection;

	// NULL while the context is lost.
	tnrRenderer* renderer;
	tnrOverlay* overlay;
	tnrLook look;
	double pictureTime;

	float values[tnp_parameterCount];
	// The sun is where a scene of voxels wants it.
	bool hasSceneSun;
	tnpCamera camera;
	tnpLoop loop;
	bool paused;
	int64_t stepCount, frameCount;
	tnpMeter meter;

	// The window in its own pixels, and real pixels per window pixel. 0 before the first picture.
	float windowWidth, windowHeight, scale;
	float mouseX, mouseY;
	bool mouseKnown;
	bool keys[tnp_keyCount];
	tnpDrag drag;
	tnpButton dragButton;

	tnpTool tool;
	// The stroke in progress. Pending: it has not acted yet, and shall at least once.
	tnpStroke stroke;
	bool stroking, strokePending;
	// How often strokes have acted on this world.
	int64_t strokeTicks;
	// Where the cursor is on the ground, if it is.
	tnRayHit cursor;
	// The height of the plane that a digging stroke stays on: ground that rises would run towards the eye.
	float strokePlane;
	tnpHand hand;
	// The hose of the level was open in the last step.
	bool hosing;
	// It is paused because a level waits for its player.
	bool pausedForLevel;
	tnpReplay replay;
	// The dam of the scene, of which world and from which step on; is it giving way?
	tnpDam* dam;
	const tnWorld* damWorld;
	int64_t damSteps;
	bool damSinks;
	// Nobody has done anything yet: two lines say what can be done.
	bool greets;
	// For how long a level has been over, seconds of the clock.
	double overSeconds;
	// The place of the tool stack under the cursor, or -1.
	int ghost;
	// The camera goes along with the avatar: how far it was from its target when it showed all, and where the avatar was.
	float overviewDistance;
	bool follows;
	tnVec3 followed;

	tnpPanel panel;
	tnpScroll panelScroll;
	tnpFolds folds;
	bool showPanel, touch, menuOpen, helpOpen;
	// The menu of levels and the item that the keys are at; the hint of the level.
	bool levelsOpen, hintOpen;
	// The camera shows the whole world, because somebody asked for that, not what the scene would have it show.
	bool framesAll;
	int levelItem;
	// Rings around points of interest: how far each band of waves reaches.
	bool showRings;
	char message[1024];
	double messageTime;

	bool wantsScreenshot, recording, wantsToClose;
	bool wantsSave, wantsOpen;

	tnpMemory past;
	// While a save is being loaded, else NULL.
	const tnpLoading* loading;
	// Where bytes become values and values bytes.
	tnpState state;
	char builtText[TNP_BUILT_TEXT + 1];
};

// parameters.c
void tnpSetDefaultParameters(tnpPlay* play);
// Ranges and values that depend on the world.
void tnpFitParameters(tnpPlay* play);
tnpParameter tnpGetParameter(const tnpPlay* play, tnpParameterIndex index);
void tnpSetParameter(tnpPlay* play, tnpParameterIndex index, float value);
// The same as the user wants it. Levels keep some of them.
void tnpChangeParameter(tnpPlay* play, tnpParameterIndex index, float value);
// Carry them over to the look and the world.
void tnpApplyLook(tnpPlay* play);

// Ways in which water can move, as the panel lists them: a method and how it carries momentum.
enum
{
	TNP_WAY_COUNT = 6,
};
extern const char* const g_tnpWayNames[TNP_WAY_COUNT];
extern const char* const g_tnpViewNames[tnr_viewCount];
int tnpGetWay(const tnpPlay* play);
tnrResult tnpSetWay(tnpPlay* play, int way);

// play.c
tnrResult tnpMakeError(const char* format, ...)
#if defined(__GNUC__)
	__attribute__((format(printf, 1, 2)))
#endif
	;
// One step of the water with the stroke in progress.
bool tnpStepWater(tnpPlay* play);
// What is shown, for the camera.
tnpStage tnpGetStage(const tnpPlay* play);
// Everything of the scene that is shown goes, but for those given.
void tnpLeaveScene(tnpPlay* play, const tnsScene* kept, const tnpVoxelPlay* keptVoxels);
// m^3, and how much of it should not be there. Units for voxels.
void tnpMeasure(const tnpPlay* play, double* volume, double* drift);
// Let the renderer, if there is one, show the scene.
tnrResult tnpShowScene(tnpPlay* play);
// Width of the window over its height, 0 if not known yet.
float tnpGetAspect(const tnpPlay* play);

// play_bodies.c
bool tnpIsBodyTool(tnpTool tool);
// Those of them that are for what is hollow.
bool tnpIsBoatTool(tnpTool tool);
bool tnpHasHollows(const tnpPlay* play);
// Of the next body that is put, meters.
float tnpGetBodySize(const tnpPlay* play);
// Find the body under the cursor.
void tnpUpdateHover(tnpPlay* play);
// The left button goes down with a tool for bodies. @return what holding it does
tnpDrag tnpBeginHand(tnpPlay* play);
// Follow the cursor; call once per frame before the steps.
void tnpMoveHand(tnpPlay* play, double seconds);
// Where the hand is after a share of the steps of a frame.
void tnpDragHand(tnpPlay* play, float share);
// Nearer or farther, by notches of the wheel.
void tnpReachHand(tnpPlay* play, float notches);
// Let go.
void tnpEndHand(tnpPlay* play);
// Throw what is held along the view.
void tnpThrowHand(tnpPlay* play);
// Add bodies to the row that is being drawn, up to the cursor.
void tnpGrowRow(tnpPlay* play);
// The hand is empty again, without a throw: another world.
void tnpForgetHand(tnpPlay* play);

// play_level.c
bool tnpHasAvatar(const tnpPlay* play);
// Only with a level.
bool tnpLevelHasTool(const tnpPlay* play, tnpTool tool);
// The brush as the level wants it, for the tool that is chosen.
void tnpFitLevelTool(tnpPlay* play);
// Another scene has begun: choose a tool, and wait for the player, if it is a level.
void tnpEnterLevel(tnpPlay* play);
// Before and after each step.
void tnpPrepareLevelStep(tnpPlay* play);
void tnpWatchLevel(tnpPlay* play);
// How many levels there are, and how many of them are won.
int tnpCountLevels(const tnpPlay* play, int* won);
// The scene of the level at a place of the menu, or -1.
int tnpFindLevel(const tnpPlay* play, int place);
void tnpToggleLevels(tnpPlay* play);
void tnpChooseLevel(tnpPlay* play, int scene);
void tnpRestartLevel(tnpPlay* play);
// @return did the key mean something to the level or the menu?
bool tnpPressLevelKey(tnpPlay* play, int key);

// May a tool be used in a level that stands still? Those that need no time.
bool tnpWorksPaused(const tnpPlay* play, tnpTool tool);
// How fast the water of a level goes now: slower when it is about to be decided.
double tnpGetLevelPace(const tnpPlay* play);
// The camera follows what is steered.
void tnpFollowAvatar(tnpPlay* play);
// The free place of the tool stack under the cursor, or -1.
int tnpFindGhost(const tnpPlay* play);
// Lower and upper corner of a body that would stand at a place.
void tnpGetGhostBox(const tnpPlay* play, tnVec3 place, tnVec3* low, tnVec3* high);

// level_replay.c
void tnpForgetInputs(tnpPlay* play);
// Something is done in the level, before the next step.
void tnpNoteInput(tnpPlay* play, const tnpInput* input);
void tnpNotePlace(tnpPlay* play, tnpInputKind kind, int which, tnVec3 place, bool flag);
// What is due before the next step.
void tnpReplayInputs(tnpPlay* play);

// play_past.c
// @param limit bytes that all images together may have
void tnpBeginPast(tnpPlay* play, size_t limit);
// Another scene.
void tnpForgetPast(tnpPlay* play);
// What is shown becomes the present, if it is an image of the line: what came after it is gone.
void tnpLeavePast(tnpPlay* play);
// Make an image of the line, if it is time.
void tnpWatchPast(tnpPlay* play);

// play_save.c
// What is shown as bytes, and back in place; levels too.
tnrResult tnpSaveState(tnpPlay* play, void* bytes, size_t capacity, size_t* size);
tnrResult tnpRestoreState(tnpPlay* play, const void* bytes, size_t size);

// play_dam.c
void tnpForgetDam(tnpPlay* play);
// Before each step.
void tnpSinkDam(tnpPlay* play);
void tnpShowDam(tnpPlay* play, const tnpLayout* layout);

// play_past_panel.c
void tnpShowPast(tnpPlay* play, const tnpLayout* layout);

// play_level_panel.c
// Goals and clock; what it is about, how it ended, and the menu.
void tnpShowGoals(tnpPlay* play, const tnpLayout* layout);
void tnpShowLevelSheets(tnpPlay* play, const tnpLayout* layout);
// What is left of a tool, in few letters; empty without a level, or if there is no end of it.
void tnpDescribeLeft(const tnpPlay* play, tnpTool tool, char* text, size_t size);

// play_level_marks.c
// Fires, houses, places to go to.
void tnpShowLevelMarks(tnpPlay* play);

// play_voxels.c
// Begin a scene of voxels. On failure everything stays as it was.
tnrResult tnpStartVoxels(tnpPlay* play, const char* path);
tnrResult tnpRestartVoxels(tnpPlay* play);
// Find the cursor in the voxels.
void tnpUpdateVoxelCursor(tnpPlay* play);
void tnpBeginVoxelStroke(tnpPlay* play);
// One tick of the stroke in progress.
tnResult tnpApplyVoxelTool(tnpPlay* play);
void tnpFillVoxelStatus(const tnpPlay* play, tnpStatus* status);
// What the panel says of voxels, and the ball that the tool would touch.
void tnpShowVoxelFacts(tnpPlay* play);
void tnpShowVoxelMarker(tnpPlay* play);

// play_shell.c
bool tnpHasWaves(const tnpPlay* play);

// play_input.c
void tnpGetCursorRay(const tnpPlay* play, tnVec3* origin, tnVec3* direction);
// Find the cursor on the ground.
void tnpUpdateCursor(tnpPlay* play);
void tnpMoveByKeys(tnpPlay* play, float seconds);
void tnpEndStroke(tnpPlay* play);

// play_marks.c
// Is there a picture to draw on, or is this only about events?
bool tnpIsDrawing(const tnpPlay* play);
// A ring in the world, around a place and along two directions of length 1.
void tnpDrawRing(
	tnpPlay* play, const tnrCamera* camera, tnVec3 center, tnVec3 a, tnVec3 b, float radius, tnrColor color);
// Springs and wells of the user, and how far the bands of waves reach.
void tnpShowSprings(tnpPlay* play);
void tnpShowRings(tnpPlay* play);

// play_panel.c
// Between panes and the edge of the window, units.
#define TNP_MARGIN 10.0f

tnpLayout tnpLayOut(const tnpPlay* play);
void tnpShowControls(tnpPlay* play, const tnpLayout* layout);
void tnpShowHelp(tnpPlay* play, const tnpLayout* layout);

// play_overlay.c
// Units of the panel per pixel of the window.
float tnpGetUnit(const tnpPlay* play);
// Show the panel to an event. @return does the panel take it?
bool tnpPanelEvents(tnpPlay* play, tnpPanelEvent event, float wheel);
void tnpDrawPanel(tnpPlay* play, uint32_t framebuffer, int width, int height);
