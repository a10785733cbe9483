// SPDX-License-Identifier: MIT

#include "net_history.h"

#include <string.h>

tnResult NetHistory_Create(NetHistory* history, const NetGame* game)
{
	*history = (NetHistory){0};
	tnRollbackDef def = tnDefaultRollbackDef();
	def.imageCount = NET_HISTORY_LENGTH;
	return tnCreateRollback(game->world, &def, &history->worlds);
}

void NetHistory_Destroy(NetHistory* history)
{
	tnDestroyRollback(history->worlds);
	*history = (NetHistory){0};
}

tnResult NetHistory_Keep(NetHistory* history, const NetGame* game)
{
	const int slot = (int)(game->tick % NET_HISTORY_LENGTH);
	history->games[slot].tick = game->tick;
	memcpy(history->games[slot].boxes, game->boxes, sizeof(game->boxes));
	return tnRollback_Push(history->worlds);
}

tnResult NetHistory_GoBack(NetHistory* history, NetGame* game, uint32_t tick)
{
	const int slot = (int)(tick % NET_HISTORY_LENGTH);
	for (int i = 0; i < tnRollback_GetCount(history->worlds); ++i)
	{
		tnRollbackImage image;
		tnResult result = tnRollback_GetImage(history->worlds, i, &image);
		if (result.status == tn_ok && image.stepCount == (int64_t)tick && history->games[slot].tick == tick)
		{
			result = tnRollback_Restore(history->worlds, i);
			if (result.status == tn_ok)
			{
				memcpy(game->boxes, history->games[slot].boxes, sizeof(game->boxes));
				game->tick = tick;
			}
			return result;
		}
	}
	return (tnResult){.status = tn_notAvailable, .text = "that tick was not kept"};
}
