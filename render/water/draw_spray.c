// SPDX-License-Identifier: MIT

// Particles of spray as soft streaks that face the eye.

#include "water/draw_spray.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// A packet is this much wider than a cube of its water: packets must overlap to be a sheet, as the water between them is
// drawn out into strands.
#define SPREAD 1.25f
// It grows by this share of itself each second, up to so many times: strands become drops, and drops mist.
#define GROWTH 1.1f
#define MOST_GROWTH 4.0f
// Where it is born and grown it stops this share of the light; less when the same water covers more.
#define COVER 0.85f
// s: until then a packet comes out of the clear water at the lip.
#define BIRTH 0.15f
// s: until then clear water has become white with bubbles.
#define BUBBLES 0.6f
// s: so long before it lands a packet that falls fast begins to burst, into a puff so many times as wide.
#define BURST_TIME 0.2f
#define BURST_GROWTH 4.0f

bool tnrMakeSpray(tnrSpray* spray, const tnWorld* world)
{
	*spray = (tnrSpray){0};
	const tnSprayDef def = tnWorld_GetDef(world).spray;
	if (def.enable == false)
	{
		return true;
	}
	const size_t size = (size_t)(def.capacity + tnr_mostPuffs) * TNR_SPRAY_FLOATS * sizeof(float);
	spray->instances = malloc(size);
	spray->puffs = malloc(tnr_mostPuffs * sizeof(tnrPuff));
	if (spray->instances == NULL || spray->puffs == NULL || tnrMakeMist(&spray->mist, world) == false)
	{
		tnrForgetSpray(spray);
		return false;
	}
	spray->capacity = def.capacity;
	glGenBuffers(1, &spray->buffer);
	glGenVertexArrays(1, &spray->vertexArray);
	glBindVertexArray(spray->vertexArray);
	glBindBuffer(GL_ARRAY_BUFFER, spray->buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_DYNAMIC_DRAW);
	static const GLint sizes[] = {4, 4, 2};
	size_t offset = 0;
	for (GLuint i = 0; i < 3; ++i)
	{
		glEnableVertexAttribArray(i);
		glVertexAttribPointer(i, sizes[i], GL_FLOAT, GL_FALSE, TNR_SPRAY_FLOATS * (GLsizei)sizeof(float),
			(const void*)(uintptr_t)(offset * sizeof(float)));
		glVertexAttribDivisor(i, 1);
		offset += (size_t)sizes[i];
	}
	glBindVertexArray(0);
	return true;
}

void tnrDestroySpray(tnrSpray* spray)
{
	glDeleteBuffers(1, &spray->buffer);
	glDeleteVertexArrays(1, &spray->vertexArray);
	tnrForgetSpray(spray);
}

void tnrForgetSpray(tnrSpray* spray)
{
	free(spray->instances);
	free(spray->puffs);
	tnrForgetMist(&spray->mist);
	*spray = (tnrSpray){0};
}

// From a streak to a puff, as it comes down. 0 to 1.
static float tnrGetBurst(const tnSprayInstance* particle)
{
	return tnrClamp(1.0f - particle->timeToLand / BURST_TIME, 0.0f, 1.0f) *
		tnrSmoothStep(2.0f, 7.0f, -particle->velocity.y);
}

// They come last: mist is before what it rises from.
static void tnrAddPuffs(tnrSpray* spray, const tnrWater* water, double time)
{
	const int count = tnrMakePuffs(&spray->mist, water, time, spray->puffs);
	for (int i = 0; i < count; ++i)
	{
		const tnrPuff* puff = spray->puffs + i;
		const float numbers[TNR_SPRAY_FLOATS] = {
			puff->place.x, puff->place.y, puff->place.z, puff->radius, 0.0f, 0.0f, 0.0f, puff->cover, puff->seed, 2.0f};
		memcpy(spray->instances + (size_t)spray->count * TNR_SPRAY_FLOATS, numbers, sizeof(numbers));
		spray->count += 1;
		spray->highest = fmaxf(spray->highest, puff->place.y + puff->radius);
	}
}

void tnrUpdateSpray(tnrSpray* spray, const tnrWater* water, const tnWorld* world, float back)
{
	spray->count = 0;
	spray->highest = -INFINITY;
	if (spray->instances == NULL)
	{
		return;
	}
	const tnSprayInstances drops = tnSurface_GetSpray(water->surface);
	const tnVec2 origin = tnWorld_GetDef(world).origin;
	for (int i = 0; i < drops.count && spray->count < spray->capacity; ++i)
	{
		const tnSprayInstance particle = drops.items[i];
		const float burst = tnrGetBurst(&particle);
		const float growth = fminf(1.0f + GROWTH * particle.age, MOST_GROWTH) * (1.0f + (BURST_GROWTH - 1.0f) * burst);
		const float radius = SPREAD * growth * cbrtf(particle.volume);
		const float cover = COVER / growth * tnrSmoothStep(0.0f, BIRTH, particle.age);
		// What a jet, a breaker or a body throws is white from the beginning.
		const float bubbles = particle.kind != tn_fallingSpray ? 1.0f : tnrSmoothStep(0.0f, BUBBLES, particle.age);
		const tnVec3 place = particle.position;
		const tnVec3 way = tnrAddScaled(particle.velocity, particle.velocity, -burst);
		const float numbers[TNR_SPRAY_FLOATS] = {place.x - origin.x, place.y + 0.5f * burst * radius,
			place.z - origin.z, radius, way.x, way.y, way.z, cover, (float)(particle.seed >> 8) / 16777216.0f, bubbles};
		memcpy(spray->instances + (size_t)spray->count * TNR_SPRAY_FLOATS, numbers, sizeof(numbers));
		spray->count += 1;
		spray->highest = fmaxf(spray->highest, place.y);
	}
	tnrUpdateMist(&spray->mist, water, world);
	tnrAddPuffs(spray, water, tnWorld_GetTime(world) - (double)back);
	if (spray->count > 0)
	{
		glBindBuffer(GL_ARRAY_BUFFER, spray->buffer);
		glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)spray->count * TNR_SPRAY_FLOATS * sizeof(float)),
			spray->instances);
	}
}

int tnrDrawSpray(const tnrSpray* spray)
{
	if (spray->count == 0)
	{
		return 0;
	}
	// All of it is about equally white, so that nobody sees which one was drawn first. Alpha of the scene says what needs
	// no tone curve: it stays.
	glEnable(GL_BLEND);
	glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
	glDepthMask(GL_FALSE);
	glBindVertexArray(spray->vertexArray);
	glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, spray->count);
	glBindVertexArray(0);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
	return 2 * spray->count;
}
