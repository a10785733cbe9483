// SPDX-License-Identifier: MIT

#include "net_stream.h"

#include <math.h>

// Steps of boxes: a centimeter.
#define BOX_STEP 0.01f

// What stands before the bytes of tarn.
enum
{
	not_last = 0,
	last_with_all,
	last_without_all,
	// Kind, tick, one of those above, interest, boxes.
	head_bytes = 1 + 4 + 1 + 6 + 1 + 12 * NET_MAX_PLAYERS,
};

tnResult NetStream_Create(NetStream* stream, const NetGame* game)
{
	*stream = (NetStream){0};
	tnStreamDef def = tnDefaultStreamDef();
	def.tileSize = 32;
	return tnCreateStream(game->world, &def, &stream->stream);
}

void NetStream_Destroy(NetStream* stream)
{
	tnDestroyStream(stream->stream);
	*stream = (NetStream){0};
}

static void PutHead(NetWriter* writer, const NetGame* game, int last, const NetInterest* interest)
{
	Net_Put(writer, net_stateMessage, 1);
	Net_Put(writer, game->tick, 4);
	Net_Put(writer, (uint64_t)last, 1);
	if (last == not_last)
	{
		return;
	}
	NetInterest_Write(writer, interest);
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

tnResult NetStream_Send(
	NetStream* stream, const NetGame* game, const NetInterest* interest, NetSendFcn* send, void* context)
{
	const float step = 1.0f / NET_PLACE_STEP;
	const tnStreamInterest disc = {
		.center = {(float)interest->x * step, (float)interest->z * step},
		.radius = (float)interest->radius * step,
		.weight = 1.0f,
	};
	tnResult result = tnStream_SetInterests(stream->stream, &disc, interest->radius > 0 ? 1 : 0);
	for (int i = 0; i < NET_STREAM_MESSAGES && result.status == tn_ok; ++i)
	{
		uint8_t water[NET_STREAM_MESSAGE], bytes[head_bytes + NET_STREAM_MESSAGE];
		size_t size;
		tnStreamState state;
		result = tnStream_Write(stream->stream, water, sizeof(water), &size, &state);
		if (result.status != tn_ok)
		{
			break;
		}
		const bool all = state.waitingCount == 0, last = all || i == NET_STREAM_MESSAGES - 1;
		NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
		PutHead(&writer, game, !last ? not_last : all ? last_with_all : last_without_all, interest);
		memcpy(bytes + writer.size, water, size);
		writer.size += (int)size;
		send(&writer, context);
		if (last)
		{
			break;
		}
	}
	stream->tick = game->tick;
	return result;
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

bool NetShow_Read(NetShow* show, NetReader* reader, bool* last)
{
	const uint32_t tick = (uint32_t)Net_Take(reader, 4);
	const int kind = Net_TakeInt(reader, 1, not_last, last_without_all);
	NetInterest interest;
	uint32_t boxMask = 0;
	tnVec3 boxes[NET_MAX_PLAYERS] = {0};
	if (kind != not_last)
	{
		NetInterest_Read(reader, &interest);
		boxMask = (uint32_t)Net_Take(reader, 1);
	}
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
	if (reader->damaged ||
		tnStreamView_Read(show->view, reader->bytes + reader->place, (size_t)(reader->size - reader->place)).status !=
			tn_ok)
	{
		return false;
	}
	show->byteCount += (uint64_t)reader->size;
	*last = kind != not_last;
	if (*last)
	{
		show->tick = tick;
		show->interest = interest;
		show->whole = kind == last_with_all;
		show->boxMask = boxMask;
		memcpy(show->boxes, boxes, sizeof(boxes));
		++show->frameCount;
	}
	return true;
}
