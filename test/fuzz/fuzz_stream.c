// SPDX-License-Identifier: MIT

// Messages of streams that somebody has changed: fuzz_busy_kit.h says how. What is refused changes nothing, and a view that has read
// a lie goes on.

#include "fuzz_busy_kit.h"
#include "stream/stream_message.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	enum
	{
		room = 1 << 18,
	};
	Input input = {bytes, size};
	BusyWorld busy;
	MakeFuzzWorld(&busy, &input);
	const bool mends = Draw(&input, 1) % 8 != 0;
	const bool spoilsFirst = Draw(&input, 1) % 2 == 0;
	tnStreamDef def = tnDefaultStreamDef();
	def.tileSize = 16;
	tnStream* stream = NULL;
	REQUIRE(tnCreateStream(busy.world, &def, &stream).status == tn_ok);
	tnStreamViewDef viewDef = tnDefaultStreamViewDef();
	viewDef.cellLimit = 1 << 16;
	tnStreamView* view = NULL;
	REQUIRE(tnCreateStreamView(&viewDef, &view).status == tn_ok);
	uint8_t* data = malloc(room);
	for (int i = 0; i < 3; ++i)
	{
		size_t length = 0;
		REQUIRE(tnStream_Write(stream, data, room, &length, NULL).status == tn_ok);
		if ((i == 0) == spoilsFirst)
		{
			length = Spoil(&input, data, length);
		}
		uint8_t* message = CopyExactly(data, length);
		if (mends)
		{
			tnMendStreamMessage(message, length);
		}
		const uint32_t number = tnStreamView_GetInfo(view).number;
		const tnResult result = tnStreamView_Read(view, message, length);
		REQUIRE(result.status == tn_ok || (result.text[0] != 0 && tnStreamView_GetInfo(view).number == number));
		free(message);
		const tnStreamReceipt receipt = tnStreamView_GetReceipt(view);
		(void)tnStream_TakeReceipt(stream, &receipt);
		REQUIRE(StepBusyWorld(&busy).status == tn_ok);
	}
	free(data);
	tnDestroyStreamView(view);
	tnDestroyStream(stream);
	tnDestroyWorld(busy.world);
	return 0;
}
