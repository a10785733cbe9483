// SPDX-License-Identifier: MIT

#include "net_stream.h"

#include <math.h>

// Steps of boxes: a centimeter.
#define BOX_STEP 0.01f

tnResult NetStream_Create(NetStream* stream, const NetGame* game)
{
	*stream = (NetStream){0};
	tnStreamDef def = tnDefaultStreamDef();
	// Small tiles for small messages.
	def.tileSize = 16;
	return tnCreateStream(game->world, &def, &stream->stream);
}

void NetStream_Destroy(NetStream* stream)
{
	tnDestroyStream(stream->stream);
	*stream = (NetStream){0};
}

static void PutBoxes(NetWriter* writer, const NetGame* game)
{
	uint32_t mask = 0;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		mask |= game->boxes[i].there ? 1u << i : 0;
	}
	Net_Put(writer, mask, 1);
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		const tnVec3 position = game->boxes[i].position;
		if (mask >> i & 1)
		{
			Net_Put(writer, (uint64_t)(int64_t)floorf(position.x / BOX_STEP + 0.5f), 4);
			Net_Put(writer, (uint64_t)(int64_t)floorf(position.y / BOX_STEP + 0.5f), 4);
			Net_Put(writer, (uint64_t)(int64_t)floorf(position.z / BOX_STEP + 0.5f), 4);
		}
	}
}

tnResult NetStream_Write(NetStream* stream, const NetGame* game, const NetInterest* interest, NetWriter* writer)
{
	const float step = 1.0f / NET_PLACE_STEP;
	const tnStreamInterest disc = {
		.center = {(float)interest->x * step, (float)interest->z * step},
		.radius = (float)interest->radius * step,
		.weight = 1.0f,
	};
	tnResult result = tnStream_SetInterests(stream->stream, &disc, interest->radius > 0 ? 1 : 0);
	uint8_t water[NET_STREAM_BYTES];
	size_t size = 0;
	if (result.status == tn_ok)
	{
		result = tnStream_Write(stream->stream, water, sizeof(water), &size, &stream->state);
	}
	Net_Put(writer, net_stateMessage, 1);
	Net_Put(writer, game->tick, 4);
	// What was lost before this one is made up for, in this message at the latest, if nothing waits.
	Net_Put(writer, stream->settled, 4);
	Net_Put(writer, stream->state.number, 4);
	Net_Put(writer, stream->state.waitingCount == 0, 1);
	NetInterest_Write(writer, interest);
	PutBoxes(writer, game);
	if (result.status == tn_ok && writer->capacity - writer->size >= (int)size)
	{
		memcpy(writer->bytes + writer->size, water, size);
		writer->size += (int)size;
	}
	return result;
}

bool NetStream_TakeReceipt(NetStream* stream, const tnStreamReceipt* receipt)
{
	if (receipt->newest > stream->state.number)
	{
		return false;
	}
	// Old receipts come after new ones.
	if (receipt->newest > stream->settled && tnStream_TakeReceipt(stream->stream, receipt).status == tn_ok)
	{
		stream->settled = receipt->newest;
	}
	return true;
}

tnResult NetShow_Create(NetShow* show)
{
	*show = (NetShow){0};
	tnStreamViewDef def = tnDefaultStreamViewDef();
	def.cellLimit = NET_MAX_SIZE * NET_MAX_SIZE;
	return tnCreateStreamView(&def, &show->view);
}

void NetShow_Destroy(NetShow* show)
{
	tnDestroyStreamView(show->view);
	*show = (NetShow){0};
}

static float TakeLength(NetReader* reader)
{
	const float length = (float)(int32_t)(uint32_t)Net_Take(reader, 4) * BOX_STEP;
	reader->damaged = reader->damaged || !(fabsf(length) <= TN_MAX_LENGTH);
	return length;
}

// Did all messages after `settled` come, up to the one that was read last?
static bool HasAllSince(const NetShow* show, uint32_t settled)
{
	const tnStreamReceipt receipt = tnStreamView_GetReceipt(show->view);
	for (uint32_t number = settled + 1; number < receipt.newest; ++number)
	{
		const uint32_t bit = receipt.newest - 1 - number;
		if (bit >= 64 || !(receipt.before >> bit & 1))
		{
			return false;
		}
	}
	return true;
}

bool NetShow_Read(NetShow* show, NetReader* reader, bool* isNew)
{
	const uint32_t tick = (uint32_t)Net_Take(reader, 4);
	const uint32_t settled = (uint32_t)Net_Take(reader, 4);
	const uint32_t number = (uint32_t)Net_Take(reader, 4);
	const bool nothingWaits = Net_TakeInt(reader, 1, 0, 1) != 0;
	NetInterest interest;
	NetInterest_Read(reader, &interest);
	const uint32_t boxMask = (uint32_t)Net_Take(reader, 1);
	tnVec3 boxes[NET_MAX_PLAYERS] = {0};
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		if (boxMask >> i & 1)
		{
			boxes[i].x = TakeLength(reader);
			boxes[i].y = TakeLength(reader);
			boxes[i].z = TakeLength(reader);
		}
	}
	// What is no water of tarn is refused there, and changes nothing.
	const tnResult result = reader->damaged
		? (tnResult){.status = tn_invalidArgument}
		: tnStreamView_Read(show->view, reader->bytes + reader->place, (size_t)(reader->size - reader->place));
	*isNew = result.status == tn_ok;
	if (!*isNew)
	{
		return result.status == tn_notAvailable;
	}
	show->byteCount += (uint64_t)reader->size;
	show->tick = tick;
	show->interest = interest;
	show->whole = nothingWaits && tnStreamView_GetReceipt(show->view).newest == number && HasAllSince(show, settled);
	show->boxMask = boxMask;
	memcpy(show->boxes, boxes, sizeof(boxes));
	++show->messageCount;
	show->wholeCount += show->whole;
	return true;
}
