// SPDX-License-Identifier: MIT

// What samples/net does without a wire: its codecs with damaged bytes, games as bytes, and replicas that guess.

#include "harness.h"
#include "net_replica.h"
#include "net_script.h"
#include "net_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const NetExtent s_extent = {1024, 700};

static NetInput DrawInput(TestRandom* random, NetExtent extent)
{
	const int x = TestRandomInt(random, 0, extent.x - 1), z = TestRandomInt(random, 0, extent.z - 1);
	switch (TestRandomInt(random, 0, 5))
	{
		case 0:
			return (NetInput){net_pourInput, x, z, TestRandomInt(random, 1, NET_MAX_POUR)};
		case 1:
			return (NetInput){net_digInput, x, z, TestRandomInt(random, 1, NET_MAX_DIG)};
		case 2:
			return (NetInput){net_placeInput, x, z, 0};
		case 3:
			return (NetInput){net_pushInput, TestRandomInt(random, -NET_MAX_PUSH, NET_MAX_PUSH),
				TestRandomInt(random, -NET_MAX_PUSH, NET_MAX_PUSH), 0};
		default:
			return (NetInput){.kind = net_noInput};
	}
}

static NetTurn DrawTurn(TestRandom* random, NetExtent extent)
{
	NetTurn turn = {.leftMask = TestRandomInt(random, 0, 9) == 0 ? TestRandomBits(random) & 255 : 0};
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		turn.inputs[i] = TestRandomInt(random, 0, 2) == 0 ? DrawInput(random, extent) : (NetInput){.kind = net_noInput};
	}
	return turn;
}

// A message of one kind, or what a reader has made of bytes.
typedef struct Message
{
	NetMessageKind kind;
	NetHello hello;
	NetWelcome welcome;
	NetInputs inputs;
	NetTurns turns;
	NetCheck check;
	char text[NET_MAX_TEXT + 1];
} Message;

static const NetMessageKind s_kinds[] = {
	net_helloMessage, net_inputsMessage, net_checkMessage, net_welcomeMessage, net_turnsMessage, net_noticeMessage};

enum
{
	kindCount = (int)(sizeof(s_kinds) / sizeof(s_kinds[0]))
};

static void DrawMessage(TestRandom* random, NetMessageKind kind, Message* message)
{
	memset(message, 0, sizeof(*message));
	message->kind = kind;
	message->hello = (NetHello){TestRandomBits(random), TestRandomBits(random),
		(NetMode)TestRandomInt(random, 0, net_modeCount - 1), TestRandomInt(random, 0, 1) != 0, "Anna7"};
	message->welcome =
		(NetWelcome){TestRandomInt(random, 0, NET_MAX_PLAYERS - 1), TestRandomBits(random), NET_MAX_SNAPSHOT,
			TestRandomBits(random) % NET_MAX_SNAPSHOT, TestRandomBits(random), TestRandomInt(random, 1, 120),
			{TestRandomInt(random, NET_LEAST_EXTENT, 16384), TestRandomInt(random, NET_LEAST_EXTENT, 16384)},
			TestRandomInt(random, 1, 960), TestRandomBits(random)};
	message->inputs = (NetInputs){.nextTurn = TestRandomBits(random),
		.first = TestRandomBits(random),
		.count = TestRandomInt(random, 0, NET_INPUT_WINDOW)};
	for (int i = 0; i < message->inputs.count; ++i)
	{
		message->inputs.inputs[i] = DrawInput(random, s_extent);
	}
	message->turns.first = TestRandomBits(random);
	message->turns.count = TestRandomInt(random, 0, NET_TURNS_PER_MESSAGE);
	for (int i = 0; i < message->turns.count; ++i)
	{
		message->turns.turns[i] = DrawTurn(random, s_extent);
	}
	message->check = (NetCheck){TestRandomBits(random), TestRandomBits(random), TestRandomInt(random, 1, 20), {0}};
	for (int i = 0; i < message->check.tileCount; ++i)
	{
		message->check.tiles[i] = TestRandomBits(random);
	}
	snprintf(message->text, sizeof(message->text), "damaged input %d", TestRandomInt(random, 0, 999));
}

static int WriteMessage(Message* message, uint8_t* bytes, int capacity)
{
	NetWriter writer = {.bytes = bytes, .capacity = capacity};
	switch (message->kind)
	{
		case net_helloMessage:
			NetHello_Write(&writer, &message->hello);
			break;
		case net_inputsMessage:
			NetInputs_Write(&writer, &message->inputs);
			break;
		case net_checkMessage:
			NetCheck_Write(&writer, &message->check);
			break;
		case net_welcomeMessage:
			NetWelcome_Write(&writer, &message->welcome);
			break;
		case net_turnsMessage:
			NetTurns_Write(&writer, &message->turns);
			break;
		default:
			NetNotice_Write(&writer, message->text);
			break;
	}
	return writer.full ? -1 : writer.size;
}

// From memory that ends where the bytes end, so that a sanitizer sees who reads past them.
static bool ReadMessage(const uint8_t* bytes, int size, Message* message)
{
	uint8_t* copy = malloc(size > 0 ? (size_t)size : 1);
	memcpy(copy, bytes, (size_t)size);
	NetReader reader = {.bytes = copy, .size = size};
	memset(message, 0, sizeof(*message));
	message->kind = (NetMessageKind)Net_Take(&reader, 1);
	bool good = false;
	switch (message->kind)
	{
		case net_helloMessage:
			good = NetHello_Read(&reader, &message->hello);
			break;
		case net_inputsMessage:
			good = NetInputs_Read(&reader, s_extent, &message->inputs);
			break;
		case net_checkMessage:
			good = NetCheck_Read(&reader, &message->check);
			break;
		case net_welcomeMessage:
			good = NetWelcome_Read(&reader, &message->welcome);
			break;
		case net_turnsMessage:
			good = NetTurns_Read(&reader, s_extent, &message->turns);
			break;
		case net_noticeMessage:
			good = NetNotice_Read(&reader, message->text);
			break;
		default:
			break;
	}
	free(copy);
	return good;
}

// What is let in is what somebody could have written: it comes out as the same bytes.
static int CheckRead(const uint8_t* bytes, int size)
{
	Message message;
	if (ReadMessage(bytes, size, &message))
	{
		uint8_t again[4096];
		ENSURE_EQUAL_INT(WriteMessage(&message, again, (int)sizeof(again)), size);
		ENSURE(memcmp(bytes, again, (size_t)size) == 0);
		for (int i = 0; i < message.inputs.count; ++i)
		{
			ENSURE(NetInput_IsValid(&message.inputs.inputs[i], s_extent));
		}
	}
	return 0;
}

static int MessagesComeAsTheyWere(void)
{
	TestRandom random = TestMakeRandom(1);
	for (int i = 0; i < TEST_REPEATS(400); ++i)
	{
		Message message, other;
		DrawMessage(&random, s_kinds[i % kindCount], &message);
		uint8_t bytes[2048];
		// Turns that do not fit are left out.
		const int size = WriteMessage(&message, bytes, message.kind == net_turnsMessage ? NET_MESSAGE_SIZE : 2048);
		ENSURE(size > 0);
		ENSURE(ReadMessage(bytes, size, &other));
		ENSURE_EQUAL_INT(CheckRead(bytes, size), 0);
		ENSURE_EQUAL_INT(other.turns.count, message.kind == net_turnsMessage ? message.turns.count : 0);
	}
	return 0;
}

static int DamageIsRefused(void)
{
	TestRandom random = TestMakeRandom(2);
	for (int i = 0; i < TEST_REPEATS(200); ++i)
	{
		Message message, other;
		DrawMessage(&random, s_kinds[i % kindCount], &message);
		uint8_t bytes[2048];
		const int size = WriteMessage(&message, bytes, (int)sizeof(bytes) - 1);
		if (size < 0)
		{
			continue;
		}
		// Cut off anywhere, and one byte too many.
		for (int cut = 0; cut < size; ++cut)
		{
			ENSURE(!ReadMessage(bytes, cut, &other));
		}
		bytes[size] = (uint8_t)TestRandomBits(&random);
		ENSURE(!ReadMessage(bytes, size + 1, &other));
		for (int flip = 0; flip < 100; ++flip)
		{
			const int place = TestRandomInt(&random, 0, size - 1);
			const uint8_t kept = bytes[place];
			bytes[place] =
				(uint8_t)(flip % 2 == 0 ? kept ^ 1u << TestRandomInt(&random, 0, 7) : TestRandomBits(&random));
			ENSURE_EQUAL_INT(CheckRead(bytes, size), 0);
			bytes[place] = kept;
		}
	}
	for (int i = 0; i < TEST_REPEATS(20000); ++i)
	{
		uint8_t bytes[256];
		const int size = TestRandomInt(&random, 0, (int)sizeof(bytes));
		for (int j = 0; j < size; ++j)
		{
			bytes[j] = (uint8_t)(TestRandomInt(&random, 0, 2) == 0 ? TestRandomInt(&random, 0, 4)
																   : (int)TestRandomBits(&random));
		}
		if (size > 0)
		{
			bytes[0] = (uint8_t)s_kinds[i % kindCount];
		}
		ENSURE_EQUAL_INT(CheckRead(bytes, size), 0);
	}
	return 0;
}

// What a liar would like to say.
static int LiesAreNotInputs(void)
{
	const NetInput lies[] = {
		{net_pourInput, 5, 5, NET_MAX_POUR + 1},
		{net_pourInput, 5, 5, 0},
		{net_pourInput, s_extent.x, 5, 1},
		{net_digInput, 5, s_extent.z, 1},
		{net_digInput, 5, 5, 255},
		{net_placeInput, 65535, 65535, 0},
		{net_pushInput, NET_MAX_PUSH + 1, 0, 0},
		{net_inputKindCount, 0, 0, 0},
		{(NetInputKind)255, 0, 0, 0},
	};
	for (int i = 0; i < (int)(sizeof(lies) / sizeof(lies[0])); ++i)
	{
		uint8_t bytes[16];
		NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
		NetInput_Write(&writer, &lies[i]);
		NetReader reader = {.bytes = bytes, .size = writer.size};
		const NetInput input = NetInput_Read(&reader, s_extent);
		ENSURE(reader.damaged);
		ENSURE_EQUAL_INT(input.kind, net_noInput);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------

static int SaveGame(const NetGame* game, uint8_t** bytes, size_t* size)
{
	ENSURE_OK(NetGame_Save(game, NULL, 0, size));
	*bytes = malloc(*size);
	ENSURE(*bytes != NULL);
	ENSURE_OK(NetGame_Save(game, *bytes, *size, size));
	return 0;
}

// A game of random size in which something has happened.
static int PlayAWhile(TestRandom* random, NetGame* game, int ticks)
{
	const NetExtent extent = NetGame_GetExtent(game);
	for (int i = 0; i < ticks; ++i)
	{
		const NetTurn turn = DrawTurn(random, extent);
		ENSURE_OK(NetGame_Play(game, &turn));
	}
	return 0;
}

static int GamesAreTheirBytes(void)
{
	TestRandom random = TestMakeRandom(3);
	for (int i = 0; i < TEST_REPEATS(8); ++i)
	{
		NetGame game, other = {0};
		ENSURE_OK(NetGame_Create(&game, TestRandomInt(&random, 16, 90), TestRandomInt(&random, 10, 60), (uint32_t)i));
		ENSURE_EQUAL_INT(PlayAWhile(&random, &game, 40), 0);
		uint8_t* bytes;
		size_t size;
		ENSURE_EQUAL_INT(SaveGame(&game, &bytes, &size), 0);
		ENSURE_OK(NetGame_Load(&other, bytes, size));
		TestRandom same = random;
		ENSURE_EQUAL_INT(PlayAWhile(&random, &game, 30), 0);
		ENSURE_EQUAL_INT(PlayAWhile(&same, &other, 30), 0);
		ENSURE_EQUAL_HEX(NetGame_GetHash(&game), NetGame_GetHash(&other));
		// And back.
		ENSURE_OK(NetGame_Load(&game, bytes, size));
		ENSURE_OK(NetGame_Load(&other, bytes, size));
		same = random;
		ENSURE_EQUAL_INT(PlayAWhile(&random, &game, 10), 0);
		ENSURE_EQUAL_INT(PlayAWhile(&same, &other, 10), 0);
		ENSURE_EQUAL_HEX(NetGame_GetHash(&game), NetGame_GetHash(&other));
		free(bytes);
		NetGame_Destroy(&game);
		NetGame_Destroy(&other);
	}
	return 0;
}

static int DamagedGamesAreRefused(void)
{
	TestRandom random = TestMakeRandom(4);
	NetGame game;
	ENSURE_OK(NetGame_Create(&game, 20, 30, 7));
	ENSURE_EQUAL_INT(PlayAWhile(&random, &game, 40), 0);
	const uint64_t hash = NetGame_GetHash(&game);
	uint8_t* bytes;
	size_t size;
	ENSURE_EQUAL_INT(SaveGame(&game, &bytes, &size), 0);
	for (int i = 0; i < TEST_REPEATS(300); ++i)
	{
		const size_t cut = (size_t)TestRandomInt(&random, 0, (int)size - 1);
		ENSURE(NetGame_Load(&game, bytes, cut).status != tn_ok);
		const size_t place = (size_t)TestRandomInt(&random, 0, i % 2 == 0 ? 320 : (int)size - 1);
		bytes[place] ^= (uint8_t)(1u << TestRandomInt(&random, 0, 7));
		NetGame other = {0};
		// A flipped bit of a box may make another box; what is of the world is summed.
		if (NetGame_Load(&other, bytes, size).status == tn_ok)
		{
			ENSURE(place < 320);
			ENSURE_EQUAL_INT(PlayAWhile(&random, &other, 1), 0);
		}
		NetGame_Destroy(&other);
		ENSURE_OK(NetGame_Save(&game, bytes, size, &size));
		ENSURE_EQUAL_HEX(NetGame_GetHash(&game), hash);
	}
	free(bytes);
	NetGame_Destroy(&game);
	return 0;
}

// Turns come late, in bursts, and most guesses are wrong. Whenever a state is certain it is that of the server.
static int GuessesDoNotMatter(void)
{
	TestRandom random = TestMakeRandom(5);
	int rollbackCount = 0;
	for (int i = 0; i < TEST_REPEATS(8); ++i)
	{
		NetGame game;
		static NetReplica replica;
		memset(&replica, 0, sizeof(replica));
		ENSURE_OK(NetGame_Create(&game, TestRandomInt(&random, 16, 80), 30, (uint32_t)i));
		const NetExtent extent = NetGame_GetExtent(&game);
		ENSURE_EQUAL_INT(PlayAWhile(&random, &game, TestRandomInt(&random, 0, 20)), 0);
		uint8_t* bytes;
		size_t size;
		ENSURE_EQUAL_INT(SaveGame(&game, &bytes, &size), 0);
		const int interval = TestRandomInt(&random, 1, 9);
		const NetWelcome welcome = {.player = i % NET_MAX_PLAYERS,
			.tick = game.tick,
			.size = (uint32_t)size,
			.hash = NetGame_GetHash(&game),
			.rate = 30,
			.extent = extent,
			.checkInterval = interval};
		ENSURE_OK(NetReplica_Load(&replica, &welcome, bytes));
		free(bytes);

		static uint64_t hashes[200];
		static NetTurns sent;
		sent = (NetTurns){.first = game.tick};
		NetScript scripts[NET_MAX_PLAYERS];
		for (int j = 0; j < NET_MAX_PLAYERS; ++j)
		{
			NetScript_Begin(&scripts[j], TestRandomBits(&random), extent);
		}
		while (game.tick < welcome.tick + 100)
		{
			NetTurn turn = {0};
			for (int j = 0; j < NET_MAX_PLAYERS; ++j)
			{
				turn.inputs[j] = NetScript_Next(&scripts[j]);
			}
			// Now and then the player's own input comes too late.
			NetReplica_SetOwnInput(&replica, game.tick, &turn.inputs[welcome.player]);
			if (TestRandomInt(&random, 0, 9) == 0)
			{
				turn.inputs[welcome.player] = (NetInput){.kind = net_noInput};
			}
			sent.turns[sent.count++] = turn;
			ENSURE_OK(NetGame_Play(&game, &turn));
			hashes[game.tick] = NetGame_GetHash(&game);
			if (TestRandomInt(&random, 0, 3) == 0 || sent.count == 20)
			{
				NetReplica_AddTurns(&replica, &sent);
				sent.first += (uint32_t)sent.count;
				sent.count = 0;
			}
			const uint32_t target = i % 2 == 0 ? game.tick + (uint32_t)TestRandomInt(&random, 0, 6) : 0;
			ENSURE_OK(NetReplica_Advance(&replica, target, NET_MAX_PLAYS));
			NetCheck check;
			while (NetReplica_TakeCheck(&replica, &check))
			{
				ENSURE_EQUAL_INT(check.tick % (uint32_t)interval, 0);
				ENSURE_EQUAL_HEX(check.hash, hashes[check.tick]);
			}
		}
		ENSURE(i % 2 == 0 || replica.rollbackCount == 0);
		rollbackCount += replica.rollbackCount;
		NetReplica_Destroy(&replica);
		NetGame_Destroy(&game);
	}
	ENSURE(rollbackCount > 20);
	return 0;
}

// Messages are lost, doubled and damaged: what is damaged is refused, and the others are shown.
static int DamagedFramesAreRefused(void)
{
	TestRandom random = TestMakeRandom(6);
	NetGame game;
	NetStream stream;
	NetShow show;
	ENSURE_OK(NetGame_Create(&game, 50, 30, 3));
	ENSURE_OK(NetStream_Create(&stream, &game));
	ENSURE_OK(NetShow_Create(&show));
	int refusedCount = 0;
	for (int frame = 0; frame < TEST_REPEATS(200); ++frame)
	{
		ENSURE_EQUAL_INT(PlayAWhile(&random, &game, 1), 0);
		const NetInterest interest = {
			TestRandomInt(&random, 0, 800), TestRandomInt(&random, 0, 800), TestRandomInt(&random, 0, 300)};
		uint8_t bytes[NET_STREAM_MESSAGE];
		NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
		ENSURE_OK(NetStream_Write(&stream, &game, &interest, &writer));
		bool isNew;
		for (int j = 0; j < 10; ++j)
		{
			// Cut off anywhere, or with a turned bit in what is tarn's, behind the boxes.
			uint8_t* copy = malloc((size_t)writer.size);
			memcpy(copy, bytes, (size_t)writer.size);
			const int cut = j % 2 == 0 ? TestRandomInt(&random, 1, writer.size - 1) : writer.size;
			if (cut == writer.size && cut > 140)
			{
				copy[TestRandomInt(&random, 125, cut - 1)] ^= (uint8_t)(1u << TestRandomInt(&random, 0, 7));
			}
			NetReader reader = {.bytes = copy, .size = cut, .place = 1};
			if (cut < writer.size || cut > 140)
			{
				ENSURE(!NetShow_Read(&show, &reader, &isNew));
				++refusedCount;
			}
			free(copy);
		}
		for (int copies = TestRandomInt(&random, 0, 4) > 0 ? TestRandomInt(&random, 1, 2) : 0; copies > 0; --copies)
		{
			NetReader reader = {.bytes = bytes, .size = writer.size, .place = 1};
			ENSURE(NetShow_Read(&show, &reader, &isNew));
			ENSURE_EQUAL_INT(show.tick, game.tick);
		}
		if (TestRandomInt(&random, 0, 2) > 0)
		{
			const tnStreamReceipt receipt = tnStreamView_GetReceipt(show.view);
			ENSURE(NetStream_TakeReceipt(&stream, &receipt));
		}
	}
	const tnStreamReceipt lie = {.newest = stream.state.number + 1};
	ENSURE(!NetStream_TakeReceipt(&stream, &lie));
	ENSURE(refusedCount > 100);
	ENSURE(show.wholeCount > 0);
	NetShow_Destroy(&show);
	NetStream_Destroy(&stream);
	NetGame_Destroy(&game);
	return 0;
}

static const Test s_tests[] = {
	{"MessagesComeAsTheyWere", MessagesComeAsTheyWere},
	{"DamageIsRefused", DamageIsRefused},
	{"LiesAreNotInputs", LiesAreNotInputs},
	{"GamesAreTheirBytes", GamesAreTheirBytes},
	{"DamagedGamesAreRefused", DamagedGamesAreRefused},
	{"GuessesDoNotMatter", GuessesDoNotMatter},
	{"DamagedFramesAreRefused", DamagedFramesAreRefused},
};
static const TestSuite s_suite = TEST_SUITE("net", s_tests);

int main(int argumentCount, char** arguments)
{
	const TestSuite* suites[] = {&s_suite};
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	return TestRunSuites(suites, 1, argumentCount > 1 ? arguments[1] : NULL);
}
