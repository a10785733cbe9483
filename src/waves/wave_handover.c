// SPDX-License-Identifier: MIT

// Short waves of the flow become waves of the layer.
//
// The flow moves all waves with sqrt(g H), which is right for waves much longer than the depth only. So every few steps
// what is short goes from the flow to the layer, where it has its right speed. With S the surface of the flow and
// D = div q the rate at which it falls, both lose the same share of each wave, and the layer gets what they lose:
//
//   S -= K F(S)      layer height += K F(S)               K: positive Laplacian on the grid of the flow
//   D -= K F(D)      layer rate   -= K F(D)
//
// K F is the divergence of the gradient of F: depth moves through faces and no volume is lost, and the discharge changes
// by a gradient, so its eddies stay as they are. The total surface, and how fast it rises, stay as they are too. Where
// all short waves go to the layer, the flow moves as if it had a lid, and the pressure under the lid is in the layer: a
// whirl keeps turning, and the dent it makes is a forced wave of the layer.
//
// F picks what is short against the depth. On coarsened grids n = 0, 1, .. of cell size s_n = s 2^n, with R and U
// restriction and prolongation of wave_filter.c (polynomials of degree 5 pass unchanged):
//
//   S_0 = S,  S_(n+1) = R S_n        b_n = (1 - U R)^m S_n        F = sum over n of V^n (r 4^n w_n b_n)
//
// r is the share per handover. w_n in [0, 1] says whether waves of grid n are deep: 1 up to s_n = 1.55 H, 0 from s_n = 2.9 H
// on. Of a wave, grid n takes r K b of its height, with m = 2 where waves of the next grid are deep too, else 6:
//
//   cells of grid n    3      4      5      6      7       8       12
//   K (1 - U R)^2      2.97   1.36   0.33   0.063  0.012   0.0026  1e-5
//   K (1 - U R)^6      2.92   0.64   0.019  3e-4   3e-6    5e-8    0
//
// V is prolongation too, but for potentials (wave_handover_rows.inc): U makes waves that nobody had, since K of a little that is
// short is much. All grids together take about 0.8 of all waves from 5 cells on that are short enough, at once: those of up
// to 3 to 7 H (it depends on where H lies between the sizes of two grids) are gone within two handovers. The finest grid,
// whose waves are 2 to 4 cells of the flow, needs most of the time and has its turn less often: taking more of such waves
// makes rings no better.
//
// b_n is 2 to 6 cells of its grid long, which are 4 to 12 cells of the level of the layer with half the cells: just what
// that level knows.
//
//     wave_handover_read.c       S, D; gaps; depths
//     wave_handover_filter.c     R, U, b_n
//     wave_handover_potential.c  r 4^n w_n b_n, and their sum
//     wave_handover_feed.c       to the layer
//     wave_handover_push.c       from the flow
//     wave_handover_memory.c     grids, runs of tiles that are awake
//     wave_handover_rows.inc     loops over cells
//
// Walls and shores: nothing passes a face unless both its cells are wet, awake, and not at a body, and w_n is 0 in cells
// of grid n that are not all wet. At wrapped edges the grid ends.
//
// Energy. The layer gives nothing back, so all would be well if no handover made the waves of the flow higher: S - K F S
// must not be larger than S. On a flat bed without walls F is a polynomial of K. But w_n changes with the depth, K w_n B is
// not symmetric, and may well have eigenvalues below zero: then a handover would leave the flow with more than it had. That is
// a guess; eigenvalues were not computed, nor the flow measured before and after a handover. What was measured is the sum of flow and
// layer in closed worlds without bodies, 40 s: an island with steep sides 6.7e3 to 2.6e8 J, pillars 360 to 2.3e5 J. With all cells of grid
// n closed that are nearer than 3 of its cells to one that is not wet these two do not grow (another island still did, where
// the flow alone does too), but over a plain slope the sum then grows by 40 in 240 s. Until this is understood and
// mended tnCreateWorld refuses takeFromFlow.
//
// All passes write rows of their own only and sum nothing, so bits do not depend on who computes what; every sum is
// written so that mirrored water has mirrored bits.

#include "wave_handover.h"
#include "wave_handover_parts.h"

#include <math.h>

// Shares are taken about so often, s, but at most every so many steps.
#define TN_HANDOVER_TIME 0.07f
#define TN_MAX_HANDOVER_STEPS 8
// The finest grid, which costs more than all others together, gives every so many times.
#define TN_FINEST_TURN 4
// Share r per handover. Waves of 2 cells of the finest grid along both axes have a K of 8, and nothing may lose more than
// twice what it has. Coarser grids do not have such waves: restriction takes them.
#define TN_FINEST_SHARE 0.12f
#define TN_HANDOVER_SHARE 0.26f
// And per second, over the root of gravity over cell size. More would take from long waves.
#define TN_HANDOVER_RATE 5.0f

static bool s_isHandoverOpen = false;

void tnOpenHandover(bool open)
{
	s_isHandoverOpen = open;
}

bool tnIsHandoverOpen(void)
{
	return s_isHandoverOpen;
}

// Coarse grids that are larger than all water is deep give nothing.
static int tnGetBandCount(const tnTaking* taking)
{
	int count = 0;
	while (count < taking->handover->bandCount &&
		tnGetDepthWeight(taking->handover->grids[count].cellSize, taking->grid->maxDepth) > 0.0f)
	{
		count += 1;
	}
	return count;
}

void tnWaves_TakeFromFlow(
	tnWaves* waves, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount, float timeStep)
{
	tnWaveHandover* handover = waves->handover;
	const int interval = tnClampInt((int)(TN_HANDOVER_TIME / timeStep), 1, TN_MAX_HANDOVER_STEPS);
	if (handover == NULL || stepCount % interval != 0)
	{
		return;
	}
	tnTaking taking = {.waves = waves, .handover = handover, .rows = handover->rows, .grid = grid, .tiles = tiles};
	const int bandCount = tnGetBandCount(&taking);
	taking.bandCount = bandCount;
	taking.firstBand = stepCount / interval % TN_FINEST_TURN == 0 ? 0 : 1;
	if (bandCount <= taking.firstBand || !tnFindParts(&taking))
	{
		return;
	}
	const float time = (float)interval * timeStep;
	float scale = 1.0f;
	for (int n = 0; n < bandCount; ++n)
	{
		const float rate = TN_HANDOVER_RATE * sqrtf(waves->gravity / handover->grids[n].cellSize);
		handover->grids[n].share = scale * tnMinFloat(n == 0 ? TN_FINEST_SHARE : TN_HANDOVER_SHARE, rate * time);
		scale *= 4.0f;
	}

	if (!tnReadFlow(&taking, parallel))
	{
		return;
	}
	for (int n = 0; n < bandCount; ++n)
	{
		tnCoarsen(&taking, parallel, n, false);
	}
	for (int n = taking.firstBand; n < bandCount; ++n)
	{
		tnSharpen(&taking, parallel, n);
		tnWeighShort(&taking, parallel, n);
	}
	tnFeedLayer(&taking, parallel);
	for (int n = bandCount - 2; n > 0; --n)
	{
		tnGatherPotentials(&taking, parallel, n);
	}
	tnPushFlow(&taking, parallel);
}
