// SPDX-License-Identifier: MIT

// What water does to the light of the sun on the ground beneath: bright webs, and the lenses of larger waves.
// WAVES: the lenses of all waves that there are, and of webs only what goes with a breath of wind.
#if defined(WAVES)
// Light that has gone through this much water has lost its lines, m.
const float DEEPEST_LENS = 8.0;

// How the bands bend the surface along x and z, 1/m, as far as a pixel can show it; not on dry and on deep ground.
vec2 getWaveBends(vec2 place, float pixel, float under)
{
	vec2 sum = vec2(0.0);
	int first = under > 0.0 && under < DEEPEST_LENS ? int(waveOptions.x) : int(waveOptions.y);
	for (int level = int(waveOptions.y) - 1; level >= first; --level)
	{
		float perCell = waveLevels[level].x;
		vec3 at = findWaves(level, place);
		vec2 reach = vec2(0.75, 0.0);
		vec4 x = fetchWaves(at.xy + reach.xy, at.z) - fetchWaves(at.xy - reach.xy, at.z);
		vec4 z = fetchWaves(at.xy + reach.yx, at.z) - fetchWaves(at.xy - reach.yx, at.z);
		float share = 1.0 - smoothstep(0.7, 2.6, pixel * perCell);
		sum += at.z < 0.0 ? vec2(0.0) : vec2(x.y, z.z) * share * perCell / 1.5;
	}
	return sum;
}
#endif

float getCaustics(vec3 place, float under, float bend)
{
	vec2 drift = eye.w * vec2(0.020, 0.013);
	float size = 1.0 / (6.5 * min(options.z, 1.0));
	float a = texture(patternMap, place.xz * size + drift).a;
	float b = texture(patternMap, place.zx * size * 1.13 - drift.yx + 0.41).a;
	float fade = smoothstep(0.02, 0.3, under) * exp(-under * 0.6);
	// Crests gather light, troughs spread it: the bend of the surface, times how far the light goes on.
	float lens = clamp(1.0 / max(1.0 + effects.z * 0.25 * under * bend, 0.1), 0.45, 2.2);
#if defined(WAVES)
	vec2 x = dFdx(place.xz), y = dFdy(place.xz);
	vec2 bends = getWaveBends(place.xz, sqrt(length(x) * length(y)), under);
	bends *= 1.0 - smoothstep(0.2 * DEEPEST_LENS, DEEPEST_LENS, under);
	vec2 narrow = 1.0 + effects.z * 0.25 * under * bends;
	// Beyond where light meets it parts again. The sun is half a degree wide, which blurs the brightest lines.
	lens *= clamp(1.0 / max(abs(narrow.x * narrow.y), 0.25), 0.4, 3.0);
	fade *= 0.25;
#endif
	return lens * (1.0 + effects.z * fade * (min(a, b) * 4.5 - 0.45));
}
