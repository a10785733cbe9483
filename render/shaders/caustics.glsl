// SPDX-License-Identifier: MIT

// What water does to the light of the sun on the ground beneath: bright webs, and the lenses of larger waves.
float getCaustics(vec3 place, float under, float bend)
{
	vec2 drift = eye.w * vec2(0.020, 0.013);
	float size = 1.0 / (6.5 * min(options.z, 1.0));
	float a = texture(patternMap, place.xz * size + drift).a;
	float b = texture(patternMap, place.zx * size * 1.13 - drift.yx + 0.41).a;
	float fade = smoothstep(0.02, 0.3, under) * exp(-under * 0.6);
	// Crests gather light, troughs spread it: the bend of the surface, times how far the light goes on.
	float lens = clamp(1.0 / max(1.0 + effects.z * 0.25 * under * bend, 0.1), 0.45, 2.2);
	return lens * (1.0 + effects.z * fade * (min(a, b) * 4.5 - 0.45));
}
