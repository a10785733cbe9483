// SPDX-License-Identifier: MIT

// Meshes of a voxel world on the GPU, chunk by chunk.

#include "voxels/draw_voxels.h"

#include "gl/vectors.h"
#include "tarn/voxel_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of one vertex: place and normal.
#define FLOATS_PER_VERTEX 6

// Bits of all layers.
#define ALL_LAYERS 0xffffffffu

// Sums of numbers that stand for the voxels of a layer of a chunk: of all, and of those near each of its six sides, which
// are all that a neighbour looks at.
typedef struct tnrDigest
{
	uint64_t all, sides[6];
} tnrDigest;

// How far from a side: see voxel_mesh.h.
#define MESH_REACH 3

static void tnrFreeMesh(tnVoxelMesh* mesh)
{
	free(mesh->positions);
	free(mesh->normals);
	free(mesh->indices);
	*mesh = (tnVoxelMesh){0};
}

static void tnrFreeVoxels(tnrVoxels* voxels)
{
	tnDestroyVoxelMesher(voxels->mesher);
	free(voxels->pieces);
	free(voxels->dirty);
	free(voxels->digests);
	for (int i = 0; i < tnr_voxelBatch; ++i)
	{
		tnrFreeMesh(&voxels->batch[i].mesh);
	}
	free(voxels->vertices);
	free(voxels->freshColumns);
	free(voxels->tops);
	free(voxels->currents);
	free(voxels->movingColumns);
	free(voxels->column);
	free(voxels->amounts);
	free(voxels->kinds);
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
	glDeleteTextures(1, &voxels->currentTexture);
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

// Room for a mesh of this size, and to put it together. False without memory.
static bool tnrReserveMesh(tnrVoxels* voxels, tnVoxelMesh* mesh, int vertexCount, int indexCount)
{
	if (vertexCount > mesh->vertexCapacity || indexCount > mesh->indexCapacity)
	{
		// Both grow together, with some to spare.
		const int vertices = vertexCount + vertexCount / 2 + 1024, indices = indexCount + indexCount / 2 + 4096;
		tnrFreeMesh(mesh);
		mesh->positions = malloc((size_t)vertices * sizeof(tnVec3));
		mesh->normals = malloc((size_t)vertices * sizeof(tnVec3));
		mesh->indices = malloc((size_t)indices * sizeof(uint32_t));
		if (mesh->positions == NULL || mesh->normals == NULL || mesh->indices == NULL)
		{
			tnrFreeMesh(mesh);
			return false;
		}
		mesh->vertexCapacity = vertices;
		mesh->indexCapacity = indices;
	}
	if (mesh->vertexCapacity > voxels->vertexCapacity)
	{
		free(voxels->vertices);
		voxels->vertices = malloc((size_t)mesh->vertexCapacity * FLOATS_PER_VERTEX * sizeof(float));
		voxels->vertexCapacity = voxels->vertices != NULL ? mesh->vertexCapacity : 0;
	}
	return voxels->vertices != NULL;
}

static bool tnrReserveBatch(tnrVoxels* voxels)
{
	bool ok = true;
	for (int i = 0; i < tnr_voxelBatch && ok; ++i)
	{
		ok = tnrReserveMesh(voxels, &voxels->batch[i].mesh, 1024, 4096);
	}
	return ok;
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
	voxels->dirty = calloc((size_t)voxels->chunkCount, sizeof(uint32_t));
	voxels->digests = calloc((size_t)(voxels->chunkCount * voxels->layerCount), sizeof(tnrDigest));
	voxels->tops = calloc(columns, 2 * sizeof(float));
	voxels->currents = calloc(columns, 4 * sizeof(uint16_t));
	voxels->movingColumns = calloc((size_t)(voxels->nx * voxels->nz), 1);
	voxels->column = calloc(TN_CHUNK_VOXELS, 1);
	voxels->amounts = calloc(TN_CHUNK_VOXELS, sizeof(uint16_t));
	voxels->kinds = calloc(TN_CHUNK_VOXELS, 1);
	voxels->freshColumns = calloc((size_t)(voxels->nx * voxels->nz), 1);
	if (voxels->pieces == NULL || voxels->dirty == NULL || voxels->tops == NULL || voxels->currents == NULL ||
		voxels->movingColumns == NULL || voxels->column == NULL || voxels->amounts == NULL || voxels->digests == NULL ||
		voxels->kinds == NULL || voxels->freshColumns == NULL ||
		tnCreateVoxelMesher(NULL, &voxels->mesher).status != tn_ok || tnrReserveBatch(voxels) == false)
	{
		tnrDestroyVoxels(voxels);
		return false;
	}
	glActiveTexture(GL_TEXTURE0 + tnr_bedUnit);
	voxels->topTexture = tnrMakeTexture(
		GL_RG32F, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	voxels->currentTexture = tnrMakeTexture(
		GL_RGBA16F, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
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

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
static uint64_t tnrMixBits(uint64_t bits)
{
	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
	return bits ^ bits >> 31;
}

static void tnrAddToDigest(tnrDigest* digest, int voxel, uint32_t value)
{
	const int n = TN_VOXEL_CHUNK, far = n - MESH_REACH;
	const int x = voxel % n, y = voxel / n / n, z = voxel / n % n;
	const uint64_t number = tnrMixBits((uint64_t)voxel << 32 | value);
	digest->all += number;
	digest->sides[0] += x < MESH_REACH ? number : 0;
	digest->sides[1] += x >= far ? number : 0;
	digest->sides[2] += y < MESH_REACH ? number : 0;
	digest->sides[3] += y >= far ? number : 0;
	digest->sides[4] += z < MESH_REACH ? number : 0;
	digest->sides[5] += z >= far ? number : 0;
}

// Of the ground and of each liquid of a chunk. Empty voxels add nothing.
static void tnrDigestChunk(tnrVoxels* voxels, const tnVoxelWorld* world, tnVoxel place, tnrDigest* digests)
{
	const int n = TN_VOXEL_CHUNK;
	const tnVoxel low = {place.x * n, place.y * n, place.z * n};
	const tnVoxelBox box = {low, {low.x + n, low.y + n, low.z + n}};
	memset(digests, 0, sizeof(tnrDigest) * (size_t)voxels->layerCount);
	if (tnVoxelWorld_Read(world, box, voxels->column, voxels->amounts, voxels->kinds).status != tn_ok)
	{
		return;
	}
	for (int i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		if (voxels->column[i] != 0)
		{
			tnrAddToDigest(&digests[TN_MESH_GROUND], i, voxels->column[i]);
		}
		if (voxels->kinds[i] != 0 && voxels->kinds[i] < voxels->layerCount)
		{
			tnrAddToDigest(&digests[voxels->kinds[i]], i, voxels->amounts[i]);
		}
	}
}

// Can a neighbour that lies this way see the difference?
static bool tnrIsSeenFrom(const tnrDigest* old, const tnrDigest* now, int dx, int dy, int dz)
{
	return old->all != now->all && (dx == 0 || old->sides[dx > 0] != now->sides[dx > 0]) &&
		(dy == 0 || old->sides[2 + (dy > 0)] != now->sides[2 + (dy > 0)]) &&
		(dz == 0 || old->sides[4 + (dz > 0)] != now->sides[4 + (dz > 0)]);
}

// A chunk has changed: mark the layers of itself and of its neighbours that may look different.
static void tnrMarkAround(tnrVoxels* voxels, const tnVoxelWorld* world, tnVoxel place)
{
	const tnVoxel low = voxels->def.chunks.low;
	const int cx = place.x - low.x, cy = place.y - low.y, cz = place.z - low.z;
	const bool isDrawn = cx >= 0 && cy >= 0 && cz >= 0 && cx < voxels->nx && cy < voxels->ny && cz < voxels->nz;
	tnrDigest now[tnr_voxelLayers];
	tnrDigest* old = isDrawn ? &voxels->digests[((cz * voxels->ny + cy) * voxels->nx + cx) * voxels->layerCount] : NULL;
	if (isDrawn)
	{
		tnrDigestChunk(voxels, world, place, now);
	}
	for (int i = 0; i < 27; ++i)
	{
		const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
		const int x = cx + dx, y = cy + dy, z = cz + dz;
		if (x < 0 || y < 0 || z < 0 || x >= voxels->nx || y >= voxels->ny || z >= voxels->nz)
		{
			continue;
		}
		uint32_t layers = isDrawn ? 0u : ALL_LAYERS;
		for (int layer = 0; layer < voxels->layerCount && isDrawn; ++layer)
		{
			const bool isSeen = tnrIsSeenFrom(&old[layer], &now[layer], dx, dy, dz);
			// Liquid lies on the ground.
			layers |= !isSeen ? 0u : layer == TN_MESH_GROUND ? ALL_LAYERS : 1u << layer;
		}
		voxels->dirty[(z * voxels->ny + y) * voxels->nx + x] |= layers;
	}
	if (isDrawn)
	{
		memcpy(old, now, sizeof(tnrDigest) * (size_t)voxels->layerCount);
	}
}

static void tnrUploadPiece(tnrVoxels* voxels, tnrVoxelPiece* piece, const tnVoxelMesh* mesh)
{
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

// Make the meshes of a batch, and upload those that are others than before.
static void tnrFinishBatch(tnrVoxels* voxels, const tnVoxelWorld* world)
{
	const bool ok = tnVoxelMesher_BuildMany(voxels->mesher, world, voxels->batch, voxels->batchCount).status == tn_ok;
	for (int i = 0; i < voxels->batchCount && ok; ++i)
	{
		tnVoxelMeshTask* task = &voxels->batch[i];
		if (task->isTooLarge && tnrReserveMesh(voxels, &task->mesh, task->mesh.vertexCount, task->mesh.indexCount))
		{
			// Once more, with room enough.
			(void)tnVoxelMesher_BuildMany(voxels->mesher, world, task, 1);
		}
		if (task->isNew == false || voxels->vertices == NULL)
		{
			continue;
		}
		tnrVoxelPiece* piece = &voxels->pieces[voxels->batchPieces[i]];
		if (task->mesh.indexCount > 0)
		{
			tnrUploadPiece(voxels, piece, &task->mesh);
		}
		else
		{
			tnrDestroyPiece(piece);
		}
		piece->key = task->key;
		const int chunk = voxels->batchPieces[i] / tnr_voxelLayers;
		voxels->freshColumns[chunk / voxels->nx / voxels->ny * voxels->nx + chunk % voxels->nx] = 1;
	}
	voxels->batchCount = 0;
}

// Make a layer of a chunk anew, with the others of the batch.
static void tnrUpdatePiece(tnrVoxels* voxels, const tnVoxelWorld* world, int chunk, int layer)
{
	const tnVoxel place = tnrGetChunkPlace(voxels, chunk);
	const int index = chunk * tnr_voxelLayers + layer;
	tnrVoxelPiece* piece = &voxels->pieces[index];
	if (tnVoxelWorld_IsLoaded(world, (tnVoxel){place.x >> 3, place.y >> 3, place.z >> 3}) == false)
	{
		// No triangles.
		if (piece->key != 0)
		{
			tnrDestroyPiece(piece);
			voxels->freshColumns[chunk / voxels->nx / voxels->ny * voxels->nx + chunk % voxels->nx] = 1;
		}
		return;
	}
	tnVoxelMeshDef def = tnDefaultVoxelMeshDef();
	def.style = voxels->def.style;
	def.cutOut = voxels->def.cutOut;
	def.clip = voxels->def.clip;
	def.liquid = layer;
	tnVoxelMeshTask* task = &voxels->batch[voxels->batchCount];
	*task = (tnVoxelMeshTask){.chunk = place, .def = def, .mesh = task->mesh, .key = piece->key};
	task->mesh.vertexCount = task->mesh.indexCount = 0;
	voxels->batchPieces[voxels->batchCount] = index;
	voxels->batchCount += 1;
	if (voxels->batchCount == tnr_voxelBatch)
	{
		tnrFinishBatch(voxels, world);
	}
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

// How the uppermost liquid of the columns of a chunk moves.
static void tnrUpdateCurrents(tnrVoxels* voxels, tnVoxelWorld* world, int cx, int cz)
{
	enum
	{
		n = TN_VOXEL_CHUNK
	};
	const int width = voxels->nx * n;
	tnVec3 points[n * n];
	tnVoxelSample samples[n * n] = {0};
	int places[n * n], count = 0;
	for (int i = 0; i < n * n; ++i)
	{
		const int place = (cz * n + i / n) * width + cx * n + i % n;
		const float* top = voxels->tops + 2 * (size_t)place;
		memset(voxels->currents + 4 * (size_t)place, 0, 4 * sizeof(uint16_t));
		if (top[1] > voxels->box.low.y)
		{
			const float size = voxels->voxelSize;
			points[count] = (tnVec3){((float)(cx * n + i % n) + 0.5f) * size + voxels->origin.x, top[1] - 0.05f * size,
				((float)(cz * n + i / n) + 0.5f) * size + voxels->origin.z};
			places[count] = place;
			count += 1;
		}
	}
	bool moves = false;
	voxels->movingColumns[cz * voxels->nx + cx] = 0;
	// Without memory for currents it is drawn as if it stood still.
	if (tnVoxelWorld_SampleMany(world, points, count, samples).status != tn_ok)
	{
		return;
	}
	for (int i = 0; i < count; ++i)
	{
		uint16_t* current = voxels->currents + 4 * (size_t)places[i];
		current[0] = tnrMakeHalf(samples[i].velocity.x);
		current[1] = tnrMakeHalf(samples[i].velocity.z);
		current[2] = tnrMakeHalf(samples[i].velocity.y);
		moves = moves || (current[0] | current[1] | current[2]) != 0;
	}
	voxels->movingColumns[cz * voxels->nx + cx] = moves;
}

// Where something has changed or moved before: what comes to rest changes no more. A few in turn besides: what flows through may change
// nothing.
static void tnrUpdateAllCurrents(tnrVoxels* voxels, tnVoxelWorld* world, const tnVoxel* changed, int changedCount)
{
	const int columnCount = voxels->nx * voxels->nz, turns = 16;
	for (int column = 0; column < columnCount; ++column)
	{
		voxels->freshColumns[column] = changed == NULL || voxels->movingColumns[column] != 0;
	}
	for (int i = 0; i < changedCount && changed != NULL; ++i)
	{
		const int cx = changed[i].x - voxels->def.chunks.low.x, cz = changed[i].z - voxels->def.chunks.low.z;
		if (cx >= 0 && cz >= 0 && cx < voxels->nx && cz < voxels->nz)
		{
			voxels->freshColumns[cz * voxels->nx + cx] = 1;
		}
	}
	for (int i = 0; i < (columnCount + turns - 1) / turns; ++i)
	{
		voxels->freshColumns[voxels->nextCurrent] = 1;
		voxels->nextCurrent = (voxels->nextCurrent + 1) % columnCount;
	}
	for (int column = 0; column < columnCount; ++column)
	{
		if (voxels->freshColumns[column] != 0)
		{
			tnrUpdateCurrents(voxels, world, column % voxels->nx, column / voxels->nx);
		}
	}
	tnrBindTexture(tnr_flowUnit, voxels->currentTexture);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, GL_RGBA,
		GL_HALF_FLOAT, voxels->currents);
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

void tnrUpdateVoxels(tnrVoxels* voxels, tnVoxelWorld* world, const tnVoxel* changed, int count)
{
	if (changed == NULL)
	{
		for (int i = 0; i < voxels->chunkCount; ++i)
		{
			voxels->dirty[i] = ALL_LAYERS;
			tnrDigestChunk(voxels, world, tnrGetChunkPlace(voxels, i), &voxels->digests[i * voxels->layerCount]);
		}
	}
	for (int i = 0; i < count && changed != NULL; ++i)
	{
		tnrMarkAround(voxels, world, changed[i]);
	}
	memset(voxels->freshColumns, changed == NULL, (size_t)(voxels->nx * voxels->nz));
	for (int chunk = 0; chunk < voxels->chunkCount; ++chunk)
	{
		for (int layer = 0; layer < voxels->layerCount && voxels->dirty[chunk] != 0; ++layer)
		{
			if ((voxels->dirty[chunk] >> layer & 1u) != 0)
			{
				tnrUpdatePiece(voxels, world, chunk, layer);
			}
		}
		voxels->dirty[chunk] = 0;
	}
	tnrFinishBatch(voxels, world);
	bool hasNewTops = false;
	for (int column = 0; column < voxels->nx * voxels->nz; ++column)
	{
		if (voxels->freshColumns[column] != 0)
		{
			tnrUpdateTops(voxels, world, column % voxels->nx, column / voxels->nx);
			hasNewTops = true;
		}
	}
	if (hasNewTops)
	{
		tnrMeasureVoxels(voxels);
		tnrBindTexture(tnr_bedUnit, voxels->topTexture);
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, voxels->nx * TN_VOXEL_CHUNK, voxels->nz * TN_VOXEL_CHUNK, GL_RG,
			GL_FLOAT, voxels->tops);
	}
	tnrUpdateAllCurrents(voxels, world, changed, count);
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
