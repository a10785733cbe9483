// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"

// A camera that turns around a point of the ground, or flies. Both are one pose; they differ in what a turn keeps in
// place, the point or the eye. The user moves a goal, and what is shown follows it smoothly.

typedef struct tnpPose
{
	// The point that is looked at.
	tnVec3 target;
	// From the target to the eye: meters, radians. Yaw 0 looks north, from +z; pitch is above the horizon.
	float distance, yaw, pitch;
} tnpPose;

typedef struct tnpCamera
{
	tnpPose goal, shown;
	bool flying;
	float fieldOfView;
	// Larger side of the world, meters.
	float extent;
	// Nobody has moved it since it showed the whole world, in a window of this ratio of width to height.
	bool untouched;
	float aspect;
} tnpCamera;

// What a camera has to know of the world that it looks at.
typedef struct tnpStage
{
	// Columns: the camera stays above them. NULL for voxels, through which it may go as it likes.
	const tnWorld* world;
	// Corners, and the side of a cell or voxel, m. The heights of columns are not asked for.
	tnVec3 low, high;
	float cellSize;
	// All of it has to be seen in narrow windows, too: goals may be anywhere.
	bool whole;
	// Shows all of it in a wide window. That of columns is found when it is needed.
	tnrCamera overview;
	// The scene has a view of its own, which comes first.
	bool hasView;
	tnrCamera view;
} tnpStage;

tnpStage tnpMakeStage(const tnWorld* world);

tnVec3 tnpPose_GetEye(const tnpPose* pose);
// The pose that sees what a camera sees.
tnpPose tnpMakePose(const tnrCamera* camera);

// Show the view of the scene, or a whole world. @param aspect width of the window over its height, 0 if not known yet
void tnpCamera_Frame(tnpCamera* camera, const tnpStage* stage, float aspect);
// The window has another shape: show the whole world again, if that is what it shows.
void tnpCamera_Fit(tnpCamera* camera, const tnpStage* stage, float aspect);

// Turn around the target, or around the eye when flying. Radians.
void tnpCamera_Turn(tnpCamera* camera, float yaw, float pitch);
// Move over the ground, or across the picture of voxels, by pixels of a window: what is grabbed stays under the cursor,
// about.
void tnpCamera_Pan(tnpCamera* camera, const tnpStage* stage, float dx, float dy, float windowHeight);
// Scale distances to a point; it stays where it is in the picture. Factor below 1 comes nearer.
void tnpCamera_Zoom(tnpCamera* camera, const tnpStage* stage, tnVec3 point, float factor);
// Move along the view: meters forward, to the right, up.
void tnpCamera_Move(tnpCamera* camera, const tnpStage* stage, float forward, float right, float up);

// Follow the goal, and stay above the ground of columns.
void tnpCamera_Advance(tnpCamera* camera, const tnpStage* stage, float seconds);
tnrCamera tnpCamera_Get(const tnpCamera* camera, const tnpStage* stage);

// Where a point of the world is in a picture. @return false if it is behind the eye
bool tnpProject(const tnrCamera* camera, float width, float height, tnVec3 point, float* x, float* y);
