// SPDX-License-Identifier: MIT

// Does once more what a recording says: recorder.h has the layout. Nothing that is read is trusted: lengths are compared with
// the bytes that are there, and values are for the calls themselves to refuse.

#include "recorder.h"
#include "tarn/hollow.h"
#include "tarn/snapshot.h"
#include "tarn/spray.h"
#include "tarn/waves.h"
#include "world.h"

#include <string.h>

struct tnReplay
{
	tnMemory memory;
	tnWorld* world;
	const uint8_t* bytes;
	size_t size, at;
	tnReplayState state;
	uint64_t* tileHashes; // of the recorded world
	int tileCount;
};

// The words of a record that have not been read yet.
typedef struct tnWordReader
{
	const uint8_t* bytes;
	size_t count;
	bool failed;
} tnWordReader;

static uint32_t tnGetWord(const uint8_t* bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void tnReadWords(tnWordReader* reader, void* target, size_t count)
{
	if (count > reader->count)
	{
		reader->failed = true;
		memset(target, 0, 4 * count);
		return;
	}
	uint8_t* out = target;
	for (size_t i = 0; i < count; ++i)
	{
		const uint32_t word = tnGetWord(reader->bytes + 4 * i);
		memcpy(out + 4 * i, &word, sizeof(word));
	}
	reader->bytes += 4 * count;
	reader->count -= count;
}

#define TN_READ(reader, value) tnReadWords(reader, &(value), sizeof(value) / 4)

static uint64_t tnReadLong(tnWordReader* reader)
{
	uint32_t words[2];
	tnReadWords(reader, words, 2);
	return (uint64_t)words[1] << 32 | words[0];
}

// ---------------------------------------------------------------------------------------------------------------------
// Arrays

// All words that are left, or so many of them, in memory of their own. NULL if there are none, or if memory ran out.
typedef struct tnWordArray
{
	void* data;
	size_t count;
	bool failed;
} tnWordArray;

static tnWordArray tnTakeArray(tnReplay* replay, tnWordReader* reader, size_t count)
{
	tnWordArray array = {.count = count};
	if (count > reader->count)
	{
		reader->failed = true;
		return (tnWordArray){0};
	}
	if (count > 0)
	{
		array.data = tnMemory_Alloc(&replay->memory, 4 * count);
		array.failed = array.data == NULL;
		if (array.data != NULL)
		{
			tnReadWords(reader, array.data, count);
		}
	}
	return array;
}

static void tnFreeArray(tnReplay* replay, tnWordArray* array)
{
	tnMemory_Free(&replay->memory, array->data, 4 * array->count);
	*array = (tnWordArray){0};
}

static tnResult tnMissMemory(const tnWordArray* array)
{
	return tnFail(tn_outOfMemory, "no memory for %zu bytes of a recorded call", 4 * array->count);
}

// A map of all cells, or none.
static tnWordArray tnTakeMap(tnReplay* replay, tnWordReader* reader)
{
	const size_t cells = tnGetCellCount(replay->world);
	return tnTakeArray(replay, reader, reader->count == 0 ? 0 : cells);
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

static tnResult tnRefuseIds(int index, uint32_t generation, int index2, uint32_t generation2)
{
	return tnFail(tn_invalidArgument, "recorded as id (%d, %u), made as (%d, %u)", index, (unsigned)generation, index2,
		(unsigned)generation2);
}

// Ids are the same as when it was recorded, or the recording is not what it says.
#define TN_COMPARE_IDS(result, expected, got)                                                                     \
	((result).status == tn_ok && ((expected).index1 != (got).index1 || (expected).generation != (got).generation) \
			? tnRefuseIds((expected).index1, (expected).generation, (got).index1, (got).generation)               \
			: (result))

// Shapes in memory of their own, and all words that follow in the order of this machine, in which their points lie.
typedef struct tnShapeArray
{
	tnShapeDef* shapes;
	size_t bytes;
	tnWordArray words;
} tnShapeArray;

static void tnFreeShapeArray(tnReplay* replay, tnShapeArray* array)
{
	tnMemory_Free(&replay->memory, array->shapes, array->bytes);
	tnFreeArray(replay, &array->words);
}

// All that is left of a record are shapes.
static tnResult tnTakeShapes(tnReplay* replay, tnWordReader* reader, int count, tnShapeArray* array)
{
	enum
	{
		least = 15
	};
	*array = (tnShapeArray){0};
	if (reader->failed || count < 0 || (size_t)count > reader->count / least)
	{
		reader->failed = true;
		return tnSuccess();
	}
	array->bytes = ((size_t)count + 1) * sizeof(tnShapeDef);
	array->shapes = tnMemory_Alloc(&replay->memory, array->bytes);
	array->words = tnTakeArray(replay, reader, reader->count);
	if (array->shapes == NULL || array->words.failed)
	{
		return tnMissMemory(&array->words);
	}
	const uint32_t* words = array->words.data;
	size_t at = 0;
	for (int i = 0; i < count && !reader->failed; ++i)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		const size_t left = array->words.count - at;
		int32_t counts[3] = {0};
		if (left >= least)
		{
			float sizes[5];
			memcpy(counts, words + at, sizeof(counts));
			memcpy(sizes, words + at + 3, sizeof(sizes));
			memcpy(&shape.pose, words + at + 8, sizeof(shape.pose));
			shape.kind = (tnShapeKind)counts[0];
			shape.halfExtents = (tnVec3){sizes[0], sizes[1], sizes[2]};
			shape.radius = sizes[3];
			shape.halfLength = sizes[4];
		}
		if (left < least || counts[1] < 0 || counts[2] < 0 ||
			3 * ((size_t)counts[1] + (size_t)counts[2]) > left - least)
		{
			reader->failed = true;
			break;
		}
		at += least;
		shape.points = (const tnVec3*)(const void*)(words + at);
		shape.pointCount = counts[1];
		at += 3 * (size_t)counts[1];
		shape.triangles = (const int32_t*)(const void*)(words + at);
		shape.triangleCount = counts[2];
		at += 3 * (size_t)counts[2];
		array->shapes[i] = shape;
	}
	reader->failed = reader->failed || at != array->words.count;
	return tnSuccess();
}

static tnResult tnPlayBody(tnReplay* replay, tnWordReader* reader)
{
	tnBodyDef def = tnDefaultBodyDef();
	tnBodyId expected, got = {0};
	float numbers[6];
	int32_t counts[3];
	TN_READ(reader, expected);
	def.userData = tnReadLong(reader);
	TN_READ(reader, numbers);
	TN_READ(reader, def.pose);
	TN_READ(reader, def.velocity);
	TN_READ(reader, def.spin);
	TN_READ(reader, counts);
	def.mass = numbers[0];
	def.pressureDrag = numbers[1];
	def.suction = numbers[2];
	def.creepSpeed = numbers[3];
	def.skinFriction = numbers[4];
	def.damping = numbers[5];
	def.mode = (tnBodyMode)counts[0];
	def.hollows = counts[1] != 0;
	tnShapeArray array;
	tnResult result = tnTakeShapes(replay, reader, counts[2], &array);
	if (result.status == tn_ok && !reader->failed)
	{
		def.shapes = array.shapes;
		def.shapeCount = counts[2];
		result = tnWorld_CreateBody(replay->world, &def, &got);
		result = TN_COMPARE_IDS(result, expected, got);
	}
	tnFreeShapeArray(replay, &array);
	return result;
}

static tnResult tnPlayShapes(tnReplay* replay, tnWordReader* reader)
{
	tnBodyId id;
	int32_t count;
	TN_READ(reader, id);
	TN_READ(reader, count);
	tnShapeArray array;
	tnResult result = tnTakeShapes(replay, reader, count, &array);
	if (result.status == tn_ok && !reader->failed)
	{
		result = tnWorld_SetBodyShapes(replay->world, id, array.shapes, count);
	}
	tnFreeShapeArray(replay, &array);
	return result;
}

static tnResult tnPlayHollow(tnReplay* replay, tnCallKind kind, tnWordReader* reader)
{
	tnBodyId id;
	int32_t slot, given;
	TN_READ(reader, id);
	TN_READ(reader, slot);
	if (kind == tn_setHollowWaterCall)
	{
		const uint64_t bits = tnReadLong(reader);
		double held;
		memcpy(&held, &bits, sizeof(held));
		return tnWorld_SetHollowWater(replay->world, id, slot, held);
	}
	TN_READ(reader, given);
	if (kind == tn_setLeakCall)
	{
		tnLeakDef def = tnDefaultLeakDef();
		if (given != 0)
		{
			TN_READ(reader, def);
		}
		return tnWorld_SetLeak(replay->world, id, slot, given != 0 ? &def : NULL);
	}
	tnPumpDef def = tnDefaultPumpDef();
	if (given != 0)
	{
		TN_READ(reader, def);
	}
	return tnWorld_SetPump(replay->world, id, slot, given != 0 ? &def : NULL);
}

// Whatever number is another one than the world has.
static tnResult tnPlayTuning(tnReplay* replay, tnWordReader* reader)
{
	tnWorld* world = replay->world;
	const tnWorldDef def = tnWorld_GetDef(world);
	float own[TN_TUNED_WORDS], n[TN_TUNED_WORDS];
	tnGetTuning(&def, own);
	TN_READ(reader, n);
	bool differs[TN_TUNED_WORDS];
	for (int i = 0; i < TN_TUNED_WORDS; ++i)
	{
		differs[i] = memcmp(own + i, n + i, sizeof(float)) != 0;
	}
	tnResult result = tnSuccess();
	result = result.status == tn_ok && differs[0] ? tnWorld_SetGravity(world, n[0]) : result;
	result = result.status == tn_ok && differs[1] ? tnWorld_SetFriction(world, n[1]) : result;
	result = result.status == tn_ok && differs[2] ? tnWorld_SetManning(world, n[2]) : result;
	result = result.status == tn_ok && differs[3] ? tnWorld_SetFroudeLimit(world, n[3]) : result;
	result = result.status == tn_ok && differs[4] ? tnWorld_SetLiveliness(world, n[4]) : result;
	if (result.status == tn_ok && differs[5])
	{
		result = tnWorld_SetMaxSubSteps(world, n[5] >= 0.0f && n[5] <= 1.0e6f ? (int)n[5] : -1);
	}
	if (result.status == tn_ok && (differs[6] || differs[7] || differs[8]))
	{
		result = tnWorld_SetSleep(world, n[6] != 0.0f, n[7], n[8]);
	}
	result = result.status == tn_ok && (differs[9] || differs[10]) ? tnWorld_SetFoam(world, n[9], n[10]) : result;
	tnSprayDef spray = def.spray;
	spray.ledgeHeight = n[11];
	spray.breakingSlope = n[12];
	spray.drag = n[13];
	spray.slamSpeed = n[14];
	spray.wind = (tnVec2){n[15], n[16]};
	if (result.status == tn_ok && memcmp(own + 11, n + 11, 6 * sizeof(float)) != 0)
	{
		result = tnWorld_SetSpray(world, &spray);
	}
	if (result.status == tn_ok && (differs[17] || differs[18] || differs[19]))
	{
		result = tnWorld_SetWaves(world, n[17], n[18], n[19]);
	}
	return result;
}

// Those with ids and defs of one size.
static tnResult tnPlayThing(tnReplay* replay, tnCallKind kind, tnWordReader* reader)
{
	tnWorld* world = replay->world;
	switch (kind)
	{
		case tn_createSourceCall:
		{
			tnSourceId expected, got = {0};
			tnSourceDef def;
			TN_READ(reader, expected);
			TN_READ(reader, def);
			const tnResult result = tnWorld_CreateSource(world, &def, &got);
			return TN_COMPARE_IDS(result, expected, got);
		}
		case tn_destroySourceCall:
		case tn_setSourceCall:
		{
			tnSourceId id;
			tnSourceDef def;
			TN_READ(reader, id);
			if (kind == tn_destroySourceCall)
			{
				return tnWorld_DestroySource(world, id);
			}
			TN_READ(reader, def);
			return tnWorld_SetSource(world, id, &def);
		}
		case tn_createRegionCall:
		{
			tnRegionId expected, got = {0};
			tnRegionDef def = tnDefaultRegionDef();
			TN_READ(reader, expected);
			tnReadWords(reader, &def, TN_REGION_WORDS);
			def.userData = tnReadLong(reader);
			const tnResult result = tnWorld_CreateRegion(world, &def, &got);
			return TN_COMPARE_IDS(result, expected, got);
		}
		case tn_destroyRegionCall:
		{
			tnRegionId id;
			TN_READ(reader, id);
			return tnWorld_DestroyRegion(world, id);
		}
		case tn_createGaugeCall:
		{
			tnGaugeId expected, got = {0};
			tnVec2 position;
			TN_READ(reader, expected);
			TN_READ(reader, position);
			const tnResult result = tnWorld_CreateGauge(world, position, &got);
			return TN_COMPARE_IDS(result, expected, got);
		}
		case tn_destroyGaugeCall:
		case tn_resetGaugeCall:
		{
			tnGaugeId id;
			TN_READ(reader, id);
			return kind == tn_destroyGaugeCall ? tnWorld_DestroyGauge(world, id) : tnWorld_ResetGauge(world, id);
		}
		case tn_createInterestCall:
		{
			tnInterestId expected, got = {0};
			tnInterestDef def;
			TN_READ(reader, expected);
			TN_READ(reader, def);
			const tnResult result = tnWorld_CreateInterest(world, &def, &got);
			return TN_COMPARE_IDS(result, expected, got);
		}
		case tn_setInterestCall:
		case tn_destroyInterestCall:
		{
			tnInterestId id;
			tnInterestDef def;
			TN_READ(reader, id);
			if (kind == tn_destroyInterestCall)
			{
				return tnWorld_DestroyInterest(world, id);
			}
			TN_READ(reader, def);
			return tnWorld_SetInterest(world, id, &def);
		}
		case tn_createJetCall:
		{
			tnJetId expected, got = {0};
			tnJetDef def;
			TN_READ(reader, expected);
			TN_READ(reader, def);
			const tnResult result = tnWorld_CreateJet(world, &def, &got);
			return TN_COMPARE_IDS(result, expected, got);
		}
		case tn_destroyJetCall:
		case tn_setJetCall:
		{
			tnJetId id;
			tnJetDef def;
			TN_READ(reader, id);
			if (kind == tn_destroyJetCall)
			{
				return tnWorld_DestroyJet(world, id);
			}
			TN_READ(reader, def);
			return tnWorld_SetJet(world, id, &def);
		}
		case tn_createBodyCall:
			return tnPlayBody(replay, reader);
		case tn_setBodyShapesCall:
			return tnPlayShapes(replay, reader);
		case tn_setHollowWaterCall:
		case tn_setLeakCall:
		case tn_setPumpCall:
			return tnPlayHollow(replay, kind, reader);
		case tn_tuneCall:
			return tnPlayTuning(replay, reader);
		case tn_destroyBodyCall:
		{
			tnBodyId id;
			TN_READ(reader, id);
			return tnWorld_DestroyBody(world, id);
		}
		case tn_moveBodyCall:
		{
			tnBodyId id;
			tnPose pose;
			tnVec3 velocity, spin;
			TN_READ(reader, id);
			TN_READ(reader, pose);
			TN_READ(reader, velocity);
			TN_READ(reader, spin);
			return tnWorld_MoveBody(world, id, &pose, velocity, spin);
		}
		case tn_setBodyModeCall:
		{
			tnBodyId id;
			int32_t mode;
			TN_READ(reader, id);
			TN_READ(reader, mode);
			return tnWorld_SetBodyMode(world, id, (tnBodyMode)mode);
		}
		default:
			return tnFail(tn_invalidArgument, "calls of kind %d are not known", (int)kind);
	}
}

// Those with arrays.
static tnResult tnPlayArrays(tnReplay* replay, tnCallKind kind, tnWordReader* reader)
{
	tnWorld* world = replay->world;
	int32_t numbers[5] = {0};
	float rate = 0.0f;
	tnWordArray first = {0}, second = {0};
	switch (kind)
	{
		case tn_setTerrainCall:
			tnReadWords(reader, numbers, 4);
			break;
		case tn_addWaveFieldCall:
			tnReadWords(reader, numbers, 5);
			break;
		case tn_setTracerCall:
		case tn_setEdgeCurveCall:
			tnReadWords(reader, numbers, 1);
			break;
		case tn_setRainCall:
		case tn_setEvaporationCall:
		case tn_setInfiltrationCall:
			TN_READ(reader, rate);
			break;
		default:
			break;
	}
	if (kind == tn_setTerrainCall || kind == tn_addWaveFieldCall)
	{
		const bool sized = numbers[2] >= 0 && numbers[3] >= 0;
		const size_t cells = sized ? (size_t)numbers[2] * (size_t)numbers[3] : SIZE_MAX / 8;
		const bool terrain = kind == tn_setTerrainCall;
		first = tnTakeArray(replay, reader, terrain || (numbers[4] & 1) != 0 ? cells : 0);
		second = tnTakeArray(replay, reader, !terrain && (numbers[4] & 2) != 0 ? cells : 0);
	}
	else if (kind == tn_setVelocitiesCall)
	{
		first = tnTakeMap(replay, reader);
		second = tnTakeMap(replay, reader);
	}
	else if (kind == tn_setEdgeCurveCall || kind == tn_addDropsCall || kind == tn_setSwellCall)
	{
		first = tnTakeArray(replay, reader, reader->count);
	}
	else
	{
		first = tnTakeMap(replay, reader);
	}
	tnResult result = tnSuccess();
	if (first.failed || second.failed)
	{
		result = tnMissMemory(first.failed ? &first : &second);
	}
	else if (!reader->failed)
	{
		const float* a = first.data;
		const float* b = second.data;
		switch (kind)
		{
			case tn_setTerrainCall:
				result = tnWorld_SetTerrainBlock(world, numbers[0], numbers[1], numbers[2], numbers[3], a);
				break;
			case tn_addWaveFieldCall:
				result = tnWorld_AddWaveField(world, numbers[0], numbers[1], numbers[2], numbers[3], a, b);
				break;
			case tn_setVelocitiesCall:
				result = tnWorld_SetVelocities(world, a, b);
				break;
			case tn_setDepthsCall:
				result = tnWorld_SetDepths(world, a);
				break;
			case tn_setTracerCall:
				result = tnWorld_SetTracer(world, numbers[0], a);
				break;
			case tn_setEdgeCurveCall:
				result = tnWorld_SetEdgeCurve(
					world, (tnSide)numbers[0], first.data, (int)(4 * first.count / sizeof(tnCurvePoint)));
				break;
			case tn_addDropsCall:
				result = tnWorld_AddDrops(world, first.data, (int)(4 * first.count / sizeof(tnWaveDrop)));
				break;
			case tn_setSwellCall:
				result = tnWorld_SetSwell(world, first.data, (int)(4 * first.count / sizeof(tnSwell)));
				break;
			case tn_setRainCall:
				result = tnWorld_SetRain(world, rate, a);
				break;
			case tn_setManningMapCall:
				result = tnWorld_SetManningMap(world, a);
				break;
			case tn_setEvaporationCall:
				result = tnWorld_SetEvaporation(world, rate, a);
				break;
			default:
				result = tnWorld_SetInfiltration(world, rate, a);
				break;
		}
	}
	tnFreeArray(replay, &first);
	tnFreeArray(replay, &second);
	return result;
}

// Those of a few values.
static tnResult tnPlayValues(tnReplay* replay, tnCallKind kind, tnWordReader* reader)
{
	tnWorld* world = replay->world;
	int32_t numbers[2];
	tnVec2 center, impulse;
	float radius, value;
	switch (kind)
	{
		case tn_setMethodCall:
			TN_READ(reader, numbers);
			return tnWorld_SetMethod(world, (tnMethod)numbers[0], (tnAdvection)numbers[1]);
		case tn_setConfinementCall:
			TN_READ(reader, value);
			return tnWorld_SetVorticityConfinement(world, value);
		case tn_setSectionCall:
		{
			int32_t section;
			TN_READ(reader, section);
			TN_READ(reader, value);
			return tnWorld_SetSection(world, (tnPipeSection)section, value);
		}
		case tn_editTerrainCall:
		{
			tnBrush brush;
			TN_READ(reader, brush);
			return tnWorld_EditTerrain(world, &brush);
		}
		case tn_fillToLevelCall:
			TN_READ(reader, value);
			return tnWorld_FillToLevel(world, value);
		case tn_addWaterCall:
		case tn_addFoamCall:
			TN_READ(reader, center);
			TN_READ(reader, radius);
			TN_READ(reader, value);
			return kind == tn_addFoamCall ? tnWorld_AddFoam(world, center, radius, value)
										  : tnWorld_AddWater(world, center, radius, value, NULL);
		case tn_addImpulseCall:
			TN_READ(reader, center);
			TN_READ(reader, radius);
			TN_READ(reader, impulse);
			return tnWorld_AddImpulse(world, center, radius, impulse);
		case tn_addTracerCall:
			tnReadWords(reader, numbers, 1);
			TN_READ(reader, center);
			TN_READ(reader, radius);
			TN_READ(reader, value);
			return tnWorld_AddTracer(world, numbers[0], center, radius, value);
		case tn_setAccelerationCall:
			TN_READ(reader, center);
			return tnWorld_SetAcceleration(world, center);
		case tn_setWindCall:
			TN_READ(reader, center);
			return tnWorld_SetWind(world, center);
		case tn_setWaveDampingCall:
			TN_READ(reader, value);
			return tnWorld_SetWaveDamping(world, value);
		case tn_setSpectrumCall:
		{
			tnSpectrumDef def;
			TN_READ(reader, def);
			return tnWorld_SetSpectrum(world, &def);
		}
		case tn_setEdgesCall:
		{
			tnEdgeDef defs[tn_sideCount];
			TN_READ(reader, defs);
			return tnWorld_SetEdges(world, defs);
		}
		case tn_addWaveCall:
		{
			tnWaveEllipse ellipses[2];
			tnReadWords(reader, numbers, 1);
			for (int i = 0; i < 2; ++i)
			{
				if ((numbers[0] >> i & 1) != 0)
				{
					TN_READ(reader, ellipses[i]);
				}
			}
			return tnWorld_AddWave(
				world, (numbers[0] & 2) != 0 ? ellipses + 1 : NULL, (numbers[0] & 1) != 0 ? ellipses : NULL);
		}
		default:
			return tnPlayThing(replay, kind, reader);
	}
}

static tnResult tnPlaySnapshot(tnReplay* replay, tnWordReader* reader)
{
	uint32_t size;
	TN_READ(reader, size);
	if (reader->failed || size > 4 * reader->count || 4 * reader->count - size > 3)
	{
		reader->failed = true;
		return tnSuccess();
	}
	const tnResult result = tnWorld_Restore(replay->world, reader->bytes, size);
	reader->count = 0;
	return result;
}

static tnResult tnPlayCall(tnReplay* replay, tnCallKind kind, tnWordReader* reader)
{
	switch (kind)
	{
		case tn_snapshotCall:
			return tnPlaySnapshot(replay, reader);
		case tn_setTerrainCall:
		case tn_setDepthsCall:
		case tn_setVelocitiesCall:
		case tn_setTracerCall:
		case tn_setEdgeCurveCall:
		case tn_setRainCall:
		case tn_setEvaporationCall:
		case tn_setInfiltrationCall:
		case tn_addDropsCall:
		case tn_setSwellCall:
		case tn_addWaveFieldCall:
		case tn_setManningMapCall:
			return tnPlayArrays(replay, kind, reader);
		default:
			return tnPlayValues(replay, kind, reader);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

static void tnFindTile(tnReplay* replay)
{
	const int columns = (replay->world->grid.columnCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
	replay->state.tileColumn = -1;
	replay->state.tileRow = -1;
	for (int i = 0; i < replay->tileCount; ++i)
	{
		if (tnWorld_GetTileHash(replay->world, i % columns, i / columns) != replay->tileHashes[i])
		{
			replay->state.tileColumn = i % columns;
			replay->state.tileRow = i / columns;
			return;
		}
	}
}

static tnResult tnPlayStep(tnReplay* replay, tnWordReader* reader)
{
	float timeStep;
	TN_READ(reader, timeStep);
	const uint64_t hash = tnReadLong(reader);
	if (reader->failed || reader->count % 3 != 0)
	{
		reader->failed = true;
		return tnSuccess();
	}
	while (reader->count > 0)
	{
		uint32_t index;
		TN_READ(reader, index);
		const uint64_t tile = tnReadLong(reader);
		if (index >= (uint32_t)replay->tileCount)
		{
			reader->failed = true;
			return tnSuccess();
		}
		replay->tileHashes[index] = tile;
	}
	const tnResult result = tnWorld_Step(replay->world, timeStep);
	if (result.status == tn_ok)
	{
		replay->state.stepCount += 1;
		if (!replay->state.parted && tnWorld_GetHash(replay->world) != hash)
		{
			replay->state.parted = true;
			replay->state.partedStep = replay->state.stepCount;
			tnFindTile(replay);
		}
	}
	return result;
}

// The next record, if all of it is there.
static bool tnNextRecord(tnReplay* replay, tnCallKind* kind, tnWordReader* reader)
{
	const size_t left = replay->size - replay->at;
	if (left < TN_RECORD_HEADER)
	{
		return false;
	}
	const uint8_t* header = replay->bytes + replay->at;
	const uint32_t number = tnGetWord(header);
	*reader = (tnWordReader){.bytes = header + TN_RECORD_HEADER, .count = tnGetWord(header + 4)};
	if (reader->count > (left - TN_RECORD_HEADER) / 4 || number < 1 || number >= (uint32_t)tn_callKindCount)
	{
		return false;
	}
	*kind = (tnCallKind)number;
	replay->at += TN_RECORD_HEADER + 4 * reader->count;
	return true;
}

// Which record it was, before what was wrong with it.
static tnResult tnRefuseRecord(size_t at, tnCallKind kind, const tnResult* result)
{
	return tnFail(result->status == tn_outOfMemory ? tn_outOfMemory : tn_invalidArgument,
		"byte %zu of the recording, a call of kind %d: %.160s", at, (int)kind, result->text);
}

tnResult tnReplay_Step(tnReplay* replay, tnReplayState* state)
{
	if (replay == NULL)
	{
		return tnFail(tn_invalidArgument, "replay must not be NULL");
	}
	tnResult result = tnSuccess();
	while (result.status == tn_ok && !replay->state.atEnd)
	{
		const size_t at = replay->at;
		if (at == replay->size)
		{
			replay->state.atEnd = true;
			break;
		}
		tnCallKind kind;
		tnWordReader reader;
		if (!tnNextRecord(replay, &kind, &reader))
		{
			result =
				tnFail(tn_invalidArgument, "the recording is cut off or damaged at byte %zu of %zu", at, replay->size);
			break;
		}
		result = kind == tn_stepCall ? tnPlayStep(replay, &reader) : tnPlayCall(replay, kind, &reader);
		if (result.status == tn_ok && (reader.failed || reader.count > 0))
		{
			result = tnFail(tn_invalidArgument, "it has another length than such calls have");
		}
		if (result.status != tn_ok)
		{
			result = tnRefuseRecord(at, kind, &result);
		}
		if (kind == tn_stepCall)
		{
			break;
		}
	}
	// What cannot be played is the end.
	replay->state.atEnd = replay->state.atEnd || result.status != tn_ok || replay->at == replay->size;
	if (state != NULL)
	{
		*state = replay->state;
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Life

static tnResult tnOpenRecording(tnReplay* replay, const tnWorldDef* hooks)
{
	if (replay->size < TN_RECORDING_HEADER || memcmp(replay->bytes, g_recordingMagic, sizeof(g_recordingMagic)) != 0)
	{
		return tnFail(tn_invalidArgument, "these %zu bytes are not a recording", replay->size);
	}
	const uint32_t version = tnGetWord(replay->bytes + sizeof(g_recordingMagic));
	if (version != TN_RECORDING_VERSION)
	{
		return tnFail(tn_invalidArgument, "the recording has version %u, this library reads %d", (unsigned)version,
			(int)TN_RECORDING_VERSION);
	}
	replay->at = TN_RECORDING_HEADER;
	tnCallKind kind;
	tnWordReader reader;
	uint32_t size = 0;
	if (!tnNextRecord(replay, &kind, &reader) || kind != tn_snapshotCall)
	{
		return tnFail(tn_invalidArgument, "the recording does not begin with a snapshot");
	}
	TN_READ(&reader, size);
	if (reader.failed || size > 4 * reader.count || 4 * reader.count - size > 3)
	{
		return tnFail(tn_invalidArgument, "the snapshot of the recording has another length than it says");
	}
	const tnResult result = tnCreateWorldFrom(reader.bytes, size, hooks, &replay->world);
	if (result.status != tn_ok)
	{
		return result;
	}
	const int columns = (replay->world->grid.columnCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
	const int rows = (replay->world->grid.rowCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
	replay->tileCount = columns * rows;
	replay->tileHashes = tnMemory_Alloc(&replay->memory, (size_t)replay->tileCount * sizeof(uint64_t));
	if (replay->tileHashes == NULL)
	{
		return tnFail(tn_outOfMemory, "no memory for the hashes of %d tiles", replay->tileCount);
	}
	for (int i = 0; i < replay->tileCount; ++i)
	{
		replay->tileHashes[i] = tnWorld_GetTileHash(replay->world, i % columns, i / columns);
	}
	return result;
}

tnResult tnCreateReplay(const void* bytes, size_t size, const tnWorldDef* hooks, tnReplay** replay)
{
	if (replay == NULL)
	{
		return tnFail(tn_invalidArgument, "replay must not be NULL");
	}
	*replay = NULL;
	if (bytes == NULL)
	{
		return tnFail(tn_invalidArgument, "bytes must not be NULL");
	}
	const tnWorldDef standard = tnDefaultWorldDef();
	tnMemory memory;
	tnMemory_Init(&memory, hooks != NULL ? &hooks->allocator : &standard.allocator, 0);
	tnReplay* made = tnMemory_Alloc(&memory, sizeof(tnReplay));
	if (made == NULL)
	{
		return tnFail(tn_outOfMemory, "no memory for a replay");
	}
	*made = (tnReplay){.memory = memory, .bytes = bytes, .size = size};
	made->state.tileColumn = -1;
	made->state.tileRow = -1;
	const tnResult result = tnOpenRecording(made, hooks);
	if (result.status != tn_ok)
	{
		tnDestroyReplay(made);
		return result;
	}
	*replay = made;
	return result;
}

void tnDestroyReplay(tnReplay* replay)
{
	if (replay == NULL)
	{
		return;
	}
	tnWorld* world = replay->world;
	const bool isRunning = tnWorld_IsStepRunning(world);
	if (world != NULL &&
		(isRunning ? tnWorld_EndStep(world) : tnWorld_Report(world, tnWorld_CheckReady(world))).status != tn_ok)
	{
		// Called by a task of its world.
		return;
	}
	tnDestroyWorld(world);
	tnMemory memory = replay->memory;
	tnMemory_Free(&memory, replay->tileHashes, (size_t)replay->tileCount * sizeof(uint64_t));
	tnMemory_Free(&memory, replay, sizeof(tnReplay));
}

tnWorld* tnReplay_GetWorld(const tnReplay* replay)
{
	return replay != NULL ? replay->world : NULL;
}
