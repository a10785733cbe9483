// SPDX-License-Identifier: MIT

// What the player of a level may do, and what is left of it.

#include "bodies/scene_water.h"
#include "levels/level_state.h"
#include "world/scene_run.h"

#include <math.h>
#include <string.h>

// The avatar on land comes to its speed, or to rest, within this share of it: no skidding, and no shaking.
#define TNS_DRIVE_SHARE 0.25f

int tnsLevel_FindTool(const tnsLevel* level, const char* name)
{
	for (int i = 0; name != NULL && i < level->info->toolCount; ++i)
	{
		if (strcmp(level->info->tools[i].name, name) == 0)
		{
			return i;
		}
	}
	return -1;
}

double tnsLevel_GetLeft(const tnsLevel* level, int tool)
{
	return tool >= 0 && tool < level->info->toolCount ? level->left[tool] : 0.0;
}

void tnsLevel_Charge(tnsLevel* level, int tool, double amount)
{
	if (tool >= 0 && tool < level->info->toolCount && isfinite(amount))
	{
		level->left[tool] = fmin(fmax(0.0, level->left[tool] - amount), level->info->tools[tool].budget);
	}
}

// How far a place is from a region, meters; 0 inside.
static double tnsGetDistance(const tnRegionDef* region, tnVec2 place)
{
	const double dx = fabs((double)place.x - (double)region->center.x);
	const double dz = fabs((double)place.z - (double)region->center.z);
	const double ex = (double)region->extent.x, ez = (double)region->extent.z;
	if (region->shape == tn_discRegion)
	{
		return fmax(0.0, sqrt(dx * dx + dz * dz) - ex);
	}
	const double x = fmax(0.0, dx - ex), z = fmax(0.0, dz - ez);
	return sqrt(x * x + z * z);
}

static bool tnsMovesEarth(const char* name)
{
	return strcmp(name, "raise") == 0 || strcmp(name, "lower") == 0 || strcmp(name, "flatten") == 0 ||
		strcmp(name, "build") == 0 || strcmp(name, "dig") == 0;
}

tnsResult tnsLevel_MayUse(const tnsLevel* level, const char* name, tnVec2 place, float reach)
{
	const tnsScene* scene = tnsRun_GetScene(level->run);
	const tnsLevelInfo* info = level->info;
	const int tool = tnsLevel_FindTool(level, name);
	if (tool < 0)
	{
		return tnsMakeError(tns_invalidArgument, "No %.32s in this level", name != NULL ? name : "such tool");
	}
	if (level->state != tns_levelPlaying)
	{
		return tnsMakeError(tns_invalidArgument, "The level is %s", tnsGetLevelStateName(level->state));
	}
	if (!(level->left[tool] > 0.0))
	{
		return tnsMakeError(tns_invalidArgument, "Nothing is left of %s", name);
	}
	const int home = info->tools[tool].region;
	const tnRegionDef area = tnsScene_GetRegionDef(scene, home);
	if (home >= 0 && tnsIsInRegion(&area, (double)place.x, (double)place.z) == false)
	{
		return tnsMakeError(tns_invalidArgument, "Only at: %s", tnsScene_GetRegionName(scene, home));
	}
	for (int i = 0; tnsMovesEarth(name) && i < info->goalCount; ++i)
	{
		const tnRegionDef house = tnsScene_GetRegionDef(scene, info->goals[i].region);
		if (info->goals[i].mark == tns_houseMark && tnsGetDistance(&house, place) < (double)reach)
		{
			return tnsMakeError(tns_invalidArgument, "Too near to a house");
		}
	}
	return (tnsResult){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

bool tnsLevel_MayTouch(const tnsLevel* level, int body)
{
	const tnsLevelInfo* info = level->info;
	bool free = info->avatar.given == false || body != info->avatar.body;
	for (int i = 0; i < info->goalCount; ++i)
	{
		free = free && (body < info->goals[i].bodyBegin || body >= info->goals[i].bodyEnd);
	}
	return free;
}

// How high the water or the ground is at a place; voxels have more than one height.
static float tnsGetSurface(const tnsLevel* level, tnVec3 position)
{
	return tnsLevel_IsVoxels(level)
		? position.y
		: tnWorld_Sample(tnsRun_GetWorld(level->run), (tnVec2){position.x, position.z}).surface;
}

bool tnsLevel_IsTaken(const tnsLevel* level, int place)
{
	const int tool = tnsLevel_FindTool(level, "stack");
	const tnsLevelTool* stack = tool >= 0 ? level->info->tools + tool : NULL;
	const int first = tnsScene_GetInfo(tnsRun_GetScene(level->run))->bodyCount;
	bool taken = stack == NULL || place < 0 || place >= stack->placeCount;
	for (int i = first; taken == false && i < tnsRun_GetBodyEnd(level->run); ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(level->run, i, &body))
		{
			const float x = body.pose.position.x - stack->places[place].x;
			const float z = body.pose.position.z - stack->places[place].z;
			// Another one would stand on it, or push it away.
			taken = sqrtf(x * x + z * z) < 0.6f * stack->size;
		}
	}
	return taken;
}

tnVec3 tnsLevel_Snap(const tnsLevel* level, tnVec3 position, int* index)
{
	const int tool = tnsLevel_FindTool(level, "stack");
	float nearest = tool >= 0 ? level->info->tools[tool].size : 0.0f;
	int best = -1;
	for (int i = 0; tool >= 0 && i < level->info->tools[tool].placeCount; ++i)
	{
		const tnVec2 place = level->info->tools[tool].places[i];
		const float x = position.x - place.x, z = position.z - place.z;
		const float distance = sqrtf(x * x + z * z);
		if (distance < nearest && tnsLevel_IsTaken(level, i) == false)
		{
			nearest = distance;
			best = i;
		}
	}
	if (index != NULL)
	{
		*index = best;
	}
	if (best >= 0)
	{
		position.x = level->info->tools[tool].places[best].x;
		position.z = level->info->tools[tool].places[best].z;
		position.y = tnsGetSurface(level, position);
	}
	return position;
}

tnsResult tnsLevel_Stack(tnsLevel* level, tnVec3 position, int* index)
{
	if (index != NULL)
	{
		*index = -1;
	}
	tnsResult result = tnsLevel_MayUse(level, "stack", (tnVec2){position.x, position.z}, 0.0f);
	if (result.status != tns_ok)
	{
		return result;
	}
	const int tool = tnsLevel_FindTool(level, "stack");
	const tnsLevelTool* stack = level->info->tools + tool;
	const tnVec3 place = tnsLevel_Snap(level, position, NULL);
	result = tnsRun_AddBody(level->run, stack->kind, place, stack->size, index);
	tnsLevel_Charge(level, tool, result.status == tns_ok ? 1.0 : 0.0);
	return result;
}

tnsResult tnsLevel_TakeBack(tnsLevel* level, int body)
{
	const int tool = tnsLevel_FindTool(level, "stack");
	const tnsSceneInfo* scene = tnsScene_GetInfo(tnsRun_GetScene(level->run));
	if (tool < 0 || body < scene->bodyCount || level->state != tns_levelPlaying)
	{
		return tnsMakeError(tns_invalidArgument, "Body %d is not one of yours", body);
	}
	const tnsResult result = tnsRun_RemoveBody(level->run, body);
	tnsLevel_Charge(level, tool, result.status == tns_ok ? -1.0 : 0.0);
	return result;
}

tnsResult tnsLevel_Cut(tnsLevel* level, int index)
{
	tnsBody body;
	if (tnsRun_GetBody(level->run, index, &body) == false)
	{
		return tnsMakeError(tns_invalidArgument, "there is no body %d", index);
	}
	tnsResult result = tnsLevel_MayUse(level, "cut", (tnVec2){body.pose.position.x, body.pose.position.z}, 0.0f);
	if (result.status == tns_ok)
	{
		result = tnsRun_CutLoose(level->run, index);
		// Nothing is paid for cutting what nothing holds.
		tnsLevel_Charge(level, tnsLevel_FindTool(level, "cut"), result.status == tns_ok && body.tied ? 1.0 : 0.0);
	}
	return result;
}

tnsResult tnsLevel_Drive(tnsLevel* level, tnVec2 drive)
{
	const tnsLevelAvatar* avatar = &level->info->avatar;
	tnsBody body;
	if (avatar->given == false)
	{
		return tnsMakeError(tns_invalidArgument, "this level has no avatar");
	}
	if (!isfinite(drive.x) || !isfinite(drive.z))
	{
		return tnsMakeError(tns_invalidArgument, "the drive of the avatar must be finite");
	}
	if (level->state != tns_levelPlaying || tnsRun_GetBody(level->run, avatar->body, &body) == false)
	{
		return (tnsResult){0};
	}
	const float length = sqrtf(drive.x * drive.x + drive.z * drive.z);
	const tnVec3 place = body.pose.position;
	const bool swims = tnsLevel_IsVoxels(level)
		? tnsWater_IsWet(&level->run->water, (tnVec3){place.x, place.y - 0.1f * avatar->speed, place.z})
		: tnWorld_Sample(tnsRun_GetWorld(level->run), (tnVec2){place.x, place.z}).wet;
	const float most = body.mass * avatar->acceleration, range = TNS_DRIVE_SHARE * avatar->speed;
	const float cut = length > 1.0f ? 1.0f / length : 1.0f;
	tnVec2 wanted = {drive.x * cut * avatar->speed - body.velocity.x, drive.z * cut * avatar->speed - body.velocity.z};
	if (swims)
	{
		// Whoever swims is carried along: only what is missing along the drive.
		const float x = length > 0.0f ? drive.x / length : 0.0f, z = length > 0.0f ? drive.z / length : 0.0f;
		const float along = fmaxf(0.0f, wanted.x * x + wanted.z * z);
		wanted = (tnVec2){along * x, along * z};
	}
	const float speed = sqrtf(wanted.x * wanted.x + wanted.z * wanted.z);
	const float force = most / fmaxf(range, speed);
	return tnsRun_PushBody(level->run, avatar->body, (tnVec3){wanted.x * force, 0.0f, wanted.z * force});
}

// ---------------------------------------------------------------------------------------------------------------------
// The hose

// The flatter of the two throws at a speed that hit a place, without drag: tan a = (v^2 - sqrt(v^4 - g (g d^2 + 2 h v^2)))
// / (g d). What is out of reach gets the throw that goes farthest at its height: tan a = v / sqrt(v^2 - 2 g h).
static tnVec3 tnsAim(tnVec3 from, tnVec3 to, float speed, float gravity)
{
	const double x = (double)to.x - (double)from.x, z = (double)to.z - (double)from.z;
	const double h = (double)to.y - (double)from.y, g = (double)gravity, v2 = (double)speed * (double)speed;
	const double d = sqrt(x * x + z * z);
	// Straight up or down there is no way along the ground.
	if (!(d > 1.0e-3))
	{
		return (tnVec3){0.0f, h < 0.0 ? -speed : speed, 0.0f};
	}
	const double inside = v2 * v2 - g * (g * d * d + 2.0 * h * v2);
	// Without gravity it flies straight; higher than it can go it goes nearly straight up.
	const double steepest = 10.0, spare = v2 - 2.0 * g * h;
	const double farthest = spare > v2 / (steepest * steepest) ? sqrt(v2 / spare) : steepest;
	const double tangent = !(g > 0.0) ? h / d : inside >= 0.0 ? (v2 - sqrt(inside)) / (g * d) : farthest;
	const double flat = (double)speed / sqrt(1.0 + tangent * tangent);
	return (tnVec3){(float)(flat * x / d), (float)(flat * tangent), (float)(flat * z / d)};
}

static tnResult tnsSetHose(tnsLevel* level, const tnVec3* target)
{
	const tnsLevelHose* hose = &level->info->hose;
	tnWorld* world = tnsRun_GetWorld(level->run);
	tnJetDef def = tnDefaultJetDef();
	def.position = hose->position;
	def.spread = hose->spread;
	def.rate = target != NULL ? hose->rate : 0.0f;
	if (target != NULL)
	{
		def.velocity = tnsAim(hose->position, *target, hose->speed, tnWorld_GetDef(world).gravity);
	}
	level->hoseOpen = target != NULL;
	return tnWorld_SetJet(world, level->jet, &def);
}

tnsResult tnsLevel_AimHose(tnsLevel* level, const tnVec3* target)
{
	if (level->info->hose.given == false)
	{
		return tnsMakeError(tns_invalidArgument, "this level has no hose");
	}
	if (target != NULL && (!isfinite(target->x) || !isfinite(target->y) || !isfinite(target->z)))
	{
		return tnsMakeError(tns_invalidArgument, "the target of the hose must be finite");
	}
	tnsResult may = {0};
	if (target != NULL)
	{
		may = tnsLevel_MayUse(level, "hose", (tnVec2){target->x, target->z}, 0.0f);
	}
	if (may.status == tns_ok)
	{
		const tnResult result = tnsSetHose(level, target);
		return result.status == tn_ok ? may : tnsMakeError(tns_worldError, "%s", result.text);
	}
	(void)tnsSetHose(level, NULL);
	return may;
}

void tnsLevel_PayHose(tnsLevel* level)
{
	const int tool = tnsLevel_FindTool(level, "hose");
	if (level->hoseOpen && tool >= 0)
	{
		const double step = (double)tnsScene_GetInfo(tnsRun_GetScene(level->run))->timeStep;
		const double amount = (double)level->info->hose.rate * step;
		tnsLevel_Charge(level, tool, amount);
		// Less than half a step is rounding, and not another step.
		tnsLevel_Charge(level, tool, level->left[tool] < 0.5 * amount ? level->left[tool] : 0.0);
		if (!(level->left[tool] > 0.0) || level->state != tns_levelPlaying)
		{
			(void)tnsSetHose(level, NULL);
		}
	}
}
