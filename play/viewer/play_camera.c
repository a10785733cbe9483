// SPDX-License-Identifier: MIT

// A camera that turns around a point of the ground, or flies, and follows its goal smoothly.

#include "viewer/play_camera.h"

#include <math.h>

// Nearly from above, where north is still up; and low enough to look up into mountains when flying.
static const float s_maxPitch = 1.54f;
static const float s_minOrbitPitch = 0.03f;
static const float s_minFlyPitch = -1.2f;
// How fast the picture follows the mouse: it covers two thirds of the way in this time, seconds.
static const float s_followTime = 0.06f;

// Width over height of a window from which the overview shows the whole world; and from how high it is seen in narrower
// ones if all of it counts.
static const float s_wideAspect = 1.6f;
static const float s_steepPitch = 0.95f;
// Most that one event can turn, radians: half a turn.
static const float s_maxTurn = 3.14159265f;

static float tnpClampNumber(float value, float low, float high)
{
	return value < low ? low : value > high ? high : value;
}

static tnVec3 tnpMix(tnVec3 a, tnVec3 b, float share)
{
	return (tnVec3){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
}

tnpStage tnpMakeStage(const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	tnpStage stage = {.world = world, .cellSize = def.cellSize};
	stage.low = (tnVec3){def.origin.x, 0.0f, def.origin.z};
	stage.high = (tnVec3){
		def.origin.x + (float)def.columnCount * def.cellSize, 0.0f, def.origin.z + (float)def.rowCount * def.cellSize};
	return stage;
}

// From the target to the eye.
static tnVec3 tnpGetBack(const tnpPose* pose)
{
	const float flat = cosf(pose->pitch);
	return (tnVec3){flat * sinf(pose->yaw), sinf(pose->pitch), flat * cosf(pose->yaw)};
}

tnVec3 tnpPose_GetEye(const tnpPose* pose)
{
	const tnVec3 back = tnpGetBack(pose);
	return (tnVec3){pose->target.x + pose->distance * back.x, pose->target.y + pose->distance * back.y,
		pose->target.z + pose->distance * back.z};
}

static void tnpSetEye(tnpPose* pose, tnVec3 eye)
{
	const tnVec3 back = tnpGetBack(pose);
	pose->target =
		(tnVec3){eye.x - pose->distance * back.x, eye.y - pose->distance * back.y, eye.z - pose->distance * back.z};
}

tnpPose tnpMakePose(const tnrCamera* camera)
{
	const tnVec3 back = {
		camera->eye.x - camera->target.x, camera->eye.y - camera->target.y, camera->eye.z - camera->target.z};
	const float distance = sqrtf(back.x * back.x + back.y * back.y + back.z * back.z);
	tnpPose pose = {.target = camera->target, .distance = distance > 1.0e-3f ? distance : 1.0e-3f};
	pose.pitch = asinf(tnpClampNumber(back.y / pose.distance, -1.0f, 1.0f));
	pose.yaw = atan2f(back.x, back.z);
	return pose;
}

// The nearest and the farthest an eye may be from its target.
static float tnpGetMinDistance(const tnpStage* stage)
{
	return 3.0f * stage->cellSize;
}

static float tnpGetMaxDistance(const tnpCamera* camera)
{
	return 3.0f * camera->extent;
}

void tnpCamera_Frame(tnpCamera* camera, const tnpStage* stage, float aspect)
{
	const tnrCamera whole = stage->world != NULL ? tnrGetOverview(stage->world) : stage->overview;
	const tnrCamera overview = stage->hasView ? stage->view : whole;
	camera->extent = fmaxf(stage->high.x - stage->low.x, stage->high.z - stage->low.z);
	camera->fieldOfView = overview.fieldOfView;
	camera->flying = false;
	camera->goal = tnpMakePose(&overview);
	camera->goal.pitch = tnpClampNumber(camera->goal.pitch, s_minOrbitPitch, s_maxPitch);
	// The overview suits wide windows. A phone held upright sees it from farther away, but not so far that half of the
	// picture is sky.
	if (aspect > 0.0f && aspect < s_wideAspect)
	{
		camera->goal.distance *= powf(s_wideAspect / aspect, stage->whole ? 0.9f : 0.75f);
		// From higher up there is less sky.
		camera->goal.pitch = stage->whole ? fmaxf(camera->goal.pitch, s_steepPitch) : camera->goal.pitch;
	}
	camera->shown = camera->goal;
	camera->untouched = true;
	camera->aspect = aspect;
}

void tnpCamera_Fit(tnpCamera* camera, const tnpStage* stage, float aspect)
{
	if (camera->untouched && aspect != camera->aspect)
	{
		tnpCamera_Frame(camera, stage, aspect);
	}
}

void tnpCamera_Turn(tnpCamera* camera, float yaw, float pitch)
{
	if (!isfinite(yaw) || !isfinite(pitch))
	{
		return;
	}
	camera->untouched = camera->untouched && yaw == 0.0f && pitch == 0.0f;
	yaw = tnpClampNumber(yaw, -s_maxTurn, s_maxTurn);
	pitch = tnpClampNumber(pitch, -s_maxTurn, s_maxTurn);
	const tnVec3 eye = tnpPose_GetEye(&camera->goal);
	const float lowest = camera->flying ? s_minFlyPitch : s_minOrbitPitch;
	camera->goal.yaw += yaw;
	camera->goal.pitch = tnpClampNumber(camera->goal.pitch + pitch, lowest, s_maxPitch);
	if (camera->flying)
	{
		tnpSetEye(&camera->goal, eye);
	}
	// Keep the angle small, without a turn the long way round: both poses jump together.
	const float turn = 6.28318531f;
	const float whole = turn * floorf(camera->goal.yaw / turn + 0.5f);
	camera->goal.yaw -= whole;
	camera->shown.yaw -= whole;
}

// Keep the target over the world, with a rim.
static void tnpKeepInside(tnpCamera* camera, const tnpStage* stage, tnVec3* place, float rim)
{
	const float margin = rim * camera->extent;
	place->x = tnpClampNumber(place->x, stage->low.x - margin, stage->high.x + margin);
	place->z = tnpClampNumber(place->z, stage->low.z - margin, stage->high.z + margin);
	if (stage->world == NULL)
	{
		place->y = tnpClampNumber(place->y, stage->low.y - margin, stage->high.y + margin);
	}
}

// The target of an orbit lies on the water or the ground.
static void tnpLandTarget(tnpCamera* camera, const tnpStage* stage)
{
	tnVec3* target = &camera->goal.target;
	if (camera->flying == false && stage->world != NULL)
	{
		target->y = tnWorld_Sample(stage->world, (tnVec2){target->x, target->z}).surface;
	}
}

void tnpCamera_Pan(tnpCamera* camera, const tnpStage* stage, float dx, float dy, float windowHeight)
{
	if (!isfinite(dx) || !isfinite(dy) || !(windowHeight > 0.0f))
	{
		return;
	}
	camera->untouched = false;
	// Nobody drags farther than over the window.
	dx = tnpClampNumber(dx, -2.0f * windowHeight, 2.0f * windowHeight);
	dy = tnpClampNumber(dy, -2.0f * windowHeight, 2.0f * windowHeight);
	tnpPose* goal = &camera->goal;
	const float perPixel = 2.0f * goal->distance * tanf(0.5f * camera->fieldOfView) / windowHeight;
	// Along the view the ground is foreshortened, without end at the horizon.
	const float steep = tnpClampNumber(sinf(goal->pitch), 0.3f, 1.0f);
	const float right = -dx * perPixel;
	// Voxels are often seen as a cut, which stands upright: there the target moves in the plane of the picture.
	const bool upright = stage->world == NULL;
	const float forward = upright ? dy * perPixel * sinf(goal->pitch) : dy * perPixel / steep;
	goal->target.x += right * cosf(goal->yaw) - forward * sinf(goal->yaw);
	goal->target.y += upright ? dy * perPixel * cosf(goal->pitch) : 0.0f;
	goal->target.z -= right * sinf(goal->yaw) + forward * cosf(goal->yaw);
	tnpKeepInside(camera, stage, &goal->target, 0.1f);
	tnpLandTarget(camera, stage);
}

void tnpCamera_Zoom(tnpCamera* camera, const tnpStage* stage, tnVec3 point, float factor)
{
	if (!(factor > 0.0f) || !isfinite(factor) || !isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
	{
		return;
	}
	camera->untouched = false;
	tnpPose* goal = &camera->goal;
	const float distance = tnpClampNumber(goal->distance * factor, tnpGetMinDistance(stage), tnpGetMaxDistance(camera));
	const float share = distance / goal->distance;
	goal->target = tnpMix(point, goal->target, share);
	goal->distance = distance;
	tnpKeepInside(camera, stage, &goal->target, 0.1f);
}

void tnpCamera_Move(tnpCamera* camera, const tnpStage* stage, float forward, float right, float up)
{
	if (!isfinite(forward) || !isfinite(right) || !isfinite(up))
	{
		return;
	}
	camera->untouched = false;
	tnpPose* goal = &camera->goal;
	const tnVec3 back = tnpGetBack(goal);
	if (camera->flying)
	{
		tnVec3 eye = tnpPose_GetEye(goal);
		eye.x += right * cosf(goal->yaw) - forward * back.x;
		eye.y += up - forward * back.y;
		eye.z -= right * sinf(goal->yaw) + forward * back.z;
		tnpKeepInside(camera, stage, &eye, 1.0f);
		eye.y = eye.y < 3.0f * camera->extent ? eye.y : 3.0f * camera->extent;
		tnpSetEye(goal, eye);
		return;
	}
	goal->target.x += right * cosf(goal->yaw) - forward * sinf(goal->yaw);
	goal->target.z -= right * sinf(goal->yaw) + forward * cosf(goal->yaw);
	tnpKeepInside(camera, stage, &goal->target, 0.1f);
	tnpLandTarget(camera, stage);
	goal->distance = tnpClampNumber(goal->distance + up, tnpGetMinDistance(stage), tnpGetMaxDistance(camera));
}

// The lowest an eye may be at a place: so high above ground and water that the near plane does not cut them. Among
// voxels there is no such height.
// @param dives it may be in the water
static float tnpGetFloor(const tnpStage* stage, tnVec3 eye, bool dives)
{
	if (stage->world == NULL)
	{
		return -TN_MAX_LENGTH;
	}
	const tnSample sample = tnWorld_Sample(stage->world, (tnVec2){eye.x, eye.z});
	const float ground = sample.surface > sample.bed && dives == false ? sample.surface : sample.bed;
	return ground + 1.5f * stage->cellSize;
}

void tnpCamera_Advance(tnpCamera* camera, const tnpStage* stage, float seconds)
{
	if (camera->flying)
	{
		tnVec3 eye = tnpPose_GetEye(&camera->goal);
		const float lowest = tnpGetFloor(stage, eye, camera->flying);
		eye.y = eye.y > lowest ? eye.y : lowest;
		tnpSetEye(&camera->goal, eye);
	}
	const float share = seconds > 0.0f ? 1.0f - expf(-seconds / s_followTime) : 0.0f;
	const tnVec3 oldEye = tnpPose_GetEye(&camera->shown);
	tnpPose* shown = &camera->shown;
	shown->target = tnpMix(shown->target, camera->goal.target, share);
	shown->distance += share * (camera->goal.distance - shown->distance);
	shown->yaw += share * (camera->goal.yaw - shown->yaw);
	shown->pitch += share * (camera->goal.pitch - shown->pitch);
	if (camera->flying)
	{
		tnpSetEye(shown, tnpMix(oldEye, tnpPose_GetEye(&camera->goal), share));
	}
}

tnrCamera tnpCamera_Get(const tnpCamera* camera, const tnpStage* stage)
{
	tnrCamera result = {0};
	result.eye = tnpPose_GetEye(&camera->shown);
	result.target = camera->shown.target;
	result.fieldOfView = camera->fieldOfView;
	const float lowest = tnpGetFloor(stage, result.eye, camera->flying);
	const float lift = lowest > result.eye.y ? lowest - result.eye.y : 0.0f;
	result.eye.y += lift;
	result.target.y += camera->flying ? lift : 0.0f;
	return result;
}

bool tnpProject(const tnrCamera* camera, float width, float height, tnVec3 point, float* x, float* y)
{
	const tnpPose pose = tnpMakePose(camera);
	const tnVec3 back = tnpGetBack(&pose);
	const tnVec3 right = {cosf(pose.yaw), 0.0f, -sinf(pose.yaw)};
	const tnVec3 up = {
		back.y * right.z - back.z * right.y, back.z * right.x - back.x * right.z, back.x * right.y - back.y * right.x};
	const tnVec3 to = {point.x - camera->eye.x, point.y - camera->eye.y, point.z - camera->eye.z};
	const float ahead = -(to.x * back.x + to.y * back.y + to.z * back.z);
	if (!(ahead > 1.0e-4f) || !(height > 0.0f))
	{
		return false;
	}
	// Pixels per unit of the picture plane at distance 1.
	const float focal = 0.5f * height / tanf(0.5f * camera->fieldOfView);
	*x = 0.5f * width + focal * (to.x * right.x + to.y * right.y + to.z * right.z) / ahead;
	*y = 0.5f * height - focal * (to.x * up.x + to.y * up.y + to.z * up.z) / ahead;
	return true;
}
