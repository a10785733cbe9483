// SPDX-License-Identifier: MIT

#include "net_history.h"

#include <stdio.h>
#include <stdlib.h>

tnResult NetHistory_Keep(NetHistory* history, const NetGame* game)
{
	const int slot = (int)(game->tick % NET_HISTORY_LENGTH);
	tnResult result =
		NetGame_Save(game, history->slots[slot].bytes, history->slots[slot].capacity, &history->slots[slot].size);
	if (history->slots[slot].size > history->slots[slot].capacity)
	{
		// A little more than asked for: worlds with more boxes and water need more.
		const size_t capacity = history->slots[slot].size + history->slots[slot].size / 8;
		free(history->slots[slot].bytes);
		history->slots[slot].bytes = malloc(capacity);
		history->slots[slot].capacity = history->slots[slot].bytes ? capacity : 0;
		if (!history->slots[slot].bytes)
		{
			return (tnResult){.status = tn_outOfMemory, .text = "no memory for history"};
		}
		result = NetGame_Save(game, history->slots[slot].bytes, capacity, &history->slots[slot].size);
	}
	history->slots[slot].tick = game->tick;
	return result;
}

tnResult NetHistory_GoBack(const NetHistory* history, NetGame* game, uint32_t tick)
{
	const int slot = (int)(tick % NET_HISTORY_LENGTH);
	if (!history->slots[slot].bytes || history->slots[slot].tick != tick)
	{
		return (tnResult){.status = tn_notAvailable, .text = "that tick was not kept"};
	}
	return NetGame_Restore(game, history->slots[slot].bytes, history->slots[slot].size);
}

void NetHistory_Free(NetHistory* history)
{
	for (int i = 0; i < NET_HISTORY_LENGTH; ++i)
	{
		free(history->slots[i].bytes);
	}
	*history = (NetHistory){0};
}
