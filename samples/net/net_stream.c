// SPDX-License-Identifier: MIT

#include "net_stream.h"

#include <math.h>

// Steps of boxes: a centimeter.
#define BOX_STEP 0.01f

bool NetStream_Create(NetStream* stream, NetExtent extent)
{
	*stream = (NetStream){0};
	return NetView_Create(&stream->view, extent.x / NET_PLACE_STEP, extent.z / NET_PLACE_STEP);
}

void NetStream_Destroy(NetStream* stream)
{
	NetView_Destroy(&stream->view);
}

bool NetStream_Has(const NetStream* stream, const NetInterest* interest, int tile)
{
	float column, row;
	NetView_GetTileMiddle(&stream->view, tile, &column, &row);
	const float x = column - (float)interest->x / NET_PLACE_STEP, z = row - (float)interest->z / NET_PLACE_STEP;
	const float radius = (float)interest->radius / NET_PLACE_STEP;
	return x * x + z * z <= radius * radius;
}

static void BeginMessage(NetWriter* writer, uint32_t tick)
{
	writer->size = 0;
	Net_Put(writer, net_stateMessage, 1);
	Net_Put(writer, tick, 4);
	// Not the last one.
	Net_Put(writer, 0, 1);
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

void NetStream_Send(NetStream* stream, const NetFrame* frame, const NetGame* game, const NetInterest* interest,
	NetSendFcn* send, void* context)
{
	uint8_t bytes[NET_STREAM_MESSAGE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	BeginMessage(&writer, game->tick);
	for (int tile = 0; tile < NetView_CountTiles(&stream->view); ++tile)
	{
		if (NetStream_Has(stream, interest, tile) && !NetView_WriteTile(&stream->view, frame, tile, &writer))
		{
			stream->byteCount += (uint64_t)writer.size;
			send(&writer, context);
			BeginMessage(&writer, game->tick);
			NetView_WriteTile(&stream->view, frame, tile, &writer);
		}
	}
	if (writer.capacity - writer.size < 256)
	{
		stream->byteCount += (uint64_t)writer.size;
		send(&writer, context);
		BeginMessage(&writer, game->tick);
	}
	// What stands after the tiles, behind their number that no tile has.
	bytes[5] = 1;
	Net_Put(&writer, 0xffffff, 3);
	NetInterest_Write(&writer, interest);
	PutBoxes(&writer, game);
	stream->byteCount += (uint64_t)writer.size;
	send(&writer, context);
	stream->tick = game->tick;
	++stream->frameCount;
}

static float TakeLength(NetReader* reader)
{
	const float length = (float)(int32_t)(uint32_t)Net_Take(reader, 4) * BOX_STEP;
	reader->damaged = reader->damaged || !(fabsf(length) <= TN_MAX_LENGTH);
	return length;
}

bool NetStream_Read(NetStream* stream, NetReader* reader, bool* whole)
{
	stream->byteCount += (uint64_t)reader->size;
	const uint32_t tick = (uint32_t)Net_Take(reader, 4);
	const bool last = Net_TakeInt(reader, 1, 0, 1) != 0;
	*whole = false;
	while (!reader->damaged && reader->place < reader->size)
	{
		NetReader ahead = *reader;
		if (last && Net_Take(&ahead, 3) == 0xffffff)
		{
			*reader = ahead;
			NetInterest_Read(reader, &stream->interest);
			stream->boxMask = (uint32_t)Net_Take(reader, 1);
			for (int i = 0; i < NET_MAX_PLAYERS; ++i)
			{
				if (stream->boxMask >> i & 1)
				{
					stream->boxes[i].x = TakeLength(reader);
					stream->boxes[i].y = TakeLength(reader);
					stream->boxes[i].z = TakeLength(reader);
				}
			}
			stream->tick = tick;
			++stream->frameCount;
			*whole = Net_IsWhole(reader);
			return *whole;
		}
		NetView_ReadTile(&stream->view, reader);
	}
	return !reader->damaged && !last;
}

static float GetError(const NetStream* stream, const NetFrame* truth, NetPlane plane, int cell)
{
	return fabsf(NetView_Get(&stream->view, plane, cell) - truth->planes[plane][cell]);
}

void NetStream_Compare(const NetStream* stream, const NetFrame* truth, NetStreamErrors* errors)
{
	for (int cell = 0; cell < truth->columns * truth->rows; ++cell)
	{
		const int tileColumns = (truth->columns + NET_VIEW_TILE - 1) / NET_VIEW_TILE;
		const int tile = cell / truth->columns / NET_VIEW_TILE * tileColumns + cell % truth->columns / NET_VIEW_TILE;
		if (NetStream_Has(stream, &stream->interest, tile))
		{
			errors->surface = fmaxf(errors->surface, GetError(stream, truth, net_surfacePlane, cell));
			errors->velocity = fmaxf(errors->velocity, GetError(stream, truth, net_velocityXPlane, cell));
			errors->velocity = fmaxf(errors->velocity, GetError(stream, truth, net_velocityZPlane, cell));
			errors->foam = fmaxf(errors->foam, GetError(stream, truth, net_foamPlane, cell));
			errors->wrongCount += GetError(stream, truth, net_wetPlane, cell) > 0.1f;
		}
	}
}
