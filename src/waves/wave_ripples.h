// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "../core/parallel.h"
#include "wave_bed.h"
#include "wave_ripple_def.h"

// Ripples too short for any band: where they are, how much of them, and which way they run. See wave_ripples.c.

// NULL if memory runs out.
tnRipples* tnRipples_Create(tnMemory* memory, const tnRipplesDef* def);
// In two parts: what answers questions of size, and the fields, without which there may be no step and no sample.
tnRipples* tnRipples_Make(tnMemory* memory, const tnRipplesDef* def);
bool tnRipples_Reserve(tnRipples* ripples, tnMemory* memory);
// Give the fields back.
void tnRipples_Free(tnRipples* ripples, tnMemory* memory);
// As they were made: no ripples.
void tnRipples_Clear(tnRipples* ripples);
void tnRipples_Destroy(tnRipples* ripples, tnMemory* memory);

void tnRipples_SetEdges(tnRipples* ripples, const tnEdgeKind* edges);
// @param damping as of the def
void tnRipples_SetDamping(tnRipples* ripples, float damping);
// @param gravity m/s^2
void tnRipples_SetGravity(tnRipples* ripples, float gravity);
// @param viscosity m^2/s
void tnRipples_SetViscosity(tnRipples* ripples, float viscosity);

// Add ripples, spread over a disc of at least a cell: what breaking waves turn into. Takes effect in the next step.
// @param energy J, at least 0
// @param direction where they run to, of length 1 at most; zero if they run everywhere
void tnRipples_AddEnergy(tnRipples* ripples, tnVec2 center, float radius, float energy, tnVec2 direction);

// Does not allocate. Costs nothing while there are neither ripples nor wind nor rain.
// @param bed NULL for water everywhere, at rest
// @param wind m/s at 10 m height
// @param rain m/s
void tnRipples_Step(
	tnRipples* ripples, const tnWaveBed* bed, tnParallel* parallel, tnVec2 wind, float rain, float timeStep);

// Mean square of height, m^2, and direction; zeros outside of the world.
void tnRipples_Sample(const tnRipples* ripples, tnVec2 position, float* energy, tnVec2* direction);

tnRippleView tnRipples_GetView(const tnRipples* ripples);

// What the equations in wave_ripples.c call k, c, D, E_max and E_s.
float tnRipples_GetWaveNumber(const tnRipples* ripples);              // 1/m
float tnRipples_GetGroupSpeed(const tnRipples* ripples);              // m/s
float tnRipples_GetDecayRate(const tnRipples* ripples);               // 1/s
float tnRipples_GetEnergyLimit(const tnRipples* ripples);             // m^2
float tnRipples_GetSaturation(const tnRipples* ripples, tnVec2 wind); // m^2
bool tnRipples_AreAtRest(const tnRipples* ripples);
