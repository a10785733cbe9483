// SPDX-License-Identifier: MIT

// The sound of the viewer: SDL2 has the device and a thread that asks for samples; the mixer of sound/ makes them. Until water
// is heard: a picture, a chunk of the mixer, and two buffers of the device, 40 ms at 60 pictures a second.

// dup, dup2 and open are hidden without this.
#define _POSIX_C_SOURCE 200809L

#include "viewer/speaker.h"

#include "system/platform.h"
#include "world_ear.h"

#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds between two looks at the water.
static const double s_lookInterval = 1.0 / 60.0;

struct Speaker
{
	SDL_AudioDeviceID device;
	tnaMixer* mixer;
	tnaEar ear;
	const tnWorld* world;
	double lookTime;
	bool muted;
};

static void FillBuffer(void* context, Uint8* bytes, int size)
{
	Speaker* speaker = context;
	tnaMixer_Render(speaker->mixer, (float*)(void*)bytes, size / (int)(2 * sizeof(float)));
}

// Libraries below SDL complain to the terminal where there is no device: that is no mistake, and nobody can mend it.
static SDL_AudioDeviceID OpenQuietly(const SDL_AudioSpec* wanted)
{
	fflush(stderr);
	const int kept = dup(STDERR_FILENO);
	const int nowhere = kept >= 0 ? open("/dev/null", O_WRONLY) : -1;
	if (nowhere >= 0)
	{
		(void)dup2(nowhere, STDERR_FILENO);
		close(nowhere);
	}
	// What the device has instead SDL converts.
	SDL_AudioSpec got;
	const bool good = SDL_InitSubSystem(SDL_INIT_AUDIO) == 0;
	const SDL_AudioDeviceID device = good ? SDL_OpenAudioDevice(NULL, 0, wanted, &got, 0) : 0;
	if (kept >= 0)
	{
		(void)dup2(kept, STDERR_FILENO);
		close(kept);
	}
	return device;
}

Speaker* OpenSpeaker(void)
{
	Speaker* speaker = calloc(1, sizeof(Speaker));
	tnaResult mixing;
	const tnaDef def = tnaDefaultDef();
	if (speaker == NULL)
	{
		free(speaker);
		return NULL;
	}
	speaker->mixer = tnaCreateMixer(&def, &mixing);
	SDL_AudioSpec wanted;
	memset(&wanted, 0, sizeof(wanted));
	wanted.freq = def.sampleRate;
	wanted.format = AUDIO_F32SYS;
	wanted.channels = 2;
	wanted.samples = TNA_DEVICE_FRAMES;
	wanted.callback = FillBuffer;
	wanted.userdata = speaker;
	speaker->device = speaker->mixer != NULL ? OpenQuietly(&wanted) : 0;
	if (speaker->device == 0)
	{
		CloseSpeaker(speaker);
		return NULL;
	}
	tnaEar_Begin(&speaker->ear);
	SDL_PauseAudioDevice(speaker->device, 0);
	return speaker;
}

void Speaker_Follow(Speaker* speaker, tnpPlay* play)
{
	const double now = GetSeconds();
	if (speaker == NULL || now < speaker->lookTime)
	{
		return;
	}
	speaker->lookTime = now + s_lookInterval;
	tnWorld* world = tnpPlay_GetWorld(play);
	if (world != speaker->world)
	{
		speaker->world = world;
		tnaEar_Begin(&speaker->ear);
	}
	tnaScene scene = tnaDefaultScene();
	if (world != NULL && !speaker->muted && !tnpPlay_IsPaused(play))
	{
		const tnrCamera camera = tnpPlay_GetCamera(play);
		scene = tnaEar_Listen(&speaker->ear, world, tnpPlay_GetTime(play), camera.eye, camera.target);
	}
	SDL_LockAudioDevice(speaker->device);
	// What is refused changes nothing: nobody can do anything about it here.
	(void)tnaMixer_Hear(speaker->mixer, &scene);
	SDL_UnlockAudioDevice(speaker->device);
}

bool Speaker_Toggle(Speaker* speaker)
{
	if (speaker == NULL)
	{
		return false;
	}
	speaker->muted = !speaker->muted;
	speaker->lookTime = 0.0;
	return !speaker->muted;
}

void CloseSpeaker(Speaker* speaker)
{
	if (speaker == NULL)
	{
		return;
	}
	if (speaker->device != 0)
	{
		SDL_CloseAudioDevice(speaker->device);
	}
	SDL_QuitSubSystem(SDL_INIT_AUDIO);
	tnaDestroyMixer(speaker->mixer);
	free(speaker);
}
