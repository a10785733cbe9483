// SPDX-License-Identifier: MIT

// Meshes of bodies on the GPU, shared by all bodies that differ only in size.

#include "bodies/body_meshes.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Faces that meet at a smaller angle than this are one round surface: the cosine of 35 degrees.
#define CREASE 0.82f
// Where more triangles than this meet at a point they stay flat.
#define LARGEST_FAN 64
// Of a key: coordinates as shares of the largest.
#define KEY_ONE 16384.0f
// Numbers of a vertex: place, normal, height of the rim, number of the room.
enum
{
	vertexFloats = 8
};

static float tnrGetAxis(tnVec3 v, int axis)
{
	return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static tnVec3 tnrGetScale(const tnBodyMesh* mesh)
{
	float most[3] = {0.0f, 0.0f, 0.0f};
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		for (int axis = 0; axis < 3; ++axis)
		{
			most[axis] = fmaxf(most[axis], fabsf(tnrGetAxis(mesh->points[i], axis)));
		}
	}
	const float least = 1.0e-6f;
	return (tnVec3){fmaxf(most[0], least), fmaxf(most[1], least), fmaxf(most[2], least)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Forms

static bool tnrIsBox(const tnBodyMesh* mesh, tnVec3 scale)
{
	if (mesh->pointCount != 8 || mesh->triangleCount != 12)
	{
		return false;
	}
	int seen = 0;
	for (int i = 0; i < 8; ++i)
	{
		int corner = 0;
		for (int axis = 0; axis < 3; ++axis)
		{
			const float share = tnrGetAxis(mesh->points[i], axis) / tnrGetAxis(scale, axis);
			if (fabsf(share) < 0.999f)
			{
				return false;
			}
			corner |= share > 0.0f ? 1 << axis : 0;
		}
		seen |= 1 << corner;
	}
	return seen == 255;
}

static bool tnrIsBall(const tnBodyMesh* mesh, tnVec3 scale)
{
	const float radius = fmaxf(scale.x, fmaxf(scale.y, scale.z));
	if (fminf(scale.x, fminf(scale.y, scale.z)) < 0.9f * radius)
	{
		return false;
	}
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		if (fabsf(tnrLength(mesh->points[i]) - radius) > 0.03f * radius)
		{
			return false;
		}
	}
	return mesh->pointCount > 12;
}

// A cylinder along an axis: all points on one of its two rims, or in the middle of an end.
static bool tnrIsRoll(const tnBodyMesh* mesh, tnVec3 scale, int axis)
{
	const int across = (axis + 1) % 3, beside = (axis + 2) % 3;
	const float radius = fmaxf(tnrGetAxis(scale, across), tnrGetAxis(scale, beside));
	const float length = tnrGetAxis(scale, axis);
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const float a = tnrGetAxis(mesh->points[i], across), b = tnrGetAxis(mesh->points[i], beside);
		const float from = sqrtf(a * a + b * b);
		const bool onRim = fabsf(from - radius) < 0.03f * radius || from < 0.03f * radius;
		if (onRim == false || fabsf(fabsf(tnrGetAxis(mesh->points[i], axis)) - length) > 0.01f * length)
		{
			return false;
		}
	}
	return mesh->pointCount >= 12;
}

static bool tnrIsConvex(const tnBodyMesh* mesh, tnVec3 scale)
{
	// Larger meshes are nobody's stones.
	const int most = 1024;
	if (mesh->pointCount > most || mesh->triangleCount > 2 * most)
	{
		return false;
	}
	const float slack = 1.0e-3f * fmaxf(scale.x, fmaxf(scale.y, scale.z));
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * i;
		const tnVec3 a = mesh->points[corners[0]];
		const tnVec3 normal =
			tnrNormalize(tnrCross(tnrSubtract(mesh->points[corners[1]], a), tnrSubtract(mesh->points[corners[2]], a)));
		for (int j = 0; j < mesh->pointCount; ++j)
		{
			if (tnrDot(normal, tnrSubtract(mesh->points[j], a)) > slack)
			{
				return false;
			}
		}
	}
	return true;
}

static void tnrFindForm(tnrShape* shape, const tnBodyMesh* mesh, tnVec3 scale)
{
	shape->form = tnrIsBox(mesh, scale) ? tnr_boxForm : tnrIsBall(mesh, scale) ? tnr_ballForm : tnr_builtForm;
	for (int axis = 0; axis < 3 && shape->form == tnr_builtForm; ++axis)
	{
		if (tnrIsRoll(mesh, scale, axis))
		{
			shape->form = tnr_rollForm;
			shape->axis = axis;
		}
	}
	if (shape->form == tnr_builtForm && tnrIsConvex(mesh, scale))
	{
		shape->form = tnr_rockForm;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Vertices

// Which triangles meet at which points: those of point p are list[begins[p]] to list[begins[p + 1] - 1].
typedef struct Fans
{
	int32_t* begins;
	int32_t* list;
	// Of triangles, as long as twice their area.
	tnVec3* normals;
} Fans;

static void tnrFreeFans(Fans* fans)
{
	free(fans->begins);
	free(fans->list);
	free(fans->normals);
}

static bool tnrMakeFans(Fans* fans, const tnBodyMesh* mesh)
{
	const size_t cornerCount = (size_t)mesh->triangleCount * 3;
	fans->begins = calloc((size_t)mesh->pointCount + 2, sizeof(int32_t));
	fans->list = malloc(cornerCount * sizeof(int32_t));
	fans->normals = malloc((size_t)mesh->triangleCount * sizeof(tnVec3));
	if (fans->begins == NULL || fans->list == NULL || fans->normals == NULL)
	{
		tnrFreeFans(fans);
		return false;
	}
	// Counts, one place further on than where they begin; then sums; then each entry moves its begin back into place.
	for (size_t i = 0; i < cornerCount; ++i)
	{
		++fans->begins[mesh->triangles[i] + 2];
	}
	for (int i = 2; i < mesh->pointCount + 2; ++i)
	{
		fans->begins[i] += fans->begins[i - 1];
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * i;
		const tnVec3 a = mesh->points[corners[0]];
		fans->normals[i] = tnrCross(tnrSubtract(mesh->points[corners[1]], a), tnrSubtract(mesh->points[corners[2]], a));
		for (int j = 0; j < 3; ++j)
		{
			fans->list[fans->begins[corners[j] + 1]++] = i;
		}
	}
	return true;
}

// The normal of a triangle at one of its points: with those of the triangles around that belong to the same surface.
static tnVec3 tnrGetCornerNormal(const Fans* fans, int triangle, int point)
{
	const tnVec3 own = tnrNormalize(fans->normals[triangle]);
	const int begin = fans->begins[point], end = fans->begins[point + 1];
	if (end - begin > LARGEST_FAN)
	{
		return own;
	}
	tnVec3 sum = {0.0f, 0.0f, 0.0f};
	for (int i = begin; i < end; ++i)
	{
		const tnVec3 other = fans->normals[fans->list[i]];
		if (tnrDot(own, tnrNormalize(other)) >= CREASE)
		{
			sum = tnrAddScaled(sum, other, 1.0f);
		}
	}
	return tnrLength(sum) > 0.0f ? tnrNormalize(sum) : own;
}

// The room that a triangle faces into, or -1.
static int tnrGetCornerRoom(const tnrRooms* rooms, const tnBodyMesh* mesh, int triangle, tnVec3 normal, tnVec3 scale)
{
	if (rooms->count == 0)
	{
		return -1;
	}
	// The middle of the triangle, a little in front of it: inside and outside of a thin wall are told apart.
	const int32_t* corners = mesh->triangles + 3 * triangle;
	tnVec3 middle = tnrAddScaled(mesh->points[corners[0]], mesh->points[corners[1]], 1.0f);
	middle = tnrAddScaled(middle, mesh->points[corners[2]], 1.0f);
	middle = (tnVec3){middle.x / 3.0f, middle.y / 3.0f, middle.z / 3.0f};
	return tnrFindRoom(rooms, mesh, tnrAddScaled(middle, normal, 2.0e-3f * tnrLength(scale)));
}

// @param rim height of the lid of the room @param room its number, or -1
static void tnrPutVertex(float* vertex, tnVec3 place, tnVec3 normal, float rim, int room, tnVec3 scale)
{
	// Normals turn the other way when a mesh is stretched.
	const tnVec3 stretched = tnrNormalize((tnVec3){normal.x * scale.x, normal.y * scale.y, normal.z * scale.z});
	vertex[0] = place.x / scale.x;
	vertex[1] = place.y / scale.y;
	vertex[2] = place.z / scale.z;
	vertex[3] = stretched.x;
	vertex[4] = stretched.y;
	vertex[5] = stretched.z;
	vertex[6] = room >= 0 ? rim / scale.y : TNR_NO_HEIGHT;
	vertex[7] = (float)(room + 1);
}

static void tnrSetInstanceAttributes(void)
{
	for (GLuint i = 0; i < TNR_INSTANCE_ATTRIBUTES; ++i)
	{
		glEnableVertexAttribArray(TNR_FIRST_INSTANCE_ATTRIBUTE + i);
		glVertexAttribDivisor(TNR_FIRST_INSTANCE_ATTRIBUTE + i, 1);
	}
}

static bool tnrUploadMesh(tnrShape* shape, const tnBodyMesh* mesh, const tnrRooms* rooms, tnVec3 scale)
{
	Fans fans = {0};
	const size_t vertexCount = (size_t)mesh->triangleCount * 3;
	float* vertices = malloc(vertexCount * vertexFloats * sizeof(float));
	if (vertices == NULL || tnrMakeFans(&fans, mesh) == false)
	{
		free(vertices);
		return false;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int room = tnrGetCornerRoom(rooms, mesh, i, tnrNormalize(fans.normals[i]), scale);
		const float rim = room >= 0 ? rooms->tops[room] : TNR_NO_HEIGHT;
		for (int j = 0; j < 3; ++j)
		{
			const int32_t point = mesh->triangles[3 * i + j];
			tnrPutVertex(vertices + ((size_t)i * 3 + (size_t)j) * vertexFloats, mesh->points[point],
				tnrGetCornerNormal(&fans, i, point), rim, room, scale);
		}
	}
	tnrFreeFans(&fans);
	glGenVertexArrays(1, &shape->vertexArray);
	glGenBuffers(1, &shape->vertexBuffer);
	glBindVertexArray(shape->vertexArray);
	glBindBuffer(GL_ARRAY_BUFFER, shape->vertexBuffer);
	const GLsizei stride = vertexFloats * (GLsizei)sizeof(float);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertexCount * (size_t)stride), vertices, GL_STATIC_DRAW);
	static const GLint sizes[3] = {3, 3, 2};
	static const size_t offsets[3] = {0, 3, 6};
	for (GLuint i = 0; i < 3; ++i)
	{
		glEnableVertexAttribArray(i);
		glVertexAttribPointer(i, sizes[i], GL_FLOAT, GL_FALSE, stride, (const void*)(offsets[i] * sizeof(float)));
	}
	tnrSetInstanceAttributes();
	glBindVertexArray(0);
	free(vertices);
	shape->vertexCount = (int)vertexCount;
	return true;
}

static void tnrUploadRooms(tnrShape* shape, const tnrRooms* rooms, tnVec3 scale)
{
	const int count = tnrListRooms(rooms, scale, NULL);
	float* vertices = count > 0 ? malloc((size_t)count * 3 * sizeof(float)) : NULL;
	if (vertices == NULL)
	{
		return;
	}
	tnrListRooms(rooms, scale, vertices);
	glGenVertexArrays(1, &shape->roomArray);
	glGenBuffers(1, &shape->roomBuffer);
	glBindVertexArray(shape->roomArray);
	glBindBuffer(GL_ARRAY_BUFFER, shape->roomBuffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * 3 * sizeof(float)), vertices, GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 3 * (GLsizei)sizeof(float), NULL);
	tnrSetInstanceAttributes();
	glBindVertexArray(0);
	free(vertices);
	shape->roomVertexCount = count;
}

// ---------------------------------------------------------------------------------------------------------------------
// The list

static int16_t tnrMakeKey(float value, float scale)
{
	return (int16_t)lrintf(tnrClamp(value / scale, -1.0f, 1.0f) * KEY_ONE);
}

static bool tnrIsSame(const tnrShape* shape, const tnBodyMesh* mesh, const tnrRooms* rooms, tnVec3 scale)
{
	if (shape->userCount == 0 || shape->roomCount != rooms->count || shape->pointCount != mesh->pointCount ||
		shape->triangleCount != mesh->triangleCount ||
		memcmp(shape->triangles, mesh->triangles, (size_t)mesh->triangleCount * 3 * sizeof(int32_t)) != 0)
	{
		return false;
	}
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		for (int axis = 0; axis < 3; ++axis)
		{
			const int key = tnrMakeKey(tnrGetAxis(mesh->points[i], axis), tnrGetAxis(scale, axis));
			// A rounding apart is the same.
			if (abs(key - shape->key[3 * i + axis]) > 1)
			{
				return false;
			}
		}
	}
	return true;
}

static void tnrFreeShape(tnrShape* shape)
{
	free(shape->key);
	free(shape->triangles);
	*shape = (tnrShape){0};
}

static void tnrDestroyShape(tnrShape* shape)
{
	glDeleteVertexArrays(1, &shape->vertexArray);
	glDeleteBuffers(1, &shape->vertexBuffer);
	glDeleteVertexArrays(1, &shape->roomArray);
	glDeleteBuffers(1, &shape->roomBuffer);
	tnrFreeShape(shape);
}

static bool tnrMakeShape(tnrShape* shape, const tnBodyMesh* mesh, const tnrRooms* rooms, tnVec3 scale)
{
	const size_t indexBytes = (size_t)mesh->triangleCount * 3 * sizeof(int32_t);
	*shape = (tnrShape){.userCount = 1, .pointCount = mesh->pointCount, .triangleCount = mesh->triangleCount};
	shape->key = malloc((size_t)mesh->pointCount * 3 * sizeof(int16_t));
	shape->triangles = malloc(indexBytes);
	shape->axis = 1;
	shape->roomCount = rooms->count;
	tnrFindForm(shape, mesh, scale);
	if (shape->key == NULL || shape->triangles == NULL || tnrUploadMesh(shape, mesh, rooms, scale) == false)
	{
		tnrFreeShape(shape);
		return false;
	}
	tnrUploadRooms(shape, rooms, scale);
	memcpy(shape->triangles, mesh->triangles, indexBytes);
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		for (int axis = 0; axis < 3; ++axis)
		{
			shape->key[3 * i + axis] = tnrMakeKey(tnrGetAxis(mesh->points[i], axis), tnrGetAxis(scale, axis));
		}
	}
	return true;
}

int tnrTakeShape(tnrShapes* shapes, const tnBodyMesh* mesh, const tnrRooms* rooms, tnVec3* scale)
{
	if (mesh->pointCount < 1 || mesh->triangleCount < 1)
	{
		return -1;
	}
	*scale = tnrGetScale(mesh);
	int place = shapes->count;
	for (int i = 0; i < shapes->count; ++i)
	{
		if (tnrIsSame(&shapes->items[i], mesh, rooms, *scale))
		{
			++shapes->items[i].userCount;
			return i;
		}
		place = shapes->items[i].userCount == 0 && i < place ? i : place;
	}
	if (place == shapes->count)
	{
		tnrShape* items = realloc(shapes->items, (size_t)(shapes->count + 1) * sizeof(tnrShape));
		if (items == NULL)
		{
			return -1;
		}
		shapes->items = items;
		shapes->items[shapes->count++] = (tnrShape){0};
	}
	return tnrMakeShape(&shapes->items[place], mesh, rooms, *scale) ? place : -1;
}

void tnrGiveShapeBack(tnrShapes* shapes, int index)
{
	if (index >= 0 && --shapes->items[index].userCount == 0)
	{
		tnrDestroyShape(&shapes->items[index]);
	}
}

void tnrDestroyShapes(tnrShapes* shapes)
{
	for (int i = 0; i < shapes->count; ++i)
	{
		tnrDestroyShape(&shapes->items[i]);
	}
	tnrForgetShapes(shapes);
}

void tnrForgetShapes(tnrShapes* shapes)
{
	for (int i = 0; i < shapes->count; ++i)
	{
		tnrFreeShape(&shapes->items[i]);
	}
	free(shapes->items);
	*shapes = (tnrShapes){0};
}
