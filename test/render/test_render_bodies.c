// SPDX-License-Identifier: MIT

// Bodies in pictures: waterlines, shadows, boats that stay dry.

#include "bodies/draw_bodies.h"
#include "canvas.h"
#include "tarn/body.h"
#include "water/water.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columns = 61,
	rows = 47,
};

static const float s_cell = 0.25f;

// A basin with a level bed at 0, 15.25 m by 11.75 m. Bodies of tests are at about its middle.
static tnWorld* MakeBasin(float level)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = s_cell;
	// Waves of the start die within seconds.
	def.friction = 1.0f;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status == tn_ok && level > 0.0f)
	{
		(void)tnWorld_FillToLevel(world, level);
	}
	return world;
}

static tnQuat MakeTurn(float x, float y, float z, float angle)
{
	const float s = sinf(0.5f * angle) / sqrtf(x * x + y * y + z * z);
	return (tnQuat){x * s, y * s, z * s, cosf(0.5f * angle)};
}

static const tnQuat s_upright = {0.0f, 0.0f, 0.0f, 1.0f};

static tnBodyId AddShape(tnWorld* world, const tnShapeDef* shape, tnVec3 place, tnQuat turn)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shape;
	def.shapeCount = 1;
	def.mass = INFINITY;
	def.mode = tn_blockingBody;
	def.pose = (tnPose){place, turn};
	tnBodyId id = {0};
	const tnResult result = tnWorld_CreateBody(world, &def, &id);
	if (result.status != tn_ok)
	{
		printf("%s\n", result.text);
	}
	return id;
}

static tnBodyId AddBox(tnWorld* world, tnVec3 half, tnVec3 place, tnQuat turn)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = half;
	return AddShape(world, &shape, place, turn);
}

// An open box: outer half extents, walls and floor of a thickness.
static tnBodyId AddTub(tnWorld* world, tnVec3 half, float wall, tnVec3 place)
{
	tnVec3 points[16];
	for (int i = 0; i < 8; ++i)
	{
		const float x = (i & 1) != 0 ? 1.0f : -1.0f, y = (i & 2) != 0 ? 1.0f : -1.0f, z = (i & 4) != 0 ? 1.0f : -1.0f;
		points[i] = (tnVec3){x * half.x, y * half.y, z * half.z};
		// The top of the inner box is that of the outer one.
		points[8 + i] = (tnVec3){x * (half.x - wall), y > 0.0f ? half.y : -half.y + wall, z * (half.z - wall)};
	}
	// Outside, rim, inside; corners counterclockwise as seen from where water or air is.
	static const int quads[14][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {0, 2, 3, 1}, {4, 5, 7, 6},
		{2, 10, 11, 3}, {6, 7, 15, 14}, {2, 6, 14, 10}, {3, 11, 15, 7}, {8, 10, 14, 12}, {9, 13, 15, 11},
		{8, 12, 13, 9}, {8, 9, 11, 10}, {12, 14, 15, 13}};
	int32_t triangles[14 * 6];
	for (int i = 0; i < 14; ++i)
	{
		const int* q = quads[i];
		const int32_t corners[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
		memcpy(triangles + 6 * i, corners, sizeof(corners));
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = points;
	shape.pointCount = 16;
	shape.triangles = triangles;
	shape.triangleCount = 28;
	return AddShape(world, &shape, place, s_upright);
}

static bool Run(tnWorld* world, int stepCount)
{
	for (int i = 0; i < stepCount; ++i)
	{
		if (tnWorld_Step(world, 1.0f / 60.0f).status != tn_ok)
		{
			return false;
		}
	}
	return true;
}

// Water like ink: whatever is under it is black, and it mirrors nothing that moves.
static void UseInk(tnrLook* look)
{
	look->absorption = (tnVec3){60.0f, 60.0f, 60.0f};
	look->scatter = (tnVec3){0.0f, 0.0f, 0.0f};
	look->ripples = look->glitter = look->caustics = look->foam = 0.0f;
}

static const tnrBodyLook s_white = {.color = {0.9f, 0.9f, 0.9f}, .material = tnr_paintMaterial};

// ---------------------------------------------------------------------------------------------------------------------
// The surface around bodies

// Parts of the renderer, without its picture.
typedef struct Parts
{
	tnrHeadless* headless;
	tnrGround ground;
	tnrWater water;
	tnrBodies bodies;
} Parts;

static bool OpenParts(Parts* parts, const tnWorld* world)
{
	const tnrGroundDef ground = tnrDefaultGroundDef();
	parts->headless = tnrCreateHeadless(16, 16, NULL);
	return parts->headless != NULL && tnrMakeGround(&parts->ground, world, &ground) &&
		tnrMakeWater(&parts->water, world) && tnrMakeBodies(&parts->bodies);
}

static void UpdateParts(Parts* parts, const tnWorld* world, float alpha)
{
	tnrUpdateBodies(&parts->bodies, world, alpha);
	tnrUpdateWater(&parts->water, world, alpha);
}

static void CloseParts(Parts* parts)
{
	tnrDestroyGround(&parts->ground);
	tnrDestroyWater(&parts->water);
	tnrDestroyBodies(&parts->bodies);
	tnrDestroyHeadless(parts->headless);
}

// Farthest that the drawn surface is from a level, in the cells of a rectangle.
static float GetUnevenness(const Parts* parts, float level, int west, int east, int north, int south)
{
	float most = 0.0f;
	for (int row = north; row <= south; ++row)
	{
		for (int column = west; column <= east; ++column)
		{
			most = fmaxf(most, fabsf(tnSurface_Get(parts->water.surface, tn_surfaceHeight, column, row) - level));
		}
	}
	return most;
}

// A floating box that rests on a calm lake, askew over the grid, leaves no dent and no bump in what is drawn: not
// beside it, and not where the surface passes through it either.
static int NoDentAroundFloatingBox(void)
{
	static Parts parts;
	static const float turns[3] = {0.0f, 0.3f, 0.785f};
	for (int i = 0; i < 3; ++i)
	{
		tnWorld* world = MakeBasin(1.0f);
		ENSURE(world != NULL);
		// 15.25 m by 11.75 m with a box of 1 m by 1 m that is 0.4 m deep in it: higher by 2.2 mm.
		AddBox(world, (tnVec3){0.5f, 0.5f, 0.5f}, (tnVec3){7.03f, 1.1f, 5.97f}, MakeTurn(0.0f, 1.0f, 0.0f, turns[i]));
		ENSURE(Run(world, 1200));
		const float level = 1.0f + 0.4022f / (columns * rows * s_cell * s_cell);
		ENSURE(OpenParts(&parts, world));
		UpdateParts(&parts, world, 1.0f);
		// Waves of the start are down to a millimeter.
		ENSURE_CLOSE(GetUnevenness(&parts, level, 18, 38, 14, 33), 0.0, 1.5e-3);
		CloseParts(&parts);
		tnDestroyWorld(world);
	}
	return 0;
}

// A wall of boxes across the basin, water on one side only: full height up to the wall, nothing behind it.
static int WaterStandsAgainstDam(void)
{
	static Parts parts;
	tnWorld* world = MakeBasin(0.0f);
	ENSURE(world != NULL);
	// Five cells thick, from x = 6.9 to 8.1: neither face is on a border between cells.
	AddBox(world, (tnVec3){0.6f, 1.0f, 10.0f}, (tnVec3){7.5f, 1.0f, 5.9f}, s_upright);
	static float depths[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		depths[i] = i % columns < 27 ? 1.2f : 0.0f;
	}
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	ENSURE(Run(world, 900));
	ENSURE(OpenParts(&parts, world));
	UpdateParts(&parts, world, 1.0f);
	const tnSample sample = tnWorld_Sample(world, (tnVec2){3.0f, 6.0f});
	ENSURE(sample.wet);
	// Cell 28 has its middle inside of the wall, at 7.125; up to there the surface is level.
	ENSURE_CLOSE(GetUnevenness(&parts, sample.surface, 10, 28, 1, rows - 2), 0.0, 3.0e-3);
	// Behind the wall, from cell 33 on, it lies nowhere above the ground.
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 33; column < columns; ++column)
		{
			ENSURE(tnSurface_Get(parts.water.surface, tn_surfaceHeight, column, row) <= 1.0e-3f);
		}
	}
	CloseParts(&parts);
	tnDestroyWorld(world);
	return 0;
}

// Where the face of a floating box meets the water, light turns into ink: at the height of the surface, to the pixel.
static int WaterlineIsWhereTheSurfaceIs(void)
{
	static Canvas canvas;
	tnWorld* world = MakeBasin(1.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	const tnBodyId box = AddBox(world, (tnVec3){0.6f, 0.5f, 0.5f}, (tnVec3){7.6f, 1.15f, 6.0f}, s_upright);
	ENSURE(Run(world, 900));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrRenderer_SetBodyLook(canvas.renderer, box, &s_white);
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	tnrFrame frame =
		MakeFrame(&canvas, (tnrCamera){.eye = {7.6f, 4.4f, 10.0f}, .target = {7.6f, 1.1f, 6.5f}, .fieldOfView = 0.4f});
	UseInk(&frame.look);
	frame.look.sunAzimuth = 1.2f; // behind the camera, on the face
	Draw(&canvas, &frame);
	const float surface = tnWorld_Sample(world, (tnVec2){7.6f, 7.0f}).surface;
	int checked = 0;
	for (float x = 7.1f; x < 8.1f; x += 0.05f)
	{
		const Spot line = Project(&frame.camera, (tnVec3){x, surface, 6.5f});
		const Spot top = Project(&frame.camera, (tnVec3){x, 1.6f, 6.5f});
		const int column = (int)line.x;
		// Wet wood is darker than dry wood, but ink is black: half of the light of the wet band above the line.
		int y = (int)top.y + 4;
		while (y < height - 1 && GetLight(GetPixel(canvas.pixels, column, y)) > 32.0f)
		{
			++y;
		}
		// The line lies between two pixels, and a millimeter of ink is not black yet.
		ENSURE_CLOSE(y, line.y, 2.0);
		// Dry above: as bright as painted white is.
		ENSURE(GetLight(GetPixel(canvas.pixels, column, (int)top.y + 3)) > 100.0f);
		// Ink below.
		ENSURE(GetLight(GetPixel(canvas.pixels, column, (int)line.y + 6)) < 40.0f);
		++checked;
	}
	ENSURE(checked > 15);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Boats

static float GetTubLight(float y, bool* good)
{
	static Canvas canvas;
	tnWorld* world = MakeBasin(1.0f);
	*good = world != NULL && OpenCanvas(&canvas);
	const tnBodyId tub = AddTub(world, (tnVec3){1.2f, 0.4f, 0.8f}, 0.1f, (tnVec3){7.6f, y, 6.0f});
	*good = *good && tub.index1 != 0 && tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok;
	tnrRenderer_SetBodyLook(canvas.renderer, tub, &s_white);
	tnrFrame frame =
		MakeFrame(&canvas, (tnrCamera){.eye = {7.6f, 8.0f, 8.0f}, .target = {7.6f, 1.0f, 6.0f}, .fieldOfView = 0.5f});
	UseInk(&frame.look);
	frame.look.shadows = 0.0f;
	Draw(&canvas, &frame);
	// In the middle of the floor.
	const Spot spot = Project(&frame.camera, (tnVec3){7.6f, y - 0.3f, 6.0f});
	const float light = GetLight(GetPixel(canvas.pixels, (int)spot.x, (int)spot.y));
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return light;
}

// The floor of a boat lies below the lake and is dry; when the rim goes under it is not.
static int BoatsStayDryInside(void)
{
	bool good = false;
	const float afloat = GetTubLight(1.05f, &good);
	ENSURE(good);
	const float sunk = GetTubLight(0.45f, &good);
	ENSURE(good);
	ENSURE(afloat > 100.0f);
	ENSURE(sunk < 40.0f);
	return 0;
}

// Light of the floor and of the far wall of a tub that holds some water, just below and just above its surface.
static bool LookIntoTub(double share, tnQuat turn, float* floorLight, float* below, float* above)
{
	static Canvas canvas;
	tnWorld* world = MakeBasin(1.0f);
	bool good = world != NULL && OpenCanvas(&canvas);
	const tnBodyId tub = AddTub(world, (tnVec3){1.2f, 0.4f, 0.8f}, 0.1f, (tnVec3){7.6f, 1.15f, 6.0f});
	const tnPose pose = {{7.6f, 1.15f, 6.0f}, turn};
	tnHollowState state = {0};
	good = good && tnWorld_MoveBody(world, tub, &pose, (tnVec3){0}, (tnVec3){0}).status == tn_ok &&
		tnWorld_GetHollow(world, tub, 0, &state).status == tn_ok &&
		tnWorld_SetHollowWater(world, tub, 0, share * (double)state.volume).status == tn_ok &&
		tnWorld_GetHollow(world, tub, 0, &state).status == tn_ok &&
		tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok;
	tnrRenderer_SetBodyLook(canvas.renderer, tub, &s_white);
	tnrFrame frame =
		MakeFrame(&canvas, (tnrCamera){.eye = {7.6f, 6.0f, 10.0f}, .target = {7.6f, 1.0f, 6.0f}, .fieldOfView = 0.5f});
	UseInk(&frame.look);
	frame.look.shadows = 0.0f;
	frame.look.sunAzimuth = 1.2f; // behind the camera
	Draw(&canvas, &frame);
	const Spot middle = Project(&frame.camera, (tnVec3){7.6f, 0.85f, 6.1f});
	const Spot line = Project(&frame.camera, (tnVec3){7.6f, state.level, 5.3f});
	*floorLight = GetLight(GetPixel(canvas.pixels, (int)middle.x, (int)middle.y));
	*below = GetLight(GetPixel(canvas.pixels, (int)line.x, (int)line.y + 4));
	*above = GetLight(GetPixel(canvas.pixels, (int)line.x, (int)line.y - 4));
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return good;
}

// Water in a boat is seen where the library says it stands, whether the lake around is higher or lower, and in no boat that is dry.
static int HeldWaterIsDrawn(void)
{
	static const double shares[] = {0.15, 0.3, 0.45, 0.6};
	float floorLight, below, above;
	ENSURE(LookIntoTub(0.0, s_upright, &floorLight, &below, &above));
	ENSURE(floorLight > 100.0f);
	for (int i = 0; i < 4; ++i)
	{
		// Level water in a boat that leans, too.
		const tnQuat turn = MakeTurn(0.0f, 0.0f, 1.0f, i % 2 == 0 ? 0.0f : 0.1f);
		ENSURE(LookIntoTub(shares[i], turn, &floorLight, &below, &above));
		ENSURE(floorLight < 40.0f);
		ENSURE(below < 40.0f);
		ENSURE(above > 80.0f);
	}
	return 0;
}

// Without hollows nothing keeps the lake out, and nothing is drawn as if.
static int LidsAreThoseOfTheWorld(void)
{
	static Parts parts;
	tnWorld* world = MakeBasin(0.5f);
	ENSURE(world != NULL);
	const tnBodyId tub = AddTub(world, (tnVec3){1.2f, 0.4f, 0.8f}, 0.1f, (tnVec3){7.6f, 1.0f, 6.0f});
	AddBox(world, (tnVec3){1.2f, 0.4f, 0.8f}, (tnVec3){4.0f, 1.0f, 6.0f}, s_upright);
	ENSURE(OpenParts(&parts, world));
	UpdateParts(&parts, world, 1.0f);
	tnBodyMesh room;
	ENSURE_OK(tnWorld_GetHollowMesh(world, tub, 0, &room));
	ENSURE_EQUAL_INT(parts.bodies.shapes.items[parts.bodies.items[0].shape].roomVertexCount, 3 * room.triangleCount);
	ENSURE_EQUAL_INT(parts.bodies.shapes.items[parts.bodies.items[1].shape].roomVertexCount, 0);
	ENSURE_EQUAL_INT(parts.bodies.heldCount, 0);
	ENSURE_OK(tnWorld_SetHollowWater(world, tub, 0, 0.5));
	UpdateParts(&parts, world, 1.0f);
	ENSURE(parts.bodies.heldCount > 0);
	tnHollowState state;
	ENSURE_OK(tnWorld_GetHollow(world, tub, 0, &state));
	for (int i = 0; i < parts.bodies.heldCount; ++i)
	{
		ENSURE_CLOSE(parts.bodies.held[3 * i + 1], state.level, 1.0e-5);
	}
	ENSURE_CLOSE(parts.bodies.items[0].levels[0], state.level, 1.0e-6);
	ENSURE(parts.bodies.items[0].levels[1] == TNR_NO_HEIGHT);
	CloseParts(&parts);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Light

static float GetMeanLight(const Canvas* canvas, const tnrFrame* frame, tnVec3 place)
{
	const Spot spot = Project(&frame->camera, place);
	float sum = 0.0f;
	for (int i = 0; i < 25; ++i)
	{
		sum += GetLight(GetPixel(canvas->pixels, (int)spot.x + i % 5 - 2, (int)spot.y + i / 5 - 2));
	}
	return sum / 25.0f;
}

// A box in the air over dry ground throws a shadow where the sun says, and leaves no trace when it is gone.
static int BodiesThrowShadows(void)
{
	static Canvas canvas;
	static uint8_t without[byteCount];
	tnWorld* world = MakeBasin(0.0f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrFrame frame =
		MakeFrame(&canvas, (tnrCamera){.eye = {7.5f, 9.0f, 14.0f}, .target = {7.5f, 0.0f, 6.0f}, .fieldOfView = 0.8f});
	frame.look.sunAzimuth = 3.1415927f; // in the west
	frame.look.sunElevation = 0.7853982f;
	Draw(&canvas, &frame);
	memcpy(without, canvas.pixels, byteCount);
	// The sun stands at 45 degrees: a box 2 m up throws its shadow 2 m to the east.
	const tnVec3 shaded = {9.0f, 0.0f, 6.0f}, lit = {5.0f, 0.0f, 6.0f};
	const float before = GetMeanLight(&canvas, &frame, shaded), beforeLit = GetMeanLight(&canvas, &frame, lit);
	const tnBodyId box = AddBox(world, (tnVec3){0.5f, 0.5f, 0.5f}, (tnVec3){7.0f, 2.0f, 6.0f}, s_upright);
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	ENSURE(GetMeanLight(&canvas, &frame, shaded) < 0.75f * before);
	ENSURE_CLOSE(GetMeanLight(&canvas, &frame, lit), beforeLit, 1.0);
	ENSURE_OK(tnWorld_DestroyBody(world, box));
	tnrRenderer_Update(canvas.renderer, world, 1.0f);
	Draw(&canvas, &frame);
	ENSURE(memcmp(without, canvas.pixels, byteCount) == 0);
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The list

// Poses between two states, by the velocity that led from one to the other.
static int PosesAreInterpolated(void)
{
	static Parts parts;
	tnWorld* world = MakeBasin(0.0f);
	ENSURE(world != NULL);
	const tnBodyId box = AddBox(world, (tnVec3){0.5f, 0.5f, 0.5f}, (tnVec3){4.0f, 2.0f, 6.0f}, s_upright);
	const tnPose pose = {{4.1f, 2.0f, 6.0f}, s_upright};
	ENSURE_OK(tnWorld_MoveBody(world, box, &pose, (tnVec3){6.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 3.0f, 0.0f}));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE(OpenParts(&parts, world));
	static const float alphas[3] = {0.0f, 0.25f, 1.0f};
	for (int i = 0; i < 3; ++i)
	{
		UpdateParts(&parts, world, alphas[i]);
		const float back = (1.0f - alphas[i]) / 60.0f;
		ENSURE_CLOSE(parts.bodies.items[0].place.x, 4.1f - 6.0f * back, 1.0e-4);
		// An eighth of a turn and so on: half of the angle about y.
		ENSURE_CLOSE(parts.bodies.items[0].rotation.y, sinf(-0.5f * 3.0f * back), 1.0e-4);
	}
	CloseParts(&parts);
	tnDestroyWorld(world);
	return 0;
}

// A thousand crates of many sizes are one mesh; those that go make room for others, and bodies outside do no harm.
static int ManyBodiesShareMeshes(void)
{
	enum
	{
		count = 1000
	};
	static Canvas canvas;
	static Parts parts;
	static tnBodyId ids[count];
	tnWorld* world = MakeBasin(0.0f);
	ENSURE(world != NULL);
	for (int i = 0; i < count; ++i)
	{
		const tnVec3 half = {0.05f + 0.0001f * (float)i, 0.08f, 0.06f};
		const tnVec3 place = {0.4f * (float)(i % 50) - 2.0f, 0.2f + (float)(i / 500), 0.5f * (float)(i / 50 % 10)};
		ids[i] = AddBox(world, half, place, MakeTurn(1.0f, 2.0f, 0.5f, 0.01f * (float)i));
		ENSURE(ids[i].index1 != 0);
	}
	ENSURE(OpenCanvas(&canvas));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(world));
	Draw(&canvas, &frame);
	const int withBodies = tnrRenderer_GetTimings(canvas.renderer).triangles;
	CloseCanvas(&canvas);
	ENSURE(OpenParts(&parts, world));
	UpdateParts(&parts, world, 1.0f);
	ENSURE_EQUAL_INT(parts.bodies.shapes.count, 1);
	ENSURE_EQUAL_INT(parts.bodies.shapes.items[0].userCount, count);
	for (int i = 0; i < count; i += 2)
	{
		ENSURE_OK(tnWorld_DestroyBody(world, ids[i]));
	}
	tnShapeDef ball = tnDefaultShapeDef();
	ball.kind = tn_sphereShape;
	ball.radius = 0.3f;
	ENSURE(AddShape(world, &ball, (tnVec3){3.0f, 1.0f, 3.0f}, s_upright).index1 != 0);
	UpdateParts(&parts, world, 1.0f);
	ENSURE_EQUAL_INT(parts.bodies.shapes.count, 2);
	ENSURE_EQUAL_INT(parts.bodies.shapes.items[0].userCount, count / 2);
	ENSURE_EQUAL_INT(parts.bodies.shapes.items[1].form, tnr_ballForm);
	CloseParts(&parts);
	// Most of them are in sight, and drawn twice: once for the sun.
	ENSURE(withBodies > 2 * 12 * count * 3 / 4);
	tnDestroyWorld(world);
	return 0;
}

// Whatever look a caller asks for, and whoever it is for.
static int StrangeLooksAreHarmless(void)
{
	static Canvas canvas;
	tnWorld* world = MakeBasin(0.5f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	const tnrBodyLook strange = {.color = {NAN, 1.0e30f, -INFINITY}, .material = (tnrMaterial)99, .glow = NAN};
	// Before there is a world, and for bodies that are not there.
	tnrRenderer_SetBodyLook(canvas.renderer, (tnBodyId){3, 1}, &strange);
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	tnrRenderer_SetBodyLook(canvas.renderer, (tnBodyId){0, 0}, &strange);
	tnrRenderer_SetBodyLook(canvas.renderer, (tnBodyId){-5, 1}, &strange);
	tnrRenderer_SetBodyLook(canvas.renderer, (tnBodyId){7, 99}, &strange);
	const tnBodyId box = AddBox(world, (tnVec3){0.5f, 0.5f, 0.5f}, (tnVec3){7.5f, 0.6f, 6.0f}, s_upright);
	tnrRenderer_SetBodyLook(canvas.renderer, box, &strange);
	tnrRenderer_Update(canvas.renderer, world, 0.5f);
	tnrFrame frame = MakeFrame(&canvas, tnrGetOverview(world));
	for (int view = 0; view < tnr_viewCount; ++view)
	{
		frame.look.view = (tnrView)view;
		Draw(&canvas, &frame);
	}
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// A golden picture

static int GoldenBodies(void)
{
	static Canvas canvas;
	tnWorld* world = MakeBasin(0.9f);
	ENSURE(world != NULL && OpenCanvas(&canvas));
	AddBox(world, (tnVec3){0.5f, 0.5f, 0.5f}, (tnVec3){6.2f, 1.0f, 7.6f}, MakeTurn(0.2f, 1.0f, 0.1f, 0.6f));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = 0.45f;
	AddShape(world, &shape, (tnVec3){8.0f, 0.92f, 8.2f}, MakeTurn(1.0f, 0.0f, 0.4f, 0.5f));
	shape.kind = tn_cylinderShape;
	shape.radius = 0.2f;
	shape.halfLength = 1.2f;
	AddShape(world, &shape, (tnVec3){9.4f, 0.95f, 7.2f}, MakeTurn(1.0f, 0.0f, 0.6f, 1.57f));
	AddTub(world, (tnVec3){0.8f, 0.3f, 0.5f}, 0.07f, (tnVec3){4.6f, 1.0f, 8.4f});
	// A dam of blocks along z = 5.5; the water behind it is taken away.
	for (int i = 0; i < 15; ++i)
	{
		AddBox(world, (tnVec3){0.512f, 0.6f, 0.5f}, (tnVec3){0.508f + 1.0167f * (float)i, 0.6f, 5.5f}, s_upright);
	}
	static float depths[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		depths[i] = i / columns > 23 ? 0.9f : 0.0f;
	}
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	// Until the water rests: the picture is of bodies, not of waves.
	ENSURE(Run(world, 1800));
	ENSURE(tnrRenderer_SetWorld(canvas.renderer, world, NULL).ok);
	const tnrFrame frame =
		MakeFrame(&canvas, (tnrCamera){.eye = {9.4f, 5.2f, 12.6f}, .target = {6.8f, 0.5f, 6.4f}, .fieldOfView = 0.72f});
	Draw(&canvas, &frame);
	const int failures = CompareGolden(&canvas, "bodies");
	CloseCanvas(&canvas);
	tnDestroyWorld(world);
	return failures;
}

static const Test s_tests[] = {
	{"GoldenBodies", GoldenBodies},
	{"NoDentAroundFloatingBox", NoDentAroundFloatingBox},
	{"WaterStandsAgainstDam", WaterStandsAgainstDam},
	{"WaterlineIsWhereTheSurfaceIs", WaterlineIsWhereTheSurfaceIs},
	{"BoatsStayDryInside", BoatsStayDryInside},
	{"HeldWaterIsDrawn", HeldWaterIsDrawn},
	{"LidsAreThoseOfTheWorld", LidsAreThoseOfTheWorld},
	{"BodiesThrowShadows", BodiesThrowShadows},
	{"PosesAreInterpolated", PosesAreInterpolated},
	{"ManyBodiesShareMeshes", ManyBodiesShareMeshes},
	{"StrangeLooksAreHarmless", StrangeLooksAreHarmless},
};

const TestSuite render_bodiesSuite = TEST_SUITE("render_bodies", s_tests);
