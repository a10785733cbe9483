// SPDX-License-Identifier: MIT

// Prints the table of docs/world.md: what a world and its layers take, as the world itself counts it.

#include <stdio.h>
#include <tarn/body.h>
#include <tarn/tarn.h>
#include <tarn/waves.h>

enum
{
	sizeCount = 2,
	bodyCount = 100,
};

typedef void ChangeFcn(tnWorldDef* def);

static void ChangeNothing(tnWorldDef* def)
{
	(void)def;
}

static void KeepNothing(tnWorldDef* def)
{
	def->keepPrevious = false;
}

static void UseLinear(tnWorldDef* def)
{
	def->method = tn_linearMethod;
}

static void UseShallow(tnWorldDef* def)
{
	def->method = tn_shallowMethod;
}

static void UseFine(tnWorldDef* def)
{
	def->method = tn_shallowMethod;
	def->advection = tn_fineAdvection;
}

static void AddTracer(tnWorldDef* def)
{
	def->tracerCount = 1;
}

static void AddTracers(tnWorldDef* def)
{
	def->tracerCount = TN_MAX_TRACERS;
}

static void AddWaves(tnWorldDef* def)
{
	def->waves.enable = true;
}

static void MoveWaves(tnWorldDef* def)
{
	def->waves.enable = true;
	def->waves.reserve = true;
}

static void AddSpray(tnWorldDef* def)
{
	def->spray.enable = true;
}

static void AddFoam(tnWorldDef* def)
{
	def->foam.enable = true;
}

static void AddSprayAndFoam(tnWorldDef* def)
{
	def->spray.enable = true;
	def->foam.enable = true;
}

typedef struct Line
{
	const char* name;
	ChangeFcn* change;
	bool hasBodies;
	// Of a world of the same kind without the layer.
	ChangeFcn* without;
} Line;

static const Line s_lines[] = {
	{"flow, pipe method", ChangeNothing, false, NULL},
	{"without `keepPrevious`", KeepNothing, false, NULL},
	{"flow, linear method", UseLinear, false, NULL},
	{"flow, shallow method", UseShallow, false, NULL},
	{"flow, shallow method, fine advection", UseFine, false, NULL},
	{"a tracer", AddTracer, false, ChangeNothing},
	{"eight tracers", AddTracers, false, ChangeNothing},
	{"100 boxes of 1 m", ChangeNothing, true, ChangeNothing},
	{"waves, as long as there are none", AddWaves, false, ChangeNothing},
	{"waves", MoveWaves, false, ChangeNothing},
	{"spray", AddSpray, false, ChangeNothing},
	{"foam", AddFoam, false, ChangeNothing},
	{"spray and foam", AddSprayAndFoam, false, ChangeNothing},
};

// @return bytes, 0 if the world could not be made
static size_t Measure(ChangeFcn* change, int side, bool hasBodies)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = side;
	def.rowCount = side;
	change(&def);
	tnWorld* world;
	tnResult result = tnCreateWorld(&def, &world);
	for (int i = 0; i < bodyCount && hasBodies && result.status == tn_ok; ++i)
	{
		const tnShapeDef shape = tnDefaultShapeDef();
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.pose.position = (tnVec3){10.0f + 2.0f * (float)(i % 10), 0.5f, 10.0f + 2.0f * (float)(i / 10)};
		tnBodyId id;
		result = tnWorld_CreateBody(world, &body, &id);
	}
	const size_t bytes = result.status == tn_ok ? tnWorld_GetStats(world).byteCount : 0;
	if (result.status != tn_ok)
	{
		fprintf(stderr, "%s\n", result.text);
	}
	tnDestroyWorld(world);
	return bytes;
}

int main(void)
{
	static const int sides[sizeCount] = {256, 1024};
	printf("| | 256 x 256 cells | 1024 x 1024 cells |\n|---|---|---|\n");
	for (size_t i = 0; i < sizeof(s_lines) / sizeof(s_lines[0]); ++i)
	{
		const Line* line = s_lines + i;
		printf("| %s |", line->name);
		for (int k = 0; k < sizeCount; ++k)
		{
			const size_t with = Measure(line->change, sides[k], line->hasBodies);
			const size_t without = line->without != NULL ? Measure(line->without, sides[k], false) : 0;
			if (with == 0 || with < without)
			{
				return 1;
			}
			printf(" %s%.2f MB |", line->without != NULL ? "+ " : "", 1.0e-6 * (double)(with - without));
		}
		printf("\n");
	}
	return 0;
}
