// SPDX-License-Identifier: MIT

// What belongs to no block as bytes: kind and version, the cursor of limits of work, flags, rules and liquids, time, ledgers,
// what waits, sources, oceans, reactions, interests, blocks with who is awake in them, a hash of their voxels; sum.
//
// Nothing of it is about memory: what comes next does not depend on it. Up to version 2 there was something, and there are
// zeros in its place.

#include "voxel_current.h"
#include "voxel_location.h"
#include "voxel_save.h"

#include <string.h>

// Blocks that the box of a source or an ocean may cover: each is looked for in every step.
#define TN_MAX_BOX_BLOCKS (1 << 16)
// Units in an entry of a ledger: sums of them do not overflow.
#define TN_MAX_ENTRY ((int64_t)1 << 59)

enum
{
	tn_oldPoolCount = 4, // slabs of these were kept once
	tn_ledgerEntries = 9,
	tn_waitingRests = 1 << 0,
	tn_componentsKnown = 1 << 1,
};

static int64_t* tnGetEntry(tnVoxelLedger* ledger, int index)
{
	int64_t* entries[tn_ledgerEntries] = {&ledger->added, &ledger->loaded, &ledger->sources, &ledger->ocean,
		&ledger->reactions, &ledger->removed, &ledger->unloaded, &ledger->drains, &ledger->evaporated};
	return entries[index];
}

// Entries from this one on are subtracted.
#define TN_FIRST_TAKEN 5

// ---------------------------------------------------------------------------------------------------------------------
// To bytes

static void tnWriteBox(tnByteWriter* writer, tnVoxelBox box)
{
	tnWriteVoxel(writer, box.low);
	tnWriteVoxel(writer, box.high);
}

static void tnWriteRules(tnByteWriter* writer, const tnVoxelWorldDef* def)
{
	tnWriteNumber(writer, (uint64_t)def->cap);
	tnWriteNumber(writer, (uint64_t)def->rules);
	tnWriteNumber(writer, (uint64_t)def->levelInterval);
	tnWriteNumber(writer, (uint64_t)def->liquidCount);
	for (int32_t i = 0; i < def->liquidCount; ++i)
	{
		const tnLiquidDef* liquid = def->liquids + i;
		uint32_t density;
		memcpy(&density, &liquid->density, sizeof(density));
		tnWriteNumber(writer, (uint64_t)liquid->viscosity);
		tnWriteNumber(writer, density);
		tnWriteNumber(writer, liquid->levels ? 1 : 0);
		tnWriteNumber(writer, (uint64_t)liquid->evaporation);
	}
}

static void tnWriteLists(tnByteWriter* writer, const tnVoxelWorld* world)
{
	tnWriteNumber(writer, 0);
	tnWriteNumber(writer, (uint64_t)world->waitingCount);
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		tnWriteVoxel(writer, world->waiting[i].voxel);
		tnWriteNumber(writer, (uint64_t)world->waiting[i].liquid);
		tnWriteNumber(writer, (uint64_t)world->waiting[i].amount);
	}
	tnWriteNumber(writer, (uint64_t)world->sourceIds.slotCount);
	for (int i = 0; i < world->sourceIds.slotCount; ++i)
	{
		tnWriteNumber(writer, tnIdPool_GetGeneration(&world->sourceIds, i));
		if (tnIdPool_IsUsed(&world->sourceIds, i))
		{
			const tnVoxelSourceDef* def = &world->sources[i].def;
			tnWriteBox(writer, def->box);
			tnWriteNumber(writer, (uint64_t)def->liquid);
			tnWriteSigned(writer, def->rate);
		}
	}
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		const tnVoxelOceanDef* ocean = world->oceans + kind;
		tnWriteNumber(writer, ocean->liquid != 0 ? 1 : 0);
		if (ocean->liquid != 0)
		{
			tnWriteBox(writer, ocean->box);
			tnWriteSigned(writer, ocean->level);
		}
	}
	for (int32_t first = 1; first <= world->def.liquidCount; ++first)
	{
		for (int32_t second = 1; second <= world->def.liquidCount; ++second)
		{
			const tnReactionDef* reaction = &world->reactions[first][second];
			if (first != second)
			{
				tnWriteNumber(writer, (uint64_t)reaction->rate);
				tnWriteNumber(writer, (uint64_t)(reaction->rate != 0 ? reaction->ground : 0));
			}
		}
	}
	tnWriteNumber(writer, (uint64_t)world->interestCount);
	for (int32_t i = 0; i < world->interestCount; ++i)
	{
		tnWriteVoxel(writer, world->interests[i]);
	}
}

// Which chunk a part belongs to. There always is one.
static void tnFindOwner(const tnVoxelWorld* world, const tnVoxelPart* part, tnVoxel* place, int32_t* label)
{
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			const tnVoxelChunk* chunk = world->store.blocks[b]->chunks + c;
			int32_t rank = 0;
			for (int32_t i = 0; i < chunk->partCount; ++i)
			{
				// Of a chunk that must be divided again only parts with something on account are kept.
				rank += !tnIsSavedStale(chunk) || chunk->parts[i].account != 0 ? 1 : 0;
				if (chunk->parts + i == part)
				{
					*place = tnGetChunkPlace(world->store.blocks[b], c);
					*label = rank;
					return;
				}
			}
		}
	}
}

// What the levels have found and not finished: jets run until the next pass.
static void tnWriteLevels(tnByteWriter* writer, const tnVoxelWorld* world)
{
	uint64_t isNew = 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		isNew |= world->oceanIsNew[kind] ? (uint64_t)1 << kind : 0;
	}
	tnWriteNumber(writer, isNew | (world->levelsPending ? 1u : 0u));
	// Those of empty accounts have nothing to give before they are found anew.
	uint64_t count = 0;
	for (int32_t i = 0; i < world->jetCount; ++i)
	{
		count += world->jets[i].component->account > 0 ? 1 : 0;
	}
	tnWriteNumber(writer, count);
	for (int32_t i = 0; i < world->jetCount; ++i)
	{
		const tnVoxelJet* jet = world->jets + i;
		if (jet->component->account <= 0)
		{
			continue;
		}
		tnVoxel owner = {0};
		int32_t label = 0;
		tnFindOwner(world, jet->component, &owner, &label);
		tnWriteVoxel(writer, owner);
		tnWriteNumber(writer, (uint64_t)label);
		tnWriteVoxel(writer, tnGetVoxelPlace(jet->block, jet->chunk, jet->voxel));
		tnWriteNumber(writer, (uint64_t)jet->rate);
	}
}

static void tnWriteAwake(tnByteWriter* writer, const tnVoxelWorld* world, const tnVoxelBlock* block)
{
	tnWriteVoxel(writer, block->place);
	uint32_t count = 0;
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		const uint32_t layers = tnGetSavedLayers(world, block->chunks + i, tnGetChunkPlace(block, i));
		count += layers != 0 || tnIsSavedStale(block->chunks + i) ? 1 : 0;
	}
	tnWriteNumber(writer, count);
	int32_t last = 0;
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		const tnVoxelChunk* chunk = block->chunks + i;
		const uint32_t layers = tnGetSavedLayers(world, chunk, tnGetChunkPlace(block, i));
		if (layers != 0 || tnIsSavedStale(chunk))
		{
			tnWriteNumber(writer, (uint64_t)(i - last) << 1 | (tnIsSavedStale(chunk) ? 1u : 0u));
			tnWriteNumber(writer, layers);
			last = i;
		}
	}
}

tnResult tnVoxelWorld_SaveState(tnVoxelWorld* world, void* bytes, size_t capacity, size_t* size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSaveTarget(world, bytes, capacity, size);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	tnByteWriter writer = tnMakeWriter(bytes, capacity);
	tnWriteByte(&writer, tn_stateSave | TN_STATE_VERSION);
	tnWriteVoxel(&writer, world->cursor);
	// What must be divided again must be found again anyway.
	const bool isKnown = world->componentsKnown && tnCountAllStale(world) == 0 && world->bodies.takenChunks.count == 0;
	tnWriteNumber(&writer, (world->waitingRests ? tn_waitingRests : 0u) | (isKnown ? tn_componentsKnown : 0u));
	tnWriteRules(&writer, &world->def);
	tnWriteNumber(&writer, (uint64_t)world->stepCount);
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		for (int i = 0; i < tn_ledgerEntries; ++i)
		{
			tnWriteSigned(&writer, *tnGetEntry(world->ledgers + kind, i));
		}
	}
	tnWriteLists(&writer, world);
	tnWriteLevels(&writer, world);
	for (int i = 0; i < tn_oldPoolCount; ++i)
	{
		tnWriteNumber(&writer, 0);
	}
	tnWriteNumber(&writer, (uint64_t)world->stats.componentCount);
	tnWriteNumber(&writer, (uint64_t)world->store.blockCount);
	for (int32_t i = 0; i < world->store.blockCount; ++i)
	{
		tnWriteAwake(&writer, world, world->store.blocks[i]);
	}
	tnWriteNumber(&writer, tnVoxelWorld_GetHash(world));
	tnWriteSum(&writer);
	return tnFinishSave(world, &writer, size);
}

// ---------------------------------------------------------------------------------------------------------------------
// From bytes. All is read twice: first to see if it is right and what it needs, and then to change the world.

typedef struct tnStateReader
{
	tnByteReader bytes;
	bool changes; // the second time
	int32_t waitingCount, sourceCount;
	uint64_t sums[TN_MAX_LIQUIDS + 1]; // what there should be in voxels and on accounts: wraps around
	tnVoxelLedger ledgers[TN_MAX_LIQUIDS + 1];
} tnStateReader;

// One value of the def. False if it is another.
static bool tnExpect(tnStateReader* reader, tnResult* result, const char* name, uint64_t expected)
{
	const uint64_t value = tnReadNumber(&reader->bytes);
	if (!reader->bytes.failed && value != expected)
	{
		*result = tnFail(tn_invalidArgument, "save.%s must be %llu as in the world, got %llu", name,
			(unsigned long long)expected, (unsigned long long)value);
	}
	return result->status == tn_ok && !reader->bytes.failed;
}

static tnResult tnReadRules(tnStateReader* reader, const tnVoxelWorldDef* def)
{
	tnResult result = tnSuccess();
	bool ok = tnExpect(reader, &result, "cap", (uint64_t)def->cap);
	ok = ok && tnExpect(reader, &result, "rules", (uint64_t)def->rules);
	ok = ok && tnExpect(reader, &result, "levelInterval", (uint64_t)def->levelInterval);
	ok = ok && tnExpect(reader, &result, "liquidCount", (uint64_t)def->liquidCount);
	for (int32_t i = 0; ok && i < def->liquidCount; ++i)
	{
		const tnLiquidDef* liquid = def->liquids + i;
		uint32_t density;
		memcpy(&density, &liquid->density, sizeof(density));
		ok = tnExpect(reader, &result, "liquids.viscosity", (uint64_t)liquid->viscosity);
		ok = ok && tnExpect(reader, &result, "liquids.density (bits)", density);
		ok = ok && tnExpect(reader, &result, "liquids.levels", liquid->levels ? 1 : 0);
		ok = ok && tnExpect(reader, &result, "liquids.evaporation", (uint64_t)liquid->evaporation);
	}
	return result;
}

static tnVoxelBox tnReadBox(tnByteReader* reader)
{
	tnVoxelBox box;
	box.low = tnReadVoxel(reader);
	box.high = tnReadVoxel(reader);
	const int32_t low[3] = {box.low.x, box.low.y, box.low.z};
	const int32_t high[3] = {box.high.x, box.high.y, box.high.z};
	int64_t blocks = 1;
	for (int i = 0; i < 3 && !reader->failed; ++i)
	{
		reader->failed = low[i] < -TN_MAX_VOXEL || high[i] > TN_MAX_VOXEL || high[i] <= low[i];
		blocks *= reader->failed ? 1 : ((high[i] - 1) >> 7) - (low[i] >> 7) + 1;
	}
	reader->failed = reader->failed || blocks > TN_MAX_BOX_BLOCKS;
	return box;
}

static void tnReadWaiting(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	(void)tnReadWithin(bytes, 0, INT32_MAX);
	const int32_t count = (int32_t)tnReadWithin(bytes, 0, INT32_MAX / 4);
	for (int32_t i = 0; i < count && !bytes->failed; ++i)
	{
		tnVoxelWaiting waiting;
		waiting.voxel = tnReadVoxel(bytes);
		waiting.liquid = (int32_t)tnReadWithin(bytes, 1, world->def.liquidCount);
		waiting.amount = tnReadWithin(bytes, 1, TN_MAX_ACCOUNT);
		const tnVoxel home = {waiting.voxel.x >> 7, waiting.voxel.y >> 7, waiting.voxel.z >> 7};
		// It goes with its block.
		bytes->failed = bytes->failed || tnVoxelStore_FindBlock(&world->store, home) == NULL;
		reader->sums[waiting.liquid] -= (uint64_t)waiting.amount;
		if (reader->changes)
		{
			world->waiting[i] = waiting;
		}
	}
	reader->waitingCount = count;
	if (reader->changes)
	{
		world->waitingCount = count;
	}
}

static void tnReadSources(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	tnIdPool* ids = &world->sourceIds;
	const int32_t count = (int32_t)tnReadWithin(bytes, 0, INT32_MAX / 4);
	if (reader->changes)
	{
		tnIdPool_BeginReturn(ids, count);
	}
	for (int32_t i = 0; i < count && !bytes->failed; ++i)
	{
		const uint32_t generation = (uint32_t)tnReadWithin(bytes, 0, UINT32_MAX);
		tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
		if ((generation & 1u) != 0)
		{
			def.box = tnReadBox(bytes);
			def.liquid = (int32_t)tnReadWithin(bytes, 0, world->def.liquidCount);
			const int64_t rate = tnReadSigned(bytes);
			bytes->failed =
				bytes->failed || rate < -TN_MAX_VOXEL_CAP || rate > TN_MAX_VOXEL_CAP || (rate >= 0 && def.liquid == 0);
			def.rate = (int32_t)(bytes->failed ? 0 : rate);
		}
		if (reader->changes)
		{
			tnIdPool_ReturnSlot(ids, i, generation);
			world->sources[i].def = def;
		}
	}
	if (reader->changes)
	{
		tnIdPool_EndReturn(ids);
	}
	reader->sourceCount = count;
}

static void tnReadOceans(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	const int64_t limit = (int64_t)TN_MAX_VOXEL * world->def.cap;
	for (int32_t kind = 1; kind <= world->def.liquidCount && !bytes->failed; ++kind)
	{
		tnVoxelOceanDef ocean = {0};
		if (tnReadWithin(bytes, 0, 1) == 1)
		{
			ocean = tnDefaultVoxelOceanDef();
			ocean.liquid = kind;
			ocean.box = tnReadBox(bytes);
			ocean.level = tnReadSigned(bytes);
			bytes->failed = bytes->failed || ocean.level < -limit || ocean.level > limit;
		}
		if (reader->changes)
		{
			world->oceans[kind] = ocean;
		}
	}
}

static void tnReadReactions(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	bool reacts[TN_MAX_LIQUIDS + 1][TN_MAX_LIQUIDS + 1] = {{false}};
	for (int32_t first = 1; first <= world->def.liquidCount; ++first)
	{
		for (int32_t second = 1; second <= world->def.liquidCount; ++second)
		{
			if (first == second)
			{
				continue;
			}
			tnReactionDef def = tnDefaultReactionDef();
			def.first = first;
			def.second = second;
			def.rate = (int32_t)tnReadWithin(bytes, 0, TN_MAX_VOXEL_CAP);
			def.ground = (int32_t)tnReadWithin(bytes, 0, 2);
			reacts[first][second] = def.rate != 0;
			bytes->failed = bytes->failed || (reacts[first][second] && reacts[second][first]);
			if (reader->changes)
			{
				world->reactions[first][second] = def.rate != 0 ? def : (tnReactionDef){0};
			}
		}
	}
}

static void tnReadInterests(tnStateReader* reader, tnVoxelWorld* world)
{
	const int32_t count = (int32_t)tnReadWithin(&reader->bytes, 0, TN_MAX_VOXEL_INTERESTS);
	for (int32_t i = 0; i < count; ++i)
	{
		const tnVoxel voxel = tnReadVoxel(&reader->bytes);
		if (reader->changes)
		{
			world->interests[i] = voxel;
		}
	}
	if (reader->changes)
	{
		world->interestCount = count;
	}
}

static void tnReadLevels(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	const int64_t flags = tnReadWithin(bytes, 0, ((int64_t)2 << world->def.liquidCount) - 1);
	const int32_t count = (int32_t)tnReadWithin(bytes, 0, TN_MAX_JETS);
	for (int32_t i = 0; i < count && !bytes->failed; ++i)
	{
		const tnVoxel owner = tnReadVoxel(bytes);
		const int32_t label = (int32_t)tnReadWithin(bytes, 1, TN_MAX_PARTS);
		const tnVoxel voxel = tnReadVoxel(bytes);
		const int32_t rate = (int32_t)tnReadWithin(bytes, 1, TN_MAX_VOXEL_CAP);
		tnVoxelBlock* ownerBlock;
		tnVoxelBlock* block;
		const tnVoxelChunk* chunk = tnVoxelStore_FindChunk(&world->store, owner, &ownerBlock);
		const tnVoxelChunk* target =
			tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
		bytes->failed = bytes->failed || chunk == NULL || target == NULL || label > chunk->partCount;
		if (reader->changes)
		{
			const int32_t index = (int32_t)(target - block->chunks);
			const int32_t place = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
			world->jets[i] =
				(tnVoxelJet){chunk->parts + label - 1, block, index, place, rate, block, index, place, 0, 0, 0};
		}
	}
	if (!reader->changes)
	{
		return;
	}
	tnVoxelWorld_ForgetExchanges(world);
	world->jetCount = count;
	world->levelsPending = (flags & 1) != 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		world->oceanIsNew[kind] = (flags >> kind & 1) != 0;
	}
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			tnMarkOceans(world, world->store.blocks[b], c);
		}
	}
}

static tnResult tnReadAwake(tnStateReader* reader, tnVoxelBlock* block)
{
	tnByteReader* bytes = &reader->bytes;
	const tnVoxel place = tnReadVoxel(bytes);
	if (!bytes->failed && (place.x != block->place.x || place.y != block->place.y || place.z != block->place.z))
	{
		return tnFail(tn_invalidArgument, "save has block (%d, %d, %d) where the world has (%d, %d, %d)", place.x,
			place.y, place.z, block->place.x, block->place.y, block->place.z);
	}
	uint32_t layers[TN_BLOCK_CHUNKS] = {0};
	bool stale[TN_BLOCK_CHUNKS] = {false};
	const int32_t count = (int32_t)tnReadWithin(bytes, 0, TN_BLOCK_CHUNKS);
	int64_t index = 0;
	for (int32_t i = 0; i < count && !bytes->failed; ++i)
	{
		const int64_t step = tnReadWithin(bytes, 0, 2 * TN_BLOCK_CHUNKS);
		index += step / 2;
		if (index >= TN_BLOCK_CHUNKS || (i > 0 && step / 2 == 0))
		{
			bytes->failed = true;
			break;
		}
		stale[index] = step % 2 != 0;
		layers[index] = (uint32_t)tnReadWithin(bytes, 0, TN_ALL_LAYERS);
	}
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS && !bytes->failed; ++i)
	{
		// Parts without parents came with a chunk that must be divided: see voxel_save.c.
		const tnVoxelChunk* chunk = block->chunks + i;
		bytes->failed = chunk->partCount > 0 && chunk->parts[0].parent == NULL && !stale[i];
		if (reader->changes)
		{
			tnVoxelBlock_SetLayers(block, i, layers[i]);
			tnVoxelBlock_SetStale(block, i, stale[i]);
		}
	}
	return tnSuccess();
}

// Are the voxels those that were saved, and is the ledger right about them?
static tnResult tnCheckVoxels(tnStateReader* reader, tnVoxelWorld* world, int64_t stepCount)
{
	const uint64_t expected = tnReadNumber(&reader->bytes);
	if (reader->bytes.failed || reader->changes)
	{
		return tnSuccess();
	}
	const int64_t before = world->stepCount;
	world->stepCount = stepCount;
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	world->stepCount = before;
	if (hash != expected)
	{
		return tnFail(tn_invalidArgument, "save belongs to other voxels: their hash must be 0x%llx, got 0x%llx",
			(unsigned long long)expected, (unsigned long long)hash);
	}
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		const uint64_t there = (uint64_t)tnVoxelWorld_GetLedger(world, kind).volume +
			(uint64_t)tnVoxelWorld_GetAccounts(world, NULL, kind);
		if (there != reader->sums[kind])
		{
			return tnFail(tn_invalidArgument, "save has a ledger for %lld units of liquid %d, there are %lld",
				(long long)reader->sums[kind], kind, (long long)there);
		}
	}
	return tnSuccess();
}

static tnResult tnReadState(tnStateReader* reader, tnVoxelWorld* world)
{
	tnByteReader* bytes = &reader->bytes;
	const bool isFirst = bytes->version < 2;
	const tnVoxel cursor = isFirst ? (tnVoxel){0} : tnReadVoxel(bytes);
	const int64_t allFlags = bytes->version < 3 ? tn_waitingRests : tn_waitingRests | tn_componentsKnown;
	const int64_t flags = isFirst ? 0 : tnReadWithin(bytes, 0, allFlags);
	tnResult result = tnReadRules(reader, &world->def);
	const int64_t stepCount = result.status == tn_ok ? tnReadWithin(bytes, 0, INT64_MAX / 2) : 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		reader->sums[kind] = 0;
		for (int i = 0; i < tn_ledgerEntries; ++i)
		{
			int64_t* entry = tnGetEntry(reader->ledgers + kind, i);
			*entry = tnReadSigned(bytes);
			bytes->failed = bytes->failed || *entry < -TN_MAX_ENTRY || *entry > TN_MAX_ENTRY;
			reader->sums[kind] += i < TN_FIRST_TAKEN ? (uint64_t)*entry : 0 - (uint64_t)*entry;
		}
	}
	if (result.status != tn_ok || bytes->failed)
	{
		return result;
	}
	tnReadWaiting(reader, world);
	tnReadSources(reader, world);
	tnReadOceans(reader, world);
	tnReadReactions(reader, world);
	tnReadInterests(reader, world);
	tnReadLevels(reader, world);
	for (int i = 0; i < tn_oldPoolCount; ++i)
	{
		(void)tnReadWithin(bytes, 0, INT32_MAX);
	}
	const int32_t componentCount = (int32_t)tnReadWithin(bytes, 0, INT32_MAX);
	const int64_t blockCount = tnReadWithin(bytes, 0, INT32_MAX);
	if (!bytes->failed && blockCount != world->store.blockCount)
	{
		return tnFail(
			tn_invalidArgument, "save needs %d loaded blocks, there are %d", (int)blockCount, world->store.blockCount);
	}
	for (int32_t i = 0; i < world->store.blockCount && !bytes->failed && result.status == tn_ok; ++i)
	{
		result = tnReadAwake(reader, world->store.blocks[i]);
	}
	if (result.status == tn_ok && !bytes->failed)
	{
		result = tnCheckVoxels(reader, world, stepCount);
	}
	if (reader->changes)
	{
		world->stepCount = stepCount;
		world->turn = stepCount;
		world->cursor = cursor;
		world->waitingRests = (flags & tn_waitingRests) != 0;
		world->waitingMayFit = false;
		if ((flags & tn_componentsKnown) != 0)
		{
			// Where nothing has changed since they were found: no pass may take place now that would not have taken place.
			tnVoxelWorld_FindComponents(world);
		}
		world->stats.componentCount = componentCount;
		memcpy(world->ledgers, reader->ledgers, sizeof(world->ledgers));
	}
	return result;
}

static bool tnReserveForState(tnVoxelWorld* world, const tnStateReader* reader)
{
	const int32_t more = tnMaxInt(reader->waitingCount - world->waitingCount, 0);
	return tnVoxelWorld_ReserveWaiting(world, more) && tnVoxelWorld_ReserveSources(world, reader->sourceCount);
}

tnResult tnVoxelWorld_LoadState(tnVoxelWorld* world, const void* bytes, size_t size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnStateReader reader = {0};
	result = tnOpenSave(tn_stateSave, bytes, size, &reader.bytes);
	const tnByteReader start = reader.bytes;
	if (result.status == tn_ok)
	{
		result = tnReadState(&reader, world);
	}
	if (result.status == tn_ok && (reader.bytes.failed || reader.bytes.at != reader.bytes.size))
	{
		result = tnFail(tn_invalidArgument, "save is damaged at byte %zu", reader.bytes.at);
	}
	if (result.status == tn_ok && !tnReserveForState(world, &reader))
	{
		result = tnFail(tn_outOfMemory, "save: out of memory for %d sources", reader.sourceCount);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	reader.bytes = start;
	reader.changes = true;
	(void)tnReadState(&reader, world);
	return tnSuccess();
}
