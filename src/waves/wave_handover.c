// SPDX-License-Identifier: MIT

// Short waves of the flow become waves of the layer.
//
// The flow moves all waves with sqrt(g H), which is right for waves much longer than the depth only. So every few steps
// what is short goes from the flow to the layer, where it has its right speed. With S the surface of the flow, u the velocity
// through its faces and H their sections, G differences from cell to cell through open faces and L = G^T G:
//
//   S -= L M L S             layer height += L M L S
//   u -= G N G^T H u         layer rate   -= k tanh(k H) N G^T H u
//
// M and N are symmetric and not below zero. So L M L is symmetric in the product of potential energy, S.S, and G N G^T H in that
// of kinetic energy, u.H u: if neither is above 1, the flow never has more energy after a handover, and loses at least what
// as much of height is worth in the layer. All that is taken moves through faces: no volume is lost, nothing passes a wall, and
// eddies, which a gradient cannot have, stay as they are.
//
// Rates. A discharge is the same at all depths; a wave of the layer is not. Of a column that moves so that its surface would rise
// by -div q = H k^2 F, the part that is a wave without eddies raises it by k tanh(k H) F (solve div grad p = div u with p = 0
// at the surface), and has tanh(k H) / (k H) of the energy. All of -div q would have k H / tanh(k H) times as much: rings that
// were handed over so are off by 0.5 in 10 m where they are off by 0.09. So the height of the whole surface stays as it is, and its
// rate does not.
//
// M and N pick what is short against the depth. On coarsened grids n = 0, 1, .. of cell size s_n = s 2^n:
//
//   M = sum over n of P_n^T m_n P_n,    P_n = B_n V^T .. V^T,   B_n = H^2 (3 - 2 H) Z on coarse grids, H Z on the finest
//
// V is prolongation (wave_handover_rows.inc), V^T its transpose, Z = 1 - K / 11 and H = K Z / 2.75 with K the Laplacian of 5 points
// on the grid itself: sums of neighbours make no images of a wave, as filters that go to the next grid and back do. (Such images
// are handed over again and again: a lake of 70 x 87 m had 1.5 times its energy after four minutes.) m_n is a diagonal: the share
// r 16^n (of N r 4^n / H, with the largest depth around), times
//
//   w_n       whether waves of grid n are deep: 1 up to s_n = 1.55 H, 0 from s_n = 2.9 H on
//   windows   where the layer has tiles
//   noise     what is no larger than what rounding makes is not taken
//   steep     nor what is so high that waves are not linear
//   walls     less of it near closed faces
//
// Where waves of the next grid are not deep B_n has H^2 more on each side: what is long against the depth stays. Diagonals may
// depend on the water: what is taken at one time is taken by one operator.
//
// Why it is at most 1. Open faces are some of all faces, so u.H G N G^T H u is largest where all are open, and H is at most the largest
// depth around. L squared is not bounded like that: a surface that jumps at each wall can have the same slope everywhere between
// them. So m_n is divided by 1 + the number of closed faces within about three cells of grid n. Edges of the world are no walls:
// all filters have its mirror image beyond them. Where the number of cells cannot be halved, and the mirror is in the middle of a
// cell, they are.
//
// Bores are no waves. Cells whose surface falls by more than 0.02 of their depth to the next are closed, and each such face is as good
// as a thousand walls.
//
// Budget. That the flow loses energy does not say that the layer gains no more: a wave that grows in the flow as fast as it is taken
// (at a cliff, in a seiche) adds up in the layer to more than was ever taken, since energies are squares and the layer does not push
// back. So what is offered is taken as far as the energy that the flow releases goes: wave_handover_budget.c.
//
// Bodies. The layer is passive, and gives nothing back to the flow, but for bodies that feel its waves and stir the flow: these take
// nothing from what moves them (wave_wakes.c). A crate afloat in a closed pond made waves, got them back, was moved by them and made
// more: the layer had a hundred times the energy after five minutes. So nothing is handed over while a body of finite mass is in the
// water (world.c), nor after it before the layer's debt is forgotten. Those that are the layer's should pay for what they get, but one
// in a pond without damping had 1.4 times the energy after an hour with a handover, and it is not known why.
//
// The finest grid, whose waves are 2 to 4 cells of the flow, needs most of the time and has its turn less often.
//
//     wave_handover_read.c       open faces, L S, G^T H u; depths, walls
//     wave_handover_filter.c     V^T, B_n
//     wave_handover_potential.c  diagonals, and the sum of all grids
//     wave_handover_feed.c       to the layer
//     wave_handover_push.c       from the flow
//     wave_handover_budget.c     how much of it: what the layer may gain
//     wave_handover_memory.c     grids, runs of tiles that are awake
//     wave_handover_rows.inc     loops over cells
//
// All passes write rows of their own only and sum nothing, so bits do not depend on who computes what; every sum is
// written so that mirrored water has mirrored bits. test_wave_handover.c measures the operators in random water.

#include "wave_handover.h"
#include "wave_handover_parts.h"

#include <math.h>

// Shares are taken about so often, s, but at most every so many steps.
#define TN_HANDOVER_TIME 0.035f
#define TN_MAX_HANDOVER_STEPS 8
// The finest grid, which costs more than all others together, gives every so many times.
#define TN_FINEST_TURN 4
// Shares of heights and rates that a grid takes at once: so large that no wave loses more than 0.95 of either. They are over the
// largest K^2 (or K) times the square of what P leaves of a wave, of cells of the grid.
#define TN_FINEST_SHARE 0.12f
#define TN_FINEST_RATE_SHARE 0.55f
#define TN_SHARE 0.088f
#define TN_RATE_SHARE 0.5f
// And per second no more than so often such a share, over the root of gravity over cell size: waves much longer than those of a
// grid, of which it takes little at once, live longer too.
#define TN_HANDOVER_RATE 40.0f

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

void tnWaves_TakeFromFlow(tnWaves* waves, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount,
	float timeStep, const tnHandoverFlow* flow)
{
	tnWaveHandover* handover = waves->handover;
	const int interval = (int)tnClampFloat(TN_HANDOVER_TIME / timeStep, 1.0f, (float)TN_MAX_HANDOVER_STEPS);
	if (handover == NULL || stepCount % interval != 0 || waves->account < 0.0)
	{
		return;
	}
	tnTaking taking = {.waves = waves,
		.handover = handover,
		.rows = handover->rows,
		.grid = grid,
		.tiles = tiles,
		.fixedSection = flow->fixedSection,
		.potentialScale = grid->cellSize * grid->cellSize / waves->gravity,
		.perKinetic = 1.0f / tnMaxFloat(flow->liveliness, 1.0f),
		.lag = flow->subStep};
	const int bandCount = tnGetBandCount(&taking);
	taking.bandCount = bandCount;
	taking.firstBand = stepCount / interval % TN_FINEST_TURN == 0 ? 0 : 1;
	if (bandCount <= taking.firstBand || !tnFindParts(&taking))
	{
		return;
	}
	const float time = (float)interval * timeStep;
	taking.time = time;
	float scale = 1.0f;
	for (int n = 0; n < bandCount; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		const float part = tnMinFloat(1.0f, TN_HANDOVER_RATE * sqrtf(waves->gravity / level->cellSize) * time);
		level->share = part * scale * scale * (n == 0 ? TN_FINEST_SHARE : TN_SHARE);
		level->rateShare = part * scale * (n == 0 ? TN_FINEST_RATE_SHARE : TN_RATE_SHARE);
		scale *= 4.0f;
	}

	tnReadFlow(&taking, parallel);
	for (int n = 0; n < bandCount; ++n)
	{
		tnCoarsen(&taking, parallel, n);
	}
	for (int n = taking.firstBand; n < bandCount; ++n)
	{
		tnChooseShort(&taking, parallel, n);
	}
	tnOfferToLayer(&taking, parallel);
	for (int n = bandCount - 2; n > 0; --n)
	{
		tnGatherPotentials(&taking, parallel, n);
	}
	tnSumPotentials(&taking, parallel);
	if (tnChooseShare(&taking, parallel))
	{
		tnPushFlow(&taking, parallel);
		tnFeedLayer(&taking, parallel);
	}
	tnForgetOffer(&taking, parallel);
}
