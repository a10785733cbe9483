// SPDX-License-Identifier: MIT

#pragma once

// Verification cases as tests.

typedef enum CaseMethods
{
	allMethods,
	// Those without self-advection.
	plainMethods,
	// The full equations.
	shallowMethods,
	// Of them, those that are held to limits of accuracy.
	judgedShallowMethods,
	// All that are held to limits of accuracy, with one kind of pipe.
	bodyMethods,
	// Kernels of the wave layer.
	waveMethods,
	// Voxels.
	voxelMethods,
} CaseMethods;

// Runs a verification case with some methods and prints its failing rows. A long case runs only with one method of each
// kind: `tarn check` runs it with all of them. Returns 0 if nothing failed.
int TestRunCase(const char* name, CaseMethods methods);
