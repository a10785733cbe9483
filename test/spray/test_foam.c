// SPDX-License-Identifier: MIT

// Foam: how it is carried and fades against theory, where it is born and where not, limits, bits.

#include "golden.h"
#include "harness.h"
#include "spray/foam.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.141592653589793

static const float s_step = 1.0f / 60.0f;

enum
{
	foreverSeconds = 1000000000,
};

static tnWorldDef GetDef(int columns, int rows, float cellSize)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = cellSize;
	def.foam.enable = true;
	return def;
}

static bool StepMany(tnWorld* world, int count)
{
	bool ok = true;
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(world, s_step).status == tn_ok;
	}
	return ok;
}

static float FoamAt(const tnWorld* world, int column, int row)
{
	const tnFieldView view = tnWorld_GetFoam(world);
	return view.data[(ptrdiff_t)row * view.stride + column];
}

static double SumFoam(const tnWorld* world, float* most)
{
	const tnFieldView view = tnWorld_GetFoam(world);
	double sum = 0.0;
	float largest = 0.0f;
	for (int row = 0; row < view.rowCount; ++row)
	{
		for (int column = 0; column < view.columnCount; ++column)
		{
			const float f = view.data[(ptrdiff_t)row * view.stride + column];
			sum += f;
			largest = fmaxf(largest, f);
		}
	}
	if (most != NULL)
	{
		*most = largest;
	}
	return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Carried

// Where foam is on the mean in a world that wraps, in cells.
static void FindMiddle(const tnWorld* world, double* x, double* z)
{
	const tnFieldView view = tnWorld_GetFoam(world);
	double c[2] = {0.0, 0.0}, s[2] = {0.0, 0.0};
	for (int row = 0; row < view.rowCount; ++row)
	{
		for (int column = 0; column < view.columnCount; ++column)
		{
			const double f = view.data[(ptrdiff_t)row * view.stride + column];
			const double a = 2.0 * PI * (column + 0.5) / view.columnCount, b = 2.0 * PI * (row + 0.5) / view.rowCount;
			c[0] += f * cos(a);
			s[0] += f * sin(a);
			c[1] += f * cos(b);
			s[1] += f * sin(b);
		}
	}
	*x = fmod(atan2(s[0], c[0]) / (2.0 * PI) + 1.0, 1.0) * view.columnCount;
	*z = fmod(atan2(s[1], c[1]) / (2.0 * PI) + 1.0, 1.0) * view.rowCount;
}

// A patch in uniform flow, over tile borders and wrapped edges: it goes with the flow, nothing is lost, and it keeps its
// shape. With cells so small that foam goes over more than a third of one, steps are divided.
static int CheckUniformFlow(tnMethod method, float cellSize)
{
	tnWorldDef def = GetDef(141, 75, cellSize);
	def.method = method;
	def.foam.lifetime = foreverSeconds;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = tn_wrapEdge;
	}
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	const size_t count = (size_t)def.columnCount * (size_t)def.rowCount;
	float* velocities = malloc(2 * count * sizeof(float));
	ENSURE(velocities != NULL);
	const float u = 1.3f, w = -0.7f;
	for (size_t i = 0; i < count; ++i)
	{
		velocities[i] = u;
		velocities[count + i] = w;
	}
	ENSURE_OK(tnWorld_SetVelocities(world, velocities, velocities + count));
	free(velocities);
	const tnVec2 center = {100.5f * cellSize, 11.5f * cellSize};
	ENSURE_OK(tnWorld_AddFoam(world, center, 6.2f * cellSize, 0.8f));
	ENSURE(StepMany(world, 1));
	float first, last;
	const double before = SumFoam(world, &first);
	ENSURE_CLOSE(first, 0.8f, 1.0e-3);
	double x, z;
	FindMiddle(world, &x, &z);
	const int steps = (int)(60.0f / (u * s_step / cellSize));
	ENSURE(StepMany(world, steps));
	ENSURE_CLOSE(SumFoam(world, &last), before, 2.0e-6 * before);
	// First order would leave 0.28 of it, by its own diffusion u dx / 2.
	ENSURE(last > 0.55f && last < 0.801f);
	double x1, z1;
	FindMiddle(world, &x1, &z1);
	const double way = (double)u * steps * s_step / cellSize, wayZ = (double)w * steps * s_step / cellSize;
	ENSURE_CLOSE(fmod(x1 - x + 141.0, 141.0), way, 0.01 * way);
	ENSURE_CLOSE(fmod(z1 - z + 75.0, 75.0), fmod(wayZ + 75.0, 75.0), -0.01 * wayZ);
	tnDestroyWorld(world);
	return 0;
}

static int FoamGoesWithTheFlow(void)
{
	return CheckUniformFlow(tn_pipeMethod, 1.0f) + CheckUniformFlow(tn_linearMethod, 0.25f) +
		CheckUniformFlow(tn_shallowMethod, 0.025f);
}

// The layer alone, with a flow that a test makes up.
typedef struct Bench
{
	tnMemory memory;
	tnGrid grid;
	tnTiles tiles;
	tnFoam foam;
	tnBodies bodies;
	tnWaves waves;
	tnParallel* parallel;
	tnFoamStep step;
} Bench;

static bool OpenBench(Bench* bench, const tnWorldDef* def)
{
	memset(bench, 0, sizeof(*bench));
	tnMemory_Init(&bench->memory, &def->allocator, 0);
	bool ok = tnGrid_Create(&bench->grid, &bench->memory, def);
	ok = ok && tnTiles_Create(&bench->tiles, &bench->memory, &bench->grid, def);
	ok = ok && tnFoam_Create(&bench->foam, &bench->memory, &bench->grid, &def->foam);
	ok = ok && (bench->parallel = tnCreateParallel(&bench->memory, &def->tasks)) != NULL;
	bench->step = (tnFoamStep){.foam = &bench->foam,
		.grid = &bench->grid,
		.tiles = &bench->tiles,
		.bodies = &bench->bodies,
		.waves = &bench->waves,
		.parallel = bench->parallel,
		.kernels = tnGetFoamKernels(tn_simdAuto),
		.gravity = def->gravity,
		.timeStep = s_step};
	if (ok)
	{
		tnTiles_Refresh(&bench->tiles, &bench->grid);
	}
	return ok;
}

static void CloseBench(Bench* bench)
{
	tnDestroyParallel(bench->parallel, &bench->memory);
	tnFoam_Destroy(&bench->foam, &bench->memory);
	tnTiles_Destroy(&bench->tiles, &bench->memory);
	tnGrid_Destroy(&bench->grid, &bench->memory);
}

// Water that draws together along a line, u = -a x: dF/dt = a F there, so F grows as e^(a t), whatever the depth.
static int FoamGathersWhereTheFlowDrawsTogether(void)
{
	tnWorldDef def = GetDef(149, 71, 0.5f);
	def.foam.lifetime = foreverSeconds;
	def.foam.strength = 0.0f;
	Bench bench;
	ENSURE(OpenBench(&bench, &def));
	tnGrid* grid = &bench.grid;
	const float rate = 0.4f;
	for (int row = 0; row < def.rowCount; ++row)
	{
		for (int column = 0; column < def.columnCount; ++column)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			grid->depth[cell] = 2.0f;
			// Nothing through the edges, which are walls.
			const float x = ((float)column - 74.5f) * def.cellSize;
			grid->dischargeX[cell] = column == 0 ? 0.0f : -rate * x * 2.0f;
			tnFoam_Add(&bench.foam, grid, column, row, 0.25f);
		}
	}
	const int steps = 120;
	for (int i = 0; i < steps; ++i)
	{
		bench.step.stepCount = i;
		tnFoam_Step(&bench.step);
	}
	const double exact = 0.25 * exp((double)rate * steps * s_step);
	double sum = 0.0;
	for (int row = 0; row < def.rowCount; ++row)
	{
		for (int column = 0; column < def.columnCount; ++column)
		{
			sum += grid->foam[tnGrid_Index(grid, column, row)];
		}
		// What was further out than 74 cells at first is now within 33.
		for (int column = 46; column <= 102; ++column)
		{
			ENSURE_CLOSE(grid->foam[tnGrid_Index(grid, column, row)], exact, 4.0e-3 * exact);
		}
	}
	const double all = 0.25 * def.columnCount * def.rowCount;
	ENSURE_CLOSE(sum, all, 2.0e-6 * all);
	CloseBench(&bench);
	return 0;
}

// Over an open edge foam leaves, and none comes in; a wall keeps all of it.
static int FoamLeavesWithTheWater(void)
{
	for (int open = 0; open < 2; ++open)
	{
		tnWorldDef def = GetDef(45, 31, 1.0f);
		def.method = tn_linearMethod;
		def.foam.lifetime = foreverSeconds;
		def.foam.strength = 0.0f;
		def.edges[tn_west].kind = open == 1 ? tn_inflowEdge : tn_wallEdge;
		def.edges[tn_west].inflow = 2.0f;
		def.edges[tn_east].kind = open == 1 ? tn_openEdge : tn_wallEdge;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 0.8f));
		ENSURE_OK(tnWorld_AddFoam(world, (tnVec2){36.0f, 15.0f}, 4.0f, 1.0f));
		ENSURE(StepMany(world, 1));
		const double before = SumFoam(world, NULL);
		ENSURE(before > 40.0);
		ENSURE(StepMany(world, 60 * 20));
		const double after = SumFoam(world, NULL);
		if (open == 1)
		{
			ENSURE(after < 0.01 * before);
		}
		else
		{
			ENSURE_CLOSE(after, before, 1.0e-5 * before);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Fading

// On a lake at rest, whose tiles fall asleep at once: e^(-t / lifetime), and at last nothing.
static int FoamFadesWithoutWakingWater(void)
{
	tnWorldDef def = GetDef(201, 133, 1.0f);
	def.foam.lifetime = 2.0f;
	def.sleepTime = 0.1f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 3.0f));
	ENSURE(StepMany(world, 60));
	ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, 0);
	const tnVec2 center = {65.0f, 66.0f};
	ENSURE_OK(tnWorld_AddFoam(world, center, 9.0f, 1.0f));
	for (int step = 1; step <= 600; ++step)
	{
		ENSURE(StepMany(world, 1));
		ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, 0);
		const double exact = exp(-(double)step * s_step / def.foam.lifetime);
		ENSURE_CLOSE(FoamAt(world, 65, 66), exact, 1.0e-3 * exact);
		ENSURE_CLOSE(tnWorld_Sample(world, center).foam, exact / (1.0 + exact), 1.0e-3 * exact);
	}
	ENSURE(FoamAt(world, 65, 66) > 0.0f);
	ENSURE(StepMany(world, 300));
	ENSURE(SumFoam(world, NULL) == 0.0);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Births

// A lake with small waves, and a slow river: 0.8 m/s, 1 m deep, with bends in its ground.
static int CalmWaterMakesNone(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = GetDef(97, 41, 1.0f);
		def.method = (tnMethod)method;
		def.manning = 0.03f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
		ENSURE_OK(tnWorld_AddWater(world, (tnVec2){30.0f, 17.0f}, 6.0f, 20.0f, NULL));
		ENSURE(StepMany(world, 600));
		ENSURE(SumFoam(world, NULL) == 0.0);
		tnDestroyWorld(world);

		def.edges[tn_west].kind = tn_inflowEdge;
		def.edges[tn_west].inflow = 0.8f;
		def.edges[tn_east].kind = tn_levelEdge;
		def.edges[tn_east].level = 1.0f;
		ENSURE_OK(tnCreateWorld(&def, &world));
		// It flows from the beginning: a spring that starts at once sends a bore ahead.
		float bed[97 * 41], u[97 * 41], w[97 * 41] = {0};
		for (int i = 0; i < 97 * 41; ++i)
		{
			u[i] = 0.8f;
			bed[i] = 0.2f * sinf(0.2f * (float)(i % 97)) * cosf(0.25f * (float)(i / 97)) - 1.0e-3f * (float)(i % 97);
		}
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		ENSURE_OK(tnWorld_SetVelocities(world, u, w));
		ENSURE(StepMany(world, 1800));
		ENSURE(tnWorld_Sample(world, (tnVec2){50.0f, 20.0f}).velocity.x > 0.4f);
		ENSURE(SumFoam(world, NULL) == 0.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// A dam breaks over shallow water: foam along the bore, none behind the dam. Foam in m^2 per m of front, without fading.
static double BreakDam(float cellSize, float low, bool* onlyFront)
{
	const int columns = (int)(81.0f / cellSize), rows = 9;
	tnWorldDef def = GetDef(columns, rows, cellSize);
	def.method = tn_shallowMethod;
	def.foam.lifetime = foreverSeconds;
	tnWorld* world = NULL;
	float* depths = malloc((size_t)columns * (size_t)rows * sizeof(float));
	if (depths == NULL || tnCreateWorld(&def, &world).status != tn_ok)
	{
		free(depths);
		return -1.0;
	}
	for (int i = 0; i < columns * rows; ++i)
	{
		depths[i] = ((float)(i % columns) + 0.5f) * cellSize < 40.0f ? 2.0f : low;
	}
	const bool ok = tnWorld_SetDepths(world, depths).status == tn_ok && StepMany(world, 240);
	free(depths);
	const double sum = SumFoam(world, NULL);
	*onlyFront = true;
	for (int column = 0; column < columns && (float)column * cellSize < 36.0f; ++column)
	{
		*onlyFront = *onlyFront && FoamAt(world, column, 4) < 0.01f;
	}
	tnDestroyWorld(world);
	return ok ? sum * cellSize * cellSize / (rows * cellSize) : -1.0;
}

static int BoresAreWhite(void)
{
	bool onlyFront = false;
	const double coarse = BreakDam(0.5f, 0.5f, &onlyFront);
	ENSURE(coarse > 5.0 && onlyFront);
	const double fine = BreakDam(0.25f, 0.5f, &onlyFront);
	ENSURE(onlyFront);
	// The same front: nearly as much foam, whatever the cells are; with half of their size fronts are a little sharper.
	ENSURE_CLOSE(fine, coarse, 0.3 * coarse);
	// Bores that are too low to break.
	const double low = BreakDam(0.5f, 1.6f, &onlyFront);
	ENSURE(low < 0.02 * coarse);
	return 0;
}

// Water comes down a steep chute; and runs up a beach.
static int RapidsAndShoresAreWhite(void)
{
	for (int beach = 0; beach < 2; ++beach)
	{
		tnWorldDef def = GetDef(81, 31, 0.5f);
		def.method = tn_shallowMethod;
		def.manning = 0.03f;
		def.edges[tn_east].kind = beach == 1 ? tn_wallEdge : tn_openEdge;
		def.edges[tn_west].kind = beach == 1 ? tn_wallEdge : tn_inflowEdge;
		def.edges[tn_west].inflow = 0.8f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		float bed[81 * 31], depth[81 * 31];
		for (int i = 0; i < 81 * 31; ++i)
		{
			const float x = (float)(i % 81) * 0.5f;
			bed[i] = beach == 1 ? fmaxf(0.08f * (x - 15.0f), 0.0f) : -0.25f * fmaxf(x - 10.0f, 0.0f);
			depth[i] = beach == 1 ? fmaxf((x < 8.0f ? 1.6f : 0.8f) - bed[i], 0.0f) : 0.3f;
		}
		ENSURE_OK(tnWorld_SetTerrain(world, bed));
		ENSURE_OK(tnWorld_SetDepths(world, depth));
		ENSURE(StepMany(world, 60 * 7));
		if (beach == 0)
		{
			ENSURE(tnWorld_Sample(world, (tnVec2){35.0f, 7.7f}).foam > 0.2f);
			ENSURE(tnWorld_Sample(world, (tnVec2){6.0f, 7.7f}).foam < 0.02f);
		}
		else
		{
			// Above the water at rest, which ends at 25 m.
			double sum = 0.0;
			for (int column = 52; column < 81; ++column)
			{
				sum += (double)FoamAt(world, column, 15) * 0.5;
			}
			ENSURE(sum > 0.2);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// A buoy held in still water makes none, drawn through it a wake behind it.
static int BodiesLeaveWakes(void)
{
	tnWorldDef def = GetDef(121, 43, 0.5f);
	def.method = tn_shallowMethod;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 3.0f));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = 1.0f;
	tnBodyDef bodyDef = tnDefaultBodyDef();
	bodyDef.shapes = &shape;
	bodyDef.shapeCount = 1;
	bodyDef.pose.position = (tnVec3){10.0f, 3.0f, 10.7f};
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
	ENSURE(StepMany(world, 120));
	ENSURE(SumFoam(world, NULL) < 1.0e-3);
	tnPose pose = bodyDef.pose;
	for (int step = 0; step < 300; ++step)
	{
		pose.position.x += 4.0f * s_step;
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){4.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
		ENSURE(StepMany(world, 1));
	}
	ENSURE(tnWorld_Sample(world, (tnVec2){pose.position.x - 6.0f, 10.7f}).foam > 0.1f);
	ENSURE(tnWorld_Sample(world, (tnVec2){pose.position.x + 10.0f, 10.7f}).foam < 0.01f);
	tnDestroyWorld(world);
	return 0;
}

// What falls from a hose into a lake: foam where it comes down, and none with spray alone.
static int SplashesAreWhite(void)
{
	tnWorldDef def = GetDef(71, 53, 1.0f);
	def.spray.enable = true;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){10.0f, 12.0f, 26.0f};
	jet.velocity = (tnVec3){14.0f, 0.0f, 0.0f};
	jet.rate = 0.2f;
	tnJetId id;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
	ENSURE(StepMany(world, 600));
	const float x = 10.0f + 14.0f * sqrtf(2.0f * 10.0f / def.gravity);
	float most = 0.0f;
	for (int i = -3; i <= 3; ++i)
	{
		most = fmaxf(most, tnWorld_Sample(world, (tnVec2){x + (float)i, 26.0f}).foam);
	}
	ENSURE(most > 0.4f);
	ENSURE(tnWorld_Sample(world, (tnVec2){10.0f, 10.0f}).foam < 0.01f);
	tnDestroyWorld(world);
	return 0;
}

// Waves that lose 50 J for each square meter make F = 1; a centimeter of water that comes down with 6 m/s takes in 3 mm of air
// and 20 mm of bubbles are F = 1. In whole units, whatever the order.
static int BreakersAndSplashesMakeWhatTheyShould(void)
{
	tnWorldDef def = GetDef(71, 67, 0.5f);
	def.foam.lifetime = foreverSeconds;
	Bench bench;
	ENSURE(OpenBench(&bench, &def));
	tnGrid* grid = &bench.grid;
	tnBreaker breaker = {.position = {20.2f, 1.0f, 16.1f}, .wavelength = 8.0f, .amplitude = 0.3f, .energy = 400.0f};
	bench.waves.enabled = true;
	bench.waves.breakers = &breaker;
	bench.waves.breakerCount = 1;
	tnFoam_Step(&bench.step);
	double sum = 0.0;
	for (int row = 0; row < def.rowCount; ++row)
	{
		for (int column = 0; column < def.columnCount; ++column)
		{
			sum += (double)grid->foam[tnGrid_Index(grid, column, row)] * 0.25;
		}
	}
	ENSURE_CLOSE(sum, 400.0 / 50.0, 1.0e-3 * sum);
	// Beyond the edge there is no water to cover.
	breaker.position.x = -3.0f;
	tnFoam_Step(&bench.step);
	bench.waves.breakerCount = 0;
	tnFoam_AddSplash(&bench.foam, grid, 3, 66, 0.01f, 6.0f);
	tnFoam_AddSplash(&bench.foam, grid, 5, 66, 0.5f, 1.0f);
	tnFoam_Step(&bench.step);
	ENSURE_CLOSE(grid->foam[tnGrid_Index(grid, 3, 66)], 0.06 * 5.0 * 0.01 / 0.02, 2.0 / 65536.0);
	ENSURE(grid->foam[tnGrid_Index(grid, 5, 66)] == 0.0f);
	ENSURE(grid->foam[tnGrid_Index(grid, 0, 32)] == 0.0f);
	CloseBench(&bench);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits

enum
{
	busyColumns = 131,
	busyRows = 75,
};

// A dam breaks into a valley with an island. @param mirror 1: west and east, 2: north and south change places
static tnWorld* MakeBusy(tnWorldDef* def, int mirror)
{
	static float bed[busyColumns * busyRows], depth[busyColumns * busyRows];
	tnWorld* world = NULL;
	def->edges[mirror == 1 ? tn_west : tn_east].kind = tn_openEdge;
	if (tnCreateWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	for (int i = 0; i < busyColumns * busyRows; ++i)
	{
		const int column = i % busyColumns, row = i / busyColumns;
		const int to =
			(mirror == 2 ? busyRows - 1 - row : row) * busyColumns + (mirror == 1 ? busyColumns - 1 - column : column);
		const float x = (float)column - 60.0f, z = (float)row - 30.0f;
		bed[to] = fmaxf(4.0f - 0.05f * (x * x + z * z), 0.0f) + 0.02f * (float)row;
		depth[to] = column < 31 && row > 9 ? 4.0f : 0.3f;
	}
	if (tnWorld_SetTerrain(world, bed).status != tn_ok || tnWorld_SetDepths(world, depth).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static int CheckMirror(tnMethod method, int mirror)
{
	tnWorld* worlds[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorldDef def = GetDef(busyColumns, busyRows, 1.0f);
		def.method = method;
		def.manning = 0.02f;
		def.enableSleep = false;
		worlds[i] = MakeBusy(&def, i == 0 ? 0 : mirror);
		ENSURE(worlds[i] != NULL);
		ENSURE(StepMany(worlds[i], 300));
	}
	ENSURE(SumFoam(worlds[0], NULL) > 50.0);
	for (int i = 0; i < busyColumns * busyRows; ++i)
	{
		const int column = i % busyColumns, row = i / busyColumns;
		const float a = FoamAt(worlds[0], column, row);
		const float b =
			FoamAt(worlds[1], mirror == 1 ? busyColumns - 1 - column : column, mirror == 2 ? busyRows - 1 - row : row);
		ENSURE(memcmp(&a, &b, sizeof(float)) == 0);
	}
	tnDestroyWorld(worlds[0]);
	tnDestroyWorld(worlds[1]);
	return 0;
}

static int MirroredScenesHaveMirroredFoam(void)
{
	return CheckMirror(tn_pipeMethod, 1) + CheckMirror(tn_pipeMethod, 2) + CheckMirror(tn_linearMethod, 1) +
		CheckMirror(tn_linearMethod, 2);
}

// Foam is never negative, and the water does not feel it.
static int WaterDoesNotFeelFoam(void)
{
	tnWorldDef def = GetDef(busyColumns, busyRows, 1.0f);
	def.keepDischarge = true;
	tnWorld* with = MakeBusy(&def, 0);
	def.foam.enable = false;
	tnWorld* without = MakeBusy(&def, 0);
	ENSURE(with != NULL && without != NULL);
	ENSURE(StepMany(with, 200) && StepMany(without, 200));
	const tnFieldView a = tnWorld_GetDepth(with), b = tnWorld_GetDepth(without);
	for (int row = 0; row < busyRows; ++row)
	{
		ENSURE(memcmp(a.data + (ptrdiff_t)row * a.stride, b.data + (ptrdiff_t)row * b.stride,
				   busyColumns * sizeof(float)) == 0);
		for (int column = 0; column < busyColumns; ++column)
		{
			ENSURE(FoamAt(with, column, row) >= 0.0f);
		}
	}
	ENSURE(tnWorld_GetFoam(without).data == NULL);
	ENSURE(tnWorld_GetHash(with) != tnWorld_GetHash(without));
	tnDestroyWorld(with);
	tnDestroyWorld(without);
	return 0;
}

static int BitsAreGolden(void)
{
	static const tnSimd sets[2] = {tn_simdAuto, tn_simdScalar};
	for (int i = 0; i < 4; ++i)
	{
		tnWorldDef def = GetDef(busyColumns, busyRows, 1.0f);
		def.method = tn_shallowMethod;
		def.spray.enable = true;
		def.tasks.workerCount = i == 2 ? 3 : 1 + i % 2;
		def.simd = sets[i / 3];
		tnWorld* world = MakeBusy(&def, 0);
		ENSURE(world != NULL);
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){90.0f, 9.0f, 44.0f};
		jet.velocity = (tnVec3){3.0f, 1.0f, 2.0f};
		tnJetId id;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &id));
		ENSURE(StepMany(world, 400));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), TNC_GOLDEN_FOAM);
		tnDestroyWorld(world);
	}
	return 0;
}

// Edges wrap and do so no more: what was wrapped there is gone, for every instruction set.
static int EdgesMayStopWrapping(void)
{
	static const tnEdgeKind kinds[4] = {tn_wallEdge, tn_openEdge, tn_levelEdge, tn_wrapEdge};
	TestRandom random = TestMakeRandom(41);
	for (int i = 0; i < 12; ++i)
	{
		tnWorldDef def = GetDef(TestRandomInt(&random, 4, 70), TestRandomInt(&random, 4, 70), 1.0f);
		tnWorld* worlds[4] = {NULL};
		static const tnSimd sets[4] = {tn_simdScalar, tn_simdSse2, tn_simdAvx2, tn_simdAuto};
		for (int k = 0; k < 4; ++k)
		{
			def.simd = tnIsSimdAvailable(sets[k]) ? sets[k] : tn_simdAuto;
			ENSURE_OK(tnCreateWorld(&def, worlds + k));
			ENSURE_OK(tnWorld_FillToLevel(worlds[k], 0.5f));
		}
		for (int round = 0; round < 6; ++round)
		{
			tnEdgeDef edges[tn_sideCount];
			const tnEdgeKind alongX = kinds[round % 2 == 0 ? 3 : TestRandomInt(&random, 0, 2)];
			const tnEdgeKind alongZ = kinds[TestRandomInt(&random, 0, 3)];
			for (int side = 0; side < tn_sideCount; ++side)
			{
				edges[side] = tnDefaultEdgeDef();
				edges[side].kind = side < 2 ? alongX : alongZ;
			}
			const float z = TestRandomFloat(&random, 0.0f, (float)def.rowCount);
			const float speed = TestRandomFloat(&random, -3.0f, 3.0f);
			const int stepCount = TestRandomInt(&random, 1, 5);
			for (int k = 0; k < 4; ++k)
			{
				ENSURE_OK(tnWorld_SetEdges(worlds[k], edges));
				ENSURE_OK(tnWorld_AddFoam(worlds[k], (tnVec2){0.0f, z}, 3.0f, 1.0f));
				ENSURE_OK(tnWorld_AddFoam(worlds[k], (tnVec2){(float)def.columnCount, z}, 3.0f, 0.7f));
				const float area = (float)(def.columnCount * def.rowCount);
				ENSURE_OK(tnWorld_AddImpulse(worlds[k], (tnVec2){0.5f * (float)def.columnCount, z},
					(float)def.columnCount, (tnVec2){500.0f * speed * area, 100.0f * area}));
				ENSURE(StepMany(worlds[k], stepCount));
				ENSURE_EQUAL_HEX(tnWorld_GetHash(worlds[k]), tnWorld_GetHash(worlds[0]));
			}
		}
		for (int k = 0; k < 4; ++k)
		{
			tnDestroyWorld(worlds[k]);
		}
	}
	return 0;
}

static int BadInputIsNamed(void)
{
	tnWorldDef def = GetDef(21, 17, 1.0f);
	tnWorld* world = NULL;
	def.foam.lifetime = 0.0f;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "foam.lifetime");
	def.foam.lifetime = NAN;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "foam.lifetime");
	def.foam.lifetime = 8.0f;
	def.foam.strength = -1.0f;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "foam.strength");
	def.foam.enable = false;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const tnVec2 center = {4.0f, 4.0f};
	ENSURE_REFUSED(tnWorld_AddFoam(world, center, 1.0f, 1.0f), tn_notAvailable, "foam.enable");
	ENSURE(tnWorld_GetFoam(world).data == NULL && tnWorld_GetFoam(NULL).data == NULL);
	ENSURE(tnWorld_Sample(world, center).foam == 0.0f);
	tnDestroyWorld(world);
	def.foam.enable = true;
	def.foam.strength = 1.0f;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_REFUSED(tnWorld_AddFoam(NULL, center, 1.0f, 1.0f), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnWorld_AddFoam(world, (tnVec2){-3.0f, 4.0f}, 1.0f, 1.0f), tn_invalidArgument, "center");
	ENSURE_REFUSED(tnWorld_AddFoam(world, center, 0.0f, 1.0f), tn_invalidArgument, "radius");
	ENSURE_REFUSED(tnWorld_AddFoam(world, center, 1.0f, NAN), tn_invalidArgument, "amount");
	ENSURE_REFUSED(tnWorld_AddFoam(world, center, 1.0f, -0.5f), tn_invalidArgument, "amount");
	ENSURE_REFUSED(tnWorld_AddFoam(world, center, 1.0f, 1001.0f), tn_invalidArgument, "amount");
	// As much as fits, many times.
	for (int i = 0; i < 100; ++i)
	{
		ENSURE_OK(tnWorld_AddFoam(world, center, 2.0f, 1000.0f));
	}
	ENSURE_OK(tnWorld_Step(world, 10.0f));
	ENSURE(FoamAt(world, 4, 4) > 0.0f && FoamAt(world, 4, 4) <= 1000.0f);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"FoamGoesWithTheFlow", FoamGoesWithTheFlow},
	{"FoamGathersWhereTheFlowDrawsTogether", FoamGathersWhereTheFlowDrawsTogether},
	{"FoamLeavesWithTheWater", FoamLeavesWithTheWater},
	{"FoamFadesWithoutWakingWater", FoamFadesWithoutWakingWater},
	{"CalmWaterMakesNone", CalmWaterMakesNone},
	{"BoresAreWhite", BoresAreWhite},
	{"RapidsAndShoresAreWhite", RapidsAndShoresAreWhite},
	{"BodiesLeaveWakes", BodiesLeaveWakes},
	{"SplashesAreWhite", SplashesAreWhite},
	{"BreakersAndSplashesMakeWhatTheyShould", BreakersAndSplashesMakeWhatTheyShould},
	{"MirroredScenesHaveMirroredFoam", MirroredScenesHaveMirroredFoam},
	{"WaterDoesNotFeelFoam", WaterDoesNotFeelFoam},
	{"BitsAreGolden", BitsAreGolden},
	{"EdgesMayStopWrapping", EdgesMayStopWrapping},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite foamSuite = TEST_SUITE("foam", s_tests);
