// SPDX-License-Identifier: MIT

// A client without a window, whose player is a script. It joins, gets the game as it is, plays along in one of three ways, and tells
// the server what it has. docs/multiplayer.md describes it.
//
// It prints one line per event: `event name=value ...`.

#include "net_options.h"
#include "net_peer.h"
#include "net_replica.h"
#include "net_script.h"
#include "net_truth.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Ticks from an input to its effect, also for its own player: what others see late, everyone sees late.
#define NET_INPUT_DELAY 3
// Inputs that should be at the server before their turn: fewer come too late when the wire has a bad moment.
#define NET_LEAST_MARGIN 1
#define NET_MOST_MARGIN 2
// Messages of frames that wait for their truth.
#define NET_STATES_KEPT 256
// Messages from the server after which the margin is judged.
#define NET_MARGIN_MESSAGES 20

typedef enum Phase
{
	connecting_phase = 0,
	loading_phase,
	playing_phase,
	// Says goodbye.
	leaving_phase,
	gone_phase,
} Phase;

typedef enum Lie
{
	no_lie = 0,
	// Tells hashes that are not its own.
	hash_lie,
	// Pours water that the server knows nothing about.
	water_lie,
	// Sends an input that no player can give.
	input_lie,
	// Tells nothing.
	silent_lie,
	lie_count,
} Lie;

static const char* const s_lieNames[lie_count] = {"none", "hash", "water", "input", "silent"};

typedef struct Client
{
	const char *hostName, *name, *modeName, *lieName;
	int port, seconds, seed, limit, idle, radius;
	bool measure;
	NetMode mode;
	Lie lie;

	ENetHost* host;
	ENetPeer* server;
	Phase phase;
	// When the phase began, milliseconds.
	uint32_t since;
	NetWelcome welcome;
	uint8_t* snapshot;
	uint32_t snapshotFilled;
	NetReplica replica;
	// The last one that was certain.
	NetCheck check;
	NetScript script;
	// What is shown without computing, and, to measure it, what is true.
	NetShow show;
	NetTruth truth;
	// Messages of frames whose truth is not known yet.
	ENetPacket* states[NET_STATES_KEPT];
	int stateCount;
	// Milliseconds that shown frames are older than what the server has told by then.
	double frameAge;

	// The turn that the next input is for, those that the server has not confirmed, for which turns they are, and when they were
	// given.
	uint32_t nextInput, firstUnconfirmed;
	NetInput inputs[NET_INPUT_WINDOW];
	uint32_t inputTicks[NET_INPUT_WINDOW], inputTimes[NET_INPUT_WINDOW];
	// The latest tick that the server has told, 0 if none.
	uint32_t serverTick;
	// How many turns it may guess.
	int reach;
	// Fewest inputs at the server before their turn, of the last messages; inputs to leave out because it has too many.
	int leastMargin, marginCount, holdCount;
	bool dropped;
	// Ticks since the goodbye.
	int goodbyeCount;

	// Milliseconds from inputs to when they are certain here; processor time of ticks.
	double certainAfter;
	int certainCount, tickCount;
	double timeOfTicks, longestTick;
	uint64_t snapshotTraffic;
} Client;

static void Say(const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

// Has a world of its own.
static bool Computes(const Client* client)
{
	return client->mode != net_streamMode || client->measure;
}

static void Enter(Client* client, Phase phase)
{
	client->phase = phase;
	client->since = enet_time_get();
}

static void Leave(Client* client)
{
	// ENet says goodbye when the last reliable message is confirmed. An unreliable one that has not been sent would keep it waiting.
	enet_host_flush(client->host);
	enet_peer_disconnect_later(client->server, 0);
	Enter(client, leaving_phase);
}

// ---------------------------------------------------------------------------------------------------------------------
// To the server

static void SendHello(Client* client)
{
	NetHello hello = {
		.protocol = NET_PROTOCOL_VERSION,
		.tarn = (uint32_t)tnGetVersion(),
		.mode = client->mode,
		.measure = client->measure,
	};
	snprintf(hello.name, sizeof(hello.name), "%s", client->name);
	uint8_t bytes[NET_MESSAGE_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetHello_Write(&writer, &hello);
	Net_SendReliable(client->server, &writer);
}

static void SendInputs(Client* client)
{
	tnStreamReceipt receipt = {0};
	if (client->show.view)
	{
		receipt = tnStreamView_GetReceipt(client->show.view);
	}
	NetInputs inputs = {
		.nextTurn = Computes(client) ? client->replica.known : client->serverTick,
		.newest = receipt.newest,
		.before = receipt.before,
		.first = client->firstUnconfirmed,
		.count = (int)(client->nextInput - client->firstUnconfirmed),
	};
	for (int i = 0; i < inputs.count; ++i)
	{
		inputs.inputs[i] = client->inputs[(inputs.first + (uint32_t)i) % NET_INPUT_WINDOW];
	}
	if (client->lie == input_lie && client->tickCount > client->welcome.rate && inputs.count > 0)
	{
		inputs.inputs[0] = (NetInput){.kind = net_pourInput, .amount = NET_MAX_POUR + 1};
	}
	uint8_t bytes[NET_MESSAGE_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetInputs_Write(&writer, &inputs);
	Net_SendHurried(client->server, &writer);
}

static void SendCheck(Client* client, NetCheck check)
{
	if (client->lie == silent_lie)
	{
		return;
	}
	check.hash ^= client->lie == hash_lie;
	uint8_t bytes[NET_CHECK_SIZE];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	NetCheck_Write(&writer, &check);
	Net_SendReliable(client->server, &writer);
}

// ---------------------------------------------------------------------------------------------------------------------
// From the server. Each function returns false for what no honest server says.

// All is there to play.
static bool Begin(Client* client, bool again)
{
	const NetExtent extent = client->welcome.extent;
	client->snapshotTraffic = Net_GetTraffic(client->host).received;
	if (!again)
	{
		NetScript_Begin(&client->script, (uint32_t)client->seed, extent);
		client->nextInput = client->firstUnconfirmed = client->welcome.tick;
	}
	// A cheat has to wait until there is something to compare.
	client->replica.cheatTick = client->lie == water_lie && !again ? client->welcome.tick + 20 : 0;
	bool good = true;
	if (client->mode == net_streamMode && !again)
	{
		good = NetShow_Create(&client->show).status == tn_ok;
		good = good && (!client->measure || NetTruth_Create(&client->truth, extent));
	}
	if (good && client->mode == net_streamMode && client->measure)
	{
		NetTruth_Keep(&client->truth, &client->replica.game);
	}
	uint8_t bytes[8];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	Net_Put(&writer, net_loadedMessage, 1);
	Net_Put(&writer, client->welcome.tick, 4);
	Net_SendReliable(client->server, &writer);
	Enter(client, playing_phase);
	return good;
}

static bool TakeWelcome(Client* client, NetReader* reader)
{
	if (!NetWelcome_Read(reader, &client->welcome))
	{
		return false;
	}
	free(client->snapshot);
	client->snapshot = malloc(client->welcome.packedSize > 0 ? client->welcome.packedSize : 1);
	client->snapshotFilled = 0;
	Say("welcome player=%d tick=%u snapshot=%u packed=%u%s", client->welcome.player, client->welcome.tick,
		client->welcome.size, client->welcome.packedSize, client->phase == playing_phase ? " again=1" : "");
	Enter(client, loading_phase);
	return Computes(client) ? client->snapshot != NULL : Begin(client, client->show.view != NULL);
}

static bool LoadSnapshot(Client* client)
{
	const bool again = client->replica.game.world != NULL;
	uint8_t* bytes = Net_Unpack(client->snapshot, client->welcome.packedSize, client->welcome.size);
	tnResult result = {.status = tn_invalidArgument, .text = "the snapshot cannot be unpacked"};
	if (bytes)
	{
		result = NetReplica_Load(&client->replica, &client->welcome, bytes);
	}
	free(bytes);
	free(client->snapshot);
	client->snapshot = NULL;
	if (result.status != tn_ok)
	{
		Say("refused reason=\"%s\"", result.text);
		return false;
	}
	Say("loaded tick=%u after=%ums", client->welcome.tick, enet_time_get() - client->since);
	return Begin(client, again);
}

static bool TakePiece(Client* client, NetReader* reader)
{
	const uint32_t offset = (uint32_t)Net_Take(reader, 4);
	const uint32_t count = (uint32_t)(reader->size - reader->place);
	// They come in order, over the reliable channel.
	if (reader->damaged || client->phase != loading_phase || offset != client->snapshotFilled ||
		count > client->welcome.packedSize - offset)
	{
		return false;
	}
	memcpy(client->snapshot + offset, reader->bytes + reader->place, count);
	client->snapshotFilled += count;
	return client->snapshotFilled < client->welcome.packedSize || LoadSnapshot(client);
}

// The clock of inputs runs ahead of the server's so far that they come shortly before their turn. How far that is, the server tells by
// what it has in stock.
static void JudgeMargin(Client* client, int margin)
{
	client->leastMargin = client->marginCount == 0 || margin < client->leastMargin ? margin : client->leastMargin;
	++client->marginCount;
}

static bool TakeTurns(Client* client, NetReader* reader)
{
	static NetTurns turns;
	if (!NetTurns_Read(reader, client->welcome.extent, &turns))
	{
		return false;
	}
	if (client->phase != playing_phase)
	{
		return true;
	}
	const uint32_t before = client->replica.known;
	NetReplica_AddTurns(&client->replica, &turns);
	for (uint32_t tick = before; tick < client->replica.known; ++tick)
	{
		if (client->inputTicks[tick % NET_INPUT_WINDOW] == tick && client->inputTimes[tick % NET_INPUT_WINDOW] != 0)
		{
			client->certainAfter += (double)(enet_time_get() - client->inputTimes[tick % NET_INPUT_WINDOW]);
			++client->certainCount;
		}
	}
	// Packets overtake each other: only forward.
	if ((int32_t)(turns.nextInput - client->firstUnconfirmed) > 0 &&
		(int32_t)(turns.nextInput - client->nextInput) <= 0)
	{
		client->firstUnconfirmed = turns.nextInput;
	}
	client->serverTick = turns.serverTick > client->serverTick ? turns.serverTick : client->serverTick;
	JudgeMargin(client, (int)(int32_t)(turns.nextInput - turns.serverTick));
	return true;
}

// Show what a message says. When a frame has come, compare it with the truth.
static bool ShowState(Client* client, const ENetPacket* packet)
{
	NetReader reader = {.bytes = packet->data, .size = (int)packet->dataLength, .place = 1};
	bool isNew;
	const clock_t begin = clock();
	if (client->mode != net_streamMode || !NetShow_Read(&client->show, &reader, &isNew))
	{
		return false;
	}
	client->timeOfTicks += 1000.0 * (double)(clock() - begin) / CLOCKS_PER_SEC;
	const uint32_t tick = client->show.tick;
	if (isNew && client->serverTick > tick)
	{
		client->frameAge += 1000.0 * (client->serverTick - tick) / client->welcome.rate;
	}
	if (isNew && client->measure)
	{
		NetTruth_Compare(&client->truth, &client->show);
	}
	return true;
}

// Who measures waits with messages until the turns up to their tick have come, over the other channel.
static bool ShowStates(Client* client)
{
	bool good = true;
	int shown = 0;
	while (good && shown < client->stateCount)
	{
		NetReader reader = {
			.bytes = client->states[shown]->data, .size = (int)client->states[shown]->dataLength, .place = 1};
		if (client->measure && (uint32_t)Net_Take(&reader, 4) > client->replica.certain)
		{
			break;
		}
		good = ShowState(client, client->states[shown]);
		enet_packet_destroy(client->states[shown++]);
	}
	client->stateCount -= shown;
	memmove(client->states, client->states + shown, sizeof(client->states[0]) * (size_t)client->stateCount);
	return good;
}

// @param kept receives whether the packet is still needed
static bool TakeMessage(Client* client, ENetPacket* packet, bool* kept)
{
	NetReader reader = {.bytes = packet->data, .size = (int)packet->dataLength};
	char text[NET_MAX_TEXT + 1];
	switch ((NetMessageKind)Net_Take(&reader, 1))
	{
		case net_welcomeMessage:
			return TakeWelcome(client, &reader);
		case net_pieceMessage:
			return TakePiece(client, &reader);
		case net_turnsMessage:
			return client->phase == connecting_phase || TakeTurns(client, &reader);
		case net_stateMessage:
			if (client->stateCount == NET_STATES_KEPT)
			{
				return false;
			}
			client->states[client->stateCount++] = packet;
			*kept = true;
			return ShowStates(client);
		case net_noticeMessage:
			if (!NetNotice_Read(&reader, text))
			{
				return false;
			}
			Say("dropped reason=\"%s\"", text);
			client->dropped = true;
			Leave(client);
			return true;
		default:
			return false;
	}
}

static void TakeEvent(Client* client, const ENetEvent* event)
{
	bool kept = false;
	switch (event->type)
	{
		case ENET_EVENT_TYPE_CONNECT:
			Net_SetUpPeer(event->peer);
			SendHello(client);
			break;
		case ENET_EVENT_TYPE_RECEIVE:
			if (client->phase < leaving_phase && !TakeMessage(client, event->packet, &kept))
			{
				Say("left reason=\"the server makes no sense\"");
				client->dropped = true;
				Leave(client);
			}
			if (!kept)
			{
				enet_packet_destroy(event->packet);
			}
			break;
		case ENET_EVENT_TYPE_DISCONNECT:
			if (client->phase < leaving_phase && !client->dropped)
			{
				Say("lost phase=%d", (int)client->phase);
				client->dropped = true;
			}
			Enter(client, gone_phase);
			break;
		default:
			break;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// A tick

static void GiveInput(Client* client)
{
	NetInput input = {.kind = net_noInput};
	if (!client->idle)
	{
		input = NetScript_Next(&client->script);
	}
	if (client->nextInput - client->firstUnconfirmed >= NET_INPUT_WINDOW)
	{
		// The server has not listened for two seconds. What it has missed is gone.
		client->firstUnconfirmed = client->nextInput - NET_INPUT_WINDOW + 1;
	}
	client->inputs[client->nextInput % NET_INPUT_WINDOW] = input;
	client->inputTicks[client->nextInput % NET_INPUT_WINDOW] = client->nextInput;
	client->inputTimes[client->nextInput % NET_INPUT_WINDOW] = enet_time_get();
	NetReplica_SetOwnInput(&client->replica, client->nextInput, &input);
	++client->nextInput;
}

static void RunInputClock(Client* client)
{
	if (client->serverTick == 0)
	{
		return;
	}
	int count = 1;
	if (client->marginCount >= NET_MARGIN_MESSAGES)
	{
		count += client->leastMargin < NET_LEAST_MARGIN ? NET_LEAST_MARGIN - client->leastMargin : 0;
		client->holdCount = client->leastMargin > NET_MOST_MARGIN ? client->leastMargin - NET_MOST_MARGIN : 0;
		// What is changed now shows after a round trip.
		client->marginCount = count == 1 && client->holdCount == 0 ? 0 : -2 * NET_INPUT_DELAY;
	}
	if ((int32_t)(client->serverTick - client->nextInput) >= 0)
	{
		// At the beginning, and after a stop: these turns are over.
		client->nextInput = client->firstUnconfirmed = client->serverTick + 2 * NET_INPUT_DELAY;
		client->marginCount = -2 * NET_INPUT_DELAY;
	}
	if (client->holdCount > 0)
	{
		--client->holdCount;
		return;
	}
	// Not farther ahead than the server would listen: it is silent.
	for (int i = 0; i < count && client->nextInput - client->serverTick < NET_INPUT_WINDOW / 2; ++i)
	{
		GiveInput(client);
	}
}

// A player who walks through the middle of the world, and looks around.
static void SendInterest(Client* client)
{
	if (client->radius > 0 && client->tickCount % 15 == 0)
	{
		const NetExtent extent = client->welcome.extent;
		const NetInterest interest = {extent.x / 4 + client->tickCount * NET_PLACE_STEP / 4 % (extent.x / 2),
			extent.z / 2, client->radius * NET_PLACE_STEP};
		uint8_t bytes[16];
		NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
		Net_Put(&writer, net_interestMessage, 1);
		NetInterest_Write(&writer, &interest);
		Net_SendReliable(client->server, &writer);
	}
}

// All turns of the game were played.
static bool IsAtEnd(const Client* client)
{
	return (!Computes(client) || client->replica.certain >= client->welcome.endTick) &&
		(client->mode != net_streamMode || (client->show.whole && client->show.tick >= client->welcome.endTick));
}

static tnResult PlayTurns(Client* client)
{
	NetReplica* replica = &client->replica;
	tnResult result = {0};
	if (client->mode == net_streamMode)
	{
		// Turn by turn, to have the truth of each.
		while (result.status == tn_ok && replica->certain < replica->known)
		{
			result = NetReplica_Advance(replica, 0, 1);
			NetTruth_Keep(&client->truth, &replica->game);
			if (!ShowStates(client))
			{
				return (tnResult){.status = tn_invalidArgument, .text = "a frame is damaged"};
			}
		}
		return result;
	}
	// Rollback shows its own inputs when their delay is over; lockstep when their turn has come.
	const bool guesses = client->mode == net_rollbackMode && client->nextInput > NET_INPUT_DELAY;
	const uint32_t wanted = guesses ? client->nextInput - NET_INPUT_DELAY : 0;
	const uint32_t farthest = replica->known + (uint32_t)client->reach;
	return NetReplica_Advance(replica, wanted < farthest ? wanted : farthest, NET_MAX_PLAYS);
}

static tnResult PlayTick(Client* client)
{
	RunInputClock(client);
	SendInputs(client);
	if (client->mode == net_streamMode)
	{
		SendInterest(client);
	}
	const clock_t begin = clock();
	const tnResult result = Computes(client) ? PlayTurns(client) : (tnResult){0};
	const double time = 1000.0 * (double)(clock() - begin) / CLOCKS_PER_SEC;
	// A machine that is too slow for guesses would fall behind, so have to guess farther, and get slower still. It guesses less far.
	const bool slow = time > 800.0 / client->welcome.rate;
	client->reach = slow ? client->reach / 2 : client->reach < NET_HISTORY_LENGTH ? client->reach + 1 : client->reach;
	client->tickCount += client->serverTick > 0;
	client->timeOfTicks += time;
	client->longestTick = time > client->longestTick ? time : client->longestTick;

	while (result.status == tn_ok && Computes(client) && NetReplica_TakeCheck(&client->replica, &client->check))
	{
		SendCheck(client, client->check);
	}
	if (result.status == tn_ok && Computes(client) && IsAtEnd(client) && client->check.tick != client->welcome.endTick)
	{
		// Who comes at the end has no other.
		NetReplica_GetCheck(&client->replica, &client->check);
		SendCheck(client, client->check);
	}
	return result;
}

static void SayEnd(Client* client)
{
	const NetReplica* replica = &client->replica;
	const NetTraffic traffic = Net_GetTraffic(client->host);
	const double ticks = client->tickCount + 1e-9;
	Say("end name=%s mode=%s tick=%u hash=%016llx", client->name, client->modeName, client->check.tick,
		(unsigned long long)client->check.hash);
	Say("cost name=%s seconds=%.1f sent=%llu received=%llu snapshot=%llu ms=%.3f longest_ms=%.3f certain_after_ms=%.0f",
		client->name, ticks / client->welcome.rate, (unsigned long long)traffic.sent,
		(unsigned long long)(traffic.received - client->snapshotTraffic), (unsigned long long)client->snapshotTraffic,
		client->timeOfTicks / ticks, client->longestTick, client->certainAfter / (client->certainCount + 1e-9));
	if (client->mode == net_streamMode)
	{
		Say("stream name=%s tick=%u messages=%d whole=%d bytes=%llu age_ms=%.0f", client->name, client->show.tick,
			client->show.messageCount, client->show.wholeCount, (unsigned long long)client->show.byteCount,
			client->frameAge / (client->show.messageCount + 1e-9));
	}
	if (client->mode == net_streamMode && client->measure)
	{
		const NetTruth* truth = &client->truth;
		Say("errors name=%s frames=%d ground=%.4f surface=%.4f velocity=%.4f foam=%.4f dry=%.4f", client->name,
			truth->frameCount, (double)truth->ground, (double)truth->surface, (double)truth->velocity,
			(double)truth->foam, (double)truth->dry);
	}
	if (client->mode == net_rollbackMode)
	{
		Say("rollbacks name=%s count=%d replayed=%d longest=%d jump=%.4f", client->name, replica->rollbackCount,
			replica->replayCount, replica->longestReplay, (double)replica->largestJump);
	}
}

// When all is confirmed ENet says goodbye until the server answers, which it does once: that answer may be lost.
static bool HasLeft(Client* client)
{
	if (client->server->state == ENET_PEER_STATE_DISCONNECTING)
	{
		client->goodbyeCount += 1;
	}
	const uint32_t age = enet_time_get() - client->since;
	return client->goodbyeCount > client->welcome.rate || age > 8000;
}

static tnResult Run(Client* client)
{
	const uint32_t begin = enet_time_get();
	double due = 0.0;
	tnResult result = {0};
	while (client->phase != gone_phase && result.status == tn_ok)
	{
		const double now = (double)(enet_time_get() - begin);
		if (now > 1000.0 * client->limit)
		{
			Say("gave up after=%ds", client->limit);
			client->dropped = true;
			break;
		}
		ENetEvent event;
		const double wait = due - now;
		if (enet_host_service(client->host, &event, wait > 0.0 ? (enet_uint32)wait + 1 : 0) > 0)
		{
			do
			{
				TakeEvent(client, &event);
			} while (enet_host_check_events(client->host, &event) > 0);
		}
		if ((double)(enet_time_get() - begin) < due)
		{
			continue;
		}
		due += 1000.0 / (client->welcome.rate > 0 ? client->welcome.rate : 30);
		due = due < now - 250.0 ? now : due;
		if (client->phase == playing_phase)
		{
			result = PlayTick(client);
			if (result.status == tn_ok &&
				(IsAtEnd(client) || (client->seconds && client->tickCount > client->seconds * client->welcome.rate)))
			{
				SayEnd(client);
				Leave(client);
			}
		}
		else if (client->phase == leaving_phase && HasLeft(client))
		{
			break;
		}
		enet_host_flush(client->host);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------

static int FindWord(const char* const* words, int count, const char* word, const char* option)
{
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(words[i], word) == 0)
		{
			return i;
		}
	}
	fprintf(stderr, "--%s cannot be '%s'\n", option, word);
	return -1;
}

static bool ReadOptions(Client* client, int argumentCount, char** arguments)
{
	const NetOption options[] = {
		{.name = "host", .word = &client->hostName, .help = "of the server (127.0.0.1)"},
		{.name = "port", .number = &client->port, .least = 1, .most = 65535, .help = "of the server"},
		{.name = "name", .word = &client->name, .help = "of the player: up to 15 letters and digits (player)"},
		{.name = "mode", .word = &client->modeName, .help = "lockstep, rollback or stream (lockstep)"},
		{.name = "seconds", .number = &client->seconds, .most = 86400, .help = "play so long, 0 to the end (0)"},
		{.name = "seed", .number = &client->seed, .most = INT32_MAX, .help = "of the inputs (1)"},
		{.name = "idle", .number = &client->idle, .most = 1, .help = "1 to give no inputs (0)"},
		{.name = "radius",
			.number = &client->radius,
			.most = 4 * NET_MAX_SIZE - 1,
			.help = "stream: meters that the player sees, 0 for all (0)"},
		{.name = "lie", .word = &client->lieName, .help = "none, hash, water, input or silent (none)"},
		{.name = "measure", .flag = &client->measure, .help = "stream: compare what is shown with the truth"},
		{.name = "limit",
			.number = &client->limit,
			.least = 1,
			.most = 100000,
			.help = "seconds after which it ends in any case (60)"},
	};
	if (!Net_ReadOptions(argumentCount, arguments, options, (int)(sizeof(options) / sizeof(options[0]))))
	{
		return false;
	}
	const int mode = FindWord(netModeNames, net_modeCount, client->modeName, "mode");
	const int lie = FindWord(s_lieNames, lie_count, client->lieName, "lie");
	client->mode = (NetMode)mode;
	client->lie = (Lie)lie;
	return mode >= 0 && lie >= 0;
}

int main(int argumentCount, char** arguments)
{
	static Client client = {.hostName = "127.0.0.1",
		.name = "player",
		.modeName = "lockstep",
		.lieName = "none",
		.port = 4747,
		.seed = 1,
		.limit = 60};
	if (!ReadOptions(&client, argumentCount, arguments) || enet_initialize() != 0)
	{
		return 2;
	}
	ENetAddress address = {.port = (enet_uint16)client.port};
	client.host = Net_CreateHost(NULL, 1);
	if (client.host && enet_address_set_host(&address, client.hostName) == 0)
	{
		client.server = enet_host_connect(client.host, &address, net_channelCount, 0);
	}
	if (!client.server)
	{
		fprintf(stderr, "cannot connect to %s\n", client.hostName);
		return 1;
	}
	const tnResult result = Run(&client);
	if (result.status != tn_ok)
	{
		fprintf(stderr, "%s\n", result.text);
	}
	NetReplica_Destroy(&client.replica);
	NetShow_Destroy(&client.show);
	NetTruth_Destroy(&client.truth);
	for (int i = 0; i < client.stateCount; ++i)
	{
		enet_packet_destroy(client.states[i]);
	}
	free(client.snapshot);
	enet_host_destroy(client.host);
	enet_deinitialize();
	return result.status == tn_ok && !client.dropped ? 0 : 1;
}
