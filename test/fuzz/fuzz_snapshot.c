// SPDX-License-Identifier: MIT

// Snapshots that somebody has changed. The first bytes choose a small world with all layers and how long it runs before it is
// saved; the others say which bytes of its snapshot become what, or where it is cut and spliced. Sums are put right then: without
// that nothing would get further than to them. What is refused changes nothing. What is let in can be stepped, saved and restored
// again, whatever it is.

#include "core/archive.h"
#include "fuzz_busy_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	Input input = {bytes, size};
	BusyWorld busy;
	MakeFuzzWorld(&busy, &input);
	const bool mends = Draw(&input, 1) % 8 != 0;
	size_t saveSize = 0;
	REQUIRE(tnWorld_Save(busy.world, NULL, 0, &saveSize).status == tn_ok);
	uint8_t* data = malloc(saveSize);
	REQUIRE(tnWorld_Save(busy.world, data, saveSize, &saveSize).status == tn_ok);
	saveSize = Spoil(&input, data, saveSize);
	uint8_t* save = CopyExactly(data, saveSize);
	free(data);
	if (mends)
	{
		tnMendSnapshot(save, saveSize);
	}
	const uint64_t hash = tnWorld_GetHash(busy.world);
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.memoryLimit = (size_t)256 << 20;
	tnWorld* other = NULL;
	const tnResult made = tnCreateWorldFrom(save, saveSize, &hooks, &other);
	REQUIRE((made.status == tn_ok) == (other != NULL));
	const tnResult restored = tnWorld_Restore(busy.world, save, saveSize);
	REQUIRE(restored.status == tn_ok || (restored.text[0] != 0 && tnWorld_GetHash(busy.world) == hash));
	REQUIRE(restored.status != tn_ok || made.status != tn_invalidArgument);
	tnWorld* worlds[2] = {busy.world, other};
	for (int i = 0; i < 2; ++i)
	{
		for (int k = 0; k < 3 && worlds[i] != NULL; ++k)
		{
			REQUIRE(tnWorld_Step(worlds[i], 1.0f / 60.0f).status == tn_ok);
		}
		size_t again = 0;
		REQUIRE(worlds[i] == NULL || tnWorld_Save(worlds[i], NULL, 0, &again).status == tn_ok);
		tnDestroyWorld(worlds[i]);
	}
	free(save);
	return 0;
}
