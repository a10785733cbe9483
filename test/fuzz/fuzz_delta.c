// SPDX-License-Identifier: MIT

// Deltas that somebody has changed: fuzz_busy_kit.h says how. What is refused changes nothing, and what is let in can be stepped,
// pushed and gone back from.

#include "fuzz_busy_kit.h"
#include "world/rollback.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	Input input = {bytes, size};
	BusyWorld busy;
	MakeFuzzWorld(&busy, &input);
	const bool mends = Draw(&input, 1) % 8 != 0;
	tnRollback* rollback = NULL;
	tnRollbackDef def = tnDefaultRollbackDef();
	def.imageCount = 4;
	REQUIRE(tnCreateRollback(busy.world, &def, &rollback).status == tn_ok);
	REQUIRE(tnRollback_Push(rollback).status == tn_ok);
	REQUIRE(StepBusyWorld(&busy).status == tn_ok);
	REQUIRE(tnRollback_Push(rollback).status == tn_ok);
	size_t deltaSize = 0;
	REQUIRE(tnRollback_SaveDelta(rollback, 1, NULL, 0, &deltaSize).status == tn_ok);
	uint8_t* data = malloc(deltaSize);
	REQUIRE(tnRollback_SaveDelta(rollback, 1, data, deltaSize, &deltaSize).status == tn_ok);
	deltaSize = Spoil(&input, data, deltaSize);
	uint8_t* delta = CopyExactly(data, deltaSize);
	free(data);
	if (mends)
	{
		tnMendDelta(delta, deltaSize);
	}
	const uint64_t hash = tnWorld_GetHash(busy.world);
	const tnResult result = tnRollback_RestoreDelta(rollback, delta, deltaSize);
	REQUIRE(result.status == tn_ok || (result.text[0] != 0 && tnWorld_GetHash(busy.world) == hash));
	REQUIRE(tnWorld_Step(busy.world, 1.0f / 60.0f).status == tn_ok);
	REQUIRE(tnRollback_Push(rollback).status == tn_ok);
	REQUIRE(tnRollback_Restore(rollback, tnRollback_GetCount(rollback) - 1).status == tn_ok);
	tnDestroyRollback(rollback);
	tnDestroyWorld(busy.world);
	free(delta);
	return 0;
}
