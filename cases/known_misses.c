// SPDX-License-Identifier: MIT

#include "kit.h"

#include <string.h>

// Rows that a method ought to meet and does not. docs/methods.md says by how much and why; a row that is met is taken
// off.
bool tncIsKnownMiss(const tncContext* context, const char* row)
{
	static const char* const misses[][3] = {
		{"F02", "shallow", "L1(q) at 2.5 s"},
		{"F02", "shallow-fine", "front at 2.5 s: error (A)"},
		{"F03", "shallow-fine", "a 2.5 s: L1(q) (A)"},
		// Without self-advection the trough around a body is not carried with the current: the body surges in it.
		{"B04", "pipe", "blocking dx 0.5: fastest u/u0"},
		{"B04", "pipe", "blocking dx 0.5: largest loss of speed on the way (m/s)"},
		{"B04", "linear", "blocking dx 0.5: largest loss of speed on the way (m/s)"},
		// A floating body smaller than a cell surges by 2 % as it crosses cells.
		{"B04", "pipe", "floating dx 3: |u/u0 - 1|"},
		{"B04", "pipe", "floating dx 3: fastest u/u0"},
		{"B04", "pipe", "floating dx 3: largest loss of speed on the way (m/s)"},
		{"B04", "linear", "floating dx 3: fastest u/u0"},
		{"B04", "linear", "floating dx 3: largest loss of speed on the way (m/s)"},
		{"B04", "shallow", "floating dx 3: |u/u0 - 1|"},
		{"B04", "shallow", "floating dx 3: largest loss of speed on the way (m/s)"},
		{"B04", "shallow-fine", "floating dx 3: |u/u0 - 1|"},
		{"B04", "shallow-fine", "floating dx 3: largest loss of speed on the way (m/s)"},
		// The limit that makes a weir of a crest holds the first film back, over a dam of terrain just as well.
		{"B06", "pipe", "b aligned dx 0.5: level at first overflow: error (m)"},
		{"B06", "linear", "b aligned dx 0.5: level at first overflow: error (m)"},
		// Two arms of the wake are about as high as each other, and which of them is the higher one changes from station to
		// station: the line through the highest waves turns with it. Neither finer cells nor a wider world change that.
		{"W02b", "waves", "width Froude 0.9: angle: error (degrees)"},
		{"W02b", "waves", "width Froude 1.75: angle: error (degrees)"},
		{"W02b", "waves", "width Froude 2: angle: error (degrees)"},
		{"W02b", "waves-fine", "width Froude 2: angle: error (degrees)"},
		{"W02b", "waves-fine", "width Froude 2: angle: error (degrees) (A)"},
		{"W02b", "waves-fine", "width Froude 2.5: angle: error (degrees) (A)"},
		// 0.9 degrees for 0.6.
		{"W02b", "waves-fine", "depth Froude 0.8: angle: error (degrees) (A)"},
		// A few percent of a wave enter bands beside its own and go with another speed: 4.1 instead of 4.
		{"W03", "waves-fine", "depth 2 m 4 s: L2 error (A)"},
		// Kernels are fitted to the phase speed. That of groups is off by twice the slope of its error: up to 2 % with 49
		// taps, and 5 % with 25.
		{"W04", "waves-fine", "speed of the energy: error (A)"},
		// The Laplacian of the grid in place of k^2: right for waves of 7 cells only.
		{"W05", "waves-fine", "viscosity: amplitude after 10 s: error (A)"},
		// Heights are floats: each is rounded after the correction.
		{"W08", "waves-fine", "walls: volume of stamps over what they add (A)"},
		{"W08", "waves-fine", "absorbing edges: volume of stamps over what they add (A)"},
		// Cells have all their water in the middle: a stamp as small as a cell moves unevenly.
		{"W08", "waves", "radius 0.25 m: change of first moment in 0.1 cells"},
		{"W08", "waves-fine", "radius 0.25 m: change of first moment in 0.1 cells"},
		// Along a wall the corners of the Laplacian are missing: waves are slower in the row beside it.
		{"W10", "waves-fine", "canal of 8 cells: |dc/c| (A)"},
		{"W10", "waves-fine", "canal of 4 cells: |dc/c| (A)"},
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
