// SPDX-License-Identifier: MIT

// A box of voxels that a host names: is it within loaded blocks, and its parts, chunk by chunk. And what every change of a voxel
// notes for the chunks that depend on it.

#include "voxel_edit.h"

tnResult tnVoxelWorld_CheckBox(const tnVoxelWorld* world, tnVoxelBox box)
{
	const int32_t low[3] = {box.low.x, box.low.y, box.low.z};
	const int32_t high[3] = {box.high.x, box.high.y, box.high.z};
	for (int i = 0; i < 3; ++i)
	{
		if (low[i] < -TN_MAX_VOXEL || high[i] > TN_MAX_VOXEL || high[i] <= low[i])
		{
			return tnFail(tn_invalidArgument, "box.%c must be a range within [%d, %d), got [%d, %d)", "xyz"[i],
				-TN_MAX_VOXEL, TN_MAX_VOXEL, low[i], high[i]);
		}
	}
	for (int32_t x = box.low.x >> 7; x <= (box.high.x - 1) >> 7; ++x)
	{
		for (int32_t z = box.low.z >> 7; z <= (box.high.z - 1) >> 7; ++z)
		{
			for (int32_t y = box.low.y >> 7; y <= (box.high.y - 1) >> 7; ++y)
			{
				if (tnVoxelStore_FindBlock(&world->store, (tnVoxel){x, y, z}) == NULL)
				{
					return tnFail(
						tn_invalidArgument, "box must lie in loaded blocks, but (%d, %d, %d) is not loaded", x, y, z);
				}
			}
		}
	}
	return tnSuccess();
}

tnResult tnCheckVoxelStamp(uint32_t stamp, const char* origin)
{
	if (stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from %s(), got 0x%x", origin, (unsigned)stamp);
	}
	return tnSuccess();
}

tnResult tnVoxelWorld_CheckEdit(const tnVoxelWorld* world, tnVoxelBox box)
{
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	return ready.status == tn_ok ? tnVoxelWorld_Report(world, tnVoxelWorld_CheckBox(world, box)) : ready;
}

// The part of a box in chunks of one block.
static bool tnForEachPartOf(tnVoxelWorld* world, tnVoxelBlock* block, tnVoxelBox box, tnPartFcn* fcn, void* context)
{
	const tnVoxel first = {8 * block->place.x, 8 * block->place.y, 8 * block->place.z};
	for (int32_t cx = tnMaxInt(box.low.x >> 4, first.x); cx <= tnMinInt((box.high.x - 1) >> 4, first.x + 7); ++cx)
	{
		for (int32_t cz = tnMaxInt(box.low.z >> 4, first.z); cz <= tnMinInt((box.high.z - 1) >> 4, first.z + 7); ++cz)
		{
			for (int32_t cy = tnMaxInt(box.low.y >> 4, first.y); cy <= tnMinInt((box.high.y - 1) >> 4, first.y + 7);
				 ++cy)
			{
				tnChunkPart part = {.block = block, .chunk = tnGetChunkIndex(cx & 7, cy & 7, cz & 7)};
				part.inside.low.x = tnMaxInt(box.low.x - 16 * cx, 0);
				part.inside.low.y = tnMaxInt(box.low.y - 16 * cy, 0);
				part.inside.low.z = tnMaxInt(box.low.z - 16 * cz, 0);
				part.inside.high.x = tnMinInt(box.high.x - 16 * cx, 16);
				part.inside.high.y = tnMinInt(box.high.y - 16 * cy, 16);
				part.inside.high.z = tnMinInt(box.high.z - 16 * cz, 16);
				part.offset.x = 16 * cx + part.inside.low.x - box.low.x;
				part.offset.y = 16 * cy + part.inside.low.y - box.low.y;
				part.offset.z = 16 * cz + part.inside.low.z - box.low.z;
				if (!fcn(world, &part, context))
				{
					return false;
				}
			}
		}
	}
	return true;
}

// Calls fcn for each chunk until it returns false. Blocks that are not loaded are skipped.
bool tnVoxelWorld_ForEachPart(tnVoxelWorld* world, tnVoxelBox box, tnPartFcn* fcn, void* context)
{
	for (int32_t x = box.low.x >> 7; x <= (box.high.x - 1) >> 7; ++x)
	{
		for (int32_t z = box.low.z >> 7; z <= (box.high.z - 1) >> 7; ++z)
		{
			for (int32_t y = box.low.y >> 7; y <= (box.high.y - 1) >> 7; ++y)
			{
				tnVoxelBlock* block = tnVoxelStore_FindBlock(&world->store, (tnVoxel){x, y, z});
				if (block != NULL && !tnForEachPartOf(world, block, box, fcn, context))
				{
					return false;
				}
			}
		}
	}
	return true;
}

void tnVoxelWriter_Note(tnVoxelWriter* writer, int32_t voxel)
{
	tnNoteVoxel(&writer->change, voxel & (TN_ROW - 1), voxel >> 8, voxel >> 4 & (TN_ROW - 1));
}

void tnVoxelWriter_Set(tnVoxelWriter* writer, int32_t voxel, uint16_t word)
{
	tnVoxelChunk* chunk = writer->block->chunks + writer->chunk;
	chunk->liquid[voxel] = word;
	chunk->kinds |= word != 0 ? (uint16_t)(1u << tnGetKind(word)) : 0;
	tnVoxelWriter_Note(writer, voxel);
}

void tnVoxelWriter_Wake(const tnVoxelWriter* writer)
{
	if (writer->change.layers != 0)
	{
		tnVoxelBlock_WakeAround(writer->block, writer->chunk, &writer->change);
	}
}

void tnVoxelWorld_SetWord(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, int32_t voxel, uint16_t word)
{
	(void)world;
	tnVoxelWriter writer = {.block = block, .chunk = chunk};
	tnVoxelWriter_Set(&writer, voxel, word);
	tnVoxelWriter_Wake(&writer);
}
