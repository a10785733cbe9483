// SPDX-License-Identifier: MIT

#include "kept_world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char s_letters[8] = {'t', 'a', 'r', 'n', 'k', 'e', 'p', 't'};

static void PutNumber(uint8_t* bytes, uint64_t number, int count)
{
	for (int i = 0; i < count; ++i)
	{
		bytes[i] = (uint8_t)(number >> (8 * i));
	}
}

static uint64_t GetNumber(const uint8_t* bytes, int count)
{
	uint64_t number = 0;
	for (int i = 0; i < count; ++i)
	{
		number |= (uint64_t)bytes[i] << (8 * i);
	}
	return number;
}

static uint32_t GetWord(const uint8_t* bytes)
{
	return (uint32_t)GetNumber(bytes, 4);
}

static uint32_t FloatToWord(float value)
{
	uint32_t word;
	memcpy(&word, &value, sizeof(word));
	return word;
}

static float WordToFloat(uint32_t word)
{
	float value;
	memcpy(&value, &word, sizeof(value));
	return value;
}

// FNV-1a of 64 bits, with zeros in place of the sum itself.
static uint64_t SumKept(const uint8_t* bytes, size_t size)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < size; ++i)
	{
		const uint8_t byte = i >= 40 && i < 48 ? 0 : bytes[i];
		sum = (sum ^ byte) * UINT64_C(0x100000001b3);
	}
	return sum;
}

static void DefToWords(const tnVoxelWorldDef* def, uint32_t words[keptDefWords])
{
	uint32_t* word = words;
	*word++ = (uint32_t)def->cap;
	*word++ = (uint32_t)def->rules;
	*word++ = FloatToWord(def->voxelSize);
	*word++ = FloatToWord(def->stepRate);
	*word++ = FloatToWord(def->gravity);
	*word++ = (uint32_t)def->liquidCount;
	*word++ = (uint32_t)def->levelInterval;
	*word++ = (uint32_t)def->chunkLimit;
	*word++ = (uint32_t)def->chunkReserve;
	for (int i = 0; i < TN_MAX_LIQUIDS; ++i)
	{
		const tnLiquidDef* liquid = def->liquids + i;
		*word++ = (uint32_t)liquid->viscosity;
		*word++ = FloatToWord(liquid->density);
		*word++ = liquid->levels ? 1u : 0u;
		*word++ = (uint32_t)liquid->evaporation;
	}
}

static tnVoxelWorldDef WordsToDef(const uint8_t* bytes)
{
	uint32_t words[keptDefWords];
	for (int i = 0; i < keptDefWords; ++i)
	{
		words[i] = GetWord(bytes + 4 * (size_t)i);
	}
	const uint32_t* word = words;
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = (int32_t)*word++;
	def.rules = (tnVoxelRules)*word++;
	def.voxelSize = WordToFloat(*word++);
	def.stepRate = WordToFloat(*word++);
	def.gravity = WordToFloat(*word++);
	def.liquidCount = (int32_t)*word++;
	def.levelInterval = (int32_t)*word++;
	def.chunkLimit = (int32_t)*word++;
	def.chunkReserve = (int32_t)*word++;
	for (int i = 0; i < TN_MAX_LIQUIDS; ++i)
	{
		tnLiquidDef* liquid = def.liquids + i;
		*liquid = tnDefaultLiquidDef();
		liquid->viscosity = (int32_t)*word++;
		liquid->density = WordToFloat(*word++);
		liquid->levels = *word++ != 0;
		liquid->evaporation = (int32_t)*word++;
	}
	return def;
}

size_t GetKeptSize(int kind, int steps, int interval)
{
	const size_t words = kind == keptVoxels ? keptDefWords : 0;
	return keptHeaderSize + 4 * words + 8 * ((size_t)(steps / interval) + 1);
}

void WriteKept(const KeptWorld* kept, const uint64_t* hashes, uint8_t* bytes)
{
	const size_t words = kept->kind == keptVoxels ? keptDefWords : 0;
	memcpy(bytes, s_letters, sizeof(s_letters));
	PutNumber(bytes + 8, keptVersion, 4);
	PutNumber(bytes + 12, (uint64_t)kept->kind, 4);
	PutNumber(bytes + 16, FloatToWord(kept->timeStep), 4);
	PutNumber(bytes + 20, (uint64_t)kept->steps, 4);
	PutNumber(bytes + 24, (uint64_t)kept->interval, 4);
	PutNumber(bytes + 28, words, 4);
	PutNumber(bytes + 32, kept->snapshotSize, 8);
	uint32_t def[keptDefWords];
	DefToWords(&kept->def, def);
	for (size_t i = 0; i < words; ++i)
	{
		PutNumber(bytes + keptHeaderSize + 4 * i, def[i], 4);
	}
	for (int i = 0; i <= kept->steps / kept->interval; ++i)
	{
		PutNumber(bytes + keptHeaderSize + 4 * words + 8 * (size_t)i, hashes[i], 8);
	}
	PutNumber(bytes + 40, SumKept(bytes, GetKeptSize(kept->kind, kept->steps, kept->interval)), 8);
}

bool ReadKept(const uint8_t* bytes, size_t size, KeptWorld* kept, char text[static 160])
{
	*kept = (KeptWorld){.def = tnDefaultVoxelWorldDef()};
	if (size < keptHeaderSize)
	{
		snprintf(text, 160, "%zu bytes, a header has %d", size, keptHeaderSize);
		return false;
	}
	if (memcmp(bytes, s_letters, sizeof(s_letters)) != 0)
	{
		snprintf(text, 160, "not the file of a kept world: it begins with other letters");
		return false;
	}
	const uint32_t version = GetWord(bytes + 8), kind = GetWord(bytes + 12), words = GetWord(bytes + 28);
	const uint32_t steps = GetWord(bytes + 20), interval = GetWord(bytes + 24);
	const float timeStep = WordToFloat(GetWord(bytes + 16));
	const uint64_t snapshotSize = GetNumber(bytes + 32, 8);
	if (version != keptVersion)
	{
		snprintf(text, 160, "version %" PRIu32 ", known is %d", version, keptVersion);
		return false;
	}
	if (kind != keptColumns && kind != keptVoxels)
	{
		snprintf(text, 160, "kind %" PRIu32 ", known are %d and %d", kind, keptColumns, keptVoxels);
		return false;
	}
	if (steps < 1 || steps > keptMaxSteps || interval < 1 || interval > steps || steps % interval != 0)
	{
		snprintf(text, 160, "%" PRIu32 " steps with a hash after each %" PRIu32, steps, interval);
		return false;
	}
	if (words != (kind == keptVoxels ? (uint32_t)keptDefWords : 0u))
	{
		snprintf(text, 160, "%" PRIu32 " words of a def, kind %" PRIu32 " has %d", words, kind,
			kind == keptVoxels ? (int)keptDefWords : 0);
		return false;
	}
	const size_t before = GetKeptSize((int)kind, (int)steps, (int)interval);
	if (size < before || size - before != snapshotSize)
	{
		snprintf(text, 160, "%zu bytes, expected %zu and a snapshot of %" PRIu64, size, before, snapshotSize);
		return false;
	}
	const uint64_t sum = GetNumber(bytes + 40, 8);
	if (SumKept(bytes, before) != sum)
	{
		snprintf(text, 160, "damaged: sum %016" PRIx64 ", the header says %016" PRIx64, SumKept(bytes, before), sum);
		return false;
	}
	kept->kind = (int)kind;
	kept->timeStep = timeStep;
	kept->steps = (int)steps;
	kept->interval = (int)interval;
	if (kind == keptVoxels)
	{
		kept->def = WordsToDef(bytes + keptHeaderSize);
	}
	kept->hashes = bytes + keptHeaderSize + 4 * (size_t)words;
	kept->snapshot = bytes + before;
	kept->snapshotSize = (size_t)snapshotSize;
	return true;
}

uint64_t GetKeptHash(const KeptWorld* kept, int index)
{
	return GetNumber(kept->hashes + 8 * (size_t)index, 8);
}
