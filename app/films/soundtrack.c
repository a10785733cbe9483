// SPDX-License-Identifier: MIT

// What a run sounds like, from the camera of its film.

#include "films/soundtrack.h"

#include "system/errors.h"
#include "system/platform.h"
#include "system/wave_file.h"
#include "world_ear.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
	sampleRate = 48000,
	// As often as pictures: samples between two looks at the water.
	lookFrames = sampleRate / 30,
	blockFrames = 480,
};

struct Soundtrack
{
	SoundtrackDef def;
	WaveFile* file;
	tnaMixer* mixer;
	tnaEar ear;
	int64_t frameCount, nextLook;
};

bool HasSound(void)
{
	return true;
}

Soundtrack* OpenSoundtrack(const SoundtrackDef* def, tnsResult* result)
{
	Soundtrack* track = calloc(1, sizeof(Soundtrack));
	tnaDef mixerDef = tnaDefaultDef();
	tnaResult mixing;
	mixerDef.sampleRate = sampleRate;
	*result = (tnsResult){.status = tns_ok};
	if (track == NULL)
	{
		*result = MakeError(tns_outOfMemory, "no memory for sound");
		return NULL;
	}
	track->def = *def;
	track->mixer = tnaCreateMixer(&mixerDef, &mixing);
	track->file = track->mixer != NULL ? OpenWaveFile(def->path, sampleRate) : NULL;
	if (track->file == NULL)
	{
		*result = track->mixer != NULL ? MakeError(tns_fileError, "%s: %s", def->path, strerror(errno))
									   : MakeError(tns_outOfMemory, "%s", mixing.text);
		tnaDestroyMixer(track->mixer);
		free(track);
		return NULL;
	}
	tnaEar_Begin(&track->ear);
	return track;
}

// The camera of the scene, or one from which all of the world is seen.
static void FindEye(const Soundtrack* track, double time, tnVec3* eye, tnVec3* target)
{
	const tnWorldDef def = tnWorld_GetDef(tnsRun_GetWorld(track->def.run));
	const float width = (float)def.columnCount * def.cellSize;
	const float length = (float)def.rowCount * def.cellSize;
	tnsCamera camera;
	if (tnsScene_GetCamera(tnsRun_GetScene(track->def.run), time, &camera))
	{
		*eye = camera.eye;
		*target = camera.target;
		return;
	}
	const tnVec2 middle = {def.origin.x + 0.5f * width, def.origin.z + 0.5f * length};
	const float surface = tnWorld_Sample(tnsRun_GetWorld(track->def.run), middle).surface;
	*target = (tnVec3){middle.x, surface, middle.z};
	*eye = (tnVec3){middle.x, surface + 0.5f * length, middle.z + 0.8f * length};
}

tnsResult Soundtrack_Advance(Soundtrack* track)
{
	const SoundtrackDef* def = &track->def;
	const double time = tnsRun_GetTime(def->run);
	const int64_t end = (int64_t)((time - def->from) / def->speed * sampleRate + 0.5);
	if (track->frameCount >= track->nextLook && end >= 0)
	{
		tnVec3 eye, target;
		FindEye(track, time, &eye, &target);
		const tnaScene scene = tnaEar_Listen(&track->ear, tnsRun_GetWorld(def->run), time, eye, target);
		const tnaResult heard = tnaMixer_Hear(track->mixer, &scene);
		if (!heard.ok)
		{
			return MakeError(tns_worldError, "sound: %s", heard.text);
		}
		track->nextLook = track->frameCount + lookFrames;
	}
	while (track->frameCount < end)
	{
		float samples[2 * blockFrames];
		const int count = end - track->frameCount < blockFrames ? (int)(end - track->frameCount) : blockFrames;
		tnaMixer_Render(track->mixer, samples, count);
		track->frameCount += count;
		if (!WaveFile_Add(track->file, samples, count))
		{
			return MakeError(tns_fileError, "%s: cannot be written whole", def->path);
		}
	}
	return (tnsResult){.status = tns_ok};
}

bool Soundtrack_HasSamples(const Soundtrack* track)
{
	return track->frameCount > 0;
}

tnsResult CloseSoundtrack(Soundtrack* track)
{
	tnsResult result = {.status = tns_ok};
	if (track == NULL)
	{
		return result;
	}
	if (!CloseWaveFile(track->file))
	{
		result = MakeError(tns_fileError, "%s: cannot be written whole", track->def.path);
	}
	tnaDestroyMixer(track->mixer);
	free(track);
	return result;
}
