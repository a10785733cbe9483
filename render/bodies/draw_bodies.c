// SPDX-License-Identifier: MIT

// The bodies of a world in the picture: where they are, how they look, and the map of their shadows.

#include "bodies/draw_bodies.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

enum
{
	shadowSize = tnr_shadowSize
};

// Bodies whose sphere grown by this factor is in sight may throw a shadow into it.
#define SHADOW_REACH 4.0f

bool tnrMakeBodies(tnrBodies* bodies)
{
	*bodies = (tnrBodies){0};
	glGenBuffers(1, &bodies->instanceBuffer);
	glGenVertexArrays(1, &bodies->heldArray);
	glGenBuffers(1, &bodies->heldBuffer);
	glBindVertexArray(bodies->heldArray);
	glBindBuffer(GL_ARRAY_BUFFER, bodies->heldBuffer);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 3 * (GLsizei)sizeof(float), NULL);
	glBindVertexArray(0);
	return true;
}

void tnrDestroyBodies(tnrBodies* bodies)
{
	tnrDestroyShapes(&bodies->shapes);
	glDeleteBuffers(1, &bodies->instanceBuffer);
	glDeleteBuffers(1, &bodies->heldBuffer);
	glDeleteVertexArrays(1, &bodies->heldArray);
	glDeleteFramebuffers(1, &bodies->shadowFramebuffer);
	glDeleteTextures(1, &bodies->shadowMap);
	tnrForgetBodies(bodies);
}

void tnrForgetBodies(tnrBodies* bodies)
{
	tnrForgetShapes(&bodies->shapes);
	free(bodies->items);
	free(bodies->ids);
	free(bodies->instances);
	free(bodies->begins);
	free(bodies->held);
	*bodies = (tnrBodies){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses

tnVec3 tnrTurn(tnQuat q, tnVec3 v)
{
	const tnVec3 axis = {q.x, q.y, q.z};
	const tnVec3 t = tnrCross(axis, v);
	const tnVec3 twice = {2.0f * t.x, 2.0f * t.y, 2.0f * t.z};
	return tnrAddScaled(tnrAddScaled(v, twice, q.w), tnrCross(axis, twice), 1.0f);
}

static tnQuat tnrNormalizeQuat(tnQuat q)
{
	const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	if (!(length > 0.0f) || !isfinite(length))
	{
		return (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
	}
	return (tnQuat){q.x / length, q.y / length, q.z / length, q.w / length};
}

// Turned on by a spin, rad, in the frame of the world.
static tnQuat tnrSpinQuat(tnQuat q, tnVec3 spin)
{
	const float angle = tnrLength(spin);
	if (!(angle > 1.0e-6f))
	{
		return q;
	}
	const float s = sinf(0.5f * angle) / angle, w = cosf(0.5f * angle);
	const tnVec3 a = {spin.x * s, spin.y * s, spin.z * s};
	return tnrNormalizeQuat((tnQuat){
		w * q.x + a.x * q.w + a.y * q.z - a.z * q.y,
		w * q.y + a.y * q.w + a.z * q.x - a.x * q.z,
		w * q.z + a.z * q.w + a.x * q.y - a.y * q.x,
		w * q.w - a.x * q.x - a.y * q.y - a.z * q.z,
	});
}

// Poses between the last two states: engines move a body by its new velocity, so the pose before follows from it. That
// also holds if the world took several steps since the last picture.
static void tnrPlaceBody(tnrBody* body, const tnBodyState* state, tnVec2 origin, float back)
{
	tnVec3 place = tnrAddScaled(state->pose.position, state->velocity, -back);
	const tnVec3 spin = {-state->spin.x * back, -state->spin.y * back, -state->spin.z * back};
	// Whole turns in a step: nobody can see which way.
	const float most = 1.5f;
	const tnQuat rotation = tnrNormalizeQuat(state->pose.rotation);
	body->rotation = tnrLength(spin) < most ? tnrSpinQuat(rotation, spin) : rotation;
	place.x -= origin.x;
	place.z -= origin.z;
	body->place = place;
	body->velocity = state->velocity;
}

// ---------------------------------------------------------------------------------------------------------------------
// The list

// @return memory for at least so many, or NULL; the old memory is then as it was
static void* tnrReserve(void* memory, int* capacity, int wanted, size_t size)
{
	if (wanted <= *capacity && memory != NULL)
	{
		return memory;
	}
	const int next = wanted + wanted / 2 + 16;
	void* larger = realloc(memory, (size_t)next * size);
	*capacity = larger != NULL ? next : *capacity;
	return larger;
}

static tnrBody* tnrGetBody(tnrBodies* bodies, tnBodyId id)
{
	tnrBody* items = id.index1 > 0 ? tnrReserve(bodies->items, &bodies->capacity, id.index1, sizeof(tnrBody)) : NULL;
	if (items == NULL)
	{
		return NULL;
	}
	bodies->items = items;
	for (; bodies->count < id.index1; ++bodies->count)
	{
		bodies->items[bodies->count] = (tnrBody){.shape = -1};
	}
	return &bodies->items[id.index1 - 1];
}

void tnrSetBodyLook(tnrBodies* bodies, tnBodyId id, const tnrBodyLook* look)
{
	tnrBody* body = tnrGetBody(bodies, id);
	if (body != NULL)
	{
		body->look = *look;
		body->lookGeneration = id.generation;
	}
}

static void tnrRemoveBody(tnrBodies* bodies, tnrBody* body)
{
	tnrGiveShapeBack(&bodies->shapes, body->shape);
	body->shape = -1;
	body->generation = 0;
	body->present = false;
}

// Where bodies are: in columns or in voxels.
typedef struct tnrBodySource
{
	const tnWorld* world;
	const tnVoxelWorld* voxels;
} tnrBodySource;

static bool tnrAddBody(tnrBodies* bodies, tnrBody* body, tnBodyId id, const tnrBodySource* source)
{
	tnBodyMesh mesh = {0};
	tnrRemoveBody(bodies, body);
	const tnResult known = source->voxels != NULL ? tnVoxelWorld_GetBodyMesh(source->voxels, id, &mesh)
												  : tnWorld_GetBodyMesh(source->world, id, &mesh);
	if (known.status != tn_ok)
	{
		return false;
	}
	body->generation = id.generation;
	tnrRooms rooms;
	tnrFindRooms(&rooms, source->world, id);
	body->roomCount = rooms.count;
	// -1 without memory: the body is known, and not drawn.
	body->shape = tnrTakeShape(&bodies->shapes, &mesh, &rooms, &body->scale);
	body->radius = 0.0f;
	for (int i = 0; i < mesh.pointCount; ++i)
	{
		body->radius = fmaxf(body->radius, tnrLength(mesh.points[i]));
	}
	return true;
}

// The surface of the water in one room, as the body is shown.
static void tnrTakeOverSurface(tnrBodies* bodies, const tnrBody* body, const tnWorld* world, tnBodyId id, int room)
{
	int count = 0;
	if (tnWorld_CopyHollowSurface(world, id, room, NULL, 0, &count).status != tn_ok || count == 0)
	{
		return;
	}
	float* held = tnrReserve(bodies->held, &bodies->heldCapacity, bodies->heldCount + count, 3 * sizeof(float));
	if (held == NULL)
	{
		return;
	}
	bodies->held = held;
	tnVec3* corners = (tnVec3*)held + bodies->heldCount;
	if (tnWorld_CopyHollowSurface(world, id, room, corners, count, &count).status == tn_ok)
	{
		for (int i = 0; i < count; ++i)
		{
			corners[i] = tnrAddScaled(body->place, tnrTurn(body->rotation, corners[i]), 1.0f);
		}
		bodies->heldCount += count;
	}
}

static void tnrTakeOverRooms(tnrBodies* bodies, tnrBody* body, const tnWorld* world, tnBodyId id, float height)
{
	for (int room = 0; room < TNR_WET_ROOMS; ++room)
	{
		body->levels[room] = TNR_NO_HEIGHT;
	}
	for (int room = 0; room < body->roomCount; ++room)
	{
		// A film, of which nobody sees anything.
		const double film = 1.0e-5;
		tnHollowState state;
		if (tnWorld_GetHollow(world, id, room, &state).status == tn_ok && state.held > film * (double)state.volume)
		{
			tnrTakeOverSurface(bodies, body, world, id, room);
			if (room < TNR_WET_ROOMS)
			{
				body->levels[room] = state.level + body->place.y - height;
			}
		}
	}
}

static void tnrTakeOverBody(tnrBodies* bodies, const tnrBodySource* source, tnBodyId id, tnVec2 origin, float back)
{
	tnrBody* body = tnrGetBody(bodies, id);
	if (body == NULL || (body->generation != id.generation && tnrAddBody(bodies, body, id, source) == false))
	{
		return;
	}
	tnBodyState state;
	const tnResult known = source->voxels != NULL ? tnVoxelWorld_GetBodyState(source->voxels, id, &state)
												  : tnWorld_GetBodyState(source->world, id, &state);
	if (known.status != tn_ok)
	{
		return;
	}
	tnrPlaceBody(body, &state, origin, back);
	tnrTakeOverRooms(bodies, body, source->world, id, state.pose.position.y);
	body->present = tnrIsFiniteVec3(body->place) && body->shape >= 0;
	if (body->present)
	{
		const tnVec3 p = body->place;
		const float r = body->radius;
		tnrBox* box = &bodies->box;
		box->low = (tnVec3){fminf(box->low.x, p.x - r), fminf(box->low.y, p.y - r), fminf(box->low.z, p.z - r)};
		box->high = (tnVec3){fmaxf(box->high.x, p.x + r), fmaxf(box->high.y, p.y + r), fmaxf(box->high.z, p.z + r)};
		bodies->any = true;
	}
}

float tnrGetTimeBack(const tnWorld* world, float alpha)
{
	const int64_t stepCount = tnWorld_GetStats(world).stepCount;
	const double timeStep = stepCount > 0 ? tnWorld_GetTime(world) / (double)stepCount : 0.0;
	return tnWorld_GetDef(world).keepPrevious ? (1.0f - alpha) * (float)timeStep : 0.0f;
}

static int tnrGetBodyIds(const tnrBodySource* source, tnBodyId* ids, int capacity)
{
	return source->voxels != NULL ? tnVoxelWorld_GetBodies(source->voxels, ids, capacity)
								  : tnWorld_GetBodies(source->world, ids, capacity);
}

static void tnrTakeOverBodies(tnrBodies* bodies, const tnrBodySource* source, tnVec2 origin, float back)
{
	const int wanted = tnrGetBodyIds(source, NULL, 0);
	bodies->any = false;
	bodies->box = (tnrBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (int i = 0; i < bodies->count; ++i)
	{
		bodies->items[i].present = false;
	}
	bodies->idCount = 0;
	bodies->heldCount = 0;
	tnBodyId* ids = wanted > 0 ? tnrReserve(bodies->ids, &bodies->idCapacity, wanted, sizeof(tnBodyId)) : NULL;
	if (ids != NULL)
	{
		bodies->ids = ids;
		const int found = tnrGetBodyIds(source, bodies->ids, bodies->idCapacity);
		bodies->idCount = found < bodies->idCapacity ? found : bodies->idCapacity;
	}
	for (int i = 0; i < bodies->idCount; ++i)
	{
		tnrTakeOverBody(bodies, source, bodies->ids[i], origin, back);
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		if (bodies->items[i].present == false && bodies->items[i].generation != 0)
		{
			tnrRemoveBody(bodies, &bodies->items[i]);
		}
	}
	// Room for all of them: drawing allocates nothing.
	float* instances =
		tnrReserve(bodies->instances, &bodies->instanceCapacity, bodies->count, TNR_INSTANCE_FLOATS * sizeof(float));
	bodies->instances = instances != NULL ? instances : bodies->instances;
	int32_t* begins = tnrReserve(bodies->begins, &bodies->beginCapacity, bodies->shapes.count + 1, sizeof(int32_t));
	bodies->begins = begins != NULL ? begins : bodies->begins;
	bodies->any = bodies->any && instances != NULL && begins != NULL;
}

void tnrUpdateBodies(tnrBodies* bodies, const tnWorld* world, float alpha)
{
	tnrTakeOverBodies(
		bodies, &(tnrBodySource){.world = world}, tnWorld_GetDef(world).origin, tnrGetTimeBack(world, alpha));
}

void tnrUpdateVoxelBodies(tnrBodies* bodies, const tnVoxelWorld* world, tnVec2 origin)
{
	tnrTakeOverBodies(bodies, &(tnrBodySource){.voxels = world}, origin, 0.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Looks

// Woods of several ages, as light.
static const tnVec3 s_woods[] = {{0.36f, 0.21f, 0.095f}, {0.30f, 0.165f, 0.075f}, {0.42f, 0.265f, 0.13f},
	{0.26f, 0.15f, 0.075f}, {0.40f, 0.23f, 0.10f}, {0.33f, 0.215f, 0.12f}};

static tnrMaterial tnrGetMaterial(const tnrBody* body, const tnrShape* shape)
{
	const tnrMaterial wanted = body->lookGeneration == body->generation ? body->look.material : tnr_autoMaterial;
	if (wanted > tnr_autoMaterial && wanted < tnr_materialCount)
	{
		return wanted;
	}
	// A roll that is much longer than wide is a log, a short one a barrel.
	const float sides[3] = {body->scale.x, body->scale.y, body->scale.z};
	const bool isLong = sides[shape->axis] > 2.5f * sides[(shape->axis + 1) % 3];
	switch (shape->form)
	{
		case tnr_boxForm:
			return tnr_woodMaterial;
		case tnr_ballForm:
			return tnr_ballMaterial;
		case tnr_rollForm:
			return isLong ? tnr_barkMaterial : tnr_metalMaterial;
		case tnr_rockForm:
			return tnr_stoneMaterial;
		case tnr_builtForm:
			break;
	}
	return tnr_paintMaterial;
}

static tnVec3 tnrGetColor(const tnrBody* body, int index, tnrMaterial material)
{
	static const tnVec3 ball = {0.62f, 0.09f, 0.05f}, metal = {0.08f, 0.19f, 0.31f};
	static const tnVec3 stone = {0.27f, 0.26f, 0.245f}, paint = {0.46f, 0.33f, 0.19f};
	const tnVec3 given = body->look.color;
	const bool has = body->lookGeneration == body->generation && tnrIsFiniteVec3(given) && given.x >= 0.0f &&
		given.y >= 0.0f && given.z >= 0.0f;
	if (has)
	{
		return (tnVec3){fminf(given.x, 1.0f), fminf(given.y, 1.0f), fminf(given.z, 1.0f)};
	}
	switch (material)
	{
		case tnr_ballMaterial:
			return ball;
		case tnr_metalMaterial:
			return metal;
		case tnr_stoneMaterial:
			return stone;
		case tnr_paintMaterial:
			return paint;
		default:
			return s_woods[(size_t)index % (sizeof(s_woods) / sizeof(s_woods[0]))];
	}
}

static void tnrPutInstance(const tnrBodies* bodies, int index, float* to)
{
	const tnrBody* body = &bodies->items[index];
	const tnrShape* shape = &bodies->shapes.items[body->shape];
	const tnrMaterial material = tnrGetMaterial(body, shape);
	const tnVec3 color = tnrGetColor(body, index, material);
	const float glow = body->lookGeneration == body->generation ? tnrClamp(body->look.glow, 0.0f, 1.0f) : 0.0f;
	const float seed = (float)((uint32_t)index * 2654435761u >> 16) / 65536.0f;
	const float numbers[TNR_INSTANCE_FLOATS] = {body->place.x, body->place.y, body->place.z, glow, body->rotation.x,
		body->rotation.y, body->rotation.z, body->rotation.w, body->scale.x, body->scale.y, body->scale.z, seed,
		color.x, color.y, color.z, (float)material + 0.125f * (float)shape->axis, body->levels[0], body->levels[1],
		body->levels[2], body->levels[3]};
	memcpy(to, numbers, sizeof(numbers));
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing

static bool tnrIsWanted(const tnrBodies* bodies, int index, const tnrMatrix* viewProjection, tnrBodyPass pass)
{
	const tnrBody* body = &bodies->items[index];
	if (body->present == false)
	{
		return false;
	}
	if (pass == tnr_roomPass && bodies->shapes.items[body->shape].roomVertexCount == 0)
	{
		return false;
	}
	const float r = body->radius * (pass == tnr_shadowPass ? SHADOW_REACH : 1.0f);
	const tnVec3 p = body->place;
	return tnrIsBoxVisible(viewProjection, (tnrBox){{p.x - r, p.y - r, p.z - r}, {p.x + r, p.y + r, p.z + r}});
}

// Instances of the bodies that are wanted, shape by shape: those of shape s begin at begins[s]. @return how many
static int tnrSortInstances(tnrBodies* bodies, const tnrMatrix* viewProjection, tnrBodyPass pass)
{
	const int shapeCount = bodies->shapes.count;
	memset(bodies->begins, 0, (size_t)(shapeCount + 1) * sizeof(int32_t));
	int count = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		if (tnrIsWanted(bodies, i, viewProjection, pass))
		{
			++bodies->begins[bodies->items[i].shape];
			++count;
		}
	}
	int end = 0;
	for (int i = 0; i <= shapeCount; ++i)
	{
		end += bodies->begins[i];
		bodies->begins[i] = end;
	}
	// From the back, so that each entry ends up where its shape begins.
	for (int i = bodies->count - 1; i >= 0; --i)
	{
		if (tnrIsWanted(bodies, i, viewProjection, pass))
		{
			const int place = --bodies->begins[bodies->items[i].shape];
			tnrPutInstance(bodies, i, bodies->instances + (size_t)place * TNR_INSTANCE_FLOATS);
		}
	}
	return count;
}

void tnrPointToInstances(int first)
{
	const GLsizei stride = TNR_INSTANCE_FLOATS * (GLsizei)sizeof(float);
	for (GLuint i = 0; i < TNR_INSTANCE_ATTRIBUTES; ++i)
	{
		const size_t offset = (size_t)first * (size_t)stride + i * 4 * sizeof(float);
		glVertexAttribPointer(
			TNR_FIRST_INSTANCE_ATTRIBUTE + i, 4, GL_FLOAT, GL_FALSE, stride, (const void*)(uintptr_t)offset);
	}
}

int tnrDrawBodies(tnrBodies* bodies, const tnrMatrix* viewProjection, tnrBodyPass pass)
{
	const int count = bodies->any ? tnrSortInstances(bodies, viewProjection, pass) : 0;
	if (count == 0)
	{
		return 0;
	}
	glBindBuffer(GL_ARRAY_BUFFER, bodies->instanceBuffer);
	// New storage each time: the GPU may still read the old.
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * TNR_INSTANCE_FLOATS * sizeof(float)), bodies->instances,
		GL_STREAM_DRAW);
	int triangles = 0;
	for (int i = 0; i < bodies->shapes.count; ++i)
	{
		const int first = bodies->begins[i], instanceCount = bodies->begins[i + 1] - first;
		const tnrShape* shape = &bodies->shapes.items[i];
		const int vertexCount = pass == tnr_roomPass ? shape->roomVertexCount : shape->vertexCount;
		if (instanceCount == 0 || vertexCount == 0)
		{
			continue;
		}
		glBindVertexArray(pass == tnr_roomPass ? shape->roomArray : shape->vertexArray);
		tnrPointToInstances(first);
		glDrawArraysInstanced(GL_TRIANGLES, 0, vertexCount, instanceCount);
		triangles += vertexCount / 3 * instanceCount;
	}
	glBindVertexArray(0);
	return triangles;
}

int tnrDrawHeld(tnrBodies* bodies)
{
	if (bodies->any == false || bodies->heldCount == 0)
	{
		return 0;
	}
	glBindBuffer(GL_ARRAY_BUFFER, bodies->heldBuffer);
	glBufferData(
		GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)bodies->heldCount * 3 * sizeof(float)), bodies->held, GL_STREAM_DRAW);
	glBindVertexArray(bodies->heldArray);
	glDrawArrays(GL_TRIANGLES, 0, bodies->heldCount);
	glBindVertexArray(0);
	return bodies->heldCount / 3;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shadows: depths of bodies as the sun sees them. The map is fitted around those whose shadow may be in sight; what
// lies behind the last of them counts as just behind it.

static bool tnrMakeShadowMap(tnrBodies* bodies)
{
	if (bodies->shadowMap != 0)
	{
		return true;
	}
	glActiveTexture(GL_TEXTURE0 + tnr_shadowUnit);
	bodies->shadowMap = tnrMakeTexture(GL_DEPTH_COMPONENT24, shadowSize, shadowSize, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	glGenFramebuffers(1, &bodies->shadowFramebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, bodies->shadowFramebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, bodies->shadowMap, 0);
	const GLenum none = GL_NONE;
	glDrawBuffers(1, &none);
	glReadBuffer(GL_NONE);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// The box of all bodies whose shadow may be in sight, along three axes.
static bool tnrMeasureShadows(
	const tnrBodies* bodies, const tnrMatrix* viewProjection, const tnVec3* axes, float* low, float* high)
{
	bool any = false;
	for (int axis = 0; axis < 3; ++axis)
	{
		low[axis] = INFINITY;
		high[axis] = -INFINITY;
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		if (tnrIsWanted(bodies, i, viewProjection, tnr_shadowPass) == false)
		{
			continue;
		}
		any = true;
		for (int axis = 0; axis < 3; ++axis)
		{
			const float middle = tnrDot(bodies->items[i].place, axes[axis]);
			low[axis] = fminf(low[axis], middle - bodies->items[i].radius);
			high[axis] = fmaxf(high[axis], middle + bodies->items[i].radius);
		}
	}
	return any;
}

// Sizes in steps, and places in whole texels, so that rims do not crawl while bodies and camera move.
static void tnrSnapShadows(float* low, float* high, float* texel)
{
	const float wanted = fmaxf(high[0] - low[0], high[1] - low[1]);
	const float size = exp2f(ceilf(log2f(wanted * 1.05f) * 4.0f) * 0.25f);
	*texel = size / shadowSize;
	for (int axis = 0; axis < 2; ++axis)
	{
		const float middle = 0.5f * (low[axis] + high[axis]);
		low[axis] = floorf((middle - 0.5f * size) / *texel) * *texel;
		high[axis] = low[axis] + size;
	}
}

bool tnrAimShadows(tnrBodies* bodies, const tnrMatrix* viewProjection, tnVec3 sun)
{
	bodies->shadowTexel = 0.0f;
	// The sun is never at the zenith (see tnrGetSunDirection), so this is not zero.
	const tnVec3 right = tnrNormalize(tnrCross((tnVec3){0.0f, 1.0f, 0.0f}, sun));
	const tnVec3 axes[3] = {right, tnrCross(sun, right), {-sun.x, -sun.y, -sun.z}};
	float low[3], high[3], texel;
	if (bodies->any == false || tnrMeasureShadows(bodies, viewProjection, axes, low, high) == false ||
		tnrMakeShadowMap(bodies) == false)
	{
		return false;
	}
	tnrSnapShadows(low, high, &texel);
	tnrMatrix* matrix = &bodies->shadowMatrix;
	memset(matrix, 0, sizeof(*matrix));
	for (int axis = 0; axis < 3; ++axis)
	{
		const float scale = 2.0f / (high[axis] - low[axis]);
		matrix->m[axis] = axes[axis].x * scale;
		matrix->m[4 + axis] = axes[axis].y * scale;
		matrix->m[8 + axis] = axes[axis].z * scale;
		matrix->m[12 + axis] = -low[axis] * scale - 1.0f;
	}
	matrix->m[15] = 1.0f;
	bodies->shadowTexel = texel;
	bodies->shadowDepth = high[2] - low[2];
	return true;
}

int tnrDrawShadows(tnrBodies* bodies, const tnrMatrix* viewProjection)
{
	glBindFramebuffer(GL_FRAMEBUFFER, bodies->shadowFramebuffer);
	glViewport(0, 0, shadowSize, shadowSize);
	tnrClearDepth();
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(1.5f, 2.0f);
	const int triangles = tnrDrawBodies(bodies, viewProjection, tnr_shadowPass);
	glDisable(GL_POLYGON_OFFSET_FILL);
	return triangles;
}
