// SPDX-License-Identifier: MIT

#include "net_game.h"

#include <stdio.h>

// The first bytes of what NetGame_Save makes.
#define NET_GAME_MAGIC 0x31676e74u
// Of a game without its world.
#define NET_GAME_BYTES (4 + 4 + 4 + NET_MAX_PLAYERS * (1 + 36))
// Most memory that a world from the network may take, bytes.
#define NET_MAX_WORLD_MEMORY ((size_t)512 << 20)

// Of a box: half of its sides, meters, and its mass, kg. It floats with two fifths of itself below the water.
static const tnVec3 s_boxHalf = {1.0f, 0.6f, 1.0f};
#define BOX_MASS 1920.0f
#define GRAVITY 9.81f

static tnResult Fail(const char* text)
{
	tnResult result = {.status = tn_invalidArgument};
	snprintf(result.text, sizeof(result.text), "%s", text);
	return result;
}

static uint32_t Mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	return x ^ (x >> 16);
}

// Hills: noise between the corners of squares, twice.
static float GetHill(int column, int row, int square, uint32_t seed)
{
	float corners[4];
	for (int i = 0; i < 4; ++i)
	{
		const uint32_t x = (uint32_t)(column / square + (i & 1)), z = (uint32_t)(row / square + (i >> 1));
		corners[i] = (float)(Mix(x * 0x9e3779b9u + Mix(z + seed)) >> 16) / 65536.0f;
	}
	const float u = (float)(column % square) / (float)square, v = (float)(row % square) / (float)square;
	const float north = corners[0] + (corners[1] - corners[0]) * u, south = corners[2] + (corners[3] - corners[2]) * u;
	return north + (south - north) * v;
}

tnResult NetGame_Create(NetGame* game, int size, int rate, uint32_t seed)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = size;
	def.method = tn_shallowMethod;
	def.manning = 0.03f;
	def.gravity = GRAVITY;
	def.foam.enable = true;
	// Small worlds are done before a second thread has woken up.
	def.tasks.workerCount = 1;
	*game = (NetGame){.rate = rate};
	tnResult result = tnCreateWorld(&def, &game->world);
	if (result.status != tn_ok)
	{
		return result;
	}
	for (int row = 0; row < size && result.status == tn_ok; ++row)
	{
		float heights[NET_MAX_SIZE];
		for (int column = 0; column < size; ++column)
		{
			const float across = ((float)row + 0.5f) / (float)size - 0.5f, along = (float)column / (float)size;
			// A valley that falls to the west, with a dam over it.
			heights[column] = 24.0f * across * across + 4.0f * along + 1.5f * GetHill(column, row, 8, seed) +
				1.0f * GetHill(column, row, 4, seed + 1) + (column == size / 2 ? 2.0f : 0.0f);
		}
		result = tnWorld_SetTerrainBlock(game->world, 0, row, size, 1, heights);
	}
	if (result.status == tn_ok)
	{
		result = tnWorld_FillToLevel(game->world, 2.5f);
	}
	if (result.status == tn_ok)
	{
		tnSourceDef spring = tnDefaultSourceDef();
		spring.center = (tnVec2){0.8f * (float)size, 0.5f * (float)size};
		spring.radius = 2.0f;
		spring.rate = 3.0f;
		tnSourceId id;
		result = tnWorld_CreateSource(game->world, &spring, &id);
	}
	if (result.status != tn_ok)
	{
		NetGame_Destroy(game);
	}
	return result;
}

void NetGame_Destroy(NetGame* game)
{
	tnDestroyWorld(game->world);
	*game = (NetGame){0};
}

NetExtent NetGame_GetExtent(const NetGame* game)
{
	const tnFieldView bed = tnWorld_GetBed(game->world);
	return (NetExtent){NET_PLACE_STEP * bed.columnCount, NET_PLACE_STEP * bed.rowCount};
}

// ---------------------------------------------------------------------------------------------------------------------
// Boxes

static tnBodyId FindBody(const NetGame* game, int player)
{
	tnBodyId ids[NET_MAX_PLAYERS];
	const int count = tnWorld_GetBodies(game->world, ids, NET_MAX_PLAYERS);
	for (int i = 0; i < count && i < NET_MAX_PLAYERS; ++i)
	{
		tnBodyState state;
		if (tnWorld_GetBodyState(game->world, ids[i], &state).status == tn_ok && state.userData == (uint64_t)player)
		{
			return ids[i];
		}
	}
	return (tnBodyId){0};
}

static tnResult PlaceBox(NetGame* game, int player, tnVec2 place)
{
	NetBox* box = &game->boxes[player];
	const float surface = tnWorld_Sample(game->world, place).surface;
	const tnVec3 position = {place.x, surface + 2.0f * s_boxHalf.y, place.z};
	if (!box->there)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = s_boxHalf;
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = &shape;
		def.shapeCount = 1;
		def.mass = BOX_MASS;
		def.hollows = false;
		def.pose.position = position;
		def.userData = (uint64_t)player;
		tnBodyId id;
		const tnResult result = tnWorld_CreateBody(game->world, &def, &id);
		if (result.status != tn_ok)
		{
			return result;
		}
	}
	*box = (NetBox){.there = true, .position = position};
	return (tnResult){0};
}

static float Clamp(float value, float least, float most)
{
	return value < least ? least : value > most ? most : value;
}

// Along one axis, between two walls.
static void MoveAlong(float* position, float* velocity, float force, float timeStep, float least, float most)
{
	*velocity = Clamp(*velocity + force / BOX_MASS * timeStep, -20.0f, 20.0f);
	*position += *velocity * timeStep;
	if (*position < least || *position > most)
	{
		*position = Clamp(*position, least, most);
		*velocity = 0.0f;
	}
}

// Forces of the last step move a box; a real game has its physics engine here, and that must be deterministic, too.
static tnResult MoveBox(NetGame* game, int player)
{
	NetBox* box = &game->boxes[player];
	const float timeStep = 1.0f / (float)game->rate;
	const tnFieldView bed = tnWorld_GetBed(game->world);
	MoveAlong(&box->position.x, &box->velocity.x, box->force.x, timeStep, 1.5f, (float)bed.columnCount - 1.5f);
	MoveAlong(&box->position.z, &box->velocity.z, box->force.z, timeStep, 1.5f, (float)bed.rowCount - 1.5f);
	const float ground = tnWorld_Sample(game->world, (tnVec2){box->position.x, box->position.z}).bed + s_boxHalf.y;
	MoveAlong(&box->position.y, &box->velocity.y, box->force.y - BOX_MASS * GRAVITY, timeStep, ground, 1000.0f);
	if (box->position.y <= ground)
	{
		// Rubs on the ground.
		box->velocity.x *= 0.8f;
		box->velocity.z *= 0.8f;
	}
	const tnPose pose = {.position = box->position, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
	return tnWorld_MoveBody(game->world, FindBody(game, player), &pose, box->velocity, (tnVec3){0});
}

// ---------------------------------------------------------------------------------------------------------------------
// A tick

static tnResult PlayInput(NetGame* game, int player, const NetInput* input)
{
	const tnVec2 place = {(float)input->x / NET_PLACE_STEP, (float)input->z / NET_PLACE_STEP};
	NetBox* box = &game->boxes[player];
	switch (input->kind)
	{
		case net_pourInput:
			return tnWorld_AddWater(game->world, place, 2.0f, (float)input->amount / 10.0f, NULL);
		case net_digInput:
		{
			tnBrush brush = tnDefaultBrush();
			brush.center = place;
			brush.radius = 2.0f;
			brush.amount = -(float)input->amount / 100.0f;
			return tnWorld_EditTerrain(game->world, &brush);
		}
		case net_placeInput:
			return PlaceBox(game, player, place);
		case net_pushInput:
			if (box->there)
			{
				box->velocity.x += (float)input->x / 10.0f;
				box->velocity.z += (float)input->z / 10.0f;
			}
			return (tnResult){0};
		default:
			return (tnResult){0};
	}
}

tnResult NetGame_Play(NetGame* game, const NetTurn* turn)
{
	tnResult result;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		if ((turn->leftMask >> i & 1) && game->boxes[i].there)
		{
			tnWorld_DestroyBody(game->world, FindBody(game, i));
			game->boxes[i] = (NetBox){0};
		}
		result = PlayInput(game, i, &turn->inputs[i]);
		if (result.status == tn_outOfMemory)
		{
			return result;
		}
		if (game->boxes[i].there)
		{
			MoveBox(game, i);
		}
	}
	result = tnWorld_Step(game->world, 1.0f / (float)game->rate);
	if (result.status != tn_ok)
	{
		return result;
	}
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		tnWrench wrench;
		if (game->boxes[i].there && tnWorld_GetBodyWrench(game->world, FindBody(game, i), &wrench).status == tn_ok)
		{
			game->boxes[i].force = wrench.force;
		}
	}
	++game->tick;
	return (tnResult){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// A game as bytes

static void WriteVector(NetWriter* writer, tnVec3 vector)
{
	Net_PutFloat(writer, vector.x);
	Net_PutFloat(writer, vector.y);
	Net_PutFloat(writer, vector.z);
}

static tnVec3 ReadVector(NetReader* reader, float limit)
{
	tnVec3 vector;
	vector.x = Net_TakeFloat(reader, limit);
	vector.y = Net_TakeFloat(reader, limit);
	vector.z = Net_TakeFloat(reader, limit);
	return vector;
}

static void WriteHead(NetWriter* writer, const NetGame* game)
{
	Net_Put(writer, NET_GAME_MAGIC, 4);
	Net_Put(writer, game->tick, 4);
	Net_Put(writer, (uint64_t)game->rate, 4);
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		const NetBox* box = &game->boxes[i];
		Net_Put(writer, box->there, 1);
		WriteVector(writer, box->position);
		WriteVector(writer, box->velocity);
		WriteVector(writer, box->force);
	}
}

static bool ReadHead(NetReader* reader, NetGame* game)
{
	reader->damaged = Net_Take(reader, 4) != NET_GAME_MAGIC || reader->damaged;
	game->tick = (uint32_t)Net_Take(reader, 4);
	game->rate = Net_TakeInt(reader, 4, 1, NET_MAX_RATE);
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		NetBox* box = &game->boxes[i];
		box->there = Net_TakeInt(reader, 1, 0, 1) != 0;
		box->position = ReadVector(reader, TN_MAX_LENGTH);
		box->velocity = ReadVector(reader, 1000.0f);
		box->force = ReadVector(reader, 1.0e12f);
	}
	return !reader->damaged;
}

tnResult NetGame_Save(const NetGame* game, uint8_t* bytes, size_t capacity, size_t* size)
{
	size_t worldSize;
	const bool fits = bytes && capacity >= NET_GAME_BYTES;
	const tnResult result = tnWorld_Save(
		game->world, fits ? bytes + NET_GAME_BYTES : NULL, fits ? capacity - NET_GAME_BYTES : 0, &worldSize);
	*size = NET_GAME_BYTES + worldSize;
	if (fits)
	{
		NetWriter writer = {.bytes = bytes, .capacity = NET_GAME_BYTES};
		WriteHead(&writer, game);
	}
	return result;
}

// Is there a body for each box, and none besides?
static bool HasItsBodies(const NetGame* game)
{
	int boxCount = 0;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		boxCount += game->boxes[i].there;
		if (game->boxes[i].there && !tnBody_IsValid(game->world, FindBody(game, i)))
		{
			return false;
		}
	}
	return tnWorld_GetBodies(game->world, NULL, 0) == boxCount;
}

// What stands before the world.
static tnResult ReadGame(NetGame* game, const uint8_t* bytes, size_t size)
{
	NetReader reader = {.bytes = bytes, .size = size < NET_GAME_BYTES ? (int)size : NET_GAME_BYTES};
	return ReadHead(&reader, game) ? (tnResult){0} : Fail("the game before the world is damaged");
}

tnResult NetGame_Load(NetGame* game, const uint8_t* bytes, size_t size)
{
	NetGame other = {0};
	tnResult result = ReadGame(&other, bytes, size);
	if (result.status != tn_ok)
	{
		return result;
	}
	const uint8_t* worldBytes = bytes + NET_GAME_BYTES;
	const size_t worldSize = size - NET_GAME_BYTES;
	tnSnapshotInfo info;
	result = tnReadSnapshotInfo(worldBytes, worldSize, &info);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (info.def.columnCount > NET_MAX_SIZE || info.def.rowCount > NET_MAX_SIZE)
	{
		return Fail("the world is too large");
	}
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.memoryLimit = NET_MAX_WORLD_MEMORY;
	hooks.tasks.workerCount = 1;
	result = tnCreateWorldFrom(worldBytes, worldSize, &hooks, &other.world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (!HasItsBodies(&other))
	{
		tnDestroyWorld(other.world);
		return Fail("the world has other boxes than the game");
	}
	tnDestroyWorld(game->world);
	*game = other;
	return (tnResult){0};
}

static uint64_t AddToHash(uint64_t hash, const uint8_t* bytes, int size)
{
	for (int i = 0; i < size; ++i)
	{
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	}
	return hash;
}

uint64_t NetGame_GetHash(const NetGame* game)
{
	uint8_t bytes[NET_GAME_BYTES + 8];
	NetWriter writer = {.bytes = bytes, .capacity = (int)sizeof(bytes)};
	WriteHead(&writer, game);
	Net_Put(&writer, tnWorld_GetHash(game->world), 8);
	return AddToHash(0xcbf29ce484222325u, bytes, writer.size);
}

int NetGame_GetTileColumns(const NetGame* game)
{
	return (tnWorld_GetBed(game->world).columnCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
}

int NetGame_GetTileHashes(const NetGame* game, uint32_t* hashes)
{
	const int columns = NetGame_GetTileColumns(game);
	const int rows = (tnWorld_GetBed(game->world).rowCount + TN_HASH_TILE - 1) / TN_HASH_TILE;
	for (int i = 0; hashes && i < columns * rows; ++i)
	{
		const uint64_t hash = tnWorld_GetTileHash(game->world, i % columns, i / columns);
		hashes[i] = (uint32_t)(hash ^ hash >> 32);
	}
	return columns * rows;
}
