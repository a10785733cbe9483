// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/tarn.h"

/// @file Reads scene files and terrain images, builds worlds from them and runs them. Nothing here prints or exits.
/// docs/scenes.md describes the files.

/// Most bytes of a scene file.
#define TNS_MAX_SCENE_BYTES (16 * 1024 * 1024)

/// Bytes that scenes may have unless a program says otherwise: 1 GiB.
#define TNS_DEFAULT_MEMORY_LIMIT ((size_t)1 << 30)

/// A file of terrain, depths, velocities or rain may have so many cells for each cell of the world, and this many always.
#define TNS_FILE_CELLS_PER_CELL 16
#define TNS_FILE_CELLS (1024 * 1024)

/// Most sources, gauges, regions, edits, features or boxes of one scene, each.
#define TNS_MAX_ITEMS 4096

/// What became of a call.
typedef enum tnsStatus
{
	/// Done.
	tns_ok = 0,
	/// An argument of the call is out of range.
	tns_invalidArgument,
	/// A file could not be opened, read or written.
	tns_fileError,
	/// The bytes of a file are not what its format demands.
	tns_badFormat,
	/// The scene is well-formed, but a key or a value in it is wrong.
	tns_badScene,
	/// No memory, or a limit on size would be passed.
	tns_outOfMemory,
	/// The world refused something that the scene asks for.
	tns_worldError,
} tnsStatus;

/// Plain values: copy it, keep it, no memory to free.
typedef struct tnsResult
{
	tnsStatus status;
	/// One line in English. Scene files: "file:line:column: what is wrong and what is allowed". Empty for tns_ok.
	char text[512];
} tnsResult;

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

/// A scene that was read and checked. It never changes. Terrain and other files are read when it is started.
typedef struct tnsScene tnsScene;

/// What a picture of the scene should show.
typedef enum tnsViewMode
{
	/// Hill-shaded terrain, water coloured by depth and speed.
	tns_waterView = 0,
	/// Depth alone.
	tns_depthView,
	/// Speed alone.
	tns_speedView,
	/// Water coloured by a tracer.
	tns_tracerView,
	/// Heights of the wave layer alone.
	tns_wavesView,
	tns_viewModeCount,
} tnsViewMode;

typedef struct tnsView
{
	tnsViewMode mode;
	/// Seconds of water between two pictures, > 0.
	double every;
	/// Pixels per cell, in [0, 16]. 0: the program chooses.
	int scale;
	/// Depth and speed that get the last colour of the legend, meters and m/s. 0: the program chooses.
	float maxDepth, maxSpeed;
	/// Channel shown by tns_tracerView.
	int tracer;
	/// Colours of tracers as light (not as a screen counts them), 0 to 1. Without one the program chooses.
	bool hasTracerColor[TN_MAX_TRACERS];
	tnVec3 tracerColors[TN_MAX_TRACERS];
} tnsView;

/// Where a picture is taken from, and what it shows.
typedef struct tnsCamera
{
	tnVec3 eye, target;
	/// Vertical angle, radians.
	float fieldOfView;
} tnsCamera;

/// What a scene says, for programs. Pointers live as long as the scene.
typedef struct tnsSceneInfo
{
	/// Never NULL. The name of the file without folder and ending, if the scene does not say.
	const char* name;
	/// Never NULL, may be empty.
	const char* description;
	/// As the scene wants it, without overrides and without hooks.
	tnWorldDef worldDef;
	float timeStep;
	double seconds;
	tnsView view;
	/// Does it have a camera? If so, tnsScene_GetCamera knows where.
	bool hasCamera;
	/// Seconds of water in a second of a video, > 0. 1 unless the scene says otherwise.
	double videoSpeed;
	const char* tracerNames[TN_MAX_TRACERS];
	int sourceCount, gaugeCount, regionCount;
	/// Bodies, each copy counted, whether they are there from the start or appear later. scene_bodies.h knows them.
	int bodyCount;
	/// Over the waves, m/s. worldDef.waves says whether there are any.
	tnVec2 wind;
} tnsSceneInfo;

/// Read and check a scene file.
/// @param result receives what happened. May be NULL.
/// @return NULL if the result is not tns_ok
tnsScene* tnsLoadScene(const char* path, tnsResult* result);

/// Read and check a scene in memory.
/// @param name stands for the file in errors
/// @param baseFolder where the scene's files are looked for. NULL: a scene that names files fails to start.
tnsScene* tnsParseScene(const char* text, size_t size, const char* name, const char* baseFolder, tnsResult* result);

enum
{
	/// Sand, grass, rock and snow.
	TNS_GROUND_COUNT = 4,
	/// Pixels along a side of a texture, whatever its file has.
	TNS_TEXTURE_SIDE = 512,
};

/// What the ground of a scene shows.
typedef struct tnsGroundLook
{
	/// Heights up to which sand lies, trees grow, and from which snow lies, m; NAN where the scene does not say.
	float beachLevel, treeLine, snowLine;
	/// Slope, rise over run, from which ground is rock. 0: the scene does not say.
	float rockSlope;
	/// Shares of sand, grass, rock and snow of each cell, 0 to 255, row by row, north first. NULL without a blend map.
	uint8_t* blend;
	/// Pictures of sand, grass, rock and snow that repeat: TNS_TEXTURE_SIDE rows of as many pixels, red, green, blue as on a screen.
	/// NULL without one.
	uint8_t* textures[TNS_GROUND_COUNT];
	/// m that a picture covers.
	float textureSize;
} tnsGroundLook;

/// NULL is allowed.
void tnsDestroyScene(tnsScene* scene);

const tnsSceneInfo* tnsScene_GetInfo(const tnsScene* scene);

/// Names of sources, gauges and regions, in the order of the file. Never NULL for an index in range, else NULL.
const char* tnsScene_GetSourceName(const tnsScene* scene, int index);
const char* tnsScene_GetGaugeName(const tnsScene* scene, int index);
const char* tnsScene_GetRegionName(const tnsScene* scene, int index);
/// Where a gauge is, meters.
tnVec2 tnsScene_GetGaugePosition(const tnsScene* scene, int index);
/// Shape and place of a region. The default region for an index out of range.
tnRegionDef tnsScene_GetRegionDef(const tnsScene* scene, int index);

/// Where the camera of the scene is at a time: smooth between its keys, held before the first and after the last.
/// @param time seconds of water since the start
/// @return false, and camera as it was, if the scene has no camera
bool tnsScene_GetCamera(const tnsScene* scene, double time, tnsCamera* camera);

// ---------------------------------------------------------------------------------------------------------------------
// Runs

/// A scene that runs: a world, and what is still to happen to it.
typedef struct tnsRun tnsRun;

/// What the caller wants different from the scene. Start from tnsDefaultOverrides, which changes nothing.
typedef struct tnsOverrides
{
	/// tn_methodCount: as the scene says.
	tnMethod method;
	/// tn_advectionCount: as the scene says.
	tnAdvection advection;
	/// 0: as tnDefaultWorldDef says. It never changes the result.
	int workerCount;
	/// Seconds of water. Negative: as the scene says.
	double seconds;
	tnSimd simd;
	/// Most bytes that the world, and what is needed to fill it, may have at a time. 0 for no limit.
	/// Default TNS_DEFAULT_MEMORY_LIMIT.
	size_t memoryLimit;
	/// May files that the scene names lie outside of its folder: by an absolute path, by .., or behind a link? Default false.
	bool allowOutside;
	/// Tracer channels after those of the scene, for what a player adds. They begin empty, and together there are at
	/// most TN_MAX_TRACERS. The water moves the same, but tnWorld_GetHash covers all channels.
	int extraTracers;
} tnsOverrides;

tnsOverrides tnsDefaultOverrides(void);

/// Build the world of a scene: terrain, water, sources, gauges and regions.
/// @param overrides may be NULL
/// @param run receives the run, or NULL if the result is not tns_ok. The scene must outlive it.
tnsResult tnsStartScene(const tnsScene* scene, const tnsOverrides* overrides, tnsRun** run);

/// NULL is allowed.
void tnsDestroyRun(tnsRun* run);

/// Do what is due (edits, sources and rain that start or stop, bodies that come, go or are let loose), then step the
/// world by the scene's time step, and the bodies: they tell the water where they are, it moves, pushes them, and they
/// move. Things
/// happen at the step boundary that is nearest to their time. May be called past the end of the scene.
tnsResult tnsRun_Step(tnsRun* run);

/// Rain on top of what the scene says, from the next step on.
/// @param rate m/s, at least 0, the same everywhere
tnsResult tnsRun_SetExtraRain(tnsRun* run, float rate);

/// Has the run reached its seconds?
bool tnsRun_IsFinished(const tnsRun* run);

const tnsScene* tnsRun_GetScene(const tnsRun* run);
/// The world, to look at and to play with. Owned by the run.
tnWorld* tnsRun_GetWorld(const tnsRun* run);
/// Owned by the run.
const tnsGroundLook* tnsRun_GetGround(const tnsRun* run);
/// Seconds of water since the start.
double tnsRun_GetTime(const tnsRun* run);
/// Seconds this run lasts, and the steps that takes.
double tnsRun_GetSeconds(const tnsRun* run);
int64_t tnsRun_GetStepCount(const tnsRun* run);

/// The run as bytes: world, bodies and how they move, what the scene is still to do. A run that is restored goes on as the one
/// that was saved; the water with the same bits, as long as no body floats in it: the engine that moves bodies keeps a little for
/// itself that nobody can save. Restored twice it does the same twice.
/// @param bytes NULL with a capacity of 0: only tell the size
tnsResult tnsRun_Save(const tnsRun* run, void* bytes, size_t capacity, size_t* size);
/// Bytes may come from anywhere. What is damaged, of another scene, or of a newer version is refused, with a text that says why,
/// and the run stays as it was. The scene must be the one that was saved. What a player holds is let go.
tnsResult tnsRun_Restore(tnsRun* run, const void* bytes, size_t size);

/// Ids inside the world. Null ids for an index out of range.
tnSourceId tnsRun_GetSource(const tnsRun* run, int index);
tnGaugeId tnsRun_GetGauge(const tnsRun* run, int index);
/// The userData of a region event is the index of the region in the scene.
tnRegionId tnsRun_GetRegion(const tnsRun* run, int index);

// ---------------------------------------------------------------------------------------------------------------------
// Files of heights and other values per cell

/// Values per cell, row by row, north first. Free with tnsFreeGrid.
typedef struct tnsGrid
{
	int columnCount, rowCount;
	float* values;
} tnsGrid;

typedef enum tnsGridFormat
{
	/// 8 or 16 bit; colour becomes luminance, alpha is ignored. Black is 0, white is 1.
	tns_pngFormat = 0,
	/// Raw little-endian uint16. 0 is 0, 65535 is 1.
	tns_r16Format,
	/// Raw little-endian float32.
	tns_r32Format,
	/// ESRI ASCII grid.
	tns_ascFormat,
	tns_gridFormatCount,
} tnsGridFormat;

typedef struct tnsGridRequest
{
	tnsGridFormat format;
	/// Size of the grid. Needed for r16 and r32, which do not say it themselves; ignored for the others.
	int columnCount, rowCount;
	/// What cells without data become (asc). Without hasFill they are an error.
	bool hasFill;
	float fill;
	/// Of a PNG: 0 for luminance, 1 to 3 for red, green or blue alone. A grey one has the same in all of them.
	int channel;
	/// Most cells, 0 for TN_MAX_CELLS. What a file says is checked before any memory is asked for.
	int64_t maxCellCount;
	/// Most bytes that reading may have at a time, the file and the grid included. 0 for no limit.
	size_t memoryLimit;
	/// tnsLoadGrid: the folder in which the file must lie once all links are followed, empty for the current one. NULL:
	/// anywhere.
	const char* folder;
} tnsGridRequest;

/// Format by the ending of a path (.png .r16 .r32 .asc). tns_gridFormatCount if it is none of them.
tnsGridFormat tnsGetGridFormat(const char* path);

/// Read a grid from memory. Every value of the result is finite.
/// @param name stands for the file in errors: "name: what is wrong"
tnsResult tnsReadGrid(const void* bytes, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid);

/// Read a grid from a file. Only regular files are opened, and no error quotes what is in them.
tnsResult tnsLoadGrid(const char* path, const tnsGridRequest* request, tnsGrid* grid);

/// Empties the grid. An empty grid is allowed.
void tnsFreeGrid(tnsGrid* grid);

/// Stretch a grid over columnCount x rowCount cells, bilinear between cell centres. The same size is an exact copy.
void tnsResampleGrid(const tnsGrid* grid, int columnCount, int rowCount, float* values);

/// What stands in the header file of a raw field. Strings may be NULL.
typedef struct tnsFieldInfo
{
	const char* quantity;
	const char* unit;
	double time;
	float cellSize;
	tnVec2 origin;
} tnsFieldInfo;

/// Write a field as raw little-endian float32, row by row, and a header as JSON at path + ".json".
/// @param stride floats from one row to the next
/// @param info may be NULL
tnsResult tnsWriteField(
	const char* path, const float* values, int columnCount, int rowCount, int stride, const tnsFieldInfo* info);

/// Write an 8-bit RGB PNG. Rows from the top, 3 bytes per pixel, no gaps.
tnsResult tnsWritePicture(const char* path, const uint8_t* pixels, int width, int height);
