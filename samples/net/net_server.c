// SPDX-License-Identifier: MIT

// An authoritative server. It plays one turn per tick with the inputs that have come by then, waits for nobody, tells everyone what
// was played, and compares what they say they have with what it has. docs/multiplayer.md describes it.
//
// It prints one line per event: `event name=value ...`.

#include "net_game.h"
#include "net_options.h"
#include "net_peer.h"
#include "net_stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Turns that are kept for those who have not got them.
#define NET_LOG_LENGTH 4096
// Checks that are kept for those who have not yet reached them.
#define NET_CHECK_LOG 64
// Reliable bytes on their way to a peer above which pieces wait.
#define NET_MAX_IN_TRANSIT 32768
// How often who parts gets a new snapshot before he is taken for a liar.
#define NET_MAX_PARTINGS 1

typedef enum Phase
{
	free_phase = 0,
	// Connected, has not said hello.
	greeting_phase,
	// Gets a snapshot.
	loading_phase,
	playing_phase,
} Phase;

typedef struct Player
{
	Phase phase;
	ENetPeer* peer;
	NetHello hello;
	// When the phase began, milliseconds.
	uint32_t since;
	// Inputs by turn, for the turns from now on; those before nextInput have come.
	NetInput inputs[NET_INPUT_WINDOW];
	uint32_t nextInput;
	// The first turn that he has not confirmed.
	uint32_t nextTurn;
	// The snapshot that he gets, and how much of it is sent.
	uint8_t* snapshot;
	size_t snapshotSize, snapshotSent;
	uint32_t snapshotTick;
	// For who only shows: what he has been shown, and what he wants to see.
	NetStream stream;
	NetInterest interest;
	// The last tick that he has told a hash of, how often it was right, and how often not.
	uint32_t lastCheck;
	int agreedCount, partedCount;
	// Inputs that came too late for their turn.
	int lateCount;
	// Has all of the game, since when (milliseconds).
	bool finished;
	uint32_t finishTime;
} Player;

typedef struct Server
{
	int port, size, rate, seconds, seed, limit, checkSeconds, pieces, wait;
	ENetHost* host;
	NetGame game;
	NetTurn log[NET_LOG_LENGTH];
	NetCheck checks[NET_CHECK_LOG];
	Player players[NET_MAX_PLAYERS];
	// Players whose boxes go in the next turn.
	uint32_t leftMask;
	uint32_t endTick;
	bool ending;
	// Times that it sent something: goes on when the ticks are over.
	uint32_t beatCount;
	// Processor time of all ticks and of the longest one, milliseconds.
	double timeOfTicks, longestTick;
	// Processor time of frames, and how many there were, of all clients together.
	double timeOfFrames;
	int frameCount;
} Server;

static void Say(const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

static int GetNumber(const Server* server, const Player* player)
{
	return (int)(player - server->players);
}

// Has a world of his own.
static bool Computes(const Player* player)
{
	return player->hello.mode != net_streamMode || player->hello.measure;
}

// ---------------------------------------------------------------------------------------------------------------------
// Who comes and goes

static void FreePlayer(Server* server, Player* player)
{
	if (player->phase == loading_phase || player->phase == playing_phase)
	{
		server->leftMask |= 1u << GetNumber(server, player);
	}
	if (player->peer)
	{
		player->peer->data = NULL;
	}
	free(player->snapshot);
	NetStream_Destroy(&player->stream);
	*player = (Player){0};
}

// Tell him why, and do not listen to him any more.
static void Drop(Server* server, Player* player, const char* reason)
{
	Say("dropped player=%d name=%s tick=%u reason=\"%s\"", GetNumber(server, player),
		player->hello.name[0] ? player->hello.name : "-", server->game.tick, reason);
	uint8_t bytes[NET_MESSAGE_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetNotice_Write(&writer, reason);
	Net_SendReliable(player->peer, &writer);
	enet_peer_disconnect_later(player->peer, 0);
	FreePlayer(server, player);
}

static void Connect(Server* server, ENetPeer* peer)
{
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		// Not a place whose box is still there.
		if (server->players[i].phase == free_phase && !(server->leftMask >> i & 1) && !server->ending)
		{
			server->players[i] = (Player){.phase = greeting_phase, .peer = peer, .since = enet_time_get()};
			peer->data = &server->players[i];
			Net_SetUpPeer(peer);
			return;
		}
	}
	Say("refused reason=\"no place is free\"");
	enet_peer_disconnect(peer, 0);
}

static void Disconnect(Server* server, Player* player)
{
	Say("left player=%d name=%s tick=%u checks=%d late=%d", GetNumber(server, player),
		player->hello.name[0] ? player->hello.name : "-", server->game.tick, player->agreedCount, player->lateCount);
	FreePlayer(server, player);
}

// Save the game as it is now, and send it from now on piece by piece. What is played meanwhile waits in the log.
static bool SendSnapshot(Server* server, Player* player)
{
	free(player->snapshot);
	player->snapshot = NULL;
	size_t size = 0, packedSize = 0;
	if (Computes(player))
	{
		NetGame_Save(&server->game, NULL, 0, &size);
		uint8_t* bytes = malloc(size);
		if (bytes && NetGame_Save(&server->game, bytes, size, &size).status == tn_ok)
		{
			player->snapshot = Net_Pack(bytes, size, &packedSize);
		}
		free(bytes);
		if (!player->snapshot)
		{
			return false;
		}
	}
	player->phase = loading_phase;
	player->since = enet_time_get();
	player->snapshotSize = packedSize;
	player->snapshotSent = 0;
	player->snapshotTick = player->nextTurn = player->lastCheck = server->game.tick;
	const NetWelcome welcome = {
		.player = GetNumber(server, player),
		.tick = server->game.tick,
		.size = (uint32_t)size,
		.packedSize = (uint32_t)packedSize,
		.hash = NetGame_GetHash(&server->game),
		.rate = server->rate,
		.extent = NetGame_GetExtent(&server->game),
		.checkInterval = server->checkSeconds * server->rate,
		.endTick = server->endTick,
	};
	uint8_t bytes[NET_MESSAGE_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetWelcome_Write(&writer, &welcome);
	Net_SendReliable(player->peer, &writer);
	return true;
}

static void SendPieces(Server* server, Player* player)
{
	for (int i = 0; i < server->pieces && player->snapshotSent < player->snapshotSize &&
		 player->peer->reliableDataInTransit < NET_MAX_IN_TRANSIT;
		 ++i)
	{
		uint8_t bytes[NET_PIECE_SIZE + 5];
		NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
		const size_t rest = player->snapshotSize - player->snapshotSent;
		const size_t count = rest < NET_PIECE_SIZE ? rest : NET_PIECE_SIZE;
		Net_Put(&writer, net_pieceMessage, 1);
		Net_Put(&writer, player->snapshotSent, 4);
		memcpy(bytes + writer.size, player->snapshot + player->snapshotSent, count);
		writer.size += (int)count;
		Net_SendReliable(player->peer, &writer);
		player->snapshotSent += count;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What clients say. Each function returns NULL, or why its client is dropped.

static const char* TakeHello(Server* server, Player* player, NetReader* reader)
{
	NetHello hello;
	if (player->phase != greeting_phase || !NetHello_Read(reader, &hello))
	{
		return "damaged hello";
	}
	// Other versions may compute other bits.
	if (hello.protocol != NET_PROTOCOL_VERSION ||
		((hello.mode != net_streamMode || hello.measure) && hello.tarn != (uint32_t)tnGetVersion()))
	{
		return "other version";
	}
	player->hello = hello;
	player->nextInput = server->game.tick;
	if (hello.mode == net_streamMode && NetStream_Create(&player->stream, &server->game).status != tn_ok)
	{
		return "no memory";
	}
	if (!SendSnapshot(server, player))
	{
		return "no memory";
	}
	Say("joined player=%d name=%s mode=%s tick=%u snapshot=%zu", GetNumber(server, player), hello.name,
		netModeNames[hello.mode], server->game.tick, player->snapshotSize);
	return NULL;
}

static const char* TakeLoaded(Server* server, Player* player, NetReader* reader)
{
	const uint32_t tick = (uint32_t)Net_Take(reader, 4);
	if (!Net_IsWhole(reader) || player->phase != loading_phase || tick != player->snapshotTick)
	{
		return "has loaded what was not sent";
	}
	Say("loaded player=%d name=%s tick=%u after=%ums", GetNumber(server, player), player->hello.name, server->game.tick,
		enet_time_get() - player->since);
	player->phase = playing_phase;
	player->lastCheck = server->game.tick;
	free(player->snapshot);
	player->snapshot = NULL;
	return NULL;
}

static void Finish(Player* player)
{
	player->finishTime = player->finished ? player->finishTime : enet_time_get();
	player->finished = true;
}

// Into its turn, or if that is over or taken by another input that was late, the next one.
static void AddInput(Server* server, Player* player, uint32_t tick, const NetInput* input)
{
	const uint32_t now = server->game.tick;
	if (input->kind == net_noInput)
	{
		return;
	}
	if ((int32_t)(tick - now) < 0)
	{
		tick = now;
		++player->lateCount;
	}
	while (tick - now < NET_INPUT_WINDOW && player->inputs[tick % NET_INPUT_WINDOW].kind != net_noInput)
	{
		++tick;
	}
	if (tick - now < NET_INPUT_WINDOW)
	{
		player->inputs[tick % NET_INPUT_WINDOW] = *input;
	}
}

static const char* TakeInputs(Server* server, Player* player, NetReader* reader)
{
	NetInputs inputs;
	if (!NetInputs_Read(reader, NetGame_GetExtent(&server->game), &inputs))
	{
		return "damaged input";
	}
	if (player->phase != playing_phase)
	{
		// Packets overtake each other.
		return NULL;
	}
	if ((int32_t)(inputs.nextTurn - server->game.tick) > 0)
	{
		return "confirms turns that have not been";
	}
	// Old packets come after new ones: only go on, never back.
	if ((int32_t)(inputs.nextTurn - player->nextTurn) > 0)
	{
		player->nextTurn = inputs.nextTurn;
	}
	const tnStreamReceipt receipt = {.newest = inputs.newest, .before = inputs.before};
	if (player->hello.mode == net_streamMode && !NetStream_TakeReceipt(&player->stream, &receipt))
	{
		return "has got what was not sent";
	}
	for (int i = 0; i < inputs.count; ++i)
	{
		const uint32_t tick = inputs.first + (uint32_t)i;
		// What is too far ahead is not taken, and comes once more.
		if ((int32_t)(tick - player->nextInput) >= 0 && (int32_t)(tick - server->game.tick) < NET_INPUT_WINDOW)
		{
			AddInput(server, player, tick, &inputs.inputs[i]);
			player->nextInput = tick + 1;
		}
	}
	return NULL;
}

static const char* TakeInterest(Player* player, NetReader* reader)
{
	NetInterest_Read(reader, &player->interest);
	return Net_IsWhole(reader) && player->hello.mode == net_streamMode ? NULL : "damaged interest";
}

// Which tiles are others, for the log: "3,0 4,0".
static void ListTiles(const Server* server, const NetCheck* ours, const NetCheck* theirs, char* text, size_t capacity)
{
	const int columns = NetGame_GetTileColumns(&server->game);
	size_t length = 0;
	text[0] = 0;
	for (int i = 0; i < ours->tileCount && length + 16 < capacity; ++i)
	{
		if (ours->tiles[i] != theirs->tiles[i])
		{
			length += (size_t)snprintf(
				text + length, capacity - length, "%s%d,%d", length ? " " : "", i % columns, i / columns);
		}
	}
}

// The referee.
static const char* TakeCheck(Server* server, Player* player, NetReader* reader)
{
	NetCheck check;
	if (!NetCheck_Read(reader, &check))
	{
		return "damaged check";
	}
	if ((int32_t)(check.tick - server->game.tick) > 0)
	{
		return "tells a hash of what has not been";
	}
	// What was on its way when he got a new snapshot says nothing about that.
	if (player->phase != playing_phase || (int32_t)(check.tick - player->snapshotTick) < 0)
	{
		return NULL;
	}
	const uint32_t interval = (uint32_t)(server->checkSeconds * server->rate);
	const NetCheck* ours = &server->checks[(check.tick + interval - 1) / interval % NET_CHECK_LOG];
	if (ours->tick != check.tick || ours->tileCount != check.tileCount)
	{
		return "tells a hash that nobody wants";
	}
	player->lastCheck = server->game.tick;
	if (ours->hash == check.hash)
	{
		++player->agreedCount;
		if (check.tick == server->endTick)
		{
			Say("agreed player=%d name=%s tick=%u hash=%016llx", GetNumber(server, player), player->hello.name,
				check.tick, (unsigned long long)check.hash);
			if (player->hello.mode != net_streamMode)
			{
				Finish(player);
			}
		}
		return NULL;
	}
	char tiles[256];
	ListTiles(server, ours, &check, tiles, sizeof(tiles));
	const bool again = player->partedCount++ >= NET_MAX_PARTINGS;
	Say("parted player=%d name=%s tick=%u tiles=\"%s\" action=%s", GetNumber(server, player), player->hello.name,
		check.tick, tiles, again ? "drop" : "resync");
	if (again)
	{
		return "has another game, again";
	}
	return SendSnapshot(server, player) ? NULL : "no memory";
}

static void TakeMessage(Server* server, Player* player, const ENetPacket* packet)
{
	NetReader reader = {.bytes = packet->data, .size = (int)packet->dataLength};
	const char* reason = "unknown message";
	switch ((NetMessageKind)Net_Take(&reader, 1))
	{
		case net_helloMessage:
			reason = TakeHello(server, player, &reader);
			break;
		case net_loadedMessage:
			reason = TakeLoaded(server, player, &reader);
			break;
		case net_inputsMessage:
			reason = TakeInputs(server, player, &reader);
			break;
		case net_checkMessage:
			reason = TakeCheck(server, player, &reader);
			break;
		case net_interestMessage:
			reason = TakeInterest(player, &reader);
			break;
		default:
			break;
	}
	if (reason)
	{
		Drop(server, player, reason);
	}
}

static void TakeEvent(Server* server, const ENetEvent* event)
{
	// NULL for who was dropped, and may still talk.
	Player* player = event->peer->data;
	switch (event->type)
	{
		case ENET_EVENT_TYPE_CONNECT:
			Connect(server, event->peer);
			break;
		case ENET_EVENT_TYPE_RECEIVE:
			if (player)
			{
				TakeMessage(server, player, event->packet);
			}
			enet_packet_destroy(event->packet);
			break;
		case ENET_EVENT_TYPE_DISCONNECT:
			if (player)
			{
				Disconnect(server, player);
			}
			break;
		default:
			break;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// A tick

static tnResult PlayTurn(Server* server)
{
	const uint32_t tick = server->game.tick;
	NetTurn turn = {.leftMask = server->leftMask};
	server->leftMask = 0;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		NetInput* input = &server->players[i].inputs[tick % NET_INPUT_WINDOW];
		turn.inputs[i] = *input;
		*input = (NetInput){.kind = net_noInput};
	}
	server->log[tick % NET_LOG_LENGTH] = turn;
	const clock_t begin = clock();
	const tnResult result = NetGame_Play(&server->game, &turn);
	const double time = 1000.0 * (double)(clock() - begin) / CLOCKS_PER_SEC;
	server->timeOfTicks += time;
	server->longestTick = time > server->longestTick ? time : server->longestTick;

	const uint32_t interval = (uint32_t)(server->checkSeconds * server->rate);
	if (server->game.tick % interval == 0 || server->game.tick == server->endTick)
	{
		NetCheck* check = &server->checks[(server->game.tick + interval - 1) / interval % NET_CHECK_LOG];
		check->tick = server->game.tick;
		check->hash = NetGame_GetHash(&server->game);
		check->tileCount = NetGame_GetTileHashes(&server->game, check->tiles);
	}
	return result;
}

// Everything that a client has not confirmed, as far as it fits.
static void SendTurns(Server* server, Player* player)
{
	static NetTurns turns;
	turns.serverTick = server->game.tick;
	turns.nextInput = player->nextInput;
	turns.first = server->game.tick;
	turns.count = 0;
	if (Computes(player))
	{
		const uint32_t missing = server->game.tick - player->nextTurn;
		turns.first = player->nextTurn;
		turns.count = missing < NET_TURNS_PER_MESSAGE ? (int)missing : NET_TURNS_PER_MESSAGE;
		for (int i = 0; i < turns.count; ++i)
		{
			turns.turns[i] = server->log[(turns.first + (uint32_t)i) % NET_LOG_LENGTH];
		}
	}
	uint8_t bytes[NET_MESSAGE_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetTurns_Write(&writer, &turns);
	Net_SendHurried(player->peer, &writer);
}

// What he sees who does not compute.
static void SendFrame(Server* server, Player* player)
{
	const uint32_t ticksPerFrame = (uint32_t)((server->rate + NET_FRAMES_PER_SECOND - 1) / NET_FRAMES_PER_SECOND);
	if (server->beatCount % ticksPerFrame != 0)
	{
		return;
	}
	const clock_t begin = clock();
	uint8_t bytes[NET_STREAM_MESSAGE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	if (NetStream_Write(&player->stream, &server->game, &player->interest, &writer).status != tn_ok)
	{
		Drop(server, player, "cannot be shown that");
		return;
	}
	Net_SendFrame(player->peer, &writer);
	server->timeOfFrames += 1000.0 * (double)(clock() - begin) / CLOCKS_PER_SEC;
	++server->frameCount;
}

static void CarePlayer(Server* server, Player* player)
{
	const uint32_t age = enet_time_get() - player->since;
	const uint32_t patience = 15;
	switch (player->phase)
	{
		case greeting_phase:
			if (age > 1000 * patience)
			{
				Drop(server, player, "has not said hello");
			}
			break;
		case loading_phase:
			SendPieces(server, player);
			if (server->game.tick - player->snapshotTick >= NET_LOG_LENGTH)
			{
				Drop(server, player, "takes too long to load");
			}
			break;
		case playing_phase:
			if (Computes(player) && server->game.tick - player->lastCheck > patience * (uint32_t)server->rate)
			{
				Drop(server, player, "tells no hashes");
			}
			else if (server->game.tick - player->nextTurn >= NET_LOG_LENGTH)
			{
				Drop(server, player, "is too far behind");
			}
			else
			{
				SendTurns(server, player);
				if (player->hello.mode == net_streamMode)
				{
					SendFrame(server, player);
				}
			}
			break;
		default:
			break;
	}
}

static bool MayBegin(const Server* server)
{
	int count = 0;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		count += server->players[i].phase == playing_phase;
	}
	return server->game.tick > 0 || count >= server->wait;
}

// Everyone has got all of the game, and said goodbye, or had time for it: goodbyes may be lost.
static bool IsOver(const Server* server)
{
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		const Player* player = &server->players[i];
		if (player->phase != free_phase && !(player->finished && enet_time_get() - player->finishTime > 2000))
		{
			return false;
		}
	}
	return server->ending;
}

static tnResult Run(Server* server)
{
	const uint32_t begin = enet_time_get();
	// Milliseconds since then at which the next tick is due.
	double due = 0.0;
	tnResult result = {0};
	while (result.status == tn_ok && !IsOver(server))
	{
		const double now = (double)(enet_time_get() - begin);
		if (now > 1000.0 * server->limit)
		{
			Say("gave up after=%ds", server->limit);
			break;
		}
		ENetEvent event;
		const double wait = due - now;
		if (enet_host_service(server->host, &event, wait > 0.0 ? (enet_uint32)wait + 1 : 0) > 0)
		{
			do
			{
				TakeEvent(server, &event);
			} while (enet_host_check_events(server->host, &event) > 0);
		}
		if ((double)(enet_time_get() - begin) < due)
		{
			continue;
		}
		due += 1000.0 / server->rate;
		++server->beatCount;
		// Who was stopped for a while goes on from now, and does not hurry after the lost time.
		due = due < now - 250.0 ? now : due;
		if (server->game.tick < server->endTick)
		{
			result = MayBegin(server) ? PlayTurn(server) : result;
		}
		else
		{
			server->ending = true;
		}
		for (int i = 0; i < NET_MAX_PLAYERS; ++i)
		{
			CarePlayer(server, &server->players[i]);
		}
		enet_host_flush(server->host);
	}
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		if (server->players[i].phase != free_phase)
		{
			enet_peer_disconnect_now(server->players[i].peer, 0);
			Disconnect(server, &server->players[i]);
		}
	}
	return result;
}

static bool ReadOptions(Server* server, int argumentCount, char** arguments)
{
	const NetOption options[] = {
		{.name = "port", .number = &server->port, .most = 65535, .help = "UDP port, 0 for any that is free (0)"},
		{.name = "size", .number = &server->size, .least = 16, .most = NET_MAX_SIZE, .help = "cells along a side (64)"},
		{.name = "rate", .number = &server->rate, .least = 5, .most = NET_MAX_RATE, .help = "ticks per second (30)"},
		{.name = "seconds", .number = &server->seconds, .least = 1, .most = 86400, .help = "length of the game (10)"},
		{.name = "seed", .number = &server->seed, .most = INT32_MAX, .help = "of the terrain (1)"},
		{.name = "pieces",
			.number = &server->pieces,
			.least = 1,
			.most = 64,
			.help = "of snapshots, of 1200 bytes, per tick and client (8)"},
		{.name = "wait", .number = &server->wait, .most = NET_MAX_PLAYERS, .help = "players before the first tick (0)"},
		{.name = "check", .number = &server->checkSeconds, .least = 1, .most = 8, .help = "seconds between checks (1)"},
		{.name = "limit",
			.number = &server->limit,
			.least = 1,
			.most = 100000,
			.help = "seconds after which it ends in any case (seconds + 20)"},
	};
	return Net_ReadOptions(argumentCount, arguments, options, (int)(sizeof(options) / sizeof(options[0])));
}

int main(int argumentCount, char** arguments)
{
	static Server server = {.size = 64, .rate = 30, .seconds = 10, .seed = 1, .checkSeconds = 1, .pieces = 8};
	if (!ReadOptions(&server, argumentCount, arguments) || enet_initialize() != 0)
	{
		return 2;
	}
	server.limit = server.limit ? server.limit : server.seconds + 20;
	server.endTick = (uint32_t)(server.seconds * server.rate);
	ENetAddress address = {.host = ENET_HOST_ANY, .port = (enet_uint16)server.port};
	server.host = Net_CreateHost(&address, NET_MAX_PLAYERS + 4);
	if (!server.host)
	{
		fprintf(stderr, "port %d is not free\n", server.port);
		return 1;
	}
	tnResult result = NetGame_Create(&server.game, server.size, server.rate, (uint32_t)server.seed);
	if (result.status == tn_ok)
	{
		Say("listening port=%d size=%d rate=%d", server.host->address.port, server.size, server.rate);
		result = Run(&server);
	}
	if (result.status == tn_ok)
	{
		const NetTraffic traffic = Net_GetTraffic(server.host);
		Say("end tick=%u hash=%016llx sent=%llu received=%llu ms=%.3f longest_ms=%.3f frame_ms=%.3f", server.game.tick,
			(unsigned long long)NetGame_GetHash(&server.game), (unsigned long long)traffic.sent,
			(unsigned long long)traffic.received, server.timeOfTicks / (server.game.tick + 1e-9), server.longestTick,
			server.timeOfFrames / (server.frameCount > 0 ? server.frameCount : 1));
	}
	else
	{
		fprintf(stderr, "%s\n", result.text);
	}
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		free(server.players[i].snapshot);
		NetStream_Destroy(&server.players[i].stream);
	}
	NetGame_Destroy(&server.game);
	enet_host_destroy(server.host);
	enet_deinitialize();
	return result.status == tn_ok ? 0 : 1;
}
