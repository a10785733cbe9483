// SPDX-License-Identifier: MIT

#pragma once

#include <emscripten.h>
#include <stdbool.h>
#include <stdint.h>

/// @file What the page calls. Strings that come back live until the next call; most are JSON, so that one call brings
/// all that a part of the page needs. Lengths on the screen are CSS pixels, y down.

#define TNW_EXPORT EMSCRIPTEN_KEEPALIVE

/// Before tnwStart: a scene to choose from. The page puts its file into the file system of the program before it is shown.
/// @return false if there are too many; tnwGetError says why
TNW_EXPORT bool tnwAddScene(const char* path, const char* title, bool level);

/// Take over the canvas and show a scene. @return false on failure; tnwGetError says why
TNW_EXPORT bool tnwStart(const char* canvasSelector, int firstScene, int workerCount, bool antialias);

/// One line in English about what failed last.
TNW_EXPORT const char* tnwGetError(void);

/// Step and draw. @param width, height in real pixels. @param scale real pixels per CSS pixel
TNW_EXPORT void tnwFrame(double seconds, int width, int height, float scale);

TNW_EXPORT void tnwLoseContext(void);
TNW_EXPORT bool tnwRestoreContext(void);

// What the user does.
TNW_EXPORT void tnwMove(float x, float y);
TNW_EXPORT void tnwButton(int button, bool down);
TNW_EXPORT void tnwScroll(float dx, float dy);
TNW_EXPORT void tnwPinch(float dx, float dy, float zoom, float turn);
TNW_EXPORT void tnwKey(int key, bool down);

TNW_EXPORT bool tnwSetScene(int index);
TNW_EXPORT void tnwReset(void);
/// Show a level that is over once more.
TNW_EXPORT bool tnwReplay(void);
TNW_EXPORT void tnwSetPaused(bool paused);
TNW_EXPORT void tnwStepOnce(void);
TNW_EXPORT void tnwSetTool(int tool);
/// What the throw and stack tools put into the world: an index into the kinds of tnwDescribe.
TNW_EXPORT void tnwSetBodyKind(int kind);
TNW_EXPORT void tnwSetView(int view);
TNW_EXPORT bool tnwSetMethod(int method, int advection);
TNW_EXPORT bool tnwSetParameter(const char* name, float value);
/// Six numbers: eye and target, meters.
TNW_EXPORT void tnwSetCamera(float eyeX, float eyeY, float eyeZ, float targetX, float targetY, float targetZ);

/// Bytes of what is shown: tnwSave makes them, tnwGetSaveSize says how many there are. NULL: tnwGetError says why. They live until the
/// next call of tnwSave or tnwReserve.
TNW_EXPORT const uint8_t* tnwSave(void);
TNW_EXPORT int tnwGetSaveSize(void);
/// Where the page puts bytes for tnwLoad. NULL: no memory.
TNW_EXPORT uint8_t* tnwReserve(int size);
TNW_EXPORT bool tnwLoad(void);
/// The scene of what stands there, by the name of its file without folder and ending, which has to be there for tnwLoad. Empty: it is no save.
TNW_EXPORT const char* tnwGetSaveScene(void);
TNW_EXPORT bool tnwUndo(void);
TNW_EXPORT bool tnwRedo(void);
/// Seconds of water, one of those between begin and end of "past" in the status.
TNW_EXPORT bool tnwGoBackTo(double time);
/// What was dug and built, as letters for links, "" if nothing was; and the same for a scene that has just begun.
TNW_EXPORT const char* tnwGetBuilt(void);
TNW_EXPORT bool tnwBuild(const char* text);

/// {"scenes": [{"file", "title"}], "tools": [name], "refusals": [why a tool cannot be used, or ""],
/// "kinds": [name], "parameters": [{...}]}
TNW_EXPORT const char* tnwDescribe(void);
/// Everything that the read-outs and buttons show. "refusals" has for each tool null if the scene does not have it, "" if
/// it can be used, or why not. Levels have "level": {"state", "waiting", "time", "timeLeft", "next" (scene, or -1),
/// "past" has what tnpPast has. "losingGoal", "goals": [{"label", "progress", "done", "loses", "count", "needed"}], "over", "replaying", "starCount", "stars": [{"name", "limit", "used", "given"}], "tools": [{"name", "left", "budget", "unit"}]}. Columns have "method", "columns" and so on, voxels "voxels".
TNW_EXPORT const char* tnwGetStatus(void);
/// Seconds of water since the scene began. Cheap, for every frame.
TNW_EXPORT double tnwGetTime(void);
/// The hash of the water on the screen, 16 digits.
TNW_EXPORT const char* tnwGetHash(void);
/// Run a scene by itself. {"hash": ..., "milliseconds": per step}, or {"error": ...}
TNW_EXPORT const char* tnwRunHash(const char* path, int stepCount, int workerCount);

/// Where a point of the world is on the screen: x, y, and 1 if it is in front of the camera, else 0.
TNW_EXPORT const float* tnwProject(float x, float y, float z);
/// The water at a place: depth, bed, speed. Zero in voxels.
TNW_EXPORT const float* tnwSample(float x, float z);
/// Volume of the water in a named region of the scene, its wet share, and its largest depth.
TNW_EXPORT const float* tnwMeasureRegion(const char* name);

/// The dam of the scene. Its place on the screen is tnwProject of x, y, z: the middle of its crest.
/// @return x, y, z, share that is pulled (0 to 1); all zero and a share of -1 if the scene has no dam
TNW_EXPORT const float* tnwGetDam(void);
/// Sink the dam by a share of its height, 0 to 1. It never rises again.
TNW_EXPORT void tnwPullDam(float share);
