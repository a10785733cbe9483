// SPDX-License-Identifier: MIT

#include "net_replica.h"

#include <math.h>
#include <stdlib.h>

static int CountCells(const NetGame* game)
{
	const tnFieldView bed = tnWorld_GetBed(game->world);
	return bed.columnCount * bed.rowCount;
}

tnResult NetReplica_Load(NetReplica* replica, const NetWelcome* welcome, const uint8_t* bytes)
{
	NetHistory_Destroy(&replica->history);
	tnResult result = NetGame_Load(&replica->game, bytes, welcome->size);
	if (result.status == tn_ok)
	{
		result = NetHistory_Create(&replica->history, &replica->game);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	const NetExtent extent = NetGame_GetExtent(&replica->game);
	if (NetGame_GetHash(&replica->game) != welcome->hash || replica->game.tick != welcome->tick ||
		replica->game.rate != welcome->rate || extent.x != welcome->extent.x || extent.z != welcome->extent.z)
	{
		return (tnResult){.status = tn_invalidArgument, .text = "the snapshot is not the one that was announced"};
	}
	const size_t size = sizeof(float) * (size_t)CountCells(&replica->game);
	free(replica->before);
	free(replica->after);
	replica->before = malloc(size);
	replica->after = malloc(size);
	if (!replica->before || !replica->after)
	{
		return (tnResult){.status = tn_outOfMemory, .text = "no memory for surfaces"};
	}
	replica->player = welcome->player;
	replica->checkInterval = welcome->checkInterval;
	replica->known = replica->certain = welcome->tick;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		replica->held[i] = (NetInput){.kind = net_noInput};
	}
	const uint32_t interval = (uint32_t)welcome->checkInterval;
	replica->nextCheck = (welcome->tick / interval + 1) * interval;
	return result;
}

void NetReplica_Destroy(NetReplica* replica)
{
	NetHistory_Destroy(&replica->history);
	NetGame_Destroy(&replica->game);
	free(replica->before);
	free(replica->after);
	*replica = (NetReplica){0};
}

void NetReplica_AddTurns(NetReplica* replica, const NetTurns* turns)
{
	for (int i = 0; i < turns->count; ++i)
	{
		// Without room the turn comes once more: it was not confirmed.
		if (turns->first + (uint32_t)i == replica->known && replica->known - replica->certain < NET_TURN_WINDOW)
		{
			replica->turns[replica->known++ % NET_TURN_WINDOW] = turns->turns[i];
		}
	}
}

void NetReplica_SetOwnInput(NetReplica* replica, uint32_t tick, const NetInput* input)
{
	replica->own[tick % NET_INPUT_WINDOW].tick = tick;
	replica->own[tick % NET_INPUT_WINDOW].input = *input;
}

static NetTurn Guess(const NetReplica* replica, uint32_t tick)
{
	NetTurn turn = {0};
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		turn.inputs[i] = replica->held[i];
	}
	turn.inputs[replica->player] = (NetInput){.kind = net_noInput};
	if (replica->own[tick % NET_INPUT_WINDOW].tick == tick)
	{
		turn.inputs[replica->player] = replica->own[tick % NET_INPUT_WINDOW].input;
	}
	return turn;
}

// Who pours goes on pouring, until it is known that he does not.
static void Remember(NetReplica* replica, const NetTurn* turn)
{
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		const NetInputKind kind = turn->inputs[i].kind;
		const bool isHeld = kind == net_pourInput || kind == net_digInput;
		replica->held[i] = isHeld ? turn->inputs[i] : (NetInput){.kind = net_noInput};
	}
}

static tnResult Play(NetReplica* replica, const NetTurn* turn)
{
	if (replica->cheatTick && replica->game.tick == replica->cheatTick)
	{
		const tnFieldView bed = tnWorld_GetBed(replica->game.world);
		const tnVec2 middle = {0.5f * (float)bed.columnCount, 0.5f * (float)bed.rowCount};
		tnWorld_AddWater(replica->game.world, middle, 3.0f, 30.0f, NULL);
	}
	const tnResult result = NetGame_Play(&replica->game, turn);
	if (result.status == tn_ok && replica->game.tick % (uint32_t)replica->checkInterval == 0)
	{
		// Of a guess, too: if it was right, nothing is played again, and this is the check.
		const uint32_t number = replica->game.tick / (uint32_t)replica->checkInterval;
		NetReplica_GetCheck(replica, &replica->checks[number % NET_CHECKS_KEPT]);
	}
	return result;
}

// Find the first guess that was wrong, and go back to before it. Guesses that were right become certain.
static tnResult Reconcile(NetReplica* replica, uint32_t* shownTick)
{
	while (replica->certain < replica->known && replica->certain < replica->game.tick)
	{
		const NetTurn* turn = &replica->turns[replica->certain % NET_TURN_WINDOW];
		if (!NetTurn_IsSame(turn, &replica->guesses[replica->certain % NET_HISTORY_LENGTH]))
		{
			*shownTick = replica->game.tick;
			tnWorld_CopySurface(replica->game.world, 1.0f, replica->before);
			++replica->rollbackCount;
			return NetHistory_GoBack(&replica->history, &replica->game, replica->certain);
		}
		Remember(replica, turn);
		++replica->certain;
	}
	return (tnResult){0};
}

static void MeasureJump(NetReplica* replica)
{
	tnWorld_CopySurface(replica->game.world, 1.0f, replica->after);
	for (int i = 0; i < CountCells(&replica->game); ++i)
	{
		const float jump = fabsf(replica->after[i] - replica->before[i]);
		replica->largestJump = jump > replica->largestJump ? jump : replica->largestJump;
	}
}

tnResult NetReplica_Advance(NetReplica* replica, uint32_t target, int mostPlays)
{
	uint32_t shownTick = 0;
	tnResult result = Reconcile(replica, &shownTick);
	const int replayed = shownTick > 0 ? (int)(shownTick - replica->game.tick) : 0;
	replica->replayCount += replayed;
	replica->longestReplay = replayed > replica->longestReplay ? replayed : replica->longestReplay;
	int playCount = 0;
	// What is certain. There is nothing to go back to behind it, so nothing is kept.
	while (result.status == tn_ok && replica->certain < replica->known && playCount < mostPlays)
	{
		const NetTurn* turn = &replica->turns[replica->certain % NET_TURN_WINDOW];
		Remember(replica, turn);
		result = Play(replica, turn);
		++replica->certain;
		++playCount;
		if (result.status == tn_ok && replica->game.tick == shownTick)
		{
			MeasureJump(replica);
		}
	}
	if (replica->certain < replica->known)
	{
		return result;
	}
	// And guesses.
	const uint32_t farthest = replica->certain + NET_HISTORY_LENGTH - 1;
	while (result.status == tn_ok && replica->game.tick < target && replica->game.tick < farthest)
	{
		const NetTurn turn = Guess(replica, replica->game.tick);
		replica->guesses[replica->game.tick % NET_HISTORY_LENGTH] = turn;
		result = NetHistory_Keep(&replica->history, &replica->game);
		if (result.status == tn_ok)
		{
			result = Play(replica, &turn);
		}
		if (result.status == tn_ok && replica->game.tick == shownTick)
		{
			MeasureJump(replica);
		}
	}
	return result;
}

void NetReplica_GetCheck(const NetReplica* replica, NetCheck* check)
{
	check->tick = replica->game.tick;
	check->hash = NetGame_GetHash(&replica->game);
	check->tileCount = NetGame_GetTileHashes(&replica->game, check->tiles);
}

bool NetReplica_TakeCheck(NetReplica* replica, NetCheck* check)
{
	if (replica->nextCheck > replica->certain)
	{
		return false;
	}
	const uint32_t number = replica->nextCheck / (uint32_t)replica->checkInterval;
	*check = replica->checks[number % NET_CHECKS_KEPT];
	replica->nextCheck += (uint32_t)replica->checkInterval;
	return check->tick == number * (uint32_t)replica->checkInterval;
}
