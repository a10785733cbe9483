// SPDX-License-Identifier: MIT

#include "voxels.h"

#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of one vertex: place and normal.
#define FLOATS_PER_VERTEX 6

static void tnrFreeVoxels(tnrVoxels* voxels)
{
	tnDestroyVoxelMesher(voxels->mesher);
	free(voxels->pieces);
	free(voxels->dirty);
	free(voxels->mesh.positions);
	free(voxels->mesh.normals);
	free(voxels->mesh.indices);
	free(voxels->vertices);
	free(voxels->tops);
	free(voxels->column);
	free(voxels->amounts);
	*voxels = (tnrVoxels){0};
}

static void tnrDestroyPiece(tnrVoxelPiece* piece)
{
	glDeleteVertexArrays(1, &piece->vertexArray);
	glDeleteBuffers(1, &piece->vertexBuffer);
	glDeleteBuffers(1, &piece->indexBuffer);
	*piece = (tnrVoxelPiece){0};
}

void tnrDestroyVoxels(tnrVoxels* voxels)
{
	for (int i = 0; i < voxels->chunkCount * tnr_voxelLayers && voxels->pieces != NULL; ++i)
	{
		tnrDestroyPiece(&voxels->pieces[i]);
	}
	glDeleteTextures(1, &voxels->topTexture);
	glDeleteTextures(1, &voxels->shadowMap);
	glDeleteFramebuffers(1, &voxels->shadowFramebuffer);
	tnrFreeVoxels(voxels);
}

void tnrForgetVoxels(tnrVoxels* voxels)
{
	tnrFreeVoxels(voxels);
}

static bool tnrMakeVoxelShadows(tnrVoxels* voxels)
{
	glActiveTexture(GL_TEXTURE0 + tnr_shadowUnit);
	voxels->shadowMap =
		tnrMakeTexture(GL_DEPTH_COMPONENT24, tnr_voxelShadowSize, tnr_voxelShadowSize, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	glGenFramebuffers(1, &voxels->shadowFramebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, voxels->shadowFramebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, voxels->shadowMap, 0);
	const GLenum none = GL_NONE;
	glDrawBuffers(1, &none);
	glReadBuffer(GL_NONE);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// Room for a mesh of this size. False without memory.
static bool tnrReserveMesh(tnrVoxels* voxels, int vertexCount, int indexCount)
{
	tnVoxelMesh* mesh = &voxels->mesh;
	if (vertexCount <= mesh->vertexCapacity && indexCount <= mesh->indexCapacity)
	{
		return true;
	}
	// Both grow together, with some to spare.
	const int vertices = vertexCount + vertexCount / 2 + 1024, indices = indexCount + indexCount / 2 + 4096;
	free(mesh->positions);
	free(mesh->normals);
	free(mesh->indices);
	free(voxels->vertices);
	*mesh = (tnVoxelMesh){0};
	mesh->positions = malloc((size_t)vertices * sizeof(tnVec3));
	mesh->normals = malloc((size_t)vertices * sizeof(tnVec3));
	mesh->indices = malloc((size_t)indices * sizeof(uint32_t));
	voxels->vertices = malloc((size_t)vertices * FLOATS_PER_VERTEX * sizeof(float));
	if (mesh->positions == NULL || mesh->normals == NULL || mesh->indices == NULL || voxels->vertices == NULL)
	{
		return false;
	}
	mesh->vertexCapacity = vertices;
	mesh->indexCapacity = indices;
	return true;
}

bool tnrMakeVoxels(tnrVoxels* voxels, const tnVoxelWorld* world, const tnrVoxelDef* def)
{
	*voxels = (tnrVoxels){.def = *def};
	const tnVoxelBox box = def->chunks;
	voxels->nx = box.high.x - box.low.x;
	voxels->ny = box.high.y - box.low.y;
	voxels->nz = box.high.z - box.low.z;
	// 32 blocks: 64 bytes for each piece are 16 MiB.
	const int most = 1 << 14;
	if (voxels->nx < 1 || voxels->ny < 1 || voxels->nz < 1 || voxels->nx > most || voxels->ny > most ||
		voxels->nz > most || (int64_t)voxels->nx * voxels->ny * voxels->nz > most)
	{
		*voxels = (tnrVoxels){0};
		return false;
	}
	voxels->chunkCount = voxels->nx * voxels->ny * voxels->nz;
	voxels->voxelSize = tnVoxelWorld_GetDef(world).voxelSize;
	voxels->layerCount = tnVoxelWorld_GetDef(world).liquidCount + 1;
	const float size = voxels->voxelSize * TN_VOXEL_CHUNK;
	voxels->origin = (tnVec2){(float)box.low.x * size, (float)box.low.z * size};
	voxels->box = (tnrBox){{0.0f, (float)box.low.y * size, 0.0f},
		{(float)voxels->nx * size, (float)box.high.y * size, (float)voxels->nz * size}};
	const tnVoxelBox clip = def->clip;
	const bool isClipped = clip.low.x != clip.high.x || clip.low.y != clip.high.y || clip.low.z != clip.high.z;
	const int32_t n = TN_VOXEL_CHUNK;
	voxels->shown =
		(tnVoxelBox){{box.low.x * n, box.low.y * n, box.low.z * n}, {box.high.x * n, box.high.y * n, box.high.z * n}};
	voxels->shown = isClipped ? clip : voxels->shown;
	const size_t columns = (size_t)(voxels->nx * voxels->nz) * TN_VOXEL_CHUNK * TN_VOXEL_CHUNK;
	voxels->pieces = calloc((size_t)voxels->chunkCount * tnr_voxelLayers, sizeof(tnrVoxelPiece));
	voxels->dirty = calloc((size_t)voxels->chunkCount, sizeof(bool));
	voxels->tops = calloc(columns, 2 * sizeof(float));
	voxels->column = calloc(TN_CHUNK_VOXELS, 1);
	voxels->amounts = calloc(TN_CHUNK_VOXELS, sizeof(uint16_t));
	if (voxels->pieces == NULL || voxels->dirty == NULL || voxels->tops == NULL || voxels->column == NULL ||
		voxels->amounts == NULL || tnCreateVoxelMesher(NULL, &voxels->mesher).status != tn_ok ||
		tnrReserveMesh(voxels, 8192, 32768) == false)
	{
		tnrDestroyVoxels(voxels);
		return false;
	}
	glActiveTexture(GL_TEXTURE0 + tnr_bedUnit);
	voxels->topTexture = tnrMakeTexture(
		GL_RG32F, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	if (tnrMakeVoxelShadows(voxels) == false)
	{
		tnrDestroyVoxels(voxels);
		return false;
	}
	voxels->any = true;
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Keeping up with the world

static tnVoxel tnrGetChunkPlace(const tnrVoxels* voxels, int chunk)
{
	return (tnVoxel){voxels->def.chunks.low.x + chunk % voxels->nx,
		voxels->def.chunks.low.y + chunk / voxels->nx % voxels->ny,
		voxels->def.chunks.low.z + chunk / voxels->nx / voxels->ny};
}

static void tnrMarkAround(tnrVoxels* voxels, tnVoxel place)
{
	const tnVoxel low = voxels->def.chunks.low;
	for (int i = 0; i < 27; ++i)
	{
		const int x = place.x + i % 3 - 1 - low.x, y = place.y + i / 3 % 3 - 1 - low.y, z = place.z + i / 9 - 1 - low.z;
		if (x >= 0 && y >= 0 && z >= 0 && x < voxels->nx && y < voxels->ny && z < voxels->nz)
		{
			voxels->dirty[(z * voxels->ny + y) * voxels->nx + x] = true;
		}
	}
}

static void tnrUploadPiece(tnrVoxels* voxels, tnrVoxelPiece* piece)
{
	const tnVoxelMesh* mesh = &voxels->mesh;
	for (int i = 0; i < mesh->vertexCount; ++i)
	{
		float* to = voxels->vertices + (size_t)i * FLOATS_PER_VERTEX;
		to[0] = mesh->positions[i].x - voxels->origin.x;
		to[1] = mesh->positions[i].y;
		to[2] = mesh->positions[i].z - voxels->origin.z;
		to[3] = mesh->normals[i].x;
		to[4] = mesh->normals[i].y;
		to[5] = mesh->normals[i].z;
		piece->low = i == 0 ? to[1] : fminf(piece->low, to[1]);
		piece->high = i == 0 ? to[1] : fmaxf(piece->high, to[1]);
	}
	const GLsizei stride = FLOATS_PER_VERTEX * sizeof(float);
	if (piece->vertexArray == 0)
	{
		glGenVertexArrays(1, &piece->vertexArray);
		glGenBuffers(1, &piece->vertexBuffer);
		glGenBuffers(1, &piece->indexBuffer);
	}
	glBindVertexArray(piece->vertexArray);
	glBindBuffer(GL_ARRAY_BUFFER, piece->vertexBuffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)mesh->vertexCount * stride, voxels->vertices, GL_DYNAMIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, piece->indexBuffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)mesh->indexCount * (GLsizeiptr)sizeof(uint32_t), mesh->indices,
		GL_DYNAMIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, NULL);
	glEnableVertexAttribArray(1);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void*)(3 * sizeof(float)));
	glBindVertexArray(0);
	piece->indexCount = mesh->indexCount;
}

// True if it looks different now.
static bool tnrUpdatePiece(tnrVoxels* voxels, const tnVoxelWorld* world, int chunk, int layer)
{
	tnrVoxelPiece* piece = &voxels->pieces[chunk * tnr_voxelLayers + layer];
	const tnVoxel place = tnrGetChunkPlace(voxels, chunk);
	tnVoxelMeshDef def = tnDefaultVoxelMeshDef();
	def.style = voxels->def.style;
	def.cutOut = voxels->def.cutOut;
	def.clip = voxels->def.clip;
	def.liquid = layer;
	uint64_t key = 0;
	// A chunk that is not loaded has no triangles.
	(void)tnVoxelMesher_GetKey(voxels->mesher, world, place, &def, &key);
	if (key == piece->key)
	{
		return false;
	}
	piece->key = key;
	voxels->mesh.vertexCount = voxels->mesh.indexCount = 0;
	if (key != 0 && tnVoxelMesher_Build(voxels->mesher, world, place, &def, &voxels->mesh).status == tn_outOfMemory)
	{
		// Once more, with room enough.
		if (tnrReserveMesh(voxels, voxels->mesh.vertexCount, voxels->mesh.indexCount))
		{
			(void)tnVoxelMesher_Build(voxels->mesher, world, place, &def, &voxels->mesh);
		}
	}
	if (voxels->mesh.indexCount > 0)
	{
		tnrUploadPiece(voxels, piece);
	}
	else
	{
		tnrDestroyPiece(piece);
		piece->key = key;
	}
	return true;
}

static bool tnrIsShown(const tnrVoxels* voxels, tnVoxel voxel)
{
	const tnVoxelBox shown = voxels->shown;
	return voxel.x >= shown.low.x && voxel.y >= shown.low.y && voxel.z >= shown.low.z && voxel.x < shown.high.x &&
		voxel.y < shown.high.y && voxel.z < shown.high.z;
}

// The highest ground of the columns of a chunk, and what stands on it.
static void tnrUpdateTops(tnrVoxels* voxels, const tnVoxelWorld* world, int cx, int cz)
{
	const tnVoxel low = voxels->def.chunks.low;
	const int width = voxels->nx * TN_VOXEL_CHUNK, n = TN_VOXEL_CHUNK;
	const float size = voxels->voxelSize, perUnit = 1.0f / (float)tnVoxelWorld_GetDef(world).cap;
	for (int i = 0; i < n * n; ++i)
	{
		float* top = voxels->tops + 2 * ((cz * n + i / n) * width + cx * n + i % n);
		top[0] = top[1] = voxels->box.low.y;
	}
	for (int cy = 0; cy < voxels->ny; ++cy)
	{
		const tnVoxel place = {(low.x + cx) * n, (low.y + cy) * n, (low.z + cz) * n};
		const tnVoxelBox box = {place, {place.x + n, place.y + n, place.z + n}};
		const tnVoxel block = {place.x >> 7, place.y >> 7, place.z >> 7};
		if (tnVoxelWorld_IsLoaded(world, block) == false ||
			tnVoxelWorld_Read(world, box, voxels->column, voxels->amounts, NULL).status != tn_ok)
		{
			continue;
		}
		for (int i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			const int x = i % n, y = i / n / n, z = i / n % n;
			const float ground = (float)voxels->column[i] / 255.0f, liquid = (float)voxels->amounts[i] * perUnit;
			if ((ground == 0.0f && liquid == 0.0f) ||
				tnrIsShown(voxels, (tnVoxel){place.x + x, place.y + y, place.z + z}) == false)
			{
				continue;
			}
			float* top = voxels->tops + 2 * ((cz * n + z) * width + cx * n + x);
			const float bottom = (float)(place.y + y);
			top[0] = ground > 0.0f ? (bottom + ground) * size : top[0];
			top[1] = liquid > 0.0f ? (bottom + ground + liquid) * size : top[1];
		}
	}
}

static void tnrMeasureVoxels(tnrVoxels* voxels)
{
	bool any = false;
	voxels->low = voxels->high = voxels->box.low.y;
	for (int i = 0; i < voxels->chunkCount * tnr_voxelLayers; ++i)
	{
		const tnrVoxelPiece* piece = &voxels->pieces[i];
		if (piece->indexCount > 0)
		{
			voxels->low = any ? fminf(voxels->low, piece->low) : piece->low;
			voxels->high = any ? fmaxf(voxels->high, piece->high) : piece->high;
			any = true;
		}
	}
}

void tnrUpdateVoxels(tnrVoxels* voxels, const tnVoxelWorld* world, const tnVoxel* changed, int count)
{
	if (changed == NULL)
	{
		memset(voxels->dirty, 1, (size_t)voxels->chunkCount * sizeof(bool));
	}
	for (int i = 0; i < count && changed != NULL; ++i)
	{
		tnrMarkAround(voxels, changed[i]);
	}
	bool hasNewTops = false;
	for (int cz = 0; cz < voxels->nz; ++cz)
	{
		for (int cx = 0; cx < voxels->nx; ++cx)
		{
			bool isNewColumn = changed == NULL;
			for (int cy = 0; cy < voxels->ny; ++cy)
			{
				const int chunk = (cz * voxels->ny + cy) * voxels->nx + cx;
				for (int layer = 0; layer < voxels->layerCount && voxels->dirty[chunk]; ++layer)
				{
					const bool isNew = tnrUpdatePiece(voxels, world, chunk, layer);
					isNewColumn = isNewColumn || isNew;
				}
				voxels->dirty[chunk] = false;
			}
			if (isNewColumn)
			{
				tnrUpdateTops(voxels, world, cx, cz);
				hasNewTops = true;
			}
		}
	}
	if (hasNewTops)
	{
		tnrMeasureVoxels(voxels);
		tnrBindTexture(tnr_bedUnit, voxels->topTexture);
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, GL_RG,
			GL_FLOAT, voxels->tops);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing

tnrMatrix tnrAimVoxelShadows(const tnrVoxels* voxels, tnVec3 sun, float* texel, float* depth)
{
	const tnVec3 low = {voxels->box.low.x, voxels->low, voxels->box.low.z};
	const tnVec3 high = {voxels->box.high.x, fmaxf(voxels->high, voxels->low), voxels->box.high.z};
	const tnVec3 middle = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)};
	const float radius = fmaxf(0.5f * tnrLength(tnrSubtract(high, low)), 1.0f);
	const tnVec3 right = tnrNormalize(tnrCross((tnVec3){0.0f, 1.0f, 0.0f}, sun));
	const tnVec3 up = tnrCross(sun, right);
	const tnVec3 away = {-sun.x, -sun.y, -sun.z};
	const tnVec3 axes[3] = {right, up, away};
	tnrMatrix matrix = {{0}};
	for (int i = 0; i < 3; ++i)
	{
		matrix.m[i] = axes[i].x / radius;
		matrix.m[4 + i] = axes[i].y / radius;
		matrix.m[8 + i] = axes[i].z / radius;
		matrix.m[12 + i] = -tnrDot(axes[i], middle) / radius;
	}
	matrix.m[15] = 1.0f;
	*texel = 2.0f * radius / tnr_voxelShadowSize;
	*depth = 2.0f * radius;
	return matrix;
}

int tnrDrawVoxels(const tnrVoxels* voxels, int layer, const tnrMatrix* viewProjection)
{
	const float size = voxels->voxelSize * TN_VOXEL_CHUNK;
	int triangles = 0;
	for (int i = 0; i < voxels->chunkCount; ++i)
	{
		const tnrVoxelPiece* piece = &voxels->pieces[i * tnr_voxelLayers + layer];
		const int x = i % voxels->nx, y = i / voxels->nx % voxels->ny, z = i / voxels->nx / voxels->ny;
		// Cells reach half a voxel over the border.
		const tnVec3 low = {(float)x * size - voxels->voxelSize,
			voxels->box.low.y + (float)y * size - voxels->voxelSize, (float)z * size - voxels->voxelSize};
		const float length = size + 2.0f * voxels->voxelSize;
		const tnrBox box = {low, {low.x + length, low.y + length, low.z + length}};
		if (piece->indexCount == 0 || tnrIsBoxVisible(viewProjection, box) == false)
		{
			continue;
		}
		glBindVertexArray(piece->vertexArray);
		glDrawElements(GL_TRIANGLES, piece->indexCount, GL_UNSIGNED_INT, NULL);
		triangles += piece->indexCount / 3;
	}
	glBindVertexArray(0);
	return triangles;
}
