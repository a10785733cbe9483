// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "scene.h"

/// @file Levels: a scene with a `level` object is a game. It has goals, measured in regions of the scene after each step, a
/// clock, and tools of which there is so much and no more. docs/levels.md describes the files. A level is won or lost by
/// what the water and the bodies do, and by nothing else.
///
/// 	tnsLevel* level = tnsCreateLevel(run, &result);   // NULL: the scene is not a level
/// 	while (tnsLevel_GetState(level) == tns_levelPlaying)
/// 	{
/// 		... tools of the player ...
/// 		tnsRun_Step(run);
/// 		tnsLevel_Update(level);
/// 	}
///
/// Levels of scenes of voxels are the same: their run is tnsVoxelRun_GetBodies, stepped by tnsVoxelRun_Step.
///
/// A restart is a new run with a new level. Levels of a folder follow each other by the names of their files.

/// Most goals of a level, and most tools.
#define TNS_MAX_GOALS 16
#define TNS_MAX_LEVEL_TOOLS 8
/// Most places that a tool can have for what it puts.
#define TNS_MAX_LEVEL_PLACES 16

typedef enum tnsLevelState
{
	tns_levelPlaying = 0,
	tns_levelWon,
	tns_levelLost,
	tns_levelStateCount,
} tnsLevelState;

/// What a goal looks at.
typedef enum tnsMeasure
{
	/// Largest depth in the region, m.
	tns_depthMeasure = 0,
	/// Wet part of the region, 0 to 1.
	tns_wetShareMeasure,
	/// Water in the region, m^3.
	tns_volumeMeasure,
	/// Mean concentration of a tracer in the water of the region; 0 while it is dry.
	tns_tracerMeasure,
	/// How many of the bodies have their centre of mass over the region, between the heights.
	tns_bodiesMeasure,
	/// Part of the body below the water, 0 to 1; of several bodies the largest. It needs no region.
	tns_submergedMeasure,
	tns_measureCount,
} tnsMeasure;

/// How a goal is shown in the world, at its region.
typedef enum tnsGoalMark
{
	tns_noMark = 0,
	/// A place to keep dry.
	tns_houseMark,
	/// Burns until the goal is done.
	tns_fireMark,
	/// A place to bring something to.
	tns_targetMark,
	/// A place to keep away from.
	tns_dangerMark,
	tns_goalMarkCount,
} tnsGoalMark;

/// A goal as the scene gives it. Pointers live as long as the scene.
typedef struct tnsGoal
{
	/// A few words, never NULL: "Mill stays dry".
	const char* label;
	tnsMeasure measure;
	/// Index of a region of the scene, or -1.
	int region;
	/// tns_tracerMeasure: channel.
	int tracer;
	/// Voxels: number of the liquid that is measured, from 1.
	int liquid;
	/// Bodies and submerged: those with indices in [bodyBegin, bodyEnd). Between these heights: of centres of bodies, or of voxels, m.
	int bodyBegin, bodyEnd;
	float low, high;
	/// True while the measured value is at least (or at most) the limit. Bodies are counted: the limit is their number.
	bool atMost;
	double limit;
	/// It must be true for so long without a break, s. 0: one step is enough.
	double seconds;
	/// Done once, done for good. Else it is undone when it is not true any more.
	bool once;
	/// When it is done the level is lost. Else all goals that do not lose must be done to win.
	bool loses;
	tnsGoalMark mark;
} tnsGoal;

/// A tool of the viewer that the level allows. All others are refused.
typedef struct tnsLevelTool
{
	/// pour, drain, raise, lower, flatten, push, grab, stack, cut or hose; with voxels build, dig and lava.
	const char* name;
	/// How much of it there is; INFINITY: no limit. m^3 of earth (raise, lower, flatten, build, dig), of liquid (pour, drain, hose, lava),
	/// pieces (stack, cut), seconds of use (push). Grab has none.
	double budget;
	/// "m3", "x" or "s".
	const char* unit;
	/// Of the brush, meters, and its strength: those of the level hold, whatever the stroke says.
	float radius, strength;
	/// Stack: what is put there, and its size in meters.
	tnsBodyKind kind;
	float size;
	/// The region inside which it may be used, or -1: everywhere.
	int region;
	/// Stack: places to which bodies snap that are put near them. Elsewhere they stay where they are put.
	tnVec2 places[TNS_MAX_LEVEL_PLACES];
	int placeCount;
} tnsLevelTool;

/// The nozzle of the tool "hose": it stands somewhere and is aimed at where the player points.
typedef struct tnsLevelHose
{
	bool given;
	tnVec3 position;
	/// m/s, m^3/s, rad.
	float speed, rate, spread;
} tnsLevelHose;

/// A body that the player moves with keys: tnsLevel_Drive.
typedef struct tnsLevelAvatar
{
	bool given;
	/// Index of the body.
	int body;
	/// Of the drive, m/s^2, and the speed at which it ends, m/s; both in the direction of the drive.
	float acceleration, speed;
} tnsLevelAvatar;

/// What earns a star besides winning. Negative: there is no such star.
typedef struct tnsStarRules
{
	/// Won within so many seconds of water.
	double time;
	/// No more than this share of the budget of any tool that works with earth, pieces or seconds; and of any that works with liquid.
	double tools, water;
	/// No goal that loses has ever been nearer to it than this share.
	double danger;
} tnsStarRules;

/// What a level says. Pointers live as long as the scene.
typedef struct tnsLevelInfo
{
	/// Never NULL.
	const char* title;
	/// Classes of the taxonomy (docs/levels.md), like "G4 C5". Never NULL.
	const char* classes;
	/// What to do, one or two sentences; and how, for those who ask. Never NULL, the hint may be empty.
	const char* story;
	const char* hint;
	/// s of water. When it is over, the level is lost, or, with winsAtEnd, won if all goals that do not lose are done then.
	double timeLimit;
	bool winsAtEnd;
	const tnsGoal* goals;
	int goalCount;
	const tnsLevelTool* tools;
	int toolCount;
	tnsLevelHose hose;
	tnsLevelAvatar avatar;
	tnsStarRules stars;
} tnsLevelInfo;

/// NULL if the scene is not a level.
const tnsLevelInfo* tnsScene_GetLevel(const tnsScene* scene);

// ---------------------------------------------------------------------------------------------------------------------
// Playing

typedef struct tnsLevel tnsLevel;

/// How a goal stands.
typedef struct tnsGoalReport
{
	/// In the unit of the measure.
	double value, limit;
	/// For how long the condition has been true, s.
	double heldFor;
	/// 0 to 1: how near it is to being done, from where it began; 1 when it is. For a goal that loses: how near the loss is.
	float progress;
	/// Bodies: how many have come, or with atMost have gone, and how many it takes. Both -1 for other measures.
	int count, needed;
	bool done;
} tnsGoalReport;

/// Begin to play a run that has not been stepped yet. Creates the hose, if there is one.
/// @param run must outlive the level @param result may be NULL
/// @return NULL if the scene is no level (tns_ok), or if the result says why
tnsLevel* tnsCreateLevel(tnsRun* run, tnsResult* result);
/// NULL is allowed.
void tnsDestroyLevel(tnsLevel* level);

/// Look at the world. Call once after each tnsRun_Step. Once won or lost, a level stays so, and its clock stands still.
void tnsLevel_Update(tnsLevel* level);

tnsLevelState tnsLevel_GetState(const tnsLevel* level);
/// "playing", "won", "lost".
const char* tnsGetLevelStateName(tnsLevelState state);
/// Seconds of water until now, and until the clock ends.
double tnsLevel_GetTime(const tnsLevel* level);
double tnsLevel_GetTimeLeft(const tnsLevel* level);
const tnsLevelInfo* tnsLevel_GetInfo(const tnsLevel* level);
/// The run that is played.
tnsRun* tnsLevel_GetRun(const tnsLevel* level);
/// Zeroes for an index out of range.
tnsGoalReport tnsLevel_GetGoal(const tnsLevel* level, int index);
/// The goal that lost the level, or -1: not lost, or by the clock.
int tnsLevel_GetLosingGoal(const tnsLevel* level);
/// How long the level will still go on at least, s, if everything stays as true as it is now: until the clock ends, or a goal is held for
/// long enough. 0 once it is over.
double tnsLevel_GetSuspense(const tnsLevel* level);

/// Stars, and what they are given for. What is used is a share of budgets, the largest of all tools.
typedef struct tnsStars
{
	/// How many there are now, 0 unless won, and how many the level has.
	int count, most;
	/// Given if the level has such a star. All false unless won.
	bool time, tools, water, danger;
	double toolsUsed, waterUsed, worstDanger;
} tnsStars;
tnsStars tnsLevel_GetStars(const tnsLevel* level);

// ---------------------------------------------------------------------------------------------------------------------
// What the player does. The viewer and scripts call the same functions. Strokes of a brush go through
// tnpApplyLevelStroke (play/tools/level_tools.h), which charges them here.

/// Index of a tool by its name, or -1 if the level does not allow it.
int tnsLevel_FindTool(const tnsLevel* level, const char* name);
/// What is left of a budget, in the unit of the tool; 0 for an index out of range.
double tnsLevel_GetLeft(const tnsLevel* level, int tool);
/// Take from a budget. It never falls below 0. Negative amounts give back, up to the whole.
void tnsLevel_Charge(tnsLevel* level, int tool, double amount);

/// May a tool be used at a place now? Not if the level does not allow it, nothing is left of it, or the place is outside of
/// its region; and ground stays as it is where a goal has the mark of a house.
/// @param reach of the brush, meters
/// @return tns_ok, or tns_invalidArgument and why not in a few words, for the player
tnsResult tnsLevel_MayUse(const tnsLevel* level, const char* name, tnVec2 place, float reach);
/// May the player hold, throw or take away this body? Not the avatar, and none that a goal counts.
bool tnsLevel_MayTouch(const tnsLevel* level, int body);
/// Where a body goes that is put at a place: the nearest free place of the tool stack, on what is there, if that is nearer than the
/// body is large; else it stays.
/// @param index receives which of the places, or -1. May be NULL.
tnVec3 tnsLevel_Snap(const tnsLevel* level, tnVec3 position, int* index);
/// Does a body stand at a place of the tool stack already?
bool tnsLevel_IsTaken(const tnsLevel* level, int place);
/// Put a body of the kind and size of the tool stack into the world, snapped. Refused when there are none left.
/// @param index receives its index. May be NULL.
tnsResult tnsLevel_Stack(tnsLevel* level, tnVec3 position, int* index);
/// Take one of the player's bodies away again; the budget of stack gets it back.
tnsResult tnsLevel_TakeBack(tnsLevel* level, int body);
/// Cut a body loose: a gate, a mooring.
tnsResult tnsLevel_Cut(tnsLevel* level, int body);
/// Aim the hose at a point, and open it; NULL closes it. It stays as it is until the next call. Points out of reach are aimed
/// at as far as the water goes.
tnsResult tnsLevel_AimHose(tnsLevel* level, const tnVec3* target);
/// Drive the avatar for the next step. @param drive along x and z, cut to length 1
tnsResult tnsLevel_Drive(tnsLevel* level, tnVec2 drive);
