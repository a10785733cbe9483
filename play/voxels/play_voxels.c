// SPDX-License-Identifier: MIT

// Scenes of voxels in the viewer: what is different from columns of water.

#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

tnrResult tnpStartVoxels(tnpPlay* play, const char* path)
{
	tnsResult loaded;
	tnpVoxelPlay* voxels = tnpOpenVoxels(path, play->workerCount, play->memoryLimit, &loaded);
	if (voxels == NULL)
	{
		return tnpMakeError("%s", loaded.text);
	}
	if (play->loading != NULL)
	{
		loaded = tnsVoxelRun_Restore(voxels->run, play->loading->bytes, play->loading->size);
		voxels->world = tnsVoxelRun_GetWorld(voxels->run);
		if (loaded.status != tns_ok)
		{
			tnpCloseVoxels(voxels);
			return tnpMakeError("%s", loaded.text);
		}
	}
	tnsLevel* level = tnsCreateLevel(tnsVoxelRun_GetBodies(voxels->run), &loaded);
	if (loaded.status != tns_ok)
	{
		tnpCloseVoxels(voxels);
		return tnpMakeError("%s", loaded.text);
	}
	if (play->renderer != NULL)
	{
		const tnrResult shown = tnpVoxels_Show(voxels, play->renderer);
		if (shown.ok == false)
		{
			tnsDestroyLevel(level);
			tnpCloseVoxels(voxels);
			(void)tnpShowScene(play);
			return shown;
		}
	}
	tnpLeaveScene(play, NULL, NULL);
	play->voxels = voxels;
	play->level = level;
	play->timeStep = tnpVoxels_GetTimeStep(voxels);
	// Views and arrows are of columns.
	play->look.view = tnr_waterView;
	play->look.arrows = false;
	return (tnrResult){.ok = true};
}

tnrResult tnpRestartVoxels(tnpPlay* play)
{
	tnpVoxelPlay* voxels = play->voxels;
	// The level and the hand are of the run that goes.
	tnpLeaveScene(play, NULL, voxels);
	play->voxels = voxels;
	tnsResult restarted = tnpVoxels_Restart(voxels);
	if (restarted.status == tns_ok)
	{
		play->level = tnsCreateLevel(tnsVoxelRun_GetBodies(voxels->run), &restarted);
	}
	if (restarted.status != tns_ok)
	{
		return tnpMakeError("%s", restarted.text);
	}
	return tnpShowScene(play);
}

// ---------------------------------------------------------------------------------------------------------------------
// The cursor and strokes

// On the plane in which the stroke began: ground that grows would run towards the eye.
static tnpVoxelHit tnpPickPlane(const tnpVoxelHit* start, tnVec3 origin, tnVec3 direction)
{
	const tnVec3 n = start->normal;
	const float down =
		n.x * (start->point.x - origin.x) + n.y * (start->point.y - origin.y) + n.z * (start->point.z - origin.z);
	const float slope = n.x * direction.x + n.y * direction.y + n.z * direction.z;
	tnpVoxelHit hit = *start;
	const float distance = down / slope;
	hit.hit = slope < -0.02f && distance > 0.0f;
	hit.point = (tnVec3){
		origin.x + distance * direction.x, origin.y + distance * direction.y, origin.z + distance * direction.z};
	return hit;
}

static float tnpGetDistance(tnVec3 a, tnVec3 b)
{
	return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// Where the hand of the stroke in progress goes. What it pours counts for nothing, or the hand would climb up its own
// stream: it stays on the ground, and on the level that the liquid had where it began.
static tnpVoxelHit tnpMoveVoxelHand(const tnpPlay* play, tnVec3 origin, tnVec3 direction)
{
	const tnpVoxelPlay* voxels = play->voxels;
	const tnpVoxelStroke* stroke = &voxels->stroke;
	if (stroke->tool == tnp_buildTool)
	{
		return tnpPickPlane(&stroke->start, origin, direction);
	}
	const tnpVoxelHit ground = tnpVoxels_Pick(voxels, origin, direction, stroke->tool == tnp_drainTool);
	if (stroke->tool == tnp_digTool || stroke->tool == tnp_drainTool || stroke->start.liquid == false)
	{
		return ground;
	}
	const tnpVoxelHit level = tnpPickPlane(&stroke->start, origin, direction);
	const bool isNearer = level.hit &&
		(ground.hit == false || tnpGetDistance(level.point, origin) < tnpGetDistance(ground.point, origin));
	return isNearer ? level : ground;
}

static bool tnpIsInStage(const tnpStage* stage, tnVec3 point)
{
	const float rim = stage->cellSize;
	return point.x >= stage->low.x - rim && point.y >= stage->low.y - rim && point.z >= stage->low.z - rim &&
		point.x <= stage->high.x + rim && point.y <= stage->high.y + rim && point.z <= stage->high.z + rim;
}

void tnpUpdateVoxelCursor(tnpPlay* play)
{
	tnpVoxelPlay* voxels = play->voxels;
	tnVec3 origin, direction;
	tnpGetCursorRay(play, &origin, &direction);
	tnpVoxelHit hit = play->stroking ? tnpMoveVoxelHand(play, origin, direction)
									 : tnpVoxels_Pick(voxels, origin, direction, tnpIsGroundTool(play->tool) == false);
	const tnpStage stage = tnpGetStage(play);
	hit.hit = hit.hit && tnpIsInStage(&stage, hit.point);
	if (hit.hit == false && play->stroking)
	{
		// Over the edge of the world: the stroke waits where it was.
		return;
	}
	voxels->cursor = hit;
	voxels->stroke.along = direction;
	play->cursor = (tnRayHit){.hit = hit.hit, .point = hit.point, .water = hit.liquid};
}

void tnpBeginVoxelStroke(tnpPlay* play)
{
	tnpVoxelStroke* stroke = &play->voxels->stroke;
	const tnVec3 along = stroke->along;
	tnpPlay_Remember(play);
	*stroke = (tnpVoxelStroke){
		.tool = play->tool, .start = play->voxels->cursor, .hand = play->voxels->cursor, .along = along};
	tnpNotePlace(play, tnp_voxelBeginInput, (int)play->tool, (tnVec3){0.0f, 0.0f, 0.0f}, false);
	play->stroke.tool = play->tool;
	play->stroking = true;
	play->strokePending = true;
}

tnResult tnpApplyVoxelTool(tnpPlay* play)
{
	tnpVoxelStroke* stroke = &play->voxels->stroke;
	stroke->hand = play->voxels->cursor;
	stroke->radius = play->values[tnp_brushRadius];
	stroke->strength = play->values[tnp_brushStrength];
	tnpInput input = {.kind = tnp_voxelInput};
	input.with.voxel.hand = stroke->hand;
	input.with.voxel.along = stroke->along;
	tnpNoteInput(play, &input);
	return tnpApplyVoxelLevelStroke(play->level, play->voxels, stroke);
}

// ---------------------------------------------------------------------------------------------------------------------
// Read-outs

void tnpFillVoxelStatus(const tnpPlay* play, tnpStatus* status)
{
	const tnpVoxelPlay* voxels = play->voxels;
	const tnVoxelStats stats = tnVoxelWorld_GetStats(voxels->world);
	status->liquidCount = voxels->info->worldDef.liquidCount;
	for (int i = 0; i < status->liquidCount; ++i)
	{
		status->liquidVolumes[i] = tnpVoxels_GetVolume(voxels, i + 1);
	}
	status->awakeChunkCount = stats.awakeChunkCount;
	status->bodyCount = tnVoxelWorld_GetBodies(voxels->world, NULL, 0);
	status->componentCount = stats.componentCount;
	status->atRest = tnsVoxelRun_IsAtRest(voxels->run);
}

void tnpShowVoxelFacts(tnpPlay* play)
{
	const tnpVoxelPlay* voxels = play->voxels;
	const tnVoxel size = voxels->info->size;
	tnpStatus status = {0};
	tnpFillVoxelStatus(play, &status);
	char text[64];
	for (int i = 0; i < status.liquidCount; ++i)
	{
		snprintf(text, sizeof(text), "%.20s %.6g m3", voxels->info->liquids[i].name, status.liquidVolumes[i]);
		tnpPanel_Label(&play->panel, text, g_tnpDimColor);
	}
	snprintf(text, sizeof(text), "%d x %d x %d voxels", size.x, size.y, size.z);
	tnpPanel_Label(&play->panel, text, g_tnpDimColor);
	snprintf(text, sizeof(text), "%.0f steps a second", (double)(play->meter.speed / play->timeStep));
	tnpPanel_Label(&play->panel, text, g_tnpDimColor);
	snprintf(text, sizeof(text), status.atRest ? "at rest" : "%d chunks move, %d pools", status.awakeChunkCount,
		status.componentCount);
	tnpPanel_Label(&play->panel, text, g_tnpDimColor);
}

// Three rings of the ball, of which that around the upright is the clearest.
void tnpShowVoxelMarker(tnpPlay* play)
{
	const bool busy = play->drag == tnp_turnDrag || play->drag == tnp_panDrag || play->drag == tnp_panelDrag;
	if (play->voxels == NULL || play->tool == tnp_lookTool || tnpIsBodyTool(play->tool) || play->cursor.hit == false ||
		busy || (play->touch && play->stroking == false) || tnpIsDrawing(play) == false)
	{
		return;
	}
	const tnVec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
	const tnrColor water = 0x59ccff00, ground = 0xffbf5900, lava = 0xff5a2800;
	const tnrColor color = tnpIsGroundTool(play->tool) ? ground : play->tool == tnp_lavaTool ? lava : water;
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const float radius = play->values[tnp_brushRadius];
	const tnVec3 center = play->cursor.point;
	tnpDrawRing(play, &camera, center, x, z, radius, color | 0xe0u);
	tnpDrawRing(play, &camera, center, x, y, radius, color | 0x60u);
	tnpDrawRing(play, &camera, center, y, z, radius, color | 0x60u);
}
