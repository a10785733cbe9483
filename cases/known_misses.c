// SPDX-License-Identifier: MIT

#include "kits/case_kit.h"

#include <string.h>

// Rows that a method ought to meet and does not. docs/methods.md and docs/voxels.md say by how much and why; a row that is met is taken
// off.
bool tncIsKnownMiss(const tncContext* context, const char* row)
{
	static const char* const misses[][3] = {
		{"F02", "shallow", "L1(q) at 2.5 s"},
		{"F02", "shallow-fine", "front at 2.5 s: error (A)"},
		{"F03", "shallow-fine", "a 2.5 s: L1(q) (A)"},
		// The arms of a wake are equally high to a few percent, and the line through the highest waves turns when the highest
		// one is in another arm. The procedure is that of the table, and exact theory gives its angles to the last digit. But
		// with frequencies that are wrong by 0.5 % (0.2 %) exact theory itself is off by 7.3 (1.5) degrees at Froude 0.9, 1.9
		// (1.2) at 1.5, 7.4 (7.2) at 2, 1.5 (1.2) at 2.5, and 1.1 (0.4) at depth Froude 0.8; kernels may be off by 1 %, and
		// are by 0.8 and 0.2. Lines through the source are not turned by that, and all of them are met.
		{"W02b", "waves-quick", "width Froude 0.9: angle: error (degrees)"},
		{"W02b", "waves-quick", "width Froude 1.5: angle: error (degrees)"},
		{"W02b", "waves", "width Froude 2: angle: error (degrees) (A)"},
		{"W02b", "waves", "width Froude 2.5: angle: error (degrees) (A)"},
		{"W02b", "waves", "depth Froude 0.8: angle: error (degrees) (A)"},
		// 4.1 instead of 4. Were bands as sharp as they are meant to be, the speeds of the kernel would make 1.2. With 1 % of
		// each wave in each band that should have nothing of it they make 3.5; filters are wrong by that much.
		{"W03", "waves", "depth 2 m 4 s: L2 error (A)"},
		// Kernels are fitted to the phase speed. At 8 cells that is wrong by 0.06 % and the group speed of the kernel by 1.7;
		// 1.3 is measured, for all waves of the packet.
		{"W04", "waves", "speed of the energy: error (A)"},
		// The Laplacian of the grid in place of k^2: right for waves of 7 cells, 1.7 % too much at 8, which is what waves of 4 m
		// have.
		{"W05", "waves", "viscosity: amplitude after 10 s: error (A)"},
		// Zero is asked for. Heights are floats: each is rounded after the correction, and 6e-9 of all is left.
		{"W08", "waves", "walls: volume of stamps over what they add (A)"},
		{"W08", "waves", "absorbing edges: volume of stamps over what they add (A)"},
		// Cells have all their water in the middle: a stamp as small as a cell moves unevenly. Of a disc of one cell the exact
		// areas of cells do so by 1.8 %; this ellipse, of 1 to 0.7, by 2.7.
		{"W08", "waves-quick", "radius 0.25 m: change of first moment in 0.1 cells"},
		{"W08", "waves", "radius 0.25 m: change of first moment in 0.1 cells"},
		// In the rows beside walls two of the four corners of the Laplacian are missing, a sixth of what acts along the wall.
		// In the mean over the canal that makes waves of 8 cells slower by 1.1 and 2.2 %; 1.4 and 2.5 are measured.
		{"W10", "waves", "canal of 8 cells: |dc/c| (A)"},
		{"W10", "waves", "canal of 4 cells: |dc/c| (A)"},
		// Pools above others run off over their lips, in the end a unit in several steps: 7076 steps for 1920.
		{"V04", "voxels", "rain in a cave: steps until 99 % sleep (A)"},
		// Voxels that differ by one unit do not flow: two units remain.
		{"V06", "voxels", "sea down to 8: thickest film that could drain (units) (A)"},
		// Single units are dealt out in the order of voxels.
		{"V09", "voxels", "mirrored in x: largest difference at rest (units) (A)"},
		{"V09", "voxels", "mirrored in z: largest difference at rest (units) (A)"},
		{"V09", "voxels", "turned by 90 degrees: largest difference at rest (units) (A)"},
		{"V09", "voxels", "turned by 180 degrees: largest difference at rest (units) (A)"},
	};
	for (size_t i = 0; i < sizeof(misses) / sizeof(misses[0]); ++i)
	{
		if (strcmp(context->testCase->name, misses[i][0]) == 0 && strcmp(context->method->name, misses[i][1]) == 0 &&
			strcmp(row, misses[i][2]) == 0)
		{
			return true;
		}
	}
	return false;
}
