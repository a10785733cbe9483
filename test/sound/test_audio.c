// SPDX-License-Identifier: MIT

// Samples of water: frequencies and levels against what they are made after, and what no input may do.

#include "audio.h"
#include "bubbles.h"
#include "harness.h"
#include "world_ear.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	rate = 48000,
	// Of a spectrum.
	windowLength = 4096,
	mostFrames = 8 * rate,
};

static const double s_pi = 3.14159265358979;
static float s_samples[2 * mostFrames];
static float s_others[2 * mostFrames];

static tnaMixer* Make(uint32_t seed, float compression)
{
	tnaDef def = tnaDefaultDef();
	def.seed = seed;
	def.compression = compression;
	tnaResult result;
	return tnaCreateMixer(&def, &result);
}

static tnaScene HearOne(const tnSound* sound)
{
	tnaScene scene = tnaDefaultScene();
	scene.sounds = sound;
	scene.soundCount = 1;
	return scene;
}

// Four seconds of a scene, after one in which it begins.
static int Play(const tnaScene* scene, uint32_t seed, float compression)
{
	tnaMixer* mixer = Make(seed, compression);
	ENSURE(mixer != NULL);
	const tnaResult result = tnaMixer_Hear(mixer, scene);
	ENSURE_TEXT(result.text, "");
	tnaMixer_Render(mixer, s_samples, rate);
	tnaMixer_Render(mixer, s_samples, 4 * rate);
	tnaDestroyMixer(mixer);
	return 0;
}

// Of a side, or of both.
static double GetLevel(const float* samples, int frames, int side)
{
	double sum = 0.0;
	for (int i = 0; i < frames; ++i)
	{
		sum += side < 0
			? 0.5 * ((double)samples[2 * i] * samples[2 * i] + (double)samples[2 * i + 1] * samples[2 * i + 1])
			: (double)samples[2 * i + side] * samples[2 * i + side];
	}
	return 10.0 * log10(sum / frames + 1.0e-30);
}

static void Transform(double* re, double* im, int count)
{
	for (int i = 1, j = 0; i < count; ++i)
	{
		int bit = count >> 1;
		for (; (j & bit) != 0; bit >>= 1)
		{
			j ^= bit;
		}
		j ^= bit;
		if (i < j)
		{
			const double a = re[i], b = im[i];
			re[i] = re[j], im[i] = im[j];
			re[j] = a, im[j] = b;
		}
	}
	for (int length = 2; length <= count; length *= 2)
	{
		for (int i = 0; i < length / 2; ++i)
		{
			const double c = cos(-2.0 * s_pi * i / length), s = sin(-2.0 * s_pi * i / length);
			for (int k = i; k < count; k += length)
			{
				const int m = k + length / 2;
				const double a = re[m] * c - im[m] * s, b = re[m] * s + im[m] * c;
				re[m] = re[k] - a, im[m] = im[k] - b;
				re[k] += a, im[k] += b;
			}
		}
	}
}

// Mean power by frequency of both sides together, bins of rate / windowLength.
static void GetSpectrum(const float* samples, int frames, double* power)
{
	static double re[windowLength], im[windowLength];
	memset(power, 0, sizeof(double) * windowLength / 2);
	for (int begin = 0; begin + windowLength <= frames; begin += windowLength / 2)
	{
		for (int i = 0; i < windowLength; ++i)
		{
			const double window = 0.5 - 0.5 * cos(2.0 * s_pi * i / windowLength);
			re[i] = window * samples[2 * (begin + i)];
			im[i] = window * samples[2 * (begin + i) + 1];
		}
		Transform(re, im, windowLength);
		for (int i = 1; i < windowLength / 2; ++i)
		{
			const int k = windowLength - i;
			power[i] += re[i] * re[i] + im[i] * im[i] + re[k] * re[k] + im[k] * im[k];
		}
	}
}

// Share of the power between two frequencies.
static double GetShare(const double* power, double low, double high)
{
	double part = 0.0, all = 0.0;
	for (int i = 1; i < windowLength / 2; ++i)
	{
		const double f = (double)i * rate / windowLength;
		all += power[i];
		part += f >= low && f < high ? power[i] : 0.0;
	}
	return part / all;
}

static double GetMeanFrequency(const double* power)
{
	double sum = 0.0, all = 0.0;
	for (int i = 1; i < windowLength / 2; ++i)
	{
		all += power[i];
		sum += power[i] * i * rate / windowLength;
	}
	return sum / all;
}

// ---------------------------------------------------------------------------------------------------------------------
// What it is made after

static int BubblesRingAsMinnaertSays(void)
{
	// 3 mm: 1.09 kHz, and 43 + 44 per second (van den Doel 2005).
	ENSURE_CLOSE(tnaGetBubbleFrequency(0.003f), 1094.0, 2.0);
	const float radii[] = {0.0005f, 0.001f, 0.003f, 0.008f};
	for (int i = 0; i < 4; ++i)
	{
		static tnaBubbles bubbles;
		static double power[windowLength / 2];
		float chunk[TNA_CHUNK];
		int ringing[1];
		const double r = (double)radii[i];
		memset(&bubbles, 0, sizeof(bubbles));
		bubbles.sampleRate = (float)rate;
		ENSURE(tnaBubbles_Start(&bubbles, 0, 0, radii[i], 0.5f));
		double energies[2] = {0.0, 0.0};
		const double decay = 0.13 / r + 0.0072 / (r * sqrt(r));
		const int half = (int)(rate * 0.5 / decay);
		// In the middle of the window of the spectrum, with silence before it.
		memset(s_samples, 0, sizeof(s_samples));
		for (int begin = 0; begin < 2 * windowLength; begin += TNA_CHUNK)
		{
			memset(chunk, 0, sizeof(chunk));
			tnaBubbles_Ring(&bubbles, chunk, TNA_CHUNK, ringing);
			for (int k = 0; k < TNA_CHUNK; ++k)
			{
				const int at = windowLength / 2 + begin + k;
				s_samples[2 * at] = s_samples[2 * at + 1] = chunk[k];
				energies[begin + k < half ? 0 : 1] += (double)chunk[k] * chunk[k];
			}
		}
		ENSURE(s_samples[windowLength] == 0.0f);
		// What is left after half of 1 / d is 1 / e of the energy.
		ENSURE_CLOSE(energies[1] / (energies[0] + energies[1]), exp(-1.0), 0.06);
		GetSpectrum(s_samples, windowLength, power);
		int peak = 1;
		for (int k = 1; k < windowLength / 2; ++k)
		{
			peak = power[k] > power[peak] ? k : peak;
		}
		// As it rises it is heard some percent above.
		const double f = 3.2832 / r;
		ENSURE_CLOSE((double)peak * rate / windowLength / f, 1.03, 0.05);
	}
	return 0;
}

// +3 dB for twice as many watts at the ear; half of that after ears of games.
static int MoreFallsAreLouder(void)
{
	for (int kind = 0; kind < 3; ++kind)
	{
		double before = 0.0;
		for (int i = 0; i < 6; ++i)
		{
			const float power = 300.0f * powf(4.0f, (float)i);
			const tnSound sound = {.position = {0.0f, 0.0f, -10.0f},
				.radius = 1.0f,
				.falling = kind == 0 ? power : 0.0f,
				.breaking = kind == 1 ? power : 0.0f,
				.flowing = kind == 2 ? power : 0.0f};
			const tnaScene scene = HearOne(&sound);
			ENSURE(Play(&scene, 7, 0.5f) == 0);
			const double level = GetLevel(s_samples, 4 * rate, -1);
			// Noise and bubbles of four seconds are not the same each time.
			ENSURE_CLOSE(i > 0 ? level - before : 3.0, 3.0, 0.9);
			before = level;
		}
	}
	return 0;
}

// Without compression pressures are those of the formula: 60 dB are 20 dB below full scale.
static int LevelsAreThoseOfTheFormula(void)
{
	const double distance = 10.0;
	for (int kind = 0; kind < 3; ++kind)
	{
		const float power = 2.0e4f;
		const tnSound sound = {.position = {0.0f, 0.0f, (float)-distance},
			.radius = 2.0f,
			.falling = kind == 0 ? power : 0.0f,
			.breaking = kind == 1 ? power : 0.0f,
			.flowing = kind == 2 ? power : 0.0f};
		const tnaScene scene = HearOne(&sound);
		double mean = 0.0;
		for (uint32_t seed = 1; seed <= 4; ++seed)
		{
			ENSURE(Play(&scene, seed, 1.0f) == 0);
			mean += pow(10.0, 0.1 * GetLevel(s_samples, 4 * rate, -1)) / 4.0;
		}
		const double square = 413.0 * 1.0e-8 * (double)power / (2.0 * s_pi * (distance * distance + 4.0 + 1.0));
		// Each side has half of it. Air takes next to nothing of 10 m, and loudness drifts by a fifth: 4 %.
		const double expected = 10.0 * log10(0.5 * square * 1.04 * 25.0);
		ENSURE_CLOSE(10.0 * log10(mean), expected, 1.0);
	}
	return 0;
}

static int SmallDropsAreBright(void)
{
	static double power[windowLength / 2];
	const float drops[] = {0.004f, 0.002f, 0.001f, 0.0005f};
	for (int kind = 0; kind < 2; ++kind)
	{
		double before = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			const tnSound sound = {.position = {0.0f, 0.0f, -5.0f}, .radius = 1.0f, .falling = 1.0e4f};
			tnaScene scene = kind == 0 ? HearOne(&sound) : tnaDefaultScene();
			scene.rain = kind == 0 ? 0.0f : 3.0e-6f;
			scene.rainDrop = scene.fallDrop = drops[i];
			ENSURE(Play(&scene, 3, 0.5f) == 0);
			GetSpectrum(s_samples, 4 * rate, power);
			const double mean = GetMeanFrequency(power);
			ENSURE(mean > 1.15 * before);
			before = mean;
		}
	}
	return 0;
}

// Of a brook the bubbles are heard, from those of 8 mm to those of 1 mm; of a fall the rumble.
static int BabbleIsWhereItsBubblesAre(void)
{
	static double brook[windowLength / 2], fall[windowLength / 2];
	const tnSound trickle = {.position = {0.0f, 0.0f, -3.0f}, .radius = 1.0f, .flowing = 10.0f};
	const tnSound cliff = {.position = {0.0f, 0.0f, -30.0f}, .radius = 5.0f, .falling = 1.0e6f};
	tnaScene scene = HearOne(&trickle);
	ENSURE(Play(&scene, 5, 0.5f) == 0);
	GetSpectrum(s_samples, 4 * rate, brook);
	scene = HearOne(&cliff);
	ENSURE(Play(&scene, 5, 0.5f) == 0);
	GetSpectrum(s_samples, 4 * rate, fall);
	const double low = 0.9 * (double)tnaGetBubbleFrequency(0.008f);
	const double high = 1.3 * (double)tnaGetBubbleFrequency(0.001f);
	ENSURE(GetShare(brook, low, high) > 0.8);
	ENSURE(GetShare(brook, 0.0, 300.0) < 0.1);
	ENSURE(GetShare(fall, 0.0, 300.0) > 3.0 * GetShare(brook, 0.0, 300.0));
	return 0;
}

static int UnderWaterItIsDull(void)
{
	static double power[2][windowLength / 2];
	const tnSound sound = {.position = {-8.0f, 0.0f, -8.0f}, .radius = 1.0f, .falling = 1.0e5f, .flowing = 1.0e4f};
	double sides[2];
	for (int i = 0; i < 2; ++i)
	{
		tnaScene scene = HearOne(&sound);
		scene.submerged = i == 1;
		ENSURE(Play(&scene, 11, 0.5f) == 0);
		GetSpectrum(s_samples, 4 * rate, power[i]);
		sides[i] = GetLevel(s_samples, 4 * rate, 0) - GetLevel(s_samples, 4 * rate, 1);
	}
	// Two poles at 500 Hz take 24 dB at 2 kHz and more above; what bends at the top of the loudest samples gives some back.
	const double lost = GetShare(power[0], 3000.0, 12000.0) / GetShare(power[1], 3000.0, 12000.0);
	ENSURE(10.0 * log10(lost) > 15.0);
	ENSURE(sides[0] > 4.0 && fabs(sides[1]) < 1.5);
	return 0;
}

static int SidesAreRight(void)
{
	// Left, right, ahead, behind, and left of somebody who looks the other way.
	const struct
	{
		float x, z, right;
		double least, most;
	} places[] = {{-10.0f, 0.0f, 1.0f, 8.0, 30.0}, {10.0f, 0.0f, 1.0f, -30.0, -8.0}, {0.0f, -10.0f, 1.0f, -0.5, 0.5},
		{0.0f, 10.0f, 1.0f, -0.5, 0.5}, {-10.0f, 0.0f, -1.0f, -30.0, -8.0}, {-10.0f, -10.0f, 1.0f, 3.0, 8.0}};
	for (int i = 0; i < 6; ++i)
	{
		const tnSound sound = {.position = {places[i].x, 0.0f, places[i].z}, .radius = 0.5f, .falling = 1.0e3f};
		tnaScene scene = HearOne(&sound);
		scene.right = (tnVec3){3.0f * places[i].right, 0.0f, 0.0f};
		ENSURE(Play(&scene, 1, 0.5f) == 0);
		const double difference = GetLevel(s_samples, 4 * rate, 0) - GetLevel(s_samples, 4 * rate, 1);
		ENSURE(difference >= places[i].least && difference <= places[i].most);
	}
	return 0;
}

static int FarIsQuietAndDull(void)
{
	static double power[2][windowLength / 2];
	double levels[2];
	for (int i = 0; i < 2; ++i)
	{
		const tnSound sound = {.position = {0.0f, 0.0f, i == 0 ? -20.0f : -400.0f}, .radius = 1.0f, .falling = 1.0e5f};
		const tnaScene scene = HearOne(&sound);
		ENSURE(Play(&scene, 2, 1.0f) == 0);
		levels[i] = GetLevel(s_samples, 4 * rate, -1);
		GetSpectrum(s_samples, 4 * rate, power[i]);
	}
	// 26 dB for the distance, and what air takes of what is high.
	ENSURE(levels[0] - levels[1] > 26.0 && levels[0] - levels[1] < 33.0);
	// ISO 9613-2 at 10 C, 70 %: 3.7 dB/km at 1 kHz, 33 at 4 kHz: 11 dB more of the latter in 380 m.
	const double bright = 10.0 * log10(GetShare(power[0], 3500.0, 4500.0) / GetShare(power[0], 900.0, 1100.0));
	const double dull = 10.0 * log10(GetShare(power[1], 3500.0, 4500.0) / GetShare(power[1], 900.0, 1100.0));
	ENSURE_CLOSE(bright - dull, 11.0, 4.0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Silence, bits, time

static int StillWaterIsSilent(void)
{
	tnaMixer* mixer = Make(1, 0.5f);
	tnaScene scene = tnaDefaultScene();
	ENSURE(tnaMixer_Hear(mixer, &scene).ok);
	tnaMixer_Render(mixer, s_samples, rate);
	for (int i = 0; i < 2 * rate; ++i)
	{
		ENSURE(s_samples[i] == 0.0f);
	}
	ENSURE(tnaMixer_IsSilent(mixer));
	// What has ended is over, under water too.
	const tnSound sound = {.position = {5.0f, 0.0f, 3.0f}, .radius = 1.0f, .falling = 1.0e6f, .flowing = 1.0e4f};
	const tnaSplash splash = {{1.0f, 0.0f, 2.0f}, 1000.0f, 1.0f};
	scene = HearOne(&sound);
	scene.rain = 1.0e-5f;
	scene.submerged = true;
	scene.splashes = &splash;
	scene.splashCount = 1;
	ENSURE(tnaMixer_Hear(mixer, &scene).ok);
	tnaMixer_Render(mixer, s_samples, rate);
	ENSURE(!tnaMixer_IsSilent(mixer));
	scene = tnaDefaultScene();
	ENSURE(tnaMixer_Hear(mixer, &scene).ok);
	tnaMixer_Render(mixer, s_samples, 8 * rate);
	ENSURE(tnaMixer_IsSilent(mixer));
	tnaMixer_Render(mixer, s_samples, rate);
	for (int i = 0; i < 2 * rate; ++i)
	{
		ENSURE(s_samples[i] == 0.0f);
	}
	tnaDestroyMixer(mixer);
	return 0;
}

static uint32_t Draw(uint32_t* state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static float DrawBetween(uint32_t* state, float low, float high)
{
	return low + (high - low) * ((float)Draw(state) / 16777216.0f);
}

// Mostly sensible, sometimes zero, sometimes as large as is accepted.
static float DrawPower(uint32_t* state)
{
	const uint32_t kind = Draw(state) % 10;
	return kind < 3 ? 0.0f : (kind == 9 ? 3.0e38f : powf(10.0f, DrawBetween(state, -3.0f, 8.0f)));
}

static tnVec3 DrawPlace(uint32_t* state)
{
	const float size = Draw(state) % 20 == 0 ? 3.0e38f : 200.0f;
	tnVec3 place;
	place.x = DrawBetween(state, -1.0f, 1.0f) * size;
	place.y = DrawBetween(state, -1.0f, 1.0f) * 0.1f * size;
	place.z = DrawBetween(state, -1.0f, 1.0f) * size;
	return place;
}

static tnSound s_sounds[TN_MAX_SOUNDS];
static tnaSplash s_splashes[TNA_MAX_SPLASHES];

static tnaScene DrawScene(uint32_t* state)
{
	tnaScene scene = tnaDefaultScene();
	scene.ear = DrawPlace(state);
	scene.right = (tnVec3){DrawBetween(state, -1.0f, 1.0f), DrawBetween(state, -1.0f, 1.0f), 0.1f};
	scene.submerged = Draw(state) % 4 == 0;
	scene.soundCount = (int)(Draw(state) % (Draw(state) % 8 == 0 ? TN_MAX_SOUNDS + 1 : 12));
	scene.sounds = s_sounds;
	scene.splashCount = Draw(state) % 3 == 0 ? (int)(Draw(state) % 5) : 0;
	scene.splashes = s_splashes;
	scene.rain = Draw(state) % 3 == 0 ? (Draw(state) % 9 == 0 ? 3.0e38f : DrawBetween(state, 0.0f, 1.0e-4f)) : 0.0f;
	scene.rainDrop = DrawBetween(state, 1.0e-4f, 5.0e-3f);
	scene.fallDrop = DrawBetween(state, 1.0e-4f, 0.02f);
	for (int i = 0; i < scene.soundCount; ++i)
	{
		s_sounds[i] = (tnSound){
			DrawPlace(state), DrawBetween(state, 0.0f, 30.0f), DrawPower(state), DrawPower(state), DrawPower(state)};
	}
	for (int i = 0; i < scene.splashCount; ++i)
	{
		s_splashes[i] = (tnaSplash){DrawPlace(state), DrawPower(state), powf(10.0f, DrawBetween(state, -4.0f, 3.0f))};
	}
	return scene;
}

// The same samples for blocks of any lengths, with changes at the same times.
static int BlocksDoNotMatter(void)
{
	const int lengths[] = {1, 7, 64, 480, 4096};
	const int parts = 40;
	const int part = 1111;
	for (int k = 0; k < 5; ++k)
	{
		uint32_t state = 77;
		tnaMixer* mixer = Make(4, 0.5f);
		float* samples = k == 0 ? s_samples : s_others;
		for (int i = 0; i < parts; ++i)
		{
			const tnaScene scene = DrawScene(&state);
			ENSURE_TEXT(tnaMixer_Hear(mixer, &scene).text, "");
			for (int done = 0; done < part;)
			{
				const int count = part - done < lengths[k] ? part - done : lengths[k];
				tnaMixer_Render(mixer, samples + 2 * ((size_t)i * part + done), count);
				done += count;
			}
		}
		tnaMixer_Render(mixer, samples, 0);
		tnaMixer_Render(mixer, samples, -5);
		tnaDestroyMixer(mixer);
		ENSURE(k == 0 || memcmp(s_samples, s_others, sizeof(float) * 2 * (size_t)parts * (size_t)part) == 0);
	}
	return 0;
}

static int SamplesAreGolden(void)
{
	tnaMixer* mixer = Make(9, 0.5f);
	const tnSound sounds[] = {{{-4.0f, 1.0f, -7.0f}, 2.0f, 3.0e4f, 0.0f, 200.0f},
		{{30.0f, 0.0f, -20.0f}, 8.0f, 0.0f, 5.0e4f, 0.0f}, {{2.0f, 0.0f, 3.0f}, 1.0f, 0.0f, 0.0f, 20.0f}};
	const tnaSplash splash = {{3.0f, 0.0f, -3.0f}, 200.0f, 0.4f};
	uint64_t hash = UINT64_C(14695981039346656037);
	for (int i = 0; i < 30; ++i)
	{
		tnaScene scene = tnaDefaultScene();
		scene.sounds = sounds;
		scene.soundCount = i % 10 < 8 ? 3 : 1;
		scene.splashes = &splash;
		scene.splashCount = i == 12 ? 1 : 0;
		scene.rain = i > 20 ? 5.0e-6f : 0.0f;
		scene.submerged = i > 25;
		scene.ear.x = 0.3f * (float)i;
		ENSURE(tnaMixer_Hear(mixer, &scene).ok);
		tnaMixer_Render(mixer, s_samples, 1600);
		for (int k = 0; k < 3200; ++k)
		{
			uint32_t bits;
			memcpy(&bits, s_samples + k, sizeof(bits));
			hash = (hash ^ bits) * UINT64_C(1099511628211);
		}
	}
	tnaDestroyMixer(mixer);
	ENSURE_EQUAL_HEX(hash, UINT64_C(0x205a0218b519d141));
	return 0;
}

// Whatever is accepted: finite, within full scale, and no jump where what is heard changes. Of two mixers that are alike one hears
// something else from a chunk on: what they differ by begins with nothing and grows no faster than levels may.
static int NothingClicksClipsOrBreaks(void)
{
	const int rounds = TEST_REPEATS(160);
	for (int round = 0; round < rounds; ++round)
	{
		uint32_t state = 1000u + (uint32_t)round;
		tnaMixer* mixers[2] = {Make(3, 0.5f), Make(3, 0.5f)};
		const int chunks = 1 + (int)(Draw(&state) % 150);
		const tnaScene first = DrawScene(&state);
		for (int i = 0; i < 2; ++i)
		{
			ENSURE(tnaMixer_Hear(mixers[i], &first).ok);
			tnaMixer_Render(mixers[i], i == 0 ? s_samples : s_others, TNA_CHUNK * chunks);
		}
		ENSURE(memcmp(s_samples, s_others, sizeof(float) * 2 * (size_t)chunks * TNA_CHUNK) == 0);
		const tnaScene second = DrawScene(&state);
		ENSURE(tnaMixer_Hear(mixers[1], &second).ok);
		tnaMixer_Render(mixers[0], s_samples, TNA_CHUNK);
		tnaMixer_Render(mixers[1], s_others, TNA_CHUNK);
		for (int k = 0; k < 2 * TNA_CHUNK; ++k)
		{
			// Full scale in a quarter of a chunk, for what bubbles begin with: far less than a click is in a sample.
			const float most = 4.0f * (float)(k / 2 + 1) / (float)TNA_CHUNK;
			ENSURE(fabsf(s_samples[k] - s_others[k]) <= most);
		}
		tnaMixer_Render(mixers[1], s_others, rate / 4);
		for (int k = 0; k < rate / 2; ++k)
		{
			ENSURE(fabsf(s_others[k]) <= 1.0f);
		}
		tnaDestroyMixer(mixers[0]);
		tnaDestroyMixer(mixers[1]);
	}
	return 0;
}

// From the call until half of the level is there: the mean of some beginnings.
static int ItIsHeardSoon(void)
{
	enum
	{
		window = 240, // 5 ms
		windows = 40,
		seeds = 24,
	};
	double energies[windows] = {0.0};
	const tnSound sound = {.position = {0.0f, 0.0f, -5.0f}, .radius = 1.0f, .falling = 1.0e4f};
	const tnaScene scene = HearOne(&sound);
	for (uint32_t seed = 1; seed <= seeds; ++seed)
	{
		tnaMixer* mixer = Make(seed, 0.5f);
		tnaMixer_Render(mixer, s_samples, 1000);
		ENSURE(tnaMixer_Hear(mixer, &scene).ok);
		tnaMixer_Render(mixer, s_samples, window * windows);
		for (int i = 0; i < window * windows; ++i)
		{
			energies[i / window] += (double)s_samples[2 * i] * s_samples[2 * i];
		}
		tnaDestroyMixer(mixer);
	}
	double last = 0.0;
	for (int i = windows / 2; i < windows; ++i)
	{
		last += energies[i] / (windows - windows / 2);
	}
	int begin = 0;
	while (begin < windows && energies[begin] < 0.25 * last)
	{
		begin += 1;
	}
	// With a picture of 1/60 s and two buffers of a device of 512 samples: less than 50 ms.
	const double seconds = (begin + 1) * (double)window / rate;
	ENSURE(seconds + 1.0 / 60.0 + 2.0 * TNA_DEVICE_FRAMES / rate < 0.050);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Worlds, bad input

static int EarsHearAWorld(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 41;
	def.rowCount = 37;
	def.cellSize = 0.5f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	ENSURE_OK(tnWorld_SetRain(world, 2.0e-5f, NULL));
	tnBodyDef bodyDef = tnDefaultBodyDef();
	tnShapeDef shape = tnDefaultShapeDef();
	bodyDef.shapes = &shape;
	bodyDef.shapeCount = 1;
	bodyDef.pose.position = (tnVec3){10.0f, 6.0f, 9.0f};
	tnBodyId body;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &body));
	static tnaEar ear;
	tnaEar_Begin(&ear);
	const tnVec3 eye = {10.0f, 5.0f, 20.0f}, target = {10.0f, 2.0f, 9.0f};
	tnaScene scene = tnaEar_Listen(&ear, world, 0.0, eye, target);
	ENSURE(scene.rain == 0.0f && scene.splashCount == 0 && !scene.submerged);
	ENSURE_CLOSE(scene.right.x, 1.0, 1.0e-6);
	ENSURE_CLOSE(scene.right.z, 0.0, 1.0e-6);
	double mean = 0.0;
	for (int i = 0; i < 240; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		scene = tnaEar_Listen(&ear, world, (i + 1) / 60.0, eye, target);
		mean += i < 60 ? 0.0 : (double)scene.rain / 180.0;
		ENSURE(i < 60 || scene.rain > 1.0e-5f);
		ENSURE_EQUAL_INT(scene.splashCount, 0);
	}
	ENSURE_CLOSE(mean / 2.0e-5, 1.0, 0.05);
	// It ends.
	ENSURE_OK(tnWorld_SetRain(world, 0.0f, NULL));
	for (int i = 0; i < 120; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		scene = tnaEar_Listen(&ear, world, 4.0 + (i + 1) / 60.0, eye, target);
	}
	ENSURE(scene.rain == 0.0f);

	// It falls in.
	tnPose pose = bodyDef.pose;
	pose.position.y = 2.0f;
	ENSURE_OK(tnWorld_MoveBody(world, body, &pose, (tnVec3){0.0f, -4.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, body, &state));
	scene = tnaEar_Listen(&ear, world, 6.0 + 1.0 / 60.0, (tnVec3){10.0f, 1.5f, 15.0f}, target);
	ENSURE(scene.submerged);
	ENSURE_EQUAL_INT(scene.splashCount, 1);
	ENSURE_CLOSE(scene.splashes[0].energy, 0.5 * 1000.0 * (double)state.volume * 16.0, 1.0);
	// Once.
	scene = tnaEar_Listen(&ear, world, 6.0 + 2.0 / 60.0, eye, target);
	ENSURE_EQUAL_INT(scene.splashCount, 0);
	tnaMixer* mixer = Make(1, 0.5f);
	ENSURE_TEXT(tnaMixer_Hear(mixer, &scene).text, "");
	tnaDestroyMixer(mixer);
	tnDestroyWorld(world);
	return 0;
}

#define ENSURE_BAD(expression, part)            \
	do                                          \
	{                                           \
		const tnaResult refused = (expression); \
		ENSURE(!refused.ok);                    \
		ENSURE_TEXT(refused.text, part);        \
	} while (0)

static int BadInputIsNamed(void)
{
	tnaResult result;
	tnaDef def = tnaDefaultDef();
	ENSURE(tnaCreateMixer(NULL, &result) == NULL);
	ENSURE_TEXT(result.text, "def must not be NULL");
	def.sampleRate = 7999;
	ENSURE(tnaCreateMixer(&def, &result) == NULL);
	ENSURE_TEXT(result.text, "def.sampleRate must be from 8000 to 192000, got 7999");
	def = tnaDefaultDef();
	def.loudness = NAN;
	ENSURE(tnaCreateMixer(&def, &result) == NULL);
	ENSURE_TEXT(result.text, "def.loudness must be from -60 to 30 dB, got nan");
	def = tnaDefaultDef();
	def.compression = 0.0f;
	ENSURE(tnaCreateMixer(&def, &result) == NULL);
	ENSURE_TEXT(result.text, "def.compression must be from 0.1 to 1, got 0");

	tnaMixer* mixer = Make(1, 0.5f);
	const tnSound good = {.position = {1.0f, 0.0f, 0.0f}, .radius = 1.0f, .falling = 1.0e5f};
	tnSound sounds[2] = {good, good};
	tnaSplash splash = {{0.0f, 0.0f, 0.0f}, 1.0f, 0.1f};
	tnaScene scene = tnaDefaultScene();
	ENSURE_BAD(tnaMixer_Hear(NULL, &scene), "mixer must not be NULL");
	ENSURE_BAD(tnaMixer_Hear(mixer, NULL), "scene must not be NULL");
	scene.soundCount = 2;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "sounds must not be NULL");
	scene.sounds = sounds;
	scene.soundCount = TN_MAX_SOUNDS + 1;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "soundCount must be from 0 to 256, got 257");
	scene.soundCount = 2;
	sounds[1].flowing = -1.0f;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "sounds[1].flowing must be finite and at least 0, got -1");
	sounds[1] = good;
	sounds[0].position.y = INFINITY;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "sounds[0].position must be finite, got 1, inf, 0");
	sounds[0] = good;
	scene.splashCount = 1;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "splashes must not be NULL");
	scene.splashes = &splash;
	splash.radius = 0.0f;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "splashes[0].radius must be finite and above 0, got 0");
	splash.radius = 0.1f;
	splash.energy = NAN;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "splashes[0].energy must be finite and at least 0, got nan");
	splash.energy = 1.0f;
	scene.rain = -1.0f;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "rain must be finite and at least 0, got -1");
	scene.rain = 0.0f;
	scene.rainDrop = 0.5f;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "rainDrop must be from 0.0001 to 0.02 m, got 0.5");
	scene.rainDrop = 0.001f;
	scene.right = (tnVec3){0.0f, 0.0f, 0.0f};
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "right must be finite and have a length");
	scene.right.x = 1.0f;
	scene.ear.x = NAN;
	ENSURE_BAD(tnaMixer_Hear(mixer, &scene), "ear must be finite, got nan, 0, 0");
	// Nothing of it is heard.
	tnaMixer_Render(mixer, s_samples, 1000);
	for (int i = 0; i < 2000; ++i)
	{
		ENSURE(s_samples[i] == 0.0f);
	}
	tnaDestroyMixer(mixer);
	tnaDestroyMixer(NULL);
	return 0;
}

static const Test s_tests[] = {
	{"BubblesRingAsMinnaertSays", BubblesRingAsMinnaertSays},
	{"MoreFallsAreLouder", MoreFallsAreLouder},
	{"LevelsAreThoseOfTheFormula", LevelsAreThoseOfTheFormula},
	{"SmallDropsAreBright", SmallDropsAreBright},
	{"BabbleIsWhereItsBubblesAre", BabbleIsWhereItsBubblesAre},
	{"UnderWaterItIsDull", UnderWaterItIsDull},
	{"SidesAreRight", SidesAreRight},
	{"FarIsQuietAndDull", FarIsQuietAndDull},
	{"StillWaterIsSilent", StillWaterIsSilent},
	{"BlocksDoNotMatter", BlocksDoNotMatter},
	{"SamplesAreGolden", SamplesAreGolden},
	{"NothingClicksClipsOrBreaks", NothingClicksClipsOrBreaks},
	{"ItIsHeardSoon", ItIsHeardSoon},
	{"EarsHearAWorld", EarsHearAWorld},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite audioSuite = TEST_SUITE("audio", s_tests);
