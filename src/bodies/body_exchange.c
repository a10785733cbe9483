// SPDX-License-Identifier: MIT

// Water in the hollows of bodies.
//
//   rim     a broad weir for each piece of it, in the pose at hand. With heads a and b above the crest, a the higher one:
//             q = (2/3)^(3/2) sqrt(g) a^(3/2)   if b is below 2/3 a, which is all that the crest lets pass
//             q = b sqrt(2 g (a - b))           above: the other side holds it back
//   leak    q = discharge area sqrt(2 g (a - b)), heads above the hole
//   pump    as much as it is told, while there is some
//
// The head outside is that of the cell there: bed, depth and lift of the last step. Of what levels would make equal a step moves half
// at most, in all that goes into a hollow or out of it together, so that levels meet and never swing. A cell is not taken from
// below half of its water, or of the height that drives.
//
// The weight of what is held acts at its middle, at its level in the world. It is heavier than the hull, often, and the engine of the host
// does not know of its mass: so what it takes to accelerate it is found ahead,
//   a = (F + m g + m o) / (m + w)     F all forces of water with the weight of w, o what else pushed the body in the last step
// and -w a is a part of the force. Then the engine finds just a. What rests on ground is pushed by that from below, and a is zero after a
// few steps. Held water does not resist being turned.

#include "body_exchange.h"

#include "../core/hash.h"
#include "../flow/cell_disc.h"
#include "../flow/tracers.h"
#include "../flow/weather.h"
#include "../shapes/submerged_mesh.h"
#include "body_hollow.h"

#include <math.h>
#include <string.h>

enum
{
	// Rims, leaks and pumps that move something in one step: those beyond wait.
	TN_MAX_STREAMS = 512,
};

// Of what would make two levels equal, this much goes in a step.
#define TN_MEETING_SHARE 0.5

// (2/3)^(3/2), of a broad weir.
#define TN_WEIR_FACTOR 0.5443310539518174

// Water on its way.
typedef struct tnStream
{
	int from, to;     // hollows, or TN_OUTSIDE
	double volume;    // m^3
	double high, low; // heads of where it comes from and goes to, no lower than what it has to pass, m in the world
	int column, row;  // the cell of the end that is outside
	double* pending;  // what is too little waits there; NULL if it need not
	bool driven;      // by a pump, whatever the heads
} tnStream;

typedef struct tnExchange
{
	tnBody* body;
	tnGrid* grid;
	tnTiles* tiles;
	tnAxes axes;
	double gravity, timeStep;
	int streamCount;
	tnStream streams[TN_MAX_STREAMS];
} tnExchange;

typedef struct tnOuterPlace
{
	int column, row;
	double head; // m in the world
	bool inside; // of the world
} tnOuterPlace;

static int tnWrapCell(double place, int count, bool wraps)
{
	if (wraps)
	{
		place -= floor(place / count) * count;
	}
	return place >= 0.0 && place < (double)count ? (int)place : -1;
}

// The water around a body at a place of its frame.
static tnOuterPlace tnLookOutside(const tnExchange* exchange, tnVec3 at)
{
	const tnGrid* grid = exchange->grid;
	const tnVec3 r = tnAxes_Turn(&exchange->axes, at);
	const tnVec3 p = exchange->body->pose.position;
	tnOuterPlace place = {0};
	place.column = tnWrapCell(((double)p.x + r.x - grid->origin.x) / grid->cellSize, grid->columnCount, grid->wrapX);
	place.row = tnWrapCell(((double)p.z + r.z - grid->origin.z) / grid->cellSize, grid->rowCount, grid->wrapZ);
	place.inside = place.column >= 0 && place.row >= 0;
	if (place.inside)
	{
		const ptrdiff_t cell = tnGrid_Index(grid, place.column, place.row);
		place.head = (double)grid->bed[cell] + (double)tnGrid_GetHeight(grid, cell);
	}
	return place;
}

// Height of a place of the frame of the body, m in the world.
static double tnGetHeightOf(const tnExchange* exchange, tnVec3 at)
{
	return (double)exchange->body->pose.position.y + (double)tnAxes_Turn(&exchange->axes, at).y;
}

static bool tnIsEmpty(const tnExchange* exchange, int hollow)
{
	return exchange->body->hollows->items[hollow].area <= 0.0;
}

// The level of a hollow in the world; far below if there is no water.
static double tnGetHollowLevel(const tnExchange* exchange, int hollow)
{
	return tnIsEmpty(exchange, hollow)
		? -HUGE_VAL
		: (double)exchange->body->pose.position.y + exchange->body->hollows->items[hollow].level;
}

static void tnAddStream(tnExchange* exchange, tnStream stream)
{
	if (exchange->streamCount < TN_MAX_STREAMS && stream.volume > 0.0)
	{
		exchange->streams[exchange->streamCount] = stream;
		exchange->streamCount += 1;
	}
}

static void tnFlowOverRim(tnExchange* exchange, int hollow, const tnRim* rim)
{
	const double crest = tnGetHeightOf(exchange, rim->crest);
	const double inner = tnGetHollowLevel(exchange, hollow);
	tnOuterPlace place = {.head = rim->other >= 0 ? tnGetHollowLevel(exchange, rim->other) : 0.0, .inside = true};
	if (rim->other < 0)
	{
		place = tnLookOutside(exchange, rim->beyond);
	}
	if (!place.inside || (inner <= crest && place.head <= crest))
	{
		return;
	}
	const bool in = place.head > inner;
	const double a = (in ? place.head : inner) - crest;
	const double b = (in ? inner : place.head) - crest;
	const double rate = 3.0 * b < 2.0 * a ? TN_WEIR_FACTOR * sqrt(exchange->gravity * a) * a
										  : b * sqrt(2.0 * exchange->gravity * (a - b));
	tnAddStream(exchange,
		(tnStream){
			.from = in ? rim->other : hollow,
			.to = in ? hollow : rim->other,
			.volume = rate * (double)rim->length * exchange->timeStep,
			.high = crest + a,
			.low = b > 0.0 ? crest + b : crest,
			.column = place.column,
			.row = place.row,
		});
}

static double tnGetHead(const tnExchange* exchange, int side, const tnOuterPlace* place)
{
	return side >= 0 ? tnGetHollowLevel(exchange, side) : place->head;
}

static void tnFlowThroughLeak(tnExchange* exchange, tnLeak* leak)
{
	const tnLeakDef* def = &leak->def;
	const double hole = tnGetHeightOf(exchange, def->position);
	const tnOuterPlace place = tnLookOutside(exchange, def->position);
	if (!place.inside && (def->from < 0 || def->to < 0))
	{
		return;
	}
	const double first = tnGetHead(exchange, def->from, &place);
	const double second = tnGetHead(exchange, def->to, &place);
	const double a = first > hole ? first : hole;
	const double b = second > hole ? second : hole;
	const double drop = a > b ? a - b : b - a;
	const double volume =
		(double)def->discharge * (double)def->area * sqrt(2.0 * exchange->gravity * drop) * exchange->timeStep;
	leak->pending += a > b ? volume : -volume;
	// What waited for the other direction, and for a level that is no more, goes nowhere.
	leak->pending = a == b || (a > b) != (leak->pending > 0.0) ? 0.0 : leak->pending;
	tnAddStream(exchange,
		(tnStream){
			.from = a > b ? def->from : def->to,
			.to = a > b ? def->to : def->from,
			.volume = fabs(leak->pending),
			.high = a > b ? a : b,
			.low = a > b ? b : a,
			.column = place.column,
			.row = place.row,
			.pending = &leak->pending,
		});
}

static void tnDrivePump(tnExchange* exchange, tnPump* pump)
{
	const tnPumpDef* def = &pump->def;
	const tnOuterPlace place = tnLookOutside(exchange, def->position);
	if (!place.inside && (def->from < 0 || def->to < 0))
	{
		return;
	}
	pump->pending += (double)def->rate * exchange->timeStep;
	tnAddStream(exchange,
		(tnStream){
			.from = def->from,
			.to = def->to,
			.volume = pump->pending,
			.column = place.column,
			.row = place.row,
			.pending = &pump->pending,
			.driven = true,
		});
}

// ---------------------------------------------------------------------------------------------------------------------
// How much of it can go

// All that goes into a hollow, or out of it, by heads.
typedef struct tnStreamSum
{
	double volume, heads;
} tnStreamSum;

static double tnGetShare(double wanted, double possible)
{
	return wanted <= possible ? 1.0 : (possible > 0.0 ? possible / wanted : 0.0);
}

static void tnLimitStreams(tnExchange* exchange)
{
	const tnBodyHollows* hollows = exchange->body->hollows;
	tnStreamSum in[TN_MAX_HOLLOWS] = {{0.0, 0.0}};
	tnStreamSum out[TN_MAX_HOLLOWS] = {{0.0, 0.0}};
	for (int i = 0; i < exchange->streamCount; ++i)
	{
		const tnStream* stream = exchange->streams + i;
		if (stream->to >= 0 && !stream->driven)
		{
			in[stream->to].volume += stream->volume;
			in[stream->to].heads += stream->volume * stream->high;
		}
		if (stream->from >= 0 && !stream->driven)
		{
			out[stream->from].volume += stream->volume;
			out[stream->from].heads += stream->volume * stream->low;
		}
	}
	double inShare[TN_MAX_HOLLOWS], outShare[TN_MAX_HOLLOWS];
	for (int i = 0; i < hollows->mesh.count; ++i)
	{
		const double center = (double)exchange->body->pose.position.y;
		const double held = hollows->items[i].held;
		inShare[i] = 1.0;
		outShare[i] = 1.0;
		if (in[i].volume > 0.0)
		{
			const double most = tnBodyHollows_GetBelow(hollows, i, in[i].heads / in[i].volume - center);
			inShare[i] = tnGetShare(in[i].volume, TN_MEETING_SHARE * (most - held));
		}
		if (out[i].volume > 0.0)
		{
			const double least = tnBodyHollows_GetBelow(hollows, i, out[i].heads / out[i].volume - center);
			outShare[i] = tnGetShare(out[i].volume, TN_MEETING_SHARE * (held - least));
		}
	}
	for (int i = 0; i < exchange->streamCount; ++i)
	{
		tnStream* stream = exchange->streams + i;
		const double to = stream->to >= 0 && !stream->driven ? inShare[stream->to] : 1.0;
		const double from = stream->from >= 0 && !stream->driven ? outShare[stream->from] : 1.0;
		stream->volume *= to < from ? to : from;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving it

static tnDisc tnMakeCellDisc(const tnGrid* grid, int column, int row)
{
	return (tnDisc){
		.box = {column, column + 1, row, row + 1},
		.cellCount = 1,
		.isCell = true,
		.depthSum = (double)grid->depth[tnGrid_Index(grid, column, row)],
	};
}

static void tnHollow_Add(tnHollow* hollow, const tnGrid* grid, double volume, const float* tracers)
{
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		hollow->tracers[i] = tnMixTracer(hollow->tracers[i], (float)hollow->held, (float)volume, tracers[i]);
	}
	hollow->held += volume;
	hollow->came += volume;
}

// From the cell outside into a hollow. Returns what came, m^3.
static double tnTakeIn(const tnExchange* exchange, const tnStream* stream)
{
	tnGrid* grid = exchange->grid;
	const ptrdiff_t cell = tnGrid_Index(grid, stream->column, stream->row);
	const double area = (double)grid->cellSize * grid->cellSize;
	const tnDisc disc = tnMakeCellDisc(grid, stream->column, stream->row);
	tnHollow* hollow = exchange->body->hollows->items + stream->to;
	// A cell rounds what it gives, and what it has then. So much room is left, so that no more comes than there is room for.
	const double film = area * disc.depthSum * (1.0 / 4194304.0);
	const double room = (double)exchange->body->hollows->mesh.items[stream->to].volume - hollow->held - film;
	double depth = (stream->volume < room ? stream->volume : room) / area;
	const double head = (double)grid->bed[cell] + (double)tnGrid_GetHeight(grid, cell);
	const double drop = stream->driven ? (double)grid->depth[cell] : head - stream->low;
	const double most = TN_MEETING_SHARE * (drop < disc.depthSum ? drop : disc.depthSum);
	depth = depth < most ? depth : most;
	if (!(depth >= (stream->pending != NULL ? (double)tnGetDepthQuantum(grid) : 0.0)) || !(depth > 0.0))
	{
		return 0.0;
	}
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][cell];
	}
	const double taken = tnDisc_Take(&disc, grid, (float)(depth / disc.depthSum)) * area;
	tnTiles_Touch(exchange->tiles, disc.box);
	tnHollow_Add(hollow, grid, taken, tracers);
	return taken;
}

// From a hollow to the cell outside. Returns what went, m^3.
static double tnGiveOut(const tnExchange* exchange, const tnStream* stream)
{
	tnGrid* grid = exchange->grid;
	const double area = (double)grid->cellSize * grid->cellSize;
	tnHollow* hollow = exchange->body->hollows->items + stream->from;
	const tnDisc disc = tnMakeCellDisc(grid, stream->column, stream->row);
	// A cell rounds what it gets, and what it has then. A last film stays, so that it never gets more than there was.
	const double film = (area * disc.depthSum + hollow->held) * (1.0 / 4194304.0);
	const double most = hollow->held - film;
	const double volume = stream->volume < most ? stream->volume : most;
	if (!(volume > 0.0) ||
		(stream->pending != NULL && volume == stream->volume && volume / area < (double)tnGetDepthQuantum(grid)))
	{
		return 0.0;
	}
	const double given = tnDisc_Add(&disc, grid, (float)(volume / area), hollow->tracers) * area;
	tnTiles_Touch(exchange->tiles, disc.box);
	hollow->held -= given;
	hollow->came -= given;
	return given;
}

static double tnPassOn(const tnExchange* exchange, const tnStream* stream)
{
	tnBodyHollows* hollows = exchange->body->hollows;
	tnHollow* from = hollows->items + stream->from;
	tnHollow* to = hollows->items + stream->to;
	const double room = (double)hollows->mesh.items[stream->to].volume - to->held;
	double volume = stream->volume < from->held ? stream->volume : from->held;
	volume = volume < room ? volume : room;
	if (!(volume > 0.0))
	{
		return 0.0;
	}
	// Both sums round; what one loses the other gets, to the last bit that both can tell.
	const double before = from->held;
	from->held -= volume;
	volume = before - from->held;
	from->came -= volume;
	tnHollow_Add(to, exchange->grid, volume, from->tracers);
	return volume;
}

static bool tnMoveStreams(const tnExchange* exchange)
{
	bool moved = false;
	for (int i = 0; i < exchange->streamCount; ++i)
	{
		const tnStream* stream = exchange->streams + i;
		double volume;
		if (stream->from < 0)
		{
			volume = tnTakeIn(exchange, stream);
		}
		else
		{
			volume = stream->to < 0 ? tnGiveOut(exchange, stream) : tnPassOn(exchange, stream);
		}
		moved = moved || volume > 0.0;
		if (stream->pending != NULL && volume > 0.0)
		{
			*stream->pending = 0.0;
		}
		else if (stream->pending != NULL && stream->driven)
		{
			// A pump that finds nothing is not owed what it missed.
			const double most = 1.0 / 16.0 * exchange->grid->cellSize * exchange->grid->cellSize;
			*stream->pending = *stream->pending < most ? *stream->pending : most;
		}
	}
	return moved;
}

// What pushed a body in the last step besides water and gravity.
static void tnNoteMotion(tnBody* body, float gravity)
{
	tnBodyHollows* hollows = body->hollows;
	const tnVec3 now = body->motion.velocity;
	const float mass = body->def.mass;
	hollows->otherPush = (tnVec3){0.0f, 0.0f, 0.0f};
	// In the shortest of time steps nothing can be told from a change of speed.
	if (hollows->timeStep > 1.0e-6f && tnIsFinite(mass))
	{
		// A host that sets velocities does not push. What rests on the ground is pushed no more than it weighs.
		const float most = tnMinFloat(2.0f * gravity * (1.0f + body->heldMass / mass), 1.0e6f);
		const float rate = 1.0f / hollows->timeStep;
		const tnVec3 before = hollows->velocity, f = body->wrench.force;
		hollows->otherPush = (tnVec3){
			tnClampFloat((now.x - before.x) * rate - f.x / mass, -most, most),
			tnClampFloat((now.y - before.y) * rate - f.y / mass + gravity, -most, most),
			tnClampFloat((now.z - before.z) * rate - f.z / mass, -most, most),
		};
	}
	hollows->velocity = now;
}

static bool tnHasWater(const tnBodyHollows* hollows)
{
	return tnBodyHollows_GetHeld(hollows) > 0.0;
}

static void tnExchangeBody(tnExchange* exchange)
{
	tnBody* body = exchange->body;
	tnBodyHollows* hollows = body->hollows;
	exchange->streamCount = 0;
	exchange->axes = tnQuat_GetAxes(body->pose.rotation);
	for (int i = 0; i < hollows->mesh.count; ++i)
	{
		hollows->items[i].came = 0.0;
	}
	tnBodyHollows_Settle(hollows, body->pose.rotation);
	for (int i = 0; i < hollows->mesh.count; ++i)
	{
		const tnHollowShape* shape = hollows->mesh.items + i;
		for (int k = 0; k < shape->rimCount; ++k)
		{
			tnFlowOverRim(exchange, i, hollows->mesh.rims + shape->firstRim + k);
		}
	}
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		if (hollows->leaks[i].used)
		{
			tnFlowThroughLeak(exchange, hollows->leaks + i);
		}
	}
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		if (hollows->pumps[i].used)
		{
			tnDrivePump(exchange, hollows->pumps + i);
		}
	}
	if (exchange->streamCount > 0)
	{
		tnLimitStreams(exchange);
		// How it gives way depends on what it weighs.
		body->moved |= tnMoveStreams(exchange);
	}
	body->heldMass = (float)((double)TN_WATER_DENSITY * tnBodyHollows_GetHeld(hollows));
}

void tnBodies_Exchange(tnBodies* bodies, tnGrid* grid, tnTiles* tiles, float gravity, float timeStep)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->hollows != NULL)
		{
			tnNoteMotion(body, gravity);
			tnExchange exchange;
			exchange.body = body;
			exchange.grid = grid;
			exchange.tiles = tiles;
			exchange.gravity = gravity;
			exchange.timeStep = timeStep;
			tnExchangeBody(&exchange);
			body->hollows->timeStep = timeStep;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Its weight

static tnVec3 tnSumOf(tnVec3 a, tnVec3 b, tnVec3 c, tnVec3 d)
{
	return (tnVec3){a.x + b.x + c.x + d.x, a.y + b.y + c.y + d.y, a.z + b.z + c.z + d.z};
}

static void tnFeelHeldBy(tnBody* body, double gravity)
{
	tnBodyHollows* hollows = body->hollows;
	tnBodyState* state = &body->state;
	state->heldForce = (tnVec3){0.0f, 0.0f, 0.0f};
	state->heldTorque = state->heldForce;
	const double held = tnBodyHollows_GetHeld(hollows);
	state->heldVolume = (float)held;
	if (held > 0.0)
	{
		tnBodyHollows_Settle(hollows, body->pose.rotation);
		const double mass = body->def.mass;
		const double water = (double)TN_WATER_DENSITY * held;
		const tnVec3 p = state->pressure, d = state->drag, w = state->waveForce, o = hollows->otherPush;
		// How it will be accelerated.
		double a[3] = {0.0, 0.0, 0.0};
		if (tnIsFinite(body->def.mass))
		{
			const double whole = mass + water;
			a[0] = ((double)p.x + d.x + w.x + mass * o.x) / whole;
			a[1] = ((double)p.y + d.y + w.y + mass * o.y) / whole - gravity;
			a[2] = ((double)p.z + d.z + w.z + mass * o.z) / whole;
		}
		double force[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.0};
		for (int i = 0; i < hollows->mesh.count; ++i)
		{
			const double m = (double)TN_WATER_DENSITY * hollows->items[i].held;
			const tnVec3 r = hollows->items[i].center;
			const double f[3] = {-m * a[0], -m * (gravity + a[1]), -m * a[2]};
			torque[0] += r.y * f[2] - r.z * f[1];
			torque[1] += r.z * f[0] - r.x * f[2];
			torque[2] += r.x * f[1] - r.y * f[0];
			for (int axis = 0; axis < 3; ++axis)
			{
				force[axis] += f[axis];
			}
		}
		state->heldForce = (tnVec3){tnBoundForce(force[0]), tnBoundForce(force[1]), tnBoundForce(force[2])};
		state->heldTorque = (tnVec3){tnBoundForce(torque[0]), tnBoundForce(torque[1]), tnBoundForce(torque[2])};
	}
	body->wrench.force = tnSumOf(state->pressure, state->drag, state->waveForce, state->heldForce);
	body->wrench.torque = tnSumOf(state->pressureTorque, state->dragTorque, state->waveTorque, state->heldTorque);
}

typedef struct tnHeldContext
{
	tnBodies* bodies;
	double gravity;
} tnHeldContext;

static void tnFeelHeldItem(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnHeldContext* context = data;
	tnBody* body = tnBodies_Get(context->bodies, context->bodies->list[item]);
	if (body->hollows != NULL)
	{
		tnFeelHeldBy(body, context->gravity);
	}
}

void tnBodies_FeelHeld(tnBodies* bodies, tnParallel* parallel, float gravity)
{
	bool any = false;
	for (int i = 0; i < bodies->count && !any; ++i)
	{
		any = tnBodies_Get(bodies, bodies->list[i])->hollows != NULL;
	}
	if (any)
	{
		tnHeldContext context = {bodies, (double)gravity};
		tnParallelFor(parallel, bodies->count, tnFeelHeldItem, &context);
	}
}

void tnBody_PourOut(tnBody* body, tnGrid* grid, tnTiles* tiles)
{
	tnBodyHollows* hollows = body->hollows;
	if (hollows == NULL || !tnHasWater(hollows))
	{
		return;
	}
	tnBodyHollows_Settle(hollows, body->pose.rotation);
	const double cellArea = (double)grid->cellSize * grid->cellSize;
	for (int i = 0; i < hollows->mesh.count; ++i)
	{
		tnHollow* hollow = hollows->items + i;
		const tnVec2 middle = {body->pose.position.x + hollow->center.x, body->pose.position.z + hollow->center.z};
		const double spread = hollow->area > 0.0 ? hollow->area : cellArea;
		const tnDisc disc = tnMakeDisc(grid, middle, (float)sqrt(spread / 3.14159265358979));
		if (hollow->held > 0.0)
		{
			const double added =
				tnDisc_Add(&disc, grid, (float)(hollow->held / (disc.cellCount * cellArea)), hollow->tracers) *
				cellArea;
			hollow->held -= added;
			tnTiles_Touch(tiles, disc.box);
		}
	}
}

void tnBody_HandOver(tnBody* body, tnBody* made)
{
	tnBodyHollows* from = body->hollows;
	tnBodyHollows* to = made->hollows;
	if (from == NULL || to == NULL || from->mesh.count != to->mesh.count)
	{
		return;
	}
	for (int i = 0; i < to->mesh.count; ++i)
	{
		const double volume = (double)to->mesh.items[i].volume;
		const double held = from->items[i].held;
		to->items[i] = from->items[i];
		to->items[i].held = held < volume ? held : volume;
		from->items[i].held = held - to->items[i].held;
	}
	memcpy(to->leaks, from->leaks, sizeof(to->leaks));
	memcpy(to->pumps, from->pumps, sizeof(to->pumps));
	to->velocity = from->velocity;
	to->timeStep = from->timeStep;
	to->otherPush = from->otherPush;
	made->heldMass = (float)((double)TN_WATER_DENSITY * tnBodyHollows_GetHeld(to));
	tnBodyHollows_Settle(to, made->pose.rotation);
}

double tnBodies_GetHeld(const tnBodies* bodies)
{
	double held = 0.0;
	for (int i = 0; i < bodies->count; ++i)
	{
		held += tnBodyHollows_GetHeld(tnBodies_Get(bodies, bodies->list[i])->hollows);
	}
	return held;
}

uint64_t tnBodies_HashHeld(const tnBodies* bodies, uint64_t hash)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBodyHollows* hollows = tnBodies_Get(bodies, bodies->list[i])->hollows;
		for (int k = 0; hollows != NULL && k < hollows->mesh.count; ++k)
		{
			hash = tnHashBytes(hash, &hollows->items[k].held, sizeof(double));
		}
	}
	return hash;
}
