// SPDX-License-Identifier: MIT

// Boxes among voxels, drawn as instances of one mesh.

#include "voxels/voxel_boxes.h"

#include "bodies/draw_bodies.h"
#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

static bool tnrMakeBoxShape(tnrBoxes* boxes)
{
	if (boxes->instanceBuffer != 0)
	{
		return true;
	}
	static const int32_t triangles[36] = {
		0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
	tnVec3 corners[8], scale;
	for (int i = 0; i < 8; ++i)
	{
		corners[i] = (tnVec3){(i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f};
	}
	const tnBodyMesh mesh = {.points = corners, .pointCount = 8, .triangles = triangles, .triangleCount = 12};
	const tnrRooms none = {0};
	boxes->shape = tnrTakeShape(&boxes->shapes, &mesh, &none, &scale);
	if (boxes->shape < 0)
	{
		return false;
	}
	glGenBuffers(1, &boxes->instanceBuffer);
	return true;
}

void tnrSetBoxes(tnrBoxes* boxes, const tnrBoxDef* defs, int count, tnVec2 origin)
{
	boxes->count = 0;
	if (count < 1 || defs == NULL || tnrMakeBoxShape(boxes) == false)
	{
		return;
	}
	if (count > boxes->capacity)
	{
		float* larger = realloc(boxes->instances, (size_t)count * TNR_INSTANCE_FLOATS * sizeof(float));
		if (larger == NULL)
		{
			return;
		}
		boxes->instances = larger;
		boxes->capacity = count;
	}
	for (int i = 0; i < count; ++i)
	{
		const tnrBoxDef* def = &defs[i];
		const float seed = (float)((uint32_t)i * 2654435761u >> 16) / 65536.0f;
		const tnrMaterial material = def->look.material == tnr_autoMaterial ? tnr_woodMaterial : def->look.material;
		const float numbers[TNR_INSTANCE_FLOATS] = {def->center.x - origin.x, def->center.y, def->center.z - origin.z,
			tnrClamp(def->look.glow, 0.0f, 1.0f), def->rotation.x, def->rotation.y, def->rotation.z, def->rotation.w,
			def->half.x, def->half.y, def->half.z, seed, def->look.color.x, def->look.color.y, def->look.color.z,
			(float)material};
		const float reach = sqrtf(def->half.x * def->half.x + def->half.y * def->half.y + def->half.z * def->half.z);
		const tnVec3 low = {numbers[0] - reach, numbers[1] - reach, numbers[2] - reach};
		const tnVec3 high = {numbers[0] + reach, numbers[1] + reach, numbers[2] + reach};
		const tnrBox* all = &boxes->box;
		boxes->box = i == 0 ? (tnrBox){low, high}
							: (tnrBox){{fminf(all->low.x, low.x), fminf(all->low.y, low.y), fminf(all->low.z, low.z)},
								  {fmaxf(all->high.x, high.x), fmaxf(all->high.y, high.y), fmaxf(all->high.z, high.z)}};
		memcpy(boxes->instances + (size_t)i * TNR_INSTANCE_FLOATS, numbers, sizeof(numbers));
	}
	boxes->count = count;
	glBindBuffer(GL_ARRAY_BUFFER, boxes->instanceBuffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * TNR_INSTANCE_FLOATS * sizeof(float)), boxes->instances,
		GL_STREAM_DRAW);
}

void tnrDestroyBoxes(tnrBoxes* boxes)
{
	tnrDestroyShapes(&boxes->shapes);
	glDeleteBuffers(1, &boxes->instanceBuffer);
	tnrForgetBoxes(boxes);
}

void tnrForgetBoxes(tnrBoxes* boxes)
{
	tnrForgetShapes(&boxes->shapes);
	free(boxes->instances);
	*boxes = (tnrBoxes){0};
}

int tnrDrawBoxes(const tnrBoxes* boxes)
{
	if (boxes->count == 0)
	{
		return 0;
	}
	const tnrShape* shape = &boxes->shapes.items[boxes->shape];
	glBindBuffer(GL_ARRAY_BUFFER, boxes->instanceBuffer);
	glBindVertexArray(shape->vertexArray);
	tnrPointToInstances(0);
	glDrawArraysInstanced(GL_TRIANGLES, 0, shape->vertexCount, boxes->count);
	glBindVertexArray(0);
	return shape->vertexCount / 3 * boxes->count;
}
