// SPDX-License-Identifier: MIT

#pragma once

#include "level.h"
#include "overlay.h"
#include "render.h"
#include "scene.h"
#include "voxel_scene.h"

/// @file The viewer without its window: camera, tools, panel, scenes, and the loop that steps the water at its own
/// pace. A shell owns the window, the context and the clock, and hands in what the user does: app/viewer/viewer_window.c with
/// GLFW, web/ with the browser. The same code and the same picture on both.

typedef struct tnpPlay tnpPlay;

/// What the mouse or finger does to the water and the ground.
typedef enum tnpTool
{
	/// Only turn and move the camera.
	tnp_lookTool = 0,
	tnp_pourTool,
	tnp_drainTool,
	tnp_raiseTool,
	tnp_lowerTool,
	tnp_flattenTool,
	/// Put a spring there; on a spring: take it away.
	tnp_sourceTool,
	/// Put a well there, which holds the water at the level of the click; on a well: take it away.
	tnp_wellTool,
	tnp_dyeTool,
	/// Push the water along the stroke.
	tnp_pushTool,
	/// Rain on the world while held.
	tnp_rainTool,
	/// Hold a body and move it; let go while it moves, or press the right button, to throw it.
	tnp_grabTool,
	/// Throw a new body of the chosen kind at a place; on a body: throw that one away.
	tnp_throwTool,
	/// Put a body of the chosen kind there, on top of what is there already; drag for a row of them.
	tnp_stackTool,
	/// Cut what holds a body.
	tnp_cutTool,
	/// Drag an ellipse through the water: waves. Like the next one only where the world has a wave layer.
	tnp_stirTool,
	/// Let drops fall: rings.
	tnp_dropsTool,
	/// Worlds of voxels have these three, look, pour and drain. Put ground.
	tnp_buildTool,
	/// Take ground away.
	tnp_digTool,
	/// Pour lava, where the scene has any.
	tnp_lavaTool,
	/// Aim a jet of water at a place while held, where the scene has spray.
	tnp_hoseTool,
	/// Levels with an avatar have it: the avatar goes there while held.
	tnp_driveTool,
	/// Hole a boat where it was clicked; at a hole: mend it. Like the next one only where there are hollow bodies.
	tnp_holeTool,
	/// Put a pump into a boat; on one that pumps: take it away.
	tnp_pumpTool,
	tnp_toolCount,
} tnpTool;

typedef enum tnpButton
{
	tnp_leftButton = 0,
	tnp_rightButton,
	tnp_middleButton,
	tnp_buttonCount,
} tnpButton;

/// Keys that mean something; letters and digits are their upper case ASCII.
typedef enum tnpKey
{
	tnp_spaceKey = ' ',
	tnp_escapeKey = 256,
	tnp_tabKey,
	tnp_leftKey,
	tnp_rightKey,
	tnp_upKey,
	tnp_downKey,
	tnp_pageUpKey,
	tnp_pageDownKey,
	tnp_shiftKey,
	tnp_controlKey,
	tnp_f1Key,
	tnp_f2Key,
	tnp_f3Key,
	tnp_f4Key,
	tnp_f5Key,
	tnp_f12Key,
	tnp_enterKey,
	tnp_keyCount,
} tnpKey;

/// A scene to choose from. Strings are copied.
typedef struct tnpSceneItem
{
	const char* title;
	/// For tnsLoadScene or tnsLoadVoxelScene.
	const char* path;
	/// A level, to be listed apart from the other scenes, which come first. The next one in the list follows it.
	bool level;
} tnpSceneItem;

/// 256 MiB.
#define TNP_DEFAULT_PAST ((size_t)256 << 20)

typedef struct tnpPlayDef
{
	const tnpSceneItem* scenes;
	int sceneCount;
	int firstScene;
	/// 0: as many as the world makes by itself.
	int workerCount;
	/// The panel and read-outs are drawn by tarn. The web page can draw buttons of its own instead.
	bool showPanel;
	/// Large buttons for fingers.
	bool touch;
	/// Worlds get a tracer channel for the dye tool if the scene has no tracer called dye. The water moves the same
	/// without it, but the hash of a world covers its tracers: turn it off to compare hashes with `tarn run`.
	bool dye;
	/// Bytes for going back: time line, undo and redo. Default TNP_DEFAULT_PAST.
	size_t pastLimit;
	/// As in tnsOverrides. Default TNS_DEFAULT_MEMORY_LIMIT, false.
	size_t memoryLimit;
	bool allowOutside;
	/// As in tnrSetQuality. Default tnr_bestQuality.
	int quality;
	/// How water moves in all scenes with columns, levels too. Default the counts: what the scene says.
	tnMethod method;
	tnAdvection advection;
	/// Say in two lines what can be done, until somebody does something. Default false.
	bool greets;
} tnpPlayDef;

tnpPlayDef tnpDefaultPlayDef(void);

/// A context must be current. @return NULL if the result is not ok
tnpPlay* tnpCreatePlay(const tnpPlayDef* def, tnrResult* result);
void tnpDestroyPlay(tnpPlay* play);

/// The context was lost, and is there again: make everything of the GPU anew. The water does not notice.
void tnpPlay_LoseContext(tnpPlay* play);
tnrResult tnpPlay_RestoreContext(tnpPlay* play);

// What the user does, in pixels of the window, y down.
void tnpPlay_MouseMove(tnpPlay* play, float x, float y);
void tnpPlay_MouseButton(tnpPlay* play, tnpButton button, bool down);
void tnpPlay_Scroll(tnpPlay* play, float dx, float dy);
void tnpPlay_Key(tnpPlay* play, int key, bool down);
/// Two fingers: move of their middle in pixels, ratio of their distances, turn in radians.
void tnpPlay_Pinch(tnpPlay* play, float dx, float dy, float zoom, float turn);

/// Advance by real seconds since the last call, then draw. The water takes fixed steps from an accumulator, as many as
/// fit into its share of the time and never more than a few: a slow machine sees slow water, not a frozen window.
/// @param scale real pixels per window pixel
void tnpPlay_Frame(tnpPlay* play, double seconds, uint32_t framebuffer, int width, int height, float scale);

// What the shell asks for, so that page, tests and keys use one way.
tnrResult tnpPlay_SetScene(tnpPlay* play, int index);
int tnpPlay_GetScene(const tnpPlay* play);
int tnpPlay_GetSceneCount(const tnpPlay* play);
const char* tnpPlay_GetSceneTitle(const tnpPlay* play, int index);
void tnpPlay_Reset(tnpPlay* play);
void tnpPlay_SetPaused(tnpPlay* play, bool paused);
bool tnpPlay_IsPaused(const tnpPlay* play);
/// One step while paused.
void tnpPlay_StepOnce(tnpPlay* play);
/// Pace of the water: 1 is real time, in [0.05, 4].
void tnpPlay_SetPace(tnpPlay* play, float pace);
void tnpPlay_SetTool(tnpPlay* play, tnpTool tool);
tnpTool tnpPlay_GetTool(const tnpPlay* play);
const char* tnpGetToolName(tnpTool tool);
/// Why a tool cannot be used in any scene, in a sentence, or NULL if it can: bodies need a physics engine.
const char* tnpGetToolRefusal(tnpTool tool);
/// The same for the scene that is shown: not every one has lava.
const char* tnpPlay_GetToolRefusal(const tnpPlay* play, tnpTool tool);
/// Is a tool in the tool bar of this scene? Tools for waves are where there is a wave layer, those for voxels where there
/// are voxels.
bool tnpPlay_HasTool(const tnpPlay* play, tnpTool tool);
/// What the throw and stack tools put into the world: one of tnsBodyKind.
void tnpPlay_SetBodyKind(tnpPlay* play, int kind);
int tnpPlay_GetBodyKind(const tnpPlay* play);
/// Voxels have the picture only.
void tnpPlay_SetView(tnpPlay* play, tnrView view);
tnrView tnpPlay_GetView(const tnpPlay* play);
/// Voxels have no methods: not ok.
tnrResult tnpPlay_SetMethod(tnpPlay* play, tnMethod method, tnAdvection advection);

/// The level that is played, or NULL if the scene is not one. It begins paused, so that one can read what it is about.
/// While it is, tools that work with earth and pieces do what they do, and those that work with water rest.
const tnsLevel* tnpPlay_GetLevel(const tnpPlay* play);
/// Paused, and not begun yet.
bool tnpPlay_IsLevelWaiting(const tnpPlay* play);
/// The scene of the next level in the list, or -1 after the last one.
int tnpPlay_GetNextLevel(const tnpPlay* play);
bool tnpPlay_IsLevel(const tnpPlay* play, int scene);
/// Has a level been won? The shell keeps it over the end of the program and says so at the next start.
bool tnpPlay_IsLevelWon(const tnpPlay* play, int scene);
void tnpPlay_SetLevelWon(tnpPlay* play, int scene, bool won);
/// The most stars that a level was won with, and the shortest time, seconds of water. Zeroes if it was never won.
typedef struct tnpLevelBest
{
	int stars;
	double time;
} tnpLevelBest;
tnpLevelBest tnpPlay_GetLevelBest(const tnpPlay* play, int scene);
/// What was kept from another day. It never makes a result worse.
void tnpPlay_SetLevelBest(tnpPlay* play, int scene, tnpLevelBest best);
/// Show a level that is over once more, from what was done in it. False: it is not over, or too much was done.
bool tnpPlay_Replay(tnpPlay* play);
bool tnpPlay_IsReplaying(const tnpPlay* play);
/// A level is over, and its end has been seen for long enough: time to say how it ended.
bool tnpPlay_IsLevelOver(const tnpPlay* play);

// ---------------------------------------------------------------------------------------------------------------------
// Saves, and going back

/// What is shown as bytes: scene, world, bodies, camera, what the player did to them. Levels are not saved.
/// @param bytes NULL with a capacity of 0: only tell the size
tnrResult tnpPlay_Save(tnpPlay* play, void* bytes, size_t capacity, size_t* size);
/// Show what was saved; its scene must be in the list. Bytes may come from anywhere: what is damaged is refused with a text that says
/// why, and nothing changes.
tnrResult tnpPlay_Load(tnpPlay* play, const void* bytes, size_t size);
/// Do bytes begin like a save?
bool tnpIsSave(const void* bytes, size_t size);
enum
{
	/// Letters of the name of a scene in a save, with a zero at the end.
	TNP_SCENE_KEY = 128,
};
/// The scene of a save, by the name of its file without folder and ending.
tnrResult tnpReadSaveScene(const void* bytes, size_t size, char* key);

/// Put back what was before the last stroke: ground, water, bodies and time. False: there is nothing to undo.
bool tnpPlay_Undo(tnpPlay* play);
bool tnpPlay_Redo(tnpPlay* play);
/// Before something is done that is to be undone. Tools do it themselves.
void tnpPlay_Remember(tnpPlay* play);

/// The last seconds, as images that one can go back to. Going back pauses; what is done then, or the next step, goes on from there.
typedef struct tnpPast
{
	/// Not in levels.
	bool available;
	/// Images; which of them is shown, or -1: the present.
	int count, index;
	/// Seconds of water of the first one and of the present.
	double begin, end;
	int undoCount, redoCount;
	/// Of all images.
	size_t byteCount;
} tnpPast;

tnpPast tnpPlay_GetPast(const tnpPlay* play);
double tnpPlay_GetPastTime(const tnpPlay* play, int index);
/// Show an image; the last one is the present. False: there are none.
bool tnpPlay_GoBack(tnpPlay* play, int index);
/// The one whose time is nearest.
bool tnpPlay_GoBackTo(tnpPlay* play, double time);

/// What was dug, raised and put into the scene since it began, as letters for a link. "" if nothing was. Lives until the next call.
const char* tnpPlay_GetBuilt(tnpPlay* play);
/// Do the same to the scene that is shown, which should have just begun. What is no such text is refused, and nothing changes; what
/// does not fit into this scene is left out, and said.
tnrResult tnpPlay_Build(tnpPlay* play, const char* text);

/// The user wants to save or to open a file: the shell does it. True once.
bool tnpPlay_WantsSave(tnpPlay* play);
bool tnpPlay_WantsOpen(tnpPlay* play);

/// Everything a slider can change, by name, so that panel, page, links and tests share one list.
typedef struct tnpParameter
{
	const char* name;  // "brushRadius", stays the same between versions: links hold it
	const char* title; // "brush radius"
	const char* unit;
	float low, high, value;
	/// The slider moves by factors, not by sums.
	bool logarithmic;
	/// Does it do anything in this scene?
	bool used;
	/// A number of the def of the world, which most players leave alone.
	bool tuning;
} tnpParameter;

int tnpPlay_GetParameterCount(const tnpPlay* play);
tnpParameter tnpPlay_GetParameter(const tnpPlay* play, int index);
/// Clamped to its range. @return false if there is no such name or the value is not finite
bool tnpPlay_SetParameter(tnpPlay* play, const char* name, float value);

/// Read-outs.
typedef struct tnpStatus
{
	double time;
	int64_t stepCount;
	/// Of the last second or so.
	float framesPerSecond, millisecondsPerStep;
	/// Seconds of water per second of the clock.
	float speed;
	/// m^3. Of voxels all liquids together; their drift is in units, and 0.
	double volume, drift;
	int64_t frameCount;
	/// Bodies in the world, and how many of them are held in place.
	int bodyCount, tiedCount;
	/// Tiles of the wave layer in use, and how many of them are not at rest. 0 without a layer.
	int waveTileCount, movingWaveTileCount;
	/// Voxels only: the volume of each liquid, m^3, chunks in which something moves, bodies of connected liquid, and will
	/// nothing change any more by itself?
	int liquidCount;
	double liquidVolumes[TN_MAX_LIQUIDS];
	int awakeChunkCount, componentCount;
	bool atRest;
} tnpStatus;

/// Counts all liquid: for read-outs, not for every picture.
tnpStatus tnpPlay_GetStatus(const tnpPlay* play);
/// Seconds of water since the scene began.
double tnpPlay_GetTime(const tnpPlay* play);
/// What is shown: either a world of columns and its run, or one of voxels. The others are NULL.
tnWorld* tnpPlay_GetWorld(const tnpPlay* play);
tnsRun* tnpPlay_GetRun(const tnpPlay* play);
tnVoxelWorld* tnpPlay_GetVoxelWorld(const tnpPlay* play);
/// Of the scene of voxels that is shown, else NULL.
const tnsVoxelSceneInfo* tnpPlay_GetVoxelInfo(const tnpPlay* play);
/// The voxels that are shown. Nothing without voxels.
tnVoxelBox tnpPlay_GetVoxelBox(const tnpPlay* play);
/// The hash of the world that is shown.
uint64_t tnpPlay_GetHash(const tnpPlay* play);
tnrCamera tnpPlay_GetCamera(const tnpPlay* play);
/// Look from there at once, for instance as a link says. Eye and target count; nonsense is ignored.
void tnpPlay_SetCamera(tnpPlay* play, const tnrCamera* camera);

/// Say something to the user for a few seconds, at the bottom of the window.
void tnpPlay_ShowMessage(tnpPlay* play, const char* text);

/// The user pressed the key for a picture (F12) or turned recording on or off (F5): the shell does it.
bool tnpPlay_WantsScreenshot(tnpPlay* play); // true once per press
bool tnpPlay_IsRecording(const tnpPlay* play);
/// The shell could not record, or had to stop.
void tnpPlay_SetRecording(tnpPlay* play, bool recording);
bool tnpPlay_WantsToClose(const tnpPlay* play);
