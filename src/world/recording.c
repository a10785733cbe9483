// SPDX-License-Identifier: MIT

// Recordings of a world: steps, bodies and snapshots, which are more than words, and what hosts call.

#include "tarn/snapshot.h"
#include "world.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Calls that are more than words

static int tnGetHashColumns(const tnWorld* world)
{
	return (world->grid.columnCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
}

static int tnGetHashRows(const tnWorld* world)
{
	return (world->grid.rowCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
}

static void tnHashTiles(const tnWorld* world, uint64_t* hashes)
{
	const int columns = tnGetHashColumns(world);
	for (int i = 0; i < columns * tnGetHashRows(world); ++i)
	{
		hashes[i] = tnWorld_GetTileHash(world, i % columns, i / columns);
	}
}

// Time step, hash; then for each tile that has changed its number and its hash.
void tnWorld_RecordStep(tnWorld* world, float timeStep)
{
	const tnRecorder* recorder = &world->recorder;
	if (recorder->write == NULL)
	{
		return;
	}
	const int columns = tnGetHashColumns(world);
	int changed = 0;
	for (int i = 0; i < recorder->tileCount; ++i)
	{
		changed += tnWorld_GetTileHash(world, i % columns, i / columns) != recorder->tileHashes[i];
	}
	const uint64_t hash = tnWorld_GetHash(world);
	uint32_t words[5] = {tn_stepCall, (uint32_t)(3 + 3 * changed), 0, (uint32_t)hash, (uint32_t)(hash >> 32)};
	memcpy(words + 2, &timeStep, sizeof(timeStep));
	tnRecorder_Put(recorder, words, 5);
	for (int i = 0; i < recorder->tileCount; ++i)
	{
		const uint64_t tile = tnWorld_GetTileHash(world, i % columns, i / columns);
		if (tile != recorder->tileHashes[i])
		{
			const uint32_t entry[3] = {(uint32_t)i, (uint32_t)tile, (uint32_t)(tile >> 32)};
			tnRecorder_Put(recorder, entry, 3);
			recorder->tileHashes[i] = tile;
		}
	}
}

// Kind, sizes and pose of a shape, and how many points and triangles follow; those.
enum
{
	tn_shapeWords = 3 + 5 + 7,
};

static bool tnHasPoints(const tnShapeDef* shape)
{
	return shape->kind == tn_hullShape || shape->kind == tn_meshShape;
}

static uint32_t tnCountShapeWords(const tnShapeDef* shapes, int shapeCount)
{
	uint32_t count = 0;
	for (int i = 0; i < shapeCount; ++i)
	{
		count += (uint32_t)(tn_shapeWords + (tnHasPoints(shapes + i) ? 3 * shapes[i].pointCount : 0) +
			(shapes[i].kind == tn_meshShape ? 3 * shapes[i].triangleCount : 0));
	}
	return count;
}

static void tnPutShapes(const tnRecorder* recorder, const tnShapeDef* shapes, int shapeCount)
{
	for (int i = 0; i < shapeCount; ++i)
	{
		const tnShapeDef* shape = shapes + i;
		const int32_t counts[3] = {(int32_t)shape->kind, tnHasPoints(shape) ? shape->pointCount : 0,
			shape->kind == tn_meshShape ? shape->triangleCount : 0};
		const float sizes[5] = {
			shape->halfExtents.x, shape->halfExtents.y, shape->halfExtents.z, shape->radius, shape->halfLength};
		tnRecorder_Put(recorder, counts, 3);
		tnRecorder_Put(recorder, sizes, 5);
		tnRecorder_Put(recorder, &shape->pose, 7);
		tnRecorder_Put(recorder, shape->points, 3 * (size_t)counts[1]);
		tnRecorder_Put(recorder, shape->triangles, 3 * (size_t)counts[2]);
	}
}

// Some words, and shapes.
static void tnRecordWithShapes(const tnRecorder* recorder, tnCallKind kind, const tnWords* head, size_t headCount,
	const tnShapeDef* shapes, int shapeCount)
{
	uint32_t header[2] = {(uint32_t)kind, tnCountShapeWords(shapes, shapeCount)};
	for (size_t i = 0; i < headCount; ++i)
	{
		header[1] += (uint32_t)head[i].count;
	}
	tnRecorder_Put(recorder, header, 2);
	for (size_t i = 0; i < headCount; ++i)
	{
		tnRecorder_Put(recorder, head[i].data, head[i].count);
	}
	tnPutShapes(recorder, shapes, shapeCount);
}

// The id it got, the def, the shapes.
void tnWorld_RecordBody(const tnWorld* world, const tnBodyDef* def, tnBodyId id)
{
	if (world->recorder.write == NULL)
	{
		return;
	}
	const uint32_t user[2] = {(uint32_t)def->userData, (uint32_t)(def->userData >> 32)};
	const float numbers[6] = {
		def->mass, def->pressureDrag, def->suction, def->creepSpeed, def->skinFriction, def->damping};
	const int32_t counts[3] = {(int32_t)def->mode, def->hollows ? 1 : 0, def->shapeCount};
	const tnWords head[] = {TN_WORDS(id), TN_WORDS(user), TN_WORDS(numbers), TN_WORDS(def->pose),
		TN_WORDS(def->velocity), TN_WORDS(def->spin), TN_WORDS(counts)};
	tnRecordWithShapes(
		&world->recorder, tn_createBodyCall, head, sizeof(head) / sizeof(head[0]), def->shapes, def->shapeCount);
}

void tnWorld_RecordShapes(const tnWorld* world, tnBodyId id, const tnShapeDef* shapes, int shapeCount)
{
	if (world->recorder.write != NULL)
	{
		const int32_t count = shapeCount;
		const tnWords head[] = {TN_WORDS(id), TN_WORDS(count)};
		tnRecordWithShapes(&world->recorder, tn_setBodyShapesCall, head, 2, shapes, shapeCount);
	}
}

void tnGetTuning(const tnWorldDef* def, float numbers[TN_TUNED_WORDS])
{
	const float all[TN_TUNED_WORDS] = {def->gravity, def->friction, def->manning, def->froudeLimit, def->liveliness,
		(float)def->maxSubSteps, def->enableSleep ? 1.0f : 0.0f, def->sleepSpeed, def->sleepTime, def->foam.lifetime,
		def->foam.strength, def->spray.ledgeHeight, def->spray.breakingSlope, def->spray.drag, def->spray.slamSpeed,
		def->spray.wind.x, def->spray.wind.z, def->waves.viscosity, def->waves.breakingLimit, def->waves.restHeight,
		0.0f};
	memcpy(numbers, all, sizeof(all));
}

bool tnWorld_RecordSnapshot(tnWorld* world)
{
	tnRecorder* recorder = &world->recorder;
	if (recorder->write == NULL)
	{
		return true;
	}
	size_t size = 0;
	(void)tnWorld_Save(world, NULL, 0, &size);
	const size_t words = (size + 3) / 4;
	uint8_t* bytes = words < UINT32_MAX ? tnMemory_Alloc(&world->memory, 4 * words) : NULL;
	if (bytes == NULL || tnWorld_Save(world, bytes, size, &size).status != tn_ok)
	{
		tnMemory_Free(&world->memory, bytes, 4 * words);
		tnRecorder_Stop(recorder, &world->memory);
		return false;
	}
	// Bytes, not words: they have an order of their own.
	uint32_t header[3] = {tn_snapshotCall, (uint32_t)(1 + words), (uint32_t)size};
	tnRecorder_Put(recorder, header, 3);
	recorder->write(bytes, 4 * words, recorder->context);
	tnMemory_Free(&world->memory, bytes, 4 * words);
	tnHashTiles(world, recorder->tileHashes);
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a host calls

tnResult tnWorld_StartRecording(tnWorld* world, tnRecordFcn* write, void* context)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && write == NULL)
	{
		result = tnFail(tn_invalidArgument, "write must not be NULL");
	}
	if (result.status == tn_ok && world->recorder.write != NULL)
	{
		result = tnFail(tn_invalidArgument, "the world is being recorded already: stop that first");
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnRecorder* recorder = &world->recorder;
	recorder->tileCount = tnGetHashColumns(world) * tnGetHashRows(world);
	recorder->tileHashes = tnMemory_Alloc(&world->memory, (size_t)recorder->tileCount * sizeof(uint64_t));
	if (recorder->tileHashes == NULL)
	{
		recorder->tileCount = 0;
		return tnWorld_Report(world,
			tnFail(tn_outOfMemory, "no memory to record a world of %d x %d cells", world->grid.columnCount,
				world->grid.rowCount));
	}
	// The beginning is held back until all is there: a host that is refused has got nothing.
	size_t size = 0;
	(void)tnWorld_Save(world, NULL, 0, &size);
	uint8_t* probe = tnMemory_Alloc(&world->memory, size + 3);
	tnMemory_Free(&world->memory, probe, size + 3);
	if (probe == NULL || size / 4 >= UINT32_MAX - 2)
	{
		tnRecorder_Stop(recorder, &world->memory);
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "no memory for a snapshot of %zu bytes", size));
	}
	recorder->write = write;
	recorder->context = context;
	write(g_recordingMagic, sizeof(g_recordingMagic), context);
	const uint32_t version = TN_RECORDING_VERSION;
	tnRecorder_Put(recorder, &version, 1);
	if (!tnWorld_RecordSnapshot(world))
	{
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "no memory for a snapshot of %zu bytes", size));
	}
	return result;
}

tnResult tnWorld_StopRecording(tnWorld* world)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && world->recorder.write == NULL)
	{
		result = tnFail(tn_invalidArgument, "the world is not being recorded");
	}
	if (result.status == tn_ok)
	{
		tnRecorder_Stop(&world->recorder, &world->memory);
	}
	return tnWorld_Report(world, result);
}

bool tnWorld_IsRecording(const tnWorld* world)
{
	return tnWorld_IsReady(world) && world->recorder.write != NULL;
}
