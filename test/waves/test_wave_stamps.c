// SPDX-License-Identifier: MIT

// How ellipses enter the bands of the wave layer (wave_stamp.h), against the exact low pass and against what must be
// exact.

#include "wave_filter_kit.h"
#include "waves/wave_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	idealSteps = 16,
	idealReach = 44,
	idealCount = idealReach * idealSteps,
};

// The ideal kernel of the low pass by distance in cells, 1/(2 pi) int k L(k) J0(k r) dk, not fitted and hardly cut off.
static const double* GetIdealKernel(void)
{
	static double kernel[idealCount + 2];
	if (kernel[0] == 0.0)
	{
		const int waveCount = 200;
		for (int i = 0; i <= idealCount; ++i)
		{
			const double distance = (double)i / idealSteps;
			double sum = 0.0;
			for (int j = 0; j < waveCount; ++j)
			{
				const double angle = (j + 0.5) * 0.5 * PI / waveCount;
				// J0 as the mean of cos(x sin t) over a quarter turn.
				const int count = 8 + (int)(0.25 * angle * distance);
				double bessel = 0.0;
				for (int n = 0; n < count; ++n)
				{
					bessel += cos(angle * distance * sin((n + 0.5) * 0.5 * PI / count));
				}
				sum += angle * tnGetWaveLowPass(angle) * bessel / count;
			}
			kernel[i] = sum * 0.5 * PI / waveCount / (2.0 * PI);
		}
	}
	return kernel;
}

// The ideal low pass of an ellipse of height 1 with the cells of a grid of size 1: a sum over many small pieces of it.
static double GetIdealLowPass(const tnWaveEllipse* ellipse, double x, double z)
{
	const double* kernel = GetIdealKernel();
	const double a = ellipse->radii.x;
	const double b = ellipse->radii.z;
	const double c = ellipse->axis.x;
	const double s = ellipse->axis.z;
	const double dx = x - (double)ellipse->center.x;
	const double dz = z - (double)ellipse->center.z;
	const double u = c * dx + s * dz;
	const double v = c * dz - s * dx;
	const double step = fmin(0.5, fmin(a, b) / 8.0);
	const int rowCount = (int)ceil(2.0 * b / step);
	double sum = 0.0;
	for (int row = 0; row < rowCount; ++row)
	{
		const double pieceV = -b + (row + 0.5) * 2.0 * b / rowCount;
		const double half = a * sqrt(1.0 - pieceV * pieceV / (b * b));
		const int count = (int)ceil(2.0 * half / step);
		for (int i = 0; i < count; ++i)
		{
			const double pieceU = -half + (i + 0.5) * 2.0 * half / count;
			const double t = sqrt((u - pieceU) * (u - pieceU) + (v - pieceV) * (v - pieceV)) * idealSteps;
			const int index = (int)t;
			if (index < idealCount)
			{
				const double value = kernel[index] + (t - index) * (kernel[index + 1] - kernel[index]);
				sum += value * (2.0 * half / count) * (2.0 * b / rowCount);
			}
		}
	}
	return sum;
}

// The weight by which stamps are made to sum up to zero, as wave_stamp.c says.
static double GetBump(double place, double center, double half)
{
	const double u = (place - center) / half;
	const double v = 1.0 + 1.0 / 1024.0 - u * u;
	return fabs(u) <= 1.0 ? v * v : 0.0;
}

// Distance in the mean square between a stamp and the ideal, as a share of the ideal. Both sum up to zero.
static double MeasureStamp(const tnWaveEllipse* ellipse)
{
	enum
	{
		half = 44
	};
	tnWavePatch patch = MakePatch((tnWaveBox){-half, -half, 2 * half, 2 * half});
	const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, true};
	tnStampWave(GetStamps(), &grid, NULL, ellipse, &patch, NULL);

	double* ideal = malloc(GetArea(patch.box) * sizeof(double));
	const double ax = (double)ellipse->radii.x * (double)ellipse->axis.x;
	const double az = (double)ellipse->radii.x * (double)ellipse->axis.z;
	const double bx = (double)ellipse->radii.z * (double)ellipse->axis.z;
	const double bz = (double)ellipse->radii.z * (double)ellipse->axis.x;
	const double reachX = sqrt(ax * ax + bx * bx) + TN_WAVE_STAMP_REACH;
	const double reachZ = sqrt(az * az + bz * bz) + TN_WAVE_STAMP_REACH;
	double sum = 0.0;
	double weight = 0.0;
	for (int i = 0; i < 4 * half * half; ++i)
	{
		const double x = i % (2 * half) - half + 0.5;
		const double z = i / (2 * half) - half + 0.5;
		ideal[i] = GetIdealLowPass(ellipse, x, z);
		sum += ideal[i];
		weight += GetBump(x, ellipse->center.x, reachX) * GetBump(z, ellipse->center.z, reachZ);
	}
	double error = 0.0;
	double size = 0.0;
	for (int i = 0; i < 4 * half * half; ++i)
	{
		const double x = i % (2 * half) - half + 0.5;
		const double z = i / (2 * half) - half + 0.5;
		const double bump = GetBump(x, ellipse->center.x, reachX) * GetBump(z, ellipse->center.z, reachZ);
		const double difference = (double)patch.values[i] - (ideal[i] - sum * bump / weight);
		error += difference * difference;
		size += ideal[i] * ideal[i];
	}
	free(ideal);
	free(patch.values);
	return sqrt(error / size);
}

// Ellipses against the ideal low pass. Edges, from a radius of 6 cells on: the study of edges without curvature has 3 %
// for circles and 4 % for ellipses of 3 to 1 at 8 cells, 5 and 8 % at 4. Below that are points, which err by the fitted
// kernel; edges would err by 14, 16 and 350 % at 3, 2 and 0.5 cells.
static int EllipsesAreLowPassed(void)
{
	static const struct
	{
		float radius;
		double circle, ellipse;
	} limits[] = {{8.0f, 0.02, 0.04}, {6.0f, 0.025, 0.05}, {5.9f, 0.02, 0.02}, {4.0f, 0.02, 0.02}, {3.0f, 0.02, 0.02},
		{2.0f, 0.02, 0.02}, {1.0f, 0.02, 0.02}, {0.5f, 0.02, 0.02}, {0.35f, 0.02, 0.02}};
	for (int i = 0; i < (int)(sizeof(limits) / sizeof(limits[0])); ++i)
	{
		const float r = limits[i].radius;
		const tnWaveEllipse circle = {{0.3f, -0.2f}, {1.0f, 0.0f}, {r, r}, 1.0f};
		const tnWaveEllipse ellipse = {{-0.1f, 0.4f}, {0.8f, 0.6f}, {3.0f * r, r}, 1.0f};
		const tnWaveEllipse across = {{-0.1f, 0.4f}, {0.6f, -0.8f}, {r, 3.0f * r}, 1.0f};
		const double circleError = MeasureStamp(&circle);
		const double ellipseError = MeasureStamp(&ellipse);
		const double acrossError = r < 4.0f ? MeasureStamp(&across) : 0.0;
		ENSURE(circleError < limits[i].circle);
		ENSURE(ellipseError < limits[i].ellipse);
		ENSURE(acrossError < limits[i].ellipse);
	}
	return 0;
}

// Whatever the ellipse, and wherever the patch cuts it off, what is added has the sum zero, and guards stay (W08).
static int StampsSumToZero(void)
{
	TestRandom random = TestMakeRandom(5);
	for (int i = 0; i < 400; ++i)
	{
		const float size = i % 4 == 0 ? 0.2f : i % 4 == 1 ? 1.0f : i % 4 == 2 ? 3.0f : 8.0f;
		const tnWaveEllipse before = MakeRandomEllipse(&random, size);
		tnWaveEllipse after = MakeRandomEllipse(&random, size);
		after.center.x = before.center.x + TestRandomFloat(&random, -1.0f, 1.0f);
		const tnWaveBandGrid grid = {{-3.0f, 1.7f}, 0.6f, i % 3 == 0};
		tnWaveBox box = {TestRandomInt(&random, -60, 40), TestRandomInt(&random, -60, 40), 0, 0};
		box.columnCount = TestRandomInt(&random, 1, 90);
		box.rowCount = TestRandomInt(&random, 1, 90);
		float* memory;
		tnWavePatch patch = MakeGuardedPatch(box, &memory);
		ENSURE(tnStampWave(GetStamps(), &grid, i % 5 == 0 ? NULL : &before, i % 7 == 0 ? NULL : &after, &patch, NULL));
		double absolute;
		const double sum = GetSum(&patch, &absolute);
		// Half of the absolute sum is the positive part. A stamp whose last tail is all that is in the patch has less
		// than rounding errors of the height.
		ENSURE_CLOSE(sum, 0.0, 1.0e-6 * 0.5 * absolute + 1.0e-9);
		ENSURE(AreGuardsWhole(&patch));
		free(memory);
	}
	return 0;
}

// An ellipse that swims for 1000 steps through a patch, and out of it, leaves the mean where it was.
static int SwimmersKeepTheMean(void)
{
	for (int level = 0; level < 4; ++level)
	{
		tnWavePatch patch = MakePatch((tnWaveBox){-31, -33, 63, 67});
		const tnWaveBandGrid grid = {{0.0f, 0.0f}, 0.25f * (float)(1 << level), level == 3};
		tnWaveEllipse before = {{-4.0f, -3.0f}, {1.0f, 0.3f}, {1.5f, 0.4f}, 0.3f};
		for (int i = 0; i < 1000; ++i)
		{
			tnWaveEllipse after = before;
			after.center.x += 0.03f;
			after.center.z += 0.01f;
			after.axis.z -= 0.002f;
			ENSURE(tnStampWave(GetStamps(), &grid, &before, &after, &patch, NULL));
			before = after;
		}
		double absolute;
		ENSURE_CLOSE(GetSum(&patch, &absolute) / (double)GetArea(patch.box), 0.0, 1.0e-7);
		free(patch.values);
	}
	return 0;
}

// The volume that the coarsest band does not get is that of the ellipse. Elsewhere it is next to nothing.
static int VolumesAreTold(void)
{
	static const float radii[] = {0.3f, 1.0f, 3.0f, 9.0f};
	for (int i = 0; i < 4; ++i)
	{
		for (int isCoarsest = 0; isCoarsest < 2; ++isCoarsest)
		{
			tnWavePatch patch = MakePatch((tnWaveBox){-90, -90, 180, 180});
			const tnWaveBandGrid grid = {{0.1f, 0.2f}, 0.5f, isCoarsest == 1};
			const tnWaveEllipse ellipse = {{0.3f, 0.4f}, {0.6f, 0.8f}, {radii[i], 0.7f * radii[i]}, 0.5f};
			const double volume = PI * 0.7 * (double)radii[i] * (double)radii[i] * 0.5;
			double removed;
			ENSURE(tnStampWave(GetStamps(), &grid, NULL, &ellipse, &patch, &removed));
			// Edges miss 1.5 % at a radius of 6 cells.
			ENSURE_CLOSE(removed, isCoarsest == 1 ? volume : 0.0, 0.015 * volume);
			free(patch.values);
		}
	}
	return 0;
}

// The volume above zero hardly changes while an ellipse moves over the cells by tenths of them, and each such move carries
// the volume of the ellipse by a tenth of a cell: first moments in the coarsest band; other bands have none (W08).
static int StampsMoveSmoothly(void)
{
	static const float radii[] = {0.2f, 0.7f, 1.5f, 3.0f, 5.0f, 10.0f};
	for (int i = 0; i < 12; ++i)
	{
		const bool isCoarsest = i % 2 == 0;
		const float radius = radii[i / 2];
		const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, isCoarsest};
		const double ellipseVolume = PI * 1.5 * (double)radius * (double)radius;
		double lastVolume = 0.0;
		for (int j = 0; j <= 10; ++j)
		{
			const tnWaveEllipse before = {{0.1f * (float)j, 0.07f}, {1.0f, 0.5f}, {1.5f * radius, radius}, 1.0f};
			tnWaveEllipse after = before;
			after.center.x += 0.1f;
			tnWavePatch patch = MakePatch((tnWaveBox){-64, -64, 128, 128});
			ENSURE(tnStampWave(GetStamps(), &grid, NULL, &before, &patch, NULL));
			double volume = 0.0;
			for (int k = 0; k < 128 * 128; ++k)
			{
				volume += fmax((double)patch.values[k], 0.0);
			}
			ENSURE(j == 0 || fabs(volume - lastVolume) < 0.01 * volume);
			lastVolume = volume;

			memset(patch.values, 0, GetArea(patch.box) * sizeof(float));
			ENSURE(tnStampWave(GetStamps(), &grid, &before, &after, &patch, NULL));
			double momentX = 0.0;
			double momentZ = 0.0;
			for (int k = 0; k < 128 * 128; ++k)
			{
				momentX += (double)patch.values[k] * (k % 128 - 64 + 0.5);
				momentZ += (double)patch.values[k] * (k / 128 - 64 + 0.5);
			}
			ENSURE_CLOSE(momentX, isCoarsest ? 0.1 * ellipseVolume : 0.0, 0.01 * 0.1 * ellipseVolume);
			ENSURE_CLOSE(momentZ, 0.0, 0.01 * 0.1 * ellipseVolume);
			free(patch.values);
		}
	}
	return 0;
}

// The bands of a stamp add up to the low pass of the finest level: the same stamp with no other level. Of a moving
// ellipse, since that needs no correction of the volume.
static int StampBandsAddUp(void)
{
	static const float radii[] = {0.2f, 0.8f, 2.0f, 5.0f, 9.0f};
	for (int i = 0; i < 5; ++i)
	{
		const tnWaveEllipse before = {{0.3f, 0.4f}, {0.6f, 0.8f}, {1.5f * radii[i], radii[i]}, 1.0f};
		tnWaveEllipse after = before;
		after.center.x += 1.3f;
		tnWavePatch sum = {0};
		const int levelCount = 4;
		for (int l = levelCount - 1; l >= 0; --l)
		{
			const tnWaveBandGrid grid = {{0.0f, 0.0f}, (float)(1 << l), l == levelCount - 1};
			tnWavePatch patch = MakePatch((tnWaveBox){-71, -69, 141, 139});
			ENSURE(tnStampWave(GetStamps(), &grid, &before, &after, &patch, NULL));
			if (sum.values != NULL)
			{
				float* scratch = malloc(tnGetProlongScratch(sum.box) * sizeof(float));
				tnProlongWave(&sum, 1.0f, &patch, scratch);
				free(scratch);
				free(sum.values);
			}
			sum = patch;
		}
		tnWavePatch single = MakePatch(sum.box);
		const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, true};
		ENSURE(tnStampWave(GetStamps(), &grid, &before, &after, &single, NULL));
		double error = 0.0;
		for (size_t k = 0; k < GetArea(sum.box); ++k)
		{
			error = fmax(error, fabs((double)sum.values[k] - (double)single.values[k]));
		}
		// What is left are the small corrections of sums in each band.
		ENSURE(error < 1.0e-4);
		free(sum.values);
		free(single.values);
	}
	return 0;
}

// Means over cells against counting many small pieces of each.
static int CoversAreAreas(void)
{
	TestRandom random = TestMakeRandom(11);
	for (int i = 0; i < 60; ++i)
	{
		const float size = i % 3 == 0 ? 0.3f : i % 3 == 1 ? 2.0f : 7.0f;
		tnWaveEllipse ellipse = MakeRandomEllipse(&random, size);
		// Sometimes cut off.
		ellipse.center.x *= i % 4 == 0 ? 1.0f : 0.1f;
		ellipse.center.z *= i % 4 == 0 ? 1.0f : 0.1f;
		const tnWaveBandGrid grid = {{0.2f, -0.3f}, 1.0f, false};
		float* memory;
		const tnWavePatch patch = MakeGuardedPatch((tnWaveBox){-27, -29, 53, 57}, &memory);
		ENSURE(tnCoverWave(&grid, NULL, &ellipse, &patch));
		ENSURE(AreGuardsWhole(&patch));
		enum
		{
			pieces = 16
		};
		double volume = 0.0;
		double expectedVolume = 0.0;
		for (int cell = 0; cell < 53 * 57; ++cell)
		{
			const int column = cell % 53 - 27;
			const int row = cell / 53 - 29;
			int count = 0;
			for (int k = 0; k < pieces * pieces; ++k)
			{
				const double x = column + (k % pieces + 0.5) / pieces + 0.2 - (double)ellipse.center.x;
				const double z = row + (k / pieces + 0.5) / pieces - 0.3 - (double)ellipse.center.z;
				const double u = ((double)ellipse.axis.x * x + (double)ellipse.axis.z * z) / (double)ellipse.radii.x;
				const double v = ((double)ellipse.axis.x * z - (double)ellipse.axis.z * x) / (double)ellipse.radii.z;
				count += u * u + v * v < 1.0 ? 1 : 0;
			}
			const double expected = (double)ellipse.height * count / (pieces * pieces);
			// Four lines per cell along an edge are off by up to an eighth, those across it are exact. Measured 0.073.
			ENSURE_CLOSE(GetValue(&patch, column, row), expected, 0.08 * fabs((double)ellipse.height));
			volume += (double)GetValue(&patch, column, row);
			expectedVolume += expected;
		}
		if (i % 4 != 0)
		{
			const double area = PI * (double)ellipse.radii.x * (double)ellipse.radii.z;
			ENSURE_CLOSE(volume, area * (double)ellipse.height, 1.0e-6 * area * fabs((double)ellipse.height));
		}
		else
		{
			ENSURE_CLOSE(volume, expectedVolume, 0.2 * fabs((double)ellipse.height) + 0.02 * fabs(expectedVolume));
		}
		free(memory);
	}
	return 0;
}

// Cell (column, row) of a field that is mirrored along x (1), along z (2), transposed (4), or several of that.
static float GetTurned(const tnWavePatch* patch, int column, int row, int turn)
{
	const int x = (turn & 1) != 0 ? -1 - column : column;
	const int z = (turn & 2) != 0 ? -1 - row : row;
	return (turn & 4) != 0 ? GetValue(patch, z, x) : GetValue(patch, x, z);
}

// Covers of mirrored and transposed ellipses have mirrored and transposed bits.
static int CoversTurn(void)
{
	TestRandom random = TestMakeRandom(31);
	const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, false};
	const tnWaveBox box = {-28, -28, 56, 56};
	for (int i = 0; i < 120; ++i)
	{
		const tnWaveEllipse ellipse = MakeRandomEllipse(&random, i % 3 == 0 ? 0.3f : i % 3 == 1 ? 2.0f : 12.0f);
		tnWavePatch straight = MakePatch(box);
		ENSURE(tnCoverWave(&grid, NULL, &ellipse, &straight));
		for (int turn = 1; turn < 8; ++turn)
		{
			tnWaveEllipse turned = ellipse;
			if ((turn & 4) != 0)
			{
				turned.center = (tnVec2){turned.center.z, turned.center.x};
				turned.axis = (tnVec2){turned.axis.z, turned.axis.x};
			}
			if ((turn & 1) != 0)
			{
				turned.center.x = -turned.center.x;
				turned.axis.x = -turned.axis.x;
			}
			if ((turn & 2) != 0)
			{
				turned.center.z = -turned.center.z;
				turned.axis.z = -turned.axis.z;
			}
			tnWavePatch patch = MakePatch(box);
			ENSURE(tnCoverWave(&grid, NULL, &turned, &patch));
			for (int cell = 0; cell < 56 * 56; ++cell)
			{
				const int column = cell % 56 - 28;
				const int row = cell / 56 - 28;
				ENSURE(GetValue(&patch, column, row) == GetTurned(&straight, column, row, turn));
			}
			free(patch.values);
		}
		free(straight.values);
	}
	return 0;
}

// An ellipse as a stamp, and as areas of the cells of the finest level that are decomposed, give about the same bands.
static int StampsAgreeWithGrids(void)
{
	const tnWaveFilter filter = tnMakeWaveFilter(tn_simdAuto);
	static const float radii[] = {2.0f, 6.0f, 17.0f};
	for (int i = 0; i < 3; ++i)
	{
		const tnWaveEllipse ellipse = {{0.3f, -0.2f}, {0.6f, 0.8f}, {1.5f * radii[i], radii[i]}, 1.0f};
		Entry entry;
		const tnWaveBox box = {-40, -40, 80, 80};
		ENSURE(OpenEntry(&entry, box, 5));
		const tnWavePatch cover = {box, box.columnCount, entry.displacement};
		const tnWaveBandGrid finest = {{0.0f, 0.0f}, 1.0f, false};
		ENSURE(tnCoverWave(&finest, NULL, &ellipse, &cover));
		Decompose(&entry, &filter);
		for (int l = 1; l < 4; ++l)
		{
			tnWavePatch patch = MakePatch(entry.bands[l].box);
			const tnWaveBandGrid grid = {{0.0f, 0.0f}, (float)(1 << l), false};
			ENSURE(tnStampWave(GetStamps(), &grid, NULL, &ellipse, &patch, NULL));
			double error = 0.0;
			double size = 0.0;
			for (size_t k = 0; k < GetArea(patch.box); ++k)
			{
				const double difference = (double)patch.values[k] - (double)entry.bands[l].values[k];
				error += difference * difference;
				size += (double)entry.bands[l].values[k] * (double)entry.bands[l].values[k];
			}
			// Level 1 sees the largest as an edge.
			ENSURE(sqrt(error / size) < (radii[i] > 10.0f && l == 1 ? 0.1 : 0.02));
			free(patch.values);
		}
		CloseEntry(&entry);
	}
	return 0;
}

// Mirrored ellipses have mirrored stamps: bit for bit where edges or single points are concerned, to rounding elsewhere.
static int StampsMirror(void)
{
	static const struct
	{
		tnVec2 radii;
		bool isCoarsest;
		float tolerance;
	} cases[] = {{{15.0f, 13.0f}, false, 0.0f}, {{0.1f, 0.3f}, false, 0.0f}, {{8.0f, 7.0f}, true, 0.0f},
		{{3.0f, 2.0f}, false, 1.0e-6f}, {{5.0f, 7.0f}, false, 1.0e-6f}};
	for (int i = 0; i < 5; ++i)
	{
		for (int axis = 0; axis < 2; ++axis)
		{
			const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, cases[i].isCoarsest};
			const tnWaveEllipse ellipse = {{3.3f, -7.7f}, {0.9f, 0.3f}, cases[i].radii, 0.7f};
			tnWaveEllipse other = ellipse;
			tnWaveBox box = {-41, -37, 83, 71};
			tnWavePatch patch = MakePatch(box);
			if (axis == 0)
			{
				other.center.x = -other.center.x;
				other.axis.x = -other.axis.x;
				box.column = -(box.column + box.columnCount);
			}
			else
			{
				other.center.z = -other.center.z;
				other.axis.z = -other.axis.z;
				box.row = -(box.row + box.rowCount);
			}
			tnWavePatch mirrored = MakePatch(box);
			ENSURE(tnStampWave(GetStamps(), &grid, NULL, &ellipse, &patch, NULL));
			ENSURE(tnStampWave(GetStamps(), &grid, NULL, &other, &mirrored, NULL));
			for (int row = -37; row < -37 + 71; ++row)
			{
				for (int column = -41; column < -41 + 83; ++column)
				{
					const float value =
						GetValue(&mirrored, axis == 0 ? -1 - column : column, axis == 0 ? row : -1 - row);
					ENSURE_CLOSE(value, GetValue(&patch, column, row), cases[i].tolerance);
				}
			}
			free(patch.values);
			free(mirrored.values);
		}
	}
	return 0;
}

static bool IsRefused(tnWaveEllipse ellipse, float cellSize)
{
	float* memory;
	tnWavePatch patch = MakeGuardedPatch((tnWaveBox){-9, -9, 19, 17}, &memory);
	const tnWaveBandGrid grid = {{0.0f, 0.0f}, cellSize, false};
	const tnWaveEllipse good = {{0.0f, 0.0f}, {1.0f, 0.0f}, {3.0f, 2.0f}, 1.0f};
	double absolute;
	bool isRefused = !tnStampWave(GetStamps(), &grid, NULL, &ellipse, &patch, NULL) &&
		!tnStampWave(GetStamps(), &grid, &ellipse, &good, &patch, NULL) &&
		!tnStampWave(GetStamps(), &grid, &good, &ellipse, &patch, NULL) &&
		!tnCoverWave(&grid, &good, &ellipse, &patch) && !tnCoverWave(&grid, &ellipse, &good, &patch);
	isRefused = isRefused && GetSum(&patch, &absolute) == 0.0 && absolute == 0.0 && AreGuardsWhole(&patch);
	free(memory);
	return isRefused;
}

static int BadStampsAreRefused(void)
{
	const tnWaveEllipse good = {{0.0f, 0.0f}, {1.0f, 0.0f}, {3.0f, 2.0f}, 1.0f};
	ENSURE(!IsRefused(good, 1.0f));
	const float bad[] = {NAN, INFINITY, -INFINITY};
	for (int i = 0; i < 3; ++i)
	{
		for (int field = 0; field < 7; ++field)
		{
			tnWaveEllipse ellipse = good;
			float* fields[7] = {&ellipse.center.x, &ellipse.center.z, &ellipse.axis.x, &ellipse.axis.z,
				&ellipse.radii.x, &ellipse.radii.z, &ellipse.height};
			*fields[field] = bad[i];
			ENSURE(IsRefused(ellipse, 1.0f));
		}
		ENSURE(IsRefused(good, bad[i]));
	}
	tnWaveEllipse ellipse = good;
	ellipse.radii.x = 0.0f;
	ENSURE(IsRefused(ellipse, 1.0f));
	ellipse.radii.x = -1.0f;
	ENSURE(IsRefused(ellipse, 1.0f));
	ellipse.radii.x = 3.0e38f;
	ENSURE(IsRefused(ellipse, 1.0f));
	ellipse = good;
	ellipse.axis = (tnVec2){0.0f, 0.0f};
	ENSURE(IsRefused(ellipse, 1.0f));
	ENSURE(IsRefused(good, 0.0f));
	ENSURE(IsRefused(good, -1.0f));
	ENSURE(IsRefused(good, 1.0e-30f));
	return 0;
}

// Extreme but allowed: finite results with the sum zero, nothing beside the patch, and nothing at all from far away.
static int ExtremeStampsAreSound(void)
{
	static const struct
	{
		tnWaveEllipse ellipse;
		bool isFar;
	} cases[] = {{{{0.0f, 0.0f}, {1.0e-20f, 0.0f}, {1.0e6f, 1.0e6f}, 1.0f}, false},
		{{{0.0f, 0.0f}, {1.0f, 1.0f}, {1.0e-30f, 1.0e-30f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 1.0f}, {1.0e6f, 1.0e-3f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 0.0f}, {60.0f, 0.01f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 0.3f}, {1.0e-30f, 100.0f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 0.3f}, {1.0e6f, 1.0e-37f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 0.3f}, {7.0f, 1.0e6f}, 1.0f}, false},
		{{{0.5f, 0.5f}, {1.0f, 0.0f}, {8.0f, 8.0f}, 1.0e6f}, false},
		{{{3.0e38f, 0.0f}, {1.0f, 0.0f}, {8.0f, 8.0f}, 1.0f}, true},
		{{{-3.0e9f, 3.0e9f}, {1.0f, 0.0f}, {0.8f, 0.8f}, 1.0f}, true},
		{{{70.0f, 0.0f}, {1.0f, 0.0f}, {3.0f, 2.0f}, 1.0f}, true}};
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); ++i)
	{
		for (int isCoarsest = 0; isCoarsest < 2; ++isCoarsest)
		{
			float* memory;
			tnWavePatch patch = MakeGuardedPatch((tnWaveBox){-9, -9, 19, 17}, &memory);
			const tnWaveBandGrid grid = {{0.0f, 0.0f}, 1.0f, isCoarsest == 1};
			// The largest center is beyond what a lattice can hold: refused or nothing done, both are sound.
			tnStampWave(GetStamps(), &grid, NULL, &cases[i].ellipse, &patch, NULL);
			double absolute;
			const double sum = GetSum(&patch, &absolute);
			ENSURE(AreGuardsWhole(&patch));
			ENSURE_CLOSE(sum, 0.0, 1.0e-6 * absolute + 1.0e-7 * (double)cases[i].ellipse.height);
			ENSURE(isfinite(absolute));
			ENSURE(!cases[i].isFar || absolute == 0.0);
			tnCoverWave(&grid, NULL, &cases[i].ellipse, &patch);
			ENSURE(AreGuardsWhole(&patch));
			ENSURE(isfinite(GetSum(&patch, &absolute)));
			free(memory);
		}
	}
	return 0;
}

// A number of any size: one in eight is not one.
static float MakeWildNumber(TestRandom* random)
{
	const uint32_t bits = TestRandomBits(random);
	float number;
	memcpy(&number, &bits, sizeof(number));
	const bool isWild = TestRandomInt(random, 0, 7) == 0;
	return isWild ? number : TestRandomFloat(random, -1.0f, 1.0f) * powf(10.0f, TestRandomFloat(random, -4.0f, 2.5f));
}

// Stamps and covers of any numbers are refused, or finite and inside of the patch; stamps sum up to zero.
static int WildStampsAreSound(void)
{
	TestRandom random = TestMakeRandom(23);
	int takenCount = 0;
	for (int i = 0; i < 4000; ++i)
	{
		tnWaveEllipse ellipses[2];
		for (int j = 0; j < 2; ++j)
		{
			ellipses[j].center = (tnVec2){MakeWildNumber(&random), MakeWildNumber(&random)};
			ellipses[j].axis = (tnVec2){MakeWildNumber(&random), MakeWildNumber(&random)};
			ellipses[j].radii = (tnVec2){fabsf(MakeWildNumber(&random)), fabsf(MakeWildNumber(&random))};
			ellipses[j].height = MakeWildNumber(&random);
		}
		const tnWaveBandGrid grid = {
			{MakeWildNumber(&random), MakeWildNumber(&random)}, fabsf(MakeWildNumber(&random)), i % 2 == 0};
		float* memory;
		const tnWavePatch patch = MakeGuardedPatch((tnWaveBox){-9, -9, 19, 17}, &memory);
		const tnWaveEllipse* before = i % 3 == 0 ? NULL : ellipses;
		double absolute;
		takenCount += tnStampWave(GetStamps(), &grid, before, ellipses + 1, &patch, NULL) ? 1 : 0;
		const double sum = GetSum(&patch, &absolute);
		const double height = before == NULL ? 0.0 : fabs((double)ellipses[0].height);
		const double scale = fmax(height, fabs((double)ellipses[1].height));
		ENSURE(isfinite(absolute));
		// Rounding of what was added before it was made zero: heights, each cell of 323.
		ENSURE(absolute == 0.0 || fabs(sum) <= 1.0e-6 * absolute + 323.0 * 1.2e-7 * scale);
		tnCoverWave(&grid, before, ellipses + 1, &patch);
		ENSURE(isfinite(GetSum(&patch, &absolute)));
		ENSURE(AreGuardsWhole(&patch));
		free(memory);
	}
	// Many must get somewhere, or this is no test.
	ENSURE(takenCount > 500);
	return 0;
}

static const Test s_tests[] = {
	{"EllipsesAreLowPassed", EllipsesAreLowPassed},
	{"StampsSumToZero", StampsSumToZero},
	{"SwimmersKeepTheMean", SwimmersKeepTheMean},
	{"VolumesAreTold", VolumesAreTold},
	{"StampsMoveSmoothly", StampsMoveSmoothly},
	{"StampBandsAddUp", StampBandsAddUp},
	{"CoversAreAreas", CoversAreAreas},
	{"CoversTurn", CoversTurn},
	{"StampsAgreeWithGrids", StampsAgreeWithGrids},
	{"StampsMirror", StampsMirror},
	{"BadStampsAreRefused", BadStampsAreRefused},
	{"ExtremeStampsAreSound", ExtremeStampsAreSound},
	{"WildStampsAreSound", WildStampsAreSound},
};

const TestSuite wave_stampsSuite = TEST_SUITE("wave_stamps", s_tests);
