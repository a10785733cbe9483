// SPDX-License-Identifier: MIT

// Waves of the layer that break throw spray: water of the flow, with the direction and the energy of the wave.

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <tarn/spray.h>
#include <tarn/tarn.h>
#include <tarn/waves.h>

enum
{
	side = 64,
};

static const float s_timeStep = 1.0f / 60.0f;

// Steep swell from the west that breaks, over water 2 m deep.
static tnWorld* MakeSea(tnMethod method, bool spray, int workerCount, float amplitude)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = side;
	def.method = method;
	def.waves.enable = true;
	def.waves.levelCount = 4;
	def.waves.finerLevels = 1;
	def.spray.enable = spray;
	for (int i = tn_west; i <= tn_east; ++i)
	{
		def.edges[i].kind = tn_levelEdge;
		def.edges[i].level = 2.0f;
	}
	def.tasks.workerCount = workerCount;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	const tnSwell swell = {{1.0f, 0.0f}, amplitude, 1.8f, 0.0f};
	(void)tnWorld_FillToLevel(world, 2.0f);
	(void)tnWorld_SetSwell(world, &swell, 1);
	return world;
}

static bool RunsWithBreaker(const tnWorld* world, const tnSprayParticle* particle)
{
	const tnBreakers breakers = tnWorld_GetBreakers(world);
	const tnVec3 v = particle->velocity;
	const double pace = sqrt((double)(v.x * v.x + v.z * v.z));
	bool runs = false;
	for (int i = 0; i < breakers.count; ++i)
	{
		const tnBreaker* breaker = breakers.breakers + i;
		const double k = 6.2831853 / (double)breaker->wavelength;
		const double speed = sqrt(9.81 / k * tanh(k * 2.0));
		const double along = (double)(v.x * breaker->direction.x + v.z * breaker->direction.z);
		runs = runs || (along > 0.999 * pace && pace > 0.75 * speed && pace < 1.25 * speed);
	}
	return runs;
}

// Until the first drops: in that step the flow has lost what flies, and nothing else has changed but what is booked.
static int FlowLosesWhatIsThrown(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* worlds[2] = {MakeSea((tnMethod)method, true, 1, 0.7f), MakeSea((tnMethod)method, false, 1, 0.7f)};
		ENSURE(worlds[0] != NULL && worlds[1] != NULL);
		for (int step = 0; step < 3000 && tnWorld_GetSpray(worlds[0]).count == 0; ++step)
		{
			ENSURE_OK(tnWorld_Step(worlds[0], s_timeStep));
			ENSURE_OK(tnWorld_Step(worlds[1], s_timeStep));
		}
		const tnSprayView spray = tnWorld_GetSpray(worlds[0]);
		ENSURE(spray.count > 0);
		double volume = 0.0, energy = 0.0;
		for (int i = 0; i < spray.count; ++i)
		{
			const tnSprayParticle* p = spray.particles + i;
			ENSURE_EQUAL_INT(p->kind, tn_breakingSpray);
			// The flow rests: they run as the wave does, as fast, from its crest.
			ENSURE(RunsWithBreaker(worlds[0], p));
			ENSURE(p->position.y > 2.0f && p->position.y < 3.5f);
			volume += (double)p->volume;
			energy += 500.0 * (double)p->volume * (double)(p->velocity.x * p->velocity.x);
		}
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(worlds[0], &stats));
		printf("%d thrown, %.3g m^3, %.3g J of the %.3g that broke\n", spray.count, volume, energy, stats.brokenEnergy);
		ENSURE_CLOSE(
			tnWorld_GetLedger(worlds[1]).volume - tnWorld_GetLedger(worlds[0]).volume, volume, 1.0e-5 * volume);
		ENSURE_CLOSE(tnWorld_GetLedger(worlds[0]).airborne, volume, 1.0e-5 * volume);
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Over half a minute: a tenth of what broke was thrown, the ledger closes, and workers change no bit.
static int ThrowsAShare(void)
{
	uint64_t hashes[3];
	for (int k = 0; k < 3; ++k)
	{
		tnWorld* world = MakeSea(tn_shallowMethod, true, k == 0 ? 1 : 2 * k + 1, 0.7f);
		ENSURE(world != NULL);
		double thrown = 0.0;
		for (int step = 0; step < 1800; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_timeStep));
			const tnSprayView spray = tnWorld_GetSpray(world);
			for (int i = 0; i < spray.count; ++i)
			{
				const tnSprayParticle* p = spray.particles + i;
				if (p->age == 0.0f)
				{
					const tnVec3 v = p->velocity;
					const double square = (double)(v.x * v.x + v.z * v.z + v.y * v.y);
					thrown += 1000.0 * (double)p->volume * (0.5 * square + 9.81 * ((double)p->position.y - 2.0));
				}
			}
		}
		tnWaveStats stats;
		ENSURE_OK(tnWorld_GetWaveStats(world, &stats));
		const tnLedger ledger = tnWorld_GetLedger(world);
		const tnSprayStats spray = tnWorld_GetSprayStats(world);
		printf("born %lld; %.3g of the energy; drift %.3g\n", (long long)spray.bornCount, thrown / stats.brokenEnergy,
			ledger.drift);
		ENSURE(spray.bornCount > 100);
		ENSURE_CLOSE(thrown / stats.brokenEnergy, 0.1, 0.03);
		ENSURE(fabs(ledger.drift) < 1.0e-7 * ledger.volume);
		hashes[k] = tnWorld_GetHash(world);
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	ENSURE_EQUAL_HEX(hashes[2], hashes[0]);
	return 0;
}

// Low swell does not break, and nothing flies.
static int LowWavesThrowNothing(void)
{
	tnWorld* world = MakeSea(tn_pipeMethod, true, 1, 0.05f);
	ENSURE(world != NULL);
	for (int step = 0; step < 1200; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		ENSURE_EQUAL_INT(tnWorld_GetSpray(world).count, 0);
	}
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"FlowLosesWhatIsThrown", FlowLosesWhatIsThrown},
	{"ThrowsAShare", ThrowsAShare},
	{"LowWavesThrowNothing", LowWavesThrowNothing},
};

const TestSuite spray_wavesSuite = TEST_SUITE("spray_waves", s_tests);
