// SPDX-License-Identifier: MIT

// Recordings that somebody has changed: fuzz_busy_kit.h says how. What is refused has a text, and playing ends.

#include "fuzz_busy_kit.h"

typedef struct Tape
{
	uint8_t* bytes;
	size_t size, capacity;
} Tape;

static void Append(const void* bytes, size_t size, void* context)
{
	Tape* tape = context;
	if (tape->size + size > tape->capacity)
	{
		tape->capacity = 2 * (tape->size + size);
		tape->bytes = realloc(tape->bytes, tape->capacity);
		REQUIRE(tape->bytes != NULL);
	}
	memcpy(tape->bytes + tape->size, bytes, size);
	tape->size += size;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	Input input = {bytes, size};
	BusyWorld busy;
	MakeFuzzWorld(&busy, &input);
	Tape tape = {0};
	REQUIRE(tnWorld_StartRecording(busy.world, Append, &tape).status == tn_ok);
	for (int i = 0; i < 4; ++i)
	{
		REQUIRE(StepBusyWorld(&busy).status == tn_ok);
	}
	tape.size = Spoil(&input, tape.bytes, tape.size);
	uint8_t* record = CopyExactly(tape.bytes, tape.size);
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.memoryLimit = (size_t)256 << 20;
	tnReplay* replay = NULL;
	tnResult result = tnCreateReplay(record, tape.size, &hooks, &replay);
	REQUIRE((result.status == tn_ok) == (replay != NULL));
	tnReplayState state = {0};
	for (int i = 0; i < 16 && result.status == tn_ok && !state.atEnd; ++i)
	{
		result = tnReplay_Step(replay, &state);
	}
	REQUIRE(result.status == tn_ok || result.text[0] != 0);
	tnDestroyReplay(replay);
	tnDestroyWorld(busy.world);
	free(record);
	free(tape.bytes);
	return 0;
}
