// SPDX-License-Identifier: MIT

// The spray of a scene: the layer, and jets that begin and end. And its foam.

#include "world/scene_rules.h"
#include "world/scene_run.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// Reading

static bool tnsReadJet(tnsSceneReader* reader, const tnsJson* value, tnsJetRule* jet)
{
	static const tnsRule rules[] = {
		{"position", tns_spaceRule, true, offsetof(tnsJetRule, def.position), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"velocity", tns_spaceRule, true, offsetof(tnsJetRule, def.velocity), -200, 200, NULL},
		{"rate", tns_floatRule, false, offsetof(tnsJetRule, def.rate), 0, 1000, NULL},
		{"radius", tns_floatRule, false, offsetof(tnsJetRule, def.radius), 0, 10, NULL},
		{"spread", tns_floatRule, false, offsetof(tnsJetRule, def.spread), 0, 1, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsJetRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsJetRule, stop), 0, TNS_MAX_SECONDS, NULL},
	};
	jet->def = tnDefaultJetDef();
	jet->stop = INFINITY;
	jet->place = value->place;
	if (TNS_READ(reader, value, "a jet", rules, jet) == false)
	{
		return false;
	}
	return jet->start < jet->stop ||
		tnsFail(reader, value->place, "stop must be later than start, got %.9g and %.9g", jet->stop, jet->start);
}

static bool tnsReadJets(tnsSceneReader* reader, const tnsJson* value)
{
	tnsScene* scene = reader->scene;
	if (value == NULL)
	{
		return true;
	}
	if (scene->info.worldDef.spray.enable == false)
	{
		return tnsFail(reader, value->place, "jets need a scene with \"spray\", and its \"enable\" not false");
	}
	if (tnsCheckArray(reader, value, "jets", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	scene->jets = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsJetRule));
	bool good = scene->jets != NULL;
	for (const tnsJson* item = value->first; good && item != NULL; item = item->next)
	{
		good = tnsReadJet(reader, item, scene->jets + scene->jetCount);
		scene->jetCount += 1;
	}
	return good;
}

bool tnsReadSpray(tnsSceneReader* reader, const tnsJson* value, const tnsJson* jets)
{
	static const tnsRule rules[] = {
		{"enable", tns_boolRule, false, offsetof(tnSprayDef, enable), 0, 0, NULL},
		{"capacity", tns_intRule, false, offsetof(tnSprayDef, capacity), 16, 1 << 20, NULL},
		{"ledgeHeight", tns_floatRule, false, offsetof(tnSprayDef, ledgeHeight), 0.01, TNS_LENGTH, NULL},
		{"breakingSlope", tns_floatRule, false, offsetof(tnSprayDef, breakingSlope), 0, 10, NULL},
		{"drag", tns_floatRule, false, offsetof(tnSprayDef, drag), 0, 100, NULL},
		{"slamSpeed", tns_floatRule, false, offsetof(tnSprayDef, slamSpeed), 0, 1000, NULL},
		{"wind", tns_vectorRule, false, offsetof(tnSprayDef, wind), -100, 100, NULL},
	};
	tnSprayDef* def = &reader->scene->info.worldDef.spray;
	def->enable = value != NULL;
	return (value == NULL || TNS_READ(reader, value, "spray", rules, def)) && tnsReadJets(reader, jets);
}

bool tnsReadFoam(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"enable", tns_boolRule, false, offsetof(tnFoamDef, enable), 0, 0, NULL},
		{"lifetime", tns_floatRule, false, offsetof(tnFoamDef, lifetime), 0.01, 1e9, NULL},
		{"strength", tns_floatRule, false, offsetof(tnFoamDef, strength), 0, 100, NULL},
	};
	tnFoamDef* def = &reader->scene->info.worldDef.foam;
	def->enable = value != NULL;
	return value == NULL || TNS_READ(reader, value, "foam", rules, def);
}

// ---------------------------------------------------------------------------------------------------------------------
// Running

static tnsResult tnsMakeJetError(const tnsRun* run, int index, tnResult result)
{
	return result.status == tn_ok
		? (tnsResult){0}
		: tnsMakeSceneError(run->scene, tns_worldError, run->scene->jets[index].place, "%s", result.text);
}

tnsResult tnsBeginJets(tnsRun* run)
{
	tnsResult result = {0};
	for (int i = 0; i < run->scene->jetCount && result.status == tns_ok; ++i)
	{
		// Idle; the first step turns on those that are due.
		tnJetDef idle = run->scene->jets[i].def;
		idle.rate = 0.0f;
		result = tnsMakeJetError(run, i, tnWorld_CreateJet(run->world, &idle, &run->jets[i]));
	}
	return result;
}

tnsResult tnsUpdateJets(tnsRun* run, double now)
{
	tnsResult result = {0};
	for (int i = 0; i < run->scene->jetCount && result.status == tns_ok; ++i)
	{
		const tnsJetRule* jet = run->scene->jets + i;
		const bool on = jet->start <= now && now < jet->stop;
		if (on != run->jetOn[i])
		{
			tnJetDef def = jet->def;
			def.rate = on ? def.rate : 0.0f;
			result = tnsMakeJetError(run, i, tnWorld_SetJet(run->world, run->jets[i], &def));
			run->jetOn[i] = on;
		}
	}
	return result;
}
