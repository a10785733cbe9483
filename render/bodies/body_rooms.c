// SPDX-License-Identifier: MIT

// Rooms of bodies, as the world has them (tarn/hollow.h): what no water around the body gets into, and the water that is in them.

#include "bodies/body_rooms.h"

#include "gl/vectors.h"

#include <stdlib.h>

// Pairs of triangles that are looked at, to tell faces inside from those outside.
#define MOST_WORK 4.0e6

void tnrFindRooms(tnrRooms* rooms, const tnWorld* world, tnBodyId id)
{
	*rooms = (tnrRooms){0};
	const int count = world != NULL ? tnWorld_GetHollowCount(world, id) : 0;
	for (int i = 0; i < count; ++i)
	{
		tnBodyMesh* mesh = rooms->meshes + rooms->count;
		if (tnWorld_GetHollowMesh(world, id, i, mesh).status != tn_ok || mesh->triangleCount == 0)
		{
			continue;
		}
		float top = -INFINITY;
		for (int k = 0; k < 3 * mesh->triangleCount; ++k)
		{
			top = fmaxf(top, mesh->points[mesh->triangles[k]].y);
		}
		rooms->tops[rooms->count++] = top;
	}
}

// How many triangles of a room a ray from a point meets, odd or even: odd inside. Askew, so that it meets no edges of boxes.
static bool tnrIsInside(const tnBodyMesh* mesh, tnVec3 point)
{
	const tnVec3 ray = {0.5423f, 0.7891f, 0.2877f};
	bool inside = false;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * (size_t)i;
		const tnVec3 a = mesh->points[corners[0]];
		const tnVec3 ab = tnrSubtract(mesh->points[corners[1]], a), ac = tnrSubtract(mesh->points[corners[2]], a);
		const tnVec3 from = tnrSubtract(point, a), across = tnrCross(ray, ac), along = tnrCross(from, ab);
		const float size = tnrDot(ab, across);
		const float u = tnrDot(from, across), v = tnrDot(ray, along), t = tnrDot(ac, along);
		const float sign = size < 0.0f ? -1.0f : 1.0f;
		const bool meets = size != 0.0f && sign * u >= 0.0f && sign * v >= 0.0f && sign * (u + v) <= sign * size;
		inside = inside != (meets && sign * t > 0.0f);
	}
	return inside;
}

int tnrFindRoom(const tnrRooms* rooms, const tnBodyMesh* mesh, tnVec3 place)
{
	for (int i = 0; i < rooms->count; ++i)
	{
		const double work = (double)mesh->triangleCount * (double)rooms->meshes[i].triangleCount;
		if (work <= MOST_WORK && tnrIsInside(&rooms->meshes[i], place))
		{
			return i;
		}
	}
	return -1;
}

int tnrListRooms(const tnrRooms* rooms, tnVec3 scale, float* vertices)
{
	int count = 0;
	for (int room = 0; room < rooms->count; ++room)
	{
		const tnBodyMesh* mesh = &rooms->meshes[room];
		for (int i = 0; i < 3 * mesh->triangleCount && vertices != NULL; ++i)
		{
			const tnVec3 p = mesh->points[mesh->triangles[i]];
			float* vertex = vertices + 3 * ((size_t)count + (size_t)i);
			vertex[0] = p.x / scale.x;
			vertex[1] = p.y / scale.y;
			vertex[2] = p.z / scale.z;
		}
		count += 3 * mesh->triangleCount;
	}
	return count;
}
