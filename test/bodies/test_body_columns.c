// SPDX-License-Identifier: MIT

// Bodies cut at the lines of the grid into columns and layers: they hold the volume, end where the body ends, and have
// the same bits mirrored and with all instructions.

#include "bodies/body_thin_parts.h"
#include "body_geometry_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Meshes for tests

// An L that lies down: a plate with a wall at its +x end.
static Prism MakeAngle(void)
{
	static const tnVec2 outline[6] = {{-2, -1}, {2, -1}, {2, 2}, {1, 2}, {1, 0}, {-2, 0}};
	static const int faces[4][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}};
	return MakePrism(outline, 6, faces, 4, 1.5f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Cuts

// What must hold for every cut.
static int CheckCut(const Solid* solid, const tnGrid* grid)
{
	const tnCut* cut = &solid->cut;
	ENSURE(!cut->truncated);
	for (int i = 0; i < cut->columnCount; ++i)
	{
		const tnColumn* c = solid->columns + i;
		ENSURE(c->share > 0.0f && c->share <= 1.0f);
		ENSURE(c->high > c->low);
		ENSURE(c->column >= 0 && c->column < grid->columnCount && c->row >= 0 && c->row < grid->rowCount);
		ENSURE(c->widthX >= 0.0f && c->widthX <= 1.00001f && c->widthZ >= 0.0f && c->widthZ <= 1.00001f);
		// What is covered lies within its extents.
		ENSURE(c->widthX * c->widthZ >= c->share * 0.999f - 1.0e-5f);
		ENSURE(c->insetX >= -1.0e-5f && c->insetX <= 1.00001f && c->insetZ >= -1.0e-5f && c->insetZ <= 1.00001f);
		if (i > 0)
		{
			const tnColumn* p = c - 1;
			const bool sorted = p->row < c->row || (p->row == c->row && p->column < c->column) ||
				(p->row == c->row && p->column == c->column && p->low <= c->low);
			ENSURE(sorted);
		}
	}
	// Runs are all columns, and as long as they can be.
	int next = 0;
	for (int i = 0; i < cut->runCount; ++i)
	{
		const tnColumnRun* run = cut->runs + i;
		ENSURE_EQUAL_INT(run->begin, next);
		ENSURE(run->end > run->begin);
		for (next = run->begin; next < run->end; ++next)
		{
			ENSURE_EQUAL_INT(cut->cells[next].row, cut->cells[run->begin].row);
			ENSURE_EQUAL_INT(cut->cells[next].column, cut->cells[run->begin].column + next - run->begin);
		}
		const tnColumnCell* last = cut->cells + next - 1;
		ENSURE(next == cut->columnCount || last[1].row != last->row || last[1].column != last->column + 1);
	}
	ENSURE_EQUAL_INT(next, cut->columnCount);
	for (int i = 0; i < cut->faceCount; ++i)
	{
		const tnFaceCut* f = cut->faces + i;
		ENSURE(f->share > 0.0f && f->share <= 1.0f);
		ENSURE(f->high > f->low);
		ENSURE(f->column >= 0 && f->column <= grid->columnCount && f->row >= 0 && f->row <= grid->rowCount);
	}
	return 0;
}

static int ColumnsHoldTheVolume(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(5);
	const Prism bracket = MakeBracket();
	for (int kind = 0; kind < 6; ++kind)
	{
		tnShapeDef shapes[2] = {MakeShape(kind < 4 ? (tnShapeKind)kind : tn_boxShape), MakeShape(tn_cylinderShape)};
		if (kind == 4)
		{
			shapes[0] = MakePrismShape(&bracket);
		}
		shapes[1].pose.position.x = 3.5f;
		Solid solid = CreateSolid(shapes, kind == 5 ? 2 : 1, &grid);
		ENSURE(solid.ok);
		for (int run = 0; run < 50; ++run)
		{
			TurnSolid(&solid, RandomTurn(&random));
			const tnVec3 position = {TestRandomFloat(&random, 0.0f, 25.0f), TestRandomFloat(&random, -3.0f, 3.0f),
				TestRandomFloat(&random, 9.0f, 23.0f)};
			CutSolid(&solid, &grid, position);
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			const Sums sums = AddColumns(&solid, &grid);
			ENSURE_CLOSE(sums.volume, solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
		}
		DestroySolid(&solid);
	}
	return 0;
}

// One half inside: a symmetric body whose middle is on the edge.
static int ColumnsEndAtTheEdge(void)
{
	const tnGrid grid = MakeGrid();
	const float east = grid.origin.x + (float)grid.columnCount * grid.cellSize;
	const float south = grid.origin.z + (float)grid.rowCount * grid.cellSize;
	TestRandom random = TestMakeRandom(6);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		const tnVec3 edges[4] = {
			{grid.origin.x, 0.0f, 13.3f}, {east, 0.0f, 13.3f}, {9.7f, 0.0f, grid.origin.z}, {9.7f, 0.0f, south}};
		for (int run = 0; run < 40; ++run)
		{
			TurnSolid(&solid, RandomTurn(&random));
			CutSolid(&solid, &grid, edges[run % 4]);
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			// The position of the edge itself is rounded to 2e-6 m.
			ENSURE_CLOSE(AddColumns(&solid, &grid).volume, 0.5 * solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
		}
		// Outside there is nothing.
		CutSolid(&solid, &grid, (tnVec3){east + 5.0f, 0.0f, 13.0f});
		ENSURE_EQUAL_INT(solid.cut.columnCount, 0);
		CutSolid(&solid, &grid, (tnVec3){-1.0e6f, 1.0e6f, 1.0e6f});
		ENSURE_EQUAL_INT(solid.cut.columnCount + solid.cut.faceCount, 0);
		DestroySolid(&solid);
	}
	return 0;
}

static int WrappedWorldsHaveNoEdge(void)
{
	tnGrid grid = MakeGrid();
	grid.wrapX = true;
	grid.wrapZ = true;
	TestRandom random = TestMakeRandom(7);
	const tnShapeDef shape = MakeShape(tn_capsuleShape);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	for (int run = 0; run < 50; ++run)
	{
		TurnSolid(&solid, RandomTurn(&random));
		const tnVec3 position = {
			TestRandomFloat(&random, -90.0f, 90.0f), 0.0f, TestRandomFloat(&random, -90.0f, 90.0f)};
		CutSolid(&solid, &grid, position);
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		ENSURE_CLOSE(AddColumns(&solid, &grid).volume, solid.mesh.volume, 1.0e-5 * solid.mesh.volume);
	}
	DestroySolid(&solid);
	return 0;
}

// Bodies that are larger than the world, far too large for it, or far away: no crash, and full cells where they are.
static int HugeBodiesAreClipped(void)
{
	for (int wrap = 0; wrap < 2; ++wrap)
	{
		tnGrid grid = MakeGrid();
		grid.wrapX = wrap == 1;
		grid.wrapZ = wrap == 1;
		for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
		{
			tnShapeDef shape = MakeShape((tnShapeKind)kind);
			shape.halfExtents = (tnVec3){1.0e5f, 3.0f, 9.0e4f};
			shape.radius = 1.0e5f;
			shape.halfLength = 1.0e5f;
			Solid solid = CreateSolid(&shape, 1, &grid);
			ENSURE(solid.ok);
			TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, 17.0));
			CutSolid(&solid, &grid, (tnVec3){10.0f, 1.0f, 12.0f});
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			ENSURE_EQUAL_INT(solid.cut.columnCount, grid.columnCount * grid.rowCount);
			ENSURE(solid.columns[100].share == 1.0f);
			CutSolid(&solid, &grid, (tnVec3){1.0e6f, -1.0e6f, -1.0e6f});
			ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
			DestroySolid(&solid);
		}
	}
	return 0;
}

// Dragged across the grid in small steps nothing changes but where it is.
static int MotionIsContinuous(void)
{
	const tnGrid grid = MakeGrid();
	const double angles[3] = {0.0, 17.0, 45.0};
	for (int run = 0; run < 6; ++run)
	{
		tnShapeDef shape = MakeShape(run < 3 ? tn_boxShape : tn_sphereShape);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, angles[run % 3]));
		// Seen from above.
		const Sums exact = {.volume = solid.mesh.volume, .area = run < 3 ? 4.0 * 1.7f * 1.1f : 0.0};
		double area = 0.0;
		for (int step = 0; step < 200; ++step)
		{
			const float way = (float)step * grid.cellSize / 97.0f;
			CutSolid(&solid, &grid, (tnVec3){5.0f + way, 0.3f, 15.0f + 0.37f * way});
			const Sums sums = AddColumns(&solid, &grid);
			ENSURE_CLOSE(sums.volume, exact.volume, 1.0e-5 * exact.volume);
			if (step == 0)
			{
				area = run < 3 ? exact.area : sums.area;
			}
			// Shares above 1 - 1e-4 count as 1, which is seen here but not in the volume.
			ENSURE_CLOSE(sums.area, area, 1.0e-4 * area);
			ENSURE_CLOSE(sums.x, 0.0, 3.0e-4 * area);
			ENSURE_CLOSE(sums.z, 0.0, 3.0e-4 * area);
		}
		DestroySolid(&solid);
	}
	return 0;
}

// The overlap of [a, b] with cell i, in cells.
static double Overlap(double a, double b, int i)
{
	const double low = fmax(a, i);
	const double high = fmin(b, i + 1.0);
	return high > low ? high - low : 0.0;
}

// Every instruction set cuts to the same bits.
static int CutsHaveSameBits(void)
{
	const tnGrid grid = MakeGrid();
	const tnShapeKind kinds[] = {tn_boxShape, tn_sphereShape, tn_cylinderShape};
	TestRandom random = {7};
	for (int run = 0; run < 60; ++run)
	{
		const tnShapeDef shape = MakeShape(kinds[run % 3]);
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, RandomTurn(&random));
		const tnVec3 position = {10.0f + 0.037f * (float)run, 0.0f, 15.0f - 0.041f * (float)run};
		CutSolid(&solid, &grid, position);
		const int count = solid.cut.columnCount;
		const size_t bytes = (size_t)count * sizeof(tnColumn);
		tnColumn* first = malloc(bytes);
		ENSURE(first != NULL && count > 0);
		memcpy(first, solid.columns, bytes);
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				CutSolidWith(&solid, &grid, position, (tnSimd)simd);
				ENSURE_EQUAL_INT(solid.cut.columnCount, count);
				ENSURE(memcmp(first, solid.columns, bytes) == 0);
			}
		}
		free(first);
		DestroySolid(&solid);
	}
	return 0;
}

// A box along the axes against what it covers exactly: columns and faces.
static int UprightBoxesAreExact(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(8);
	for (int run = 0; run < 40; ++run)
	{
		tnShapeDef shape = MakeShape(tn_boxShape);
		shape.halfExtents = (tnVec3){TestRandomFloat(&random, 0.1f, 3.0f), 0.4f, TestRandomFloat(&random, 0.1f, 3.0f)};
		Solid solid = CreateSolid(&shape, 1, &grid);
		ENSURE(solid.ok);
		TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
		const tnVec3 position = {TestRandomFloat(&random, 2.0f, 20.0f), 1.5f, TestRandomFloat(&random, 9.0f, 20.0f)};
		CutSolid(&solid, &grid, position);
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		const double size = grid.cellSize;
		const double west = ((double)position.x - shape.halfExtents.x - grid.origin.x) / size;
		const double east = ((double)position.x + shape.halfExtents.x - grid.origin.x) / size;
		const double north = ((double)position.z - shape.halfExtents.z - grid.origin.z) / size;
		const double south = ((double)position.z + shape.halfExtents.z - grid.origin.z) / size;
		int found = 0;
		for (int i = 0; i < solid.cut.columnCount; ++i)
		{
			const tnColumn* c = solid.columns + i;
			const double x = Overlap(west, east, c->column), z = Overlap(north, south, c->row);
			// Positions of some ten cells in float32.
			ENSURE_CLOSE(c->share, x * z, 1.0e-4);
			ENSURE_CLOSE(c->low, 1.1, 1.0e-5);
			ENSURE_CLOSE(c->high, 1.9, 1.0e-5);
			ENSURE_CLOSE(c->widthX, x, 1.0e-5);
			ENSURE_CLOSE(c->widthZ, z, 1.0e-5);
			ENSURE_CLOSE(c->insetX, fmax(west - c->column, 0.0) + 0.5 * x, 1.0e-5);
			ENSURE_CLOSE(c->insetZ, fmax(north - c->row, 0.0) + 0.5 * z, 1.0e-5);
			const double cellX = grid.origin.x + size * (c->column + c->insetX) - position.x;
			ENSURE_CLOSE(c->x, cellX, 1.0e-5);
		}
		for (int i = 0; i < solid.cut.faceCount; ++i)
		{
			const tnFaceCut* f = solid.cut.faces + i;
			ENSURE(f->alongZ ? f->row > north - 1e-4 && f->row < south + 1e-4
							 : f->column > west - 1e-4 && f->column < east + 1e-4);
			const double share = f->alongZ ? Overlap(west, east, f->column) : Overlap(north, south, f->row);
			ENSURE_CLOSE(f->share, share, 1.0e-4);
			ENSURE_CLOSE(f->low, 1.1, 1.0e-5);
			ENSURE_CLOSE(f->high, 1.9, 1.0e-5);
			++found;
		}
		const int linesX = (int)(floor(east) - floor(west)), linesZ = (int)(floor(south) - floor(north));
		ENSURE_EQUAL_INT(found, linesX * (linesZ + 1) + linesZ * (linesX + 1));
		DestroySolid(&solid);
	}
	return 0;
}

static int ThinBoxesTakeTheirShare(void)
{
	// A dam of 0.6 cells along z, of several cells along x: the flow along x sees 0.6.
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 0.5f};
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents = (tnVec3){1.0f, 1.0f, 0.15f};
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	CutSolid(&solid, &grid, (tnVec3){5.2f, 0.0f, 4.25f});
	ENSURE_EQUAL_INT(solid.cut.faceCount, 4);
	for (int i = 0; i < solid.cut.faceCount; ++i)
	{
		ENSURE(!solid.cut.faces[i].alongZ);
		ENSURE_CLOSE(solid.cut.faces[i].share, 0.6, 1.0e-5);
	}
	DestroySolid(&solid);
	return 0;
}

// A box that fills whole cells blocks the faces all around it, also if it is not quite there.
static int BoxesOnLinesBlock(void)
{
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 0.1f, .origin = {0.0f, 0.0f}};
	for (int layered = 0; layered < 2; ++layered)
	{
		const double shifts[3] = {0.0, 2.0e-6, -2.0e-6};
		for (int run = 0; run < 3; ++run)
		{
			tnShapeDef shapes[2] = {MakeShape(tn_boxShape), MakeShape(tn_boxShape)};
			shapes[0].halfExtents = (tnVec3){0.15f, 1.0f, 0.2f};
			// A second one on top makes it a compound.
			shapes[1].halfExtents = (tnVec3){0.15f, 0.5f, 0.2f};
			shapes[1].pose.position.y = 2.0f;
			Solid solid = CreateSolid(shapes, 1 + layered, &grid);
			ENSURE(solid.ok);
			TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
			// From column 7 to 10 and from row 5 to 9.
			CutSolid(&solid, &grid, (tnVec3){(float)(0.85 + shifts[run]), 0.0f, (float)(0.7 + shifts[run])});
			int whole = 0;
			for (int i = 0; i < solid.cut.columnCount; ++i)
			{
				whole += solid.columns[i].share == 1.0f ? 1 : 0;
			}
			ENSURE_EQUAL_INT(whole, 12 * (1 + layered));
			int faces = 0;
			for (int i = 0; i < solid.cut.faceCount; ++i)
			{
				faces += solid.cut.faces[i].share > 0.999f ? 1 : 0;
			}
			ENSURE_EQUAL_INT(faces, (4 * 4 + 3 * 5) * (1 + layered));
			DestroySolid(&solid);
		}
	}
	return 0;
}

static const tnColumn* FindColumn(const Solid* solid, int column, int row, int layer)
{
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		const tnColumn* c = solid->columns + i;
		if (c->column == column && c->row == row && layer-- == 0)
		{
			return c;
		}
	}
	return NULL;
}

static int CountLayers(const Solid* solid, int column, int row)
{
	int count = 0;
	while (FindColumn(solid, column, row, count) != NULL)
	{
		++count;
	}
	return count;
}

static int ConcaveMeshesHaveLayers(void)
{
	const tnGrid grid = {.columnCount = 21, .rowCount = 17, .cellSize = 1.0f};
	// The angle: one layer everywhere, high where its wall is.
	Prism prism = MakeAngle();
	tnShapeDef shape = MakePrismShape(&prism);
	Solid solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	CutSolid(&solid, &grid, (tnVec3){10.25f, 5.0f, 8.5f});
	ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
	ENSURE_EQUAL_INT(CountLayers(&solid, 9, 8), 1);
	ENSURE_CLOSE(FindColumn(&solid, 9, 8, 0)->low, 4.0, 1.0e-5);
	ENSURE_CLOSE(FindColumn(&solid, 9, 8, 0)->high, 5.0, 1.0e-5);
	// A quarter of this cell is plate, the rest wall.
	ENSURE_CLOSE(FindColumn(&solid, 11, 8, 0)->high, 0.25 * 5.0 + 0.75 * 7.0, 1.0e-4);
	DestroySolid(&solid);

	// The bracket: a plate and a roof, and its back where they meet.
	prism = MakeBracket();
	shape = MakePrismShape(&prism);
	solid = CreateSolid(&shape, 1, &grid);
	ENSURE(solid.ok);
	for (int turn = 0; turn < 2; ++turn)
	{
		// Half a turn puts its back to the other side.
		TurnSolid(&solid, TurnAbout(0.0f, 1.0f, 0.0f, 180.0 * turn));
		CutSolid(&solid, &grid, (tnVec3){10.5f, 5.0f, 8.5f});
		ENSURE_EQUAL_INT(CheckCut(&solid, &grid), 0);
		ENSURE_EQUAL_INT(CountLayers(&solid, 10, 8), 2);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->low, 3.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->high, 4.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 1)->low, 6.0, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, 10, 8, 1)->high, 7.0, 1.0e-5);
		const int back = turn == 0 ? 8 : 12;
		ENSURE_EQUAL_INT(CountLayers(&solid, back, 8), 1);
		ENSURE_CLOSE(FindColumn(&solid, back, 8, 0)->share, 0.5, 1.0e-5);
		ENSURE_CLOSE(FindColumn(&solid, back, 8, 0)->high - FindColumn(&solid, back, 8, 0)->low, 4.0, 1.0e-5);
		int pairs = 0;
		for (int i = 1; i < solid.cut.faceCount; ++i)
		{
			const tnFaceCut* f = solid.cut.faces + i;
			pairs += f->row == f[-1].row && f->column == f[-1].column && f->alongZ == f[-1].alongZ;
		}
		ENSURE(pairs >= 6);
	}
	// Upright, with the gap to the sky: one layer.
	TurnSolid(&solid, TurnAbout(0.0f, 0.0f, 1.0f, 90.0));
	CutSolid(&solid, &grid, (tnVec3){10.5f, 5.0f, 8.5f});
	ENSURE_EQUAL_INT(CountLayers(&solid, 10, 8), 1);
	ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->low, 3.0, 1.0e-5);
	ENSURE_CLOSE(FindColumn(&solid, 10, 8, 0)->high, 4.0, 1.0e-5);
	DestroySolid(&solid);
	return 0;
}

// Both ways to sum up give the same for a convex body.
static int LayersAgreeWithSums(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(10);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		// The same shape twice: alone, and as a mesh.
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid simple = CreateSolid(&shape, 1, &grid);
		ENSURE(simple.ok);
		tnShapeDef meshShape = tnDefaultShapeDef();
		meshShape.kind = tn_meshShape;
		meshShape.points = simple.mesh.points;
		meshShape.pointCount = simple.mesh.pointCount;
		meshShape.triangles = simple.mesh.triangles;
		meshShape.triangleCount = simple.mesh.triangleCount;
		Solid layered = CreateSolid(&meshShape, 1, &grid);
		ENSURE(layered.ok && !layered.mesh.simple);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			const tnVec3 position = {
				TestRandomFloat(&random, 0.0f, 20.0f), 0.0f, TestRandomFloat(&random, 9.0f, 20.0f)};
			TurnSolid(&simple, turn);
			TurnSolid(&layered, turn);
			CutSolid(&simple, &grid, position);
			CutSolid(&layered, &grid, position);
			const tnCut* a = &simple.cut;
			const tnCut* b = &layered.cut;
			int j = 0;
			for (int i = 0; i < a->columnCount; ++i)
			{
				// Slivers may be there in one and not in the other.
				const tnColumn* c = simple.columns + i;
				if (c->share < 1.0e-4f)
				{
					continue;
				}
				while (j < b->columnCount && (b->cells[j].row != c->row || b->cells[j].column != c->column))
				{
					++j;
				}
				ENSURE(j < b->columnCount);
				const tnColumn* d = layered.columns + j;
				const double volumeC = c->share * ((double)c->high - c->low);
				const double volumeD = d->share * ((double)d->high - d->low);
				ENSURE_CLOSE(d->share, c->share, 1.0e-4);
				ENSURE_CLOSE(volumeD, volumeC, 1.0e-5);
				ENSURE_CLOSE(d->share * d->x, c->share * c->x, 1.0e-4);
				ENSURE_CLOSE(d->widthX, c->widthX, 1.0e-4);
				ENSURE_CLOSE(d->insetZ, c->insetZ, 1.0e-4);
			}
		}
		DestroySolid(&simple);
		DestroySolid(&layered);
	}
	return 0;
}

// Shares of cells that a body covers, and what it takes at the faces before them in the mean of a step.
typedef struct Taken
{
	double shares[53 * 37], faces[53 * 37];
} Taken;

// @param way of the body in a step, in cells
static void TakeCells(Solid* solid, const tnGrid* grid, tnVec3 position, bool alongZ, float way, Taken* taken)
{
	const tnPose pose = {position, solid->rotation};
	const tnTravel travel = {{.velocity = {alongZ ? 0.0f : way, 0.0f, alongZ ? way : 0.0f}}, 1.0f};
	SoilScratch(solid, grid);
	tnCut_Make(&solid->cut, grid, &solid->mesh, &pose, &travel, NULL, tnGetBodyKernels(tn_simdAuto)->cutColumns, NULL,
		solid->scratch);
	memset(taken, 0, sizeof(*taken));
	for (int i = 0; i < solid->cut.columnCount; ++i)
	{
		const tnColumn c = tnCut_GetColumn(&solid->cut, i);
		const int beyond = way < 0.0f ? 1 : 0;
		const int column = (c.column + (alongZ ? 0 : beyond)) % grid->columnCount;
		const int row = c.row + (alongZ ? beyond : 0);
		taken->shares[c.row * grid->columnCount + c.column] += (double)c.share;
		taken->faces[row * grid->columnCount + column] += (double)c.share * (double)(alongZ ? c.stripZ : c.stripX);
	}
}

// What a body takes more of a cell after a step is what it has taken at the faces of the cell in the mean of the step, times its
// way: of bodies of any shape, turned in any way, that cross a line of the grid or stop at it; also where the world wraps.
static int StripsExplainMotion(void)
{
	tnGrid grid = MakeGrid();
	grid.wrapX = true;
	TestRandom random = TestMakeRandom(23);
	static Taken before;
	static Taken after;
	double most = 0.0;
	for (int kind = 0; kind < 2 * tn_cylinderShape + 2; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)(kind / 2));
		Solid plain = CreateSolid(&shape, 1, &grid);
		ENSURE(plain.ok);
		tnShapeDef meshShape = tnDefaultShapeDef();
		meshShape.kind = tn_meshShape;
		meshShape.points = plain.mesh.points;
		meshShape.pointCount = plain.mesh.pointCount;
		meshShape.triangles = plain.mesh.triangles;
		meshShape.triangleCount = plain.mesh.triangleCount;
		Solid solid = CreateSolid(kind % 2 == 0 ? &shape : &meshShape, 1, &grid);
		ENSURE(solid.ok);
		for (int run = 0; run < 60; ++run)
		{
			const bool alongZ = run % 2 == 1;
			const float way = TestRandomFloat(&random, 0.01f, 0.6f) * (run % 4 < 2 ? 1.0f : -1.0f);
			TurnSolid(&solid, run < 20 ? TurnAbout(0.0f, 1.0f, 0.0f, 5.0 * (run / 4)) : RandomTurn(&random));
			tnVec3 position = {
				grid.origin.x + TestRandomFloat(&random, 0.0f, 39.0f), 0.0f, TestRandomFloat(&random, 11.0f, 20.0f)};
			TakeCells(&solid, &grid, position, alongZ, way, &before);
			position.x += alongZ ? 0.0f : way * grid.cellSize;
			position.z += alongZ ? way * grid.cellSize : 0.0f;
			TakeCells(&solid, &grid, position, alongZ, way, &after);
			for (int i = 0; i < grid.columnCount * (grid.rowCount - 1); ++i)
			{
				const int east = i % grid.columnCount == grid.columnCount - 1 ? i + 1 - grid.columnCount : i + 1;
				const int next = alongZ ? i + grid.columnCount : east;
				const double more = (double)way * (after.faces[i] - after.faces[next]);
				ENSURE_CLOSE(more, after.shares[i] - before.shares[i], 2.0e-4);
				most = fmax(most, fabs(more));
			}
		}
		DestroySolid(&plain);
		DestroySolid(&solid);
	}
	ENSURE(most > 0.3);
	return 0;
}

// What lies between faces, as it is found on the way and as it is found from the faces afterwards.
static int CompareThinParts(Solid* solid, const tnGrid* grid, tnVec3 position, int* found)
{
	enum
	{
		capacity = 4096,
	};
	tnThinPart parts[2][capacity / TN_THIN_SIDES];
	tnFaceCut items[2][capacity];
	tnThinParts thin[2] = {{parts[0], 0, capacity / TN_THIN_SIDES}, {parts[1], 0, capacity / TN_THIN_SIDES}};
	const tnPose pose = {position, solid->rotation};
	SoilScratch(solid, grid);
	tnCut_Make(&solid->cut, grid, &solid->mesh, &pose, NULL, NULL, tnGetBodyKernels(tn_simdAuto)->cutColumns, &thin[0],
		solid->scratch);
	ENSURE(!solid->cut.facesMade && solid->cut.faceCount == 0);
	tnCut_MakeFaces(&solid->cut, grid, &solid->mesh, &pose, NULL, solid->scratch);
	ENSURE(solid->cut.facesMade);
	tnThinParts_Find(&thin[1], &solid->cut, grid);
	int counts[2] = {0};
	for (int k = 0; k < 2; ++k)
	{
		for (int i = 0; i < thin[k].count; ++i)
		{
			counts[k] += tnThinPart_Split(parts[k] + i, &solid->cut, grid, items[k] + counts[k]);
		}
	}
	int at = 0;
	for (int i = 0; i < counts[0]; ++i)
	{
		const tnFaceCut* a = items[0] + i;
		// Those that are nearly too small may be there in one and not in the other.
		if (a->share < TN_THIN_SHARE + 1.0e-5f)
		{
			continue;
		}
		const tnFaceCut* b = NULL;
		for (; at < counts[1]; ++at)
		{
			b = items[1] + at;
			if (b->column == a->column && b->row == a->row && b->alongZ == a->alongZ && b->low == a->low)
			{
				break;
			}
			ENSURE(b->share < TN_THIN_SHARE + 1.0e-5f);
		}
		ENSURE(at < counts[1]);
		ENSURE_CLOSE(a->share, b->share, 1.0e-5);
		ENSURE(a->high == b->high);
		++at;
		*found += 1;
	}
	for (; at < counts[1]; ++at)
	{
		ENSURE(items[1][at].share < TN_THIN_SHARE + 1.0e-5f);
	}
	return 0;
}

static int ThinPartsAgreeWithFaces(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(16);
	int found = 0;
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		for (int size = 0; size < 3; ++size)
		{
			// Larger than cells, of their size, and smaller.
			tnShapeDef shape = MakeShape((tnShapeKind)kind);
			const float scale = size == 0 ? 1.0f : (size == 1 ? 0.4f : 0.15f);
			shape.halfExtents = (tnVec3){scale * shape.halfExtents.x, shape.halfExtents.y, scale * shape.halfExtents.z};
			shape.radius *= scale;
			shape.halfLength *= scale;
			Solid solid = CreateSolid(&shape, 1, &grid);
			ENSURE(solid.ok);
			for (int run = 0; run < 40; ++run)
			{
				TurnSolid(&solid, RandomTurn(&random));
				const tnVec3 position = {
					TestRandomFloat(&random, 0.0f, 20.0f), 0.5f, TestRandomFloat(&random, 9.0f, 20.0f)};
				ENSURE_EQUAL_INT(CompareThinParts(&solid, &grid, position, &found), 0);
			}
			DestroySolid(&solid);
		}
	}
	ENSURE(found > 1000);

	// Walls along the lines, on them, nearly so, and between them: what stands on a line is seen there.
	const tnGrid even = {.columnCount = 21, .rowCount = 17, .cellSize = 0.5f};
	tnShapeDef shape = MakeShape(tn_boxShape);
	shape.halfExtents = (tnVec3){0.25f, 1.0f, 0.9f};
	Solid solid = CreateSolid(&shape, 1, &even);
	ENSURE(solid.ok);
	TurnSolid(&solid, (tnQuat){0.0f, 0.0f, 0.0f, 1.0f});
	const float shifts[4] = {0.0f, 2.0e-6f, -2.0e-6f, 0.1f};
	for (int i = 0; i < 4; ++i)
	{
		found = 0;
		const tnVec3 position = {4.25f + shifts[i], 0.0f, 4.1f};
		ENSURE_EQUAL_INT(CompareThinParts(&solid, &even, position, &found), 0);
	}
	DestroySolid(&solid);
	return 0;
}

// Faces agree, too, with those of the same body as a mesh of any kind.
static int FacesAgreeWithLayers(void)
{
	const tnGrid grid = MakeGrid();
	TestRandom random = TestMakeRandom(17);
	int compared = 0;
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid simple = CreateSolid(&shape, 1, &grid);
		ENSURE(simple.ok);
		tnShapeDef meshShape = tnDefaultShapeDef();
		meshShape.kind = tn_meshShape;
		meshShape.points = simple.mesh.points;
		meshShape.pointCount = simple.mesh.pointCount;
		meshShape.triangles = simple.mesh.triangles;
		meshShape.triangleCount = simple.mesh.triangleCount;
		Solid layered = CreateSolid(&meshShape, 1, &grid);
		ENSURE(layered.ok);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			const tnVec3 position = {
				TestRandomFloat(&random, 0.0f, 20.0f), 0.0f, TestRandomFloat(&random, 9.0f, 20.0f)};
			TurnSolid(&simple, turn);
			TurnSolid(&layered, turn);
			CutSolid(&simple, &grid, position);
			CutSolid(&layered, &grid, position);
			const tnCut* a = &simple.cut;
			const tnCut* b = &layered.cut;
			int j = 0;
			for (int i = 0; i < a->faceCount; ++i)
			{
				const tnFaceCut* c = a->faces + i;
				// Slivers may be there in one and not in the other.
				if (c->share < 1.0e-4f)
				{
					continue;
				}
				while (j < b->faceCount &&
					(b->faces[j].row != c->row || b->faces[j].column != c->column || b->faces[j].alongZ != c->alongZ))
				{
					++j;
				}
				ENSURE(j < b->faceCount);
				const tnFaceCut* d = b->faces + j;
				ENSURE_CLOSE(d->share, c->share, 1.0e-4);
				ENSURE_CLOSE(d->share * d->low, c->share * c->low, 1.0e-4);
				ENSURE_CLOSE(d->share * d->high, c->share * c->high, 1.0e-4);
				++compared;
			}
		}
		DestroySolid(&simple);
		DestroySolid(&layered);
	}
	ENSURE(compared > 1000);
	return 0;
}

// A mirrored body in a mirrored place.
static int MirrorsMirror(void)
{
	const tnGrid grid = {.columnCount = 53, .rowCount = 37, .cellSize = 0.5f, .origin = {-13.25f, 0.0f}};
	TestRandom random = TestMakeRandom(12);
	for (int kind = tn_boxShape; kind <= tn_cylinderShape; ++kind)
	{
		const tnShapeDef shape = MakeShape((tnShapeKind)kind);
		Solid first = CreateSolid(&shape, 1, &grid);
		Solid second = CreateSolid(&shape, 1, &grid);
		ENSURE(first.ok && second.ok);
		for (int run = 0; run < 20; ++run)
		{
			const tnQuat turn = RandomTurn(&random);
			tnVec3 position = {TestRandomFloat(&random, -8.0f, 8.0f), 1.0f, TestRandomFloat(&random, 6.0f, 12.0f)};
			TurnSolid(&first, turn);
			CutSolid(&first, &grid, position);
			// These shapes are their own mirrors: turn about mirrored axes.
			TurnSolid(&second, (tnQuat){turn.x, -turn.y, -turn.z, turn.w});
			position.x = -position.x;
			CutSolid(&second, &grid, position);
			for (int i = 0; i < first.cut.columnCount; ++i)
			{
				const tnColumn* a = first.columns + i;
				const tnColumn* b = FindColumn(&second, grid.columnCount - 1 - a->column, a->row, 0);
				if (a->share < 2.0e-6f)
				{
					continue;
				}
				ENSURE(b != NULL);
				ENSURE_CLOSE(b->share, a->share, 1.0e-5);
				ENSURE_CLOSE(b->share * b->low, a->share * a->low, 2.0e-5);
				ENSURE_CLOSE(b->share * b->high, a->share * a->high, 2.0e-5);
				ENSURE_CLOSE(-b->share * b->x, a->share * a->x, 2.0e-5);
				ENSURE_CLOSE(b->share * b->z, a->share * a->z, 2.0e-5);
			}
		}
		DestroySolid(&first);
		DestroySolid(&second);
	}
	return 0;
}

static const Test s_tests[] = {
	{"ColumnsHoldTheVolume", ColumnsHoldTheVolume},
	{"ColumnsEndAtTheEdge", ColumnsEndAtTheEdge},
	{"WrappedWorldsHaveNoEdge", WrappedWorldsHaveNoEdge},
	{"HugeBodiesAreClipped", HugeBodiesAreClipped},
	{"MotionIsContinuous", MotionIsContinuous},
	{"CutsHaveSameBits", CutsHaveSameBits},
	{"UprightBoxesAreExact", UprightBoxesAreExact},
	{"ThinBoxesTakeTheirShare", ThinBoxesTakeTheirShare},
	{"BoxesOnLinesBlock", BoxesOnLinesBlock},
	{"ConcaveMeshesHaveLayers", ConcaveMeshesHaveLayers},
	{"LayersAgreeWithSums", LayersAgreeWithSums},
	{"StripsExplainMotion", StripsExplainMotion},
	{"ThinPartsAgreeWithFaces", ThinPartsAgreeWithFaces},
	{"FacesAgreeWithLayers", FacesAgreeWithLayers},
	{"MirrorsMirror", MirrorsMirror},
};

const TestSuite body_columnsSuite = TEST_SUITE("body_columns", s_tests);
