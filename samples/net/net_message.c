// SPDX-License-Identifier: MIT

#include "net_message.h"

const char* const netModeNames[net_modeCount] = {"lockstep", "rollback", "stream"};

// Letters that can stand in a line of a log without looking like something else.
static void PutText(NetWriter* writer, const char* text, int most)
{
	int length = 0;
	while (text[length] != 0 && length < most)
	{
		++length;
	}
	Net_Put(writer, (uint64_t)length, 1);
	for (int i = 0; i < length; ++i)
	{
		Net_Put(writer, (uint8_t)text[i], 1);
	}
}

static void TakeText(NetReader* reader, char* text, int least, int most, bool isName)
{
	const int length = Net_TakeInt(reader, 1, least, most);
	for (int i = 0; i < length; ++i)
	{
		const char c = (char)Net_Take(reader, 1);
		const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		reader->damaged = reader->damaged || !(isLetter || (!isName && c >= ' ' && c <= '~'));
		text[i] = c;
	}
	text[length] = 0;
}

void NetHello_Write(NetWriter* writer, const NetHello* hello)
{
	Net_Put(writer, net_helloMessage, 1);
	Net_Put(writer, hello->protocol, 4);
	Net_Put(writer, hello->tarn, 4);
	Net_Put(writer, (uint64_t)hello->mode, 1);
	Net_Put(writer, hello->measure, 1);
	PutText(writer, hello->name, NET_MAX_NAME);
}

bool NetHello_Read(NetReader* reader, NetHello* hello)
{
	hello->protocol = (uint32_t)Net_Take(reader, 4);
	hello->tarn = (uint32_t)Net_Take(reader, 4);
	hello->mode = (NetMode)Net_TakeInt(reader, 1, 0, net_modeCount - 1);
	hello->measure = Net_TakeInt(reader, 1, 0, 1) != 0;
	TakeText(reader, hello->name, 1, NET_MAX_NAME, true);
	return Net_IsWhole(reader);
}

void NetWelcome_Write(NetWriter* writer, const NetWelcome* welcome)
{
	Net_Put(writer, net_welcomeMessage, 1);
	Net_Put(writer, (uint64_t)welcome->player, 1);
	Net_Put(writer, welcome->tick, 4);
	Net_Put(writer, welcome->size, 4);
	Net_Put(writer, welcome->packedSize, 4);
	Net_Put(writer, welcome->hash, 8);
	Net_Put(writer, (uint64_t)welcome->rate, 1);
	Net_Put(writer, (uint64_t)welcome->extent.x, 2);
	Net_Put(writer, (uint64_t)welcome->extent.z, 2);
	Net_Put(writer, (uint64_t)welcome->checkInterval, 2);
	Net_Put(writer, welcome->endTick, 4);
}

bool NetWelcome_Read(NetReader* reader, NetWelcome* welcome)
{
	welcome->player = Net_TakeInt(reader, 1, 0, NET_MAX_PLAYERS - 1);
	welcome->tick = (uint32_t)Net_Take(reader, 4);
	welcome->size = (uint32_t)Net_Take(reader, 4);
	welcome->packedSize = (uint32_t)Net_Take(reader, 4);
	welcome->hash = Net_Take(reader, 8);
	welcome->rate = Net_TakeInt(reader, 1, 1, 120);
	welcome->extent.x = Net_TakeInt(reader, 2, NET_LEAST_EXTENT, UINT16_MAX);
	welcome->extent.z = Net_TakeInt(reader, 2, NET_LEAST_EXTENT, UINT16_MAX);
	welcome->checkInterval = Net_TakeInt(reader, 2, 1, 1000);
	welcome->endTick = (uint32_t)Net_Take(reader, 4);
	reader->damaged = reader->damaged || welcome->size > NET_MAX_SNAPSHOT || welcome->packedSize > welcome->size;
	return Net_IsWhole(reader);
}

void NetInputs_Write(NetWriter* writer, const NetInputs* inputs)
{
	Net_Put(writer, net_inputsMessage, 1);
	Net_Put(writer, inputs->nextTurn, 4);
	Net_Put(writer, inputs->newest, 4);
	Net_Put(writer, inputs->before, 8);
	Net_Put(writer, inputs->first, 4);
	Net_Put(writer, (uint64_t)inputs->count, 1);
	for (int i = 0; i < inputs->count; ++i)
	{
		NetInput_Write(writer, &inputs->inputs[i]);
	}
}

bool NetInputs_Read(NetReader* reader, NetExtent extent, NetInputs* inputs)
{
	inputs->nextTurn = (uint32_t)Net_Take(reader, 4);
	inputs->newest = (uint32_t)Net_Take(reader, 4);
	inputs->before = Net_Take(reader, 8);
	inputs->first = (uint32_t)Net_Take(reader, 4);
	inputs->count = Net_TakeInt(reader, 1, 0, NET_INPUT_WINDOW);
	for (int i = 0; i < inputs->count; ++i)
	{
		inputs->inputs[i] = NetInput_Read(reader, extent);
	}
	return Net_IsWhole(reader);
}

void NetTurns_Write(NetWriter* writer, NetTurns* turns)
{
	Net_Put(writer, net_turnsMessage, 1);
	Net_Put(writer, turns->serverTick, 4);
	Net_Put(writer, turns->nextInput, 4);
	Net_Put(writer, turns->first, 4);
	const int countPlace = writer->size;
	Net_Put(writer, 0, 1);
	int count = 0;
	for (; count < turns->count; ++count)
	{
		const int size = writer->size;
		NetTurn_Write(writer, &turns->turns[count]);
		if (writer->full)
		{
			// Not this one, and none after it.
			writer->size = size;
			writer->full = false;
			break;
		}
	}
	turns->count = count;
	writer->bytes[countPlace] = (uint8_t)count;
}

bool NetTurns_Read(NetReader* reader, NetExtent extent, NetTurns* turns)
{
	turns->serverTick = (uint32_t)Net_Take(reader, 4);
	turns->nextInput = (uint32_t)Net_Take(reader, 4);
	turns->first = (uint32_t)Net_Take(reader, 4);
	turns->count = Net_TakeInt(reader, 1, 0, NET_TURNS_PER_MESSAGE);
	for (int i = 0; i < turns->count; ++i)
	{
		turns->turns[i] = NetTurn_Read(reader, extent);
	}
	return Net_IsWhole(reader);
}

void NetInterest_Write(NetWriter* writer, const NetInterest* interest)
{
	Net_Put(writer, (uint64_t)interest->x, 2);
	Net_Put(writer, (uint64_t)interest->z, 2);
	Net_Put(writer, (uint64_t)interest->radius, 2);
}

void NetInterest_Read(NetReader* reader, NetInterest* interest)
{
	interest->x = (int)Net_Take(reader, 2);
	interest->z = (int)Net_Take(reader, 2);
	interest->radius = (int)Net_Take(reader, 2);
}

void NetCheck_Write(NetWriter* writer, const NetCheck* check)
{
	Net_Put(writer, net_checkMessage, 1);
	Net_Put(writer, check->tick, 4);
	Net_Put(writer, check->hash, 8);
	Net_Put(writer, (uint64_t)check->tileCount, 2);
	for (int i = 0; i < check->tileCount; ++i)
	{
		Net_Put(writer, check->tiles[i], 4);
	}
}

bool NetCheck_Read(NetReader* reader, NetCheck* check)
{
	check->tick = (uint32_t)Net_Take(reader, 4);
	check->hash = Net_Take(reader, 8);
	check->tileCount = Net_TakeInt(reader, 2, 1, NET_MAX_TILES);
	for (int i = 0; i < check->tileCount; ++i)
	{
		check->tiles[i] = (uint32_t)Net_Take(reader, 4);
	}
	return Net_IsWhole(reader);
}

void NetNotice_Write(NetWriter* writer, const char* text)
{
	Net_Put(writer, net_noticeMessage, 1);
	PutText(writer, text, NET_MAX_TEXT);
}

bool NetNotice_Read(NetReader* reader, char text[NET_MAX_TEXT + 1])
{
	TakeText(reader, text, 0, NET_MAX_TEXT, false);
	return Net_IsWhole(reader);
}
