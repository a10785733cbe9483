// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file Spray: water in the air. Where water falls over a ledge, or a crest breaks, it leaves the columns as particles, flies,
/// and comes down elsewhere; jets throw water of their own. Particles carry volume and momentum out of the cells that they come from and
/// into those in which they land: what is in the air is in the ledger, to the last bit.

typedef enum tnSprayKind
{
	/// Over a ledge.
	tn_fallingSpray = 0,
	/// Out of a jet.
	tn_jetSpray,
	/// Off a crest that breaks.
	tn_breakingSpray,
	/// Thrown up by a body.
	tn_splashSpray,
	tn_sprayKindCount,
} tnSprayKind;

/// Water in the air.
typedef struct tnSprayParticle
{
	tnVec3 position; // m
	tnVec3 velocity; // m/s
	float volume;    // m^3
	float age;       // s
	tnSprayKind kind;
	/// A number of its own, for looks.
	uint32_t seed;
} tnSprayParticle;

typedef struct tnSprayView
{
	const tnSprayParticle* particles;
	int count;
} tnSprayView;

// ---------------------------------------------------------------------------------------------------------------------
// Jets: hoses, springs that shoot up, leaks

typedef struct tnJetId
{
	int32_t index1;
	uint32_t generation;
} tnJetId;

typedef struct tnJetDef
{
	/// Of the nozzle, meters.
	tnVec3 position;
	/// With which water leaves it, m/s, at most 200.
	tnVec3 velocity;
	/// m^3/s, in [0, 1000]. It comes from outside and is among the sources of the ledger. Default 0.02, a fire hose.
	float rate;
	/// Of the nozzle, meters, in [0, 10]. Default 0.05.
	float radius;
	/// How far it spreads: largest angle to the velocity, rad, in [0, 1]. Default 0.02.
	float spread;
	uint32_t stamp;
} tnJetDef;

TN_API tnJetDef tnDefaultJetDef(void);
/// @param id receives the jet, or null
TN_API tnResult tnWorld_CreateJet(tnWorld* world, const tnJetDef* def, tnJetId* id);
TN_API tnResult tnWorld_DestroyJet(tnWorld* world, tnJetId id);
/// Aim it anew, from the next step on.
TN_API tnResult tnWorld_SetJet(tnWorld* world, tnJetId id, const tnJetDef* def);

// ---------------------------------------------------------------------------------------------------------------------
// Asking

/// All water in the air; those that stay keep their order but for a few, which fill gaps. Stale after the next step. Empty without the layer.
TN_API tnSprayView tnWorld_GetSpray(const tnWorld* world);

typedef struct tnSprayStats
{
	int particleCount;
	/// Since creation. A piece of a jet that splashes has landed, and its splash is born. What left over edges has not landed.
	int64_t bornCount, landedCount;
	/// Those for which there was no room: their water joined others.
	int64_t mergedCount;
	/// m^3, exact but for rounding to double.
	double airborne;
} tnSprayStats;

TN_API tnSprayStats tnWorld_GetSprayStats(const tnWorld* world);
