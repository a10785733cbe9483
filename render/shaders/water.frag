// SPDX-License-Identifier: MIT

// Water: what lies beneath, seen through it; what it mirrors; foam. SIDE: a cut face of it. WAVES: with the wave layer.
uniform sampler2D bedMap;
uniform sampler2D groundMap;
uniform sampler2D flowMap;
uniform sampler2D waveMap;
uniform sampler2D tracerMap;
uniform sampler2D rippleMap;
uniform sampler2D colorMap;
uniform sampler2D depthMap;
// Without bodies: what is behind them.
uniform sampler2D bareColorMap;
uniform sampler2D bareDepthMap;

in vec3 vPlace;
in float vDepth;
#if defined(SIDE)
flat in vec3 vOutward;
#endif
out vec4 outColor;

const float WATER_INDEX = 1.0 / 1.333;
// Seconds after which a patch of ripples or foam that drifts with the flow starts anew.
const float PERIOD = 2.0;
// How much that moment differs from place to place. The texture is shifted by velocity times period times this: with more than
// a fifth it would be folded over itself and look like marbled paper, with none the whole lake would pulse.
const float PHASE_NOISE = 0.2;

vec3 getPlaceAt(vec2 screenPlace, out float depth)
{
	depth = texture(depthMap, screenPlace).r;
	vec4 place = inverseViewProjection * vec4(vec3(screenPlace, depth) * 2.0 - 1.0, 1.0);
	return place.xyz / place.w;
}

// Colours of bodies are marked: 1 for a body, less at its rim, where colours are mixed, 0 for anything else.
float getMark(vec2 screenPlace)
{
	return bodyLow.w > 0.5 ? min(4.0 * texture(colorMap, screenPlace).a, 1.0) : 0.0;
}

vec3 getScreenPlace(vec3 place)
{
	vec4 clip = viewProjection * vec4(place, 1.0);
	return clip.xyz / clip.w * 0.5 + 0.5;
}

// Two phases of a texture that drifts with the flow. While one fades out it starts anew, unseen (Vlachos 2010).
struct Drift
{
	vec2 first, second;
	float share;
};

Drift getDrift(vec2 place, vec2 velocity, float noise)
{
	float phase = eye.w / PERIOD + noise;
	float a = fract(phase), b = fract(phase + 0.5);
	Drift drift;
	drift.first = place - velocity * (a - 0.5) * PERIOD;
	drift.second = place - velocity * (b - 0.5) * PERIOD + vec2(3.7, 1.9);
	drift.share = abs(1.0 - 2.0 * a);
	return drift;
}

// Slope of ripples (xy) and the variance of what is too small to see (z).
vec3 getRipples(Drift drift, float tile)
{
	vec4 a = texture(rippleMap, drift.first / tile), b = texture(rippleMap, drift.second / tile);
	vec4 mixed = mix(a, b, drift.share);
	vec2 slope = mixed.xy * 2.0 - 1.0;
	return vec3(slope, max(mixed.z + mixed.w - dot(slope, slope), 0.0));
}

// The body that a ray from the water meets, if that place of it is on the screen: its colour, and 1.
vec4 getMirroredBody(vec3 place, vec3 direction)
{
	vec3 along = mix(vec3(-1.0), vec3(1.0), step(0.0, direction)) * max(abs(direction), 1e-4);
	vec3 a = (bodyLow.xyz - place) / along, b = (bodyHigh.xyz - place) / along;
	vec3 near = min(a, b), far = max(a, b);
	float begin = max(max(near.x, near.y), max(near.z, 0.0)), end = min(far.x, min(far.y, far.z));
	if (bodyLow.w < 0.5 || end <= begin)
	{
		return vec4(0.0);
	}
	float size = 0.12 * grid.z + 0.004 * distance(eye.xyz, place);
	float reach = begin + size;
	for (int i = 0; i < 22 && reach < end + size; ++i)
	{
		vec3 point = place + direction * reach;
		vec3 seen = getScreenPlace(point);
		if (any(lessThan(seen.xy, vec2(0.0))) || any(greaterThan(seen.xy, vec2(1.0))))
		{
			break;
		}
		vec4 texel = texture(colorMap, seen.xy);
		if (texel.a > 0.2 && texel.a < 0.3)
		{
			float depth;
			vec3 there = getPlaceAt(seen.xy, depth);
			float behind = distance(eye.xyz, point) - distance(eye.xyz, there);
			if (behind > 0.0 && behind < 2.0 * size + 0.4 * grid.z && there.y > place.y - 0.05)
			{
				vec2 rim = min(seen.xy, 1.0 - seen.xy);
				return vec4(decodeColor(texel.rgb), smoothstep(0.0, 0.05, min(rim.x, rim.y)));
			}
		}
		size *= 1.2;
		reach += size;
	}
	return vec4(0.0);
}

// What a cone of rays from the water sees: the ground that it meets, where that is on the screen, or the sky, or some of both where it
// grazes a bank.
// @param spread half of the angle of the cone, rad
vec3 getReflection(vec3 place, vec3 direction, float spread)
{
	vec3 sky = getSky(direction);
	float distance = 0.75 * grid.z, before = 0.0, clearance = 0.0;
	// Nearest to a bank: how much of the cone passes over it, and where.
	float over = 1.0, reach = 0.0;
	for (int i = 0; i < 22; ++i)
	{
		vec3 point = place + direction * distance;
		vec2 cell = point.xz * grid.w;
		if (point.y > extent.w || any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, grid.xy)))
		{
			break;
		}
		float above = point.y - texture(bedMap, cell / grid.xy).r;
		float share = above / (spread * distance + 0.05 * grid.z);
		if (share < over)
		{
			over = share;
			reach = distance;
		}
		if (above < 0.0)
		{
			reach = mix(before, distance, clearance / max(clearance - above, 1e-4));
			over = 0.0;
			break;
		}
		clearance = above;
		before = distance;
		distance += max(0.75 * grid.z, distance * 0.24);
	}
	if (over >= 1.0)
	{
		return sky;
	}
	vec3 point = place + direction * reach;
	vec4 light = texture(groundMap, point.xz / extent.xy);
	// Off the screen: ground of no particular colour in the light that falls on it.
	vec3 color = vec3(0.15, 0.15, 0.085) * (sunColor.rgb * mix(1.0, light.w, sun.w) * 0.6 + skyColor.rgb * light.z);
	vec3 seen = getScreenPlace(point);
	vec2 rim = min(seen.xy, 1.0 - seen.xy);
	float depth;
	vec3 there = getPlaceAt(seen.xy, depth);
	float near = 1.0 - smoothstep(2.0, 6.0, abs(there.y - point.y) * grid.w);
	float share = smoothstep(0.0, 0.06, min(rim.x, rim.y)) * near;
	color = mix(color, decodeColor(texture(colorMap, seen.xy).rgb), share);
	return mix(color, sky, max(0.06, smoothstep(0.0, 1.0, over)));
}

#if !defined(SIDE)
// The surface close up.
struct Surface
{
	vec3 normal;
	vec2 slope;
	// Of ripples, and the variance of slopes that are too small to see.
	float strength, variance;
	Drift drift;
};

#if defined(WAVES)
uniform sampler2D rippleFieldMap;

// How far two neighbouring pixels of the screen are apart on the water, meters: the way to the farther one, and the
// nearer distance.
struct Footprint
{
	vec2 along;
	float far, near;
};

Footprint getFootprint()
{
	vec2 x = dFdx(vPlace.xz), y = dFdy(vPlace.xz);
	float a = length(x), b = length(y);
	return Footprint(a > b ? x : y, max(a, b), min(a, b));
}

// Slopes of a band as a pixel sees them (xy), and the variance of those that it does not see (z).
vec3 getBandSlope(int level, Footprint footprint)
{
	float far = footprint.far * waveLevels[level].x, near = footprint.near * waveLevels[level].x;
	// Waves are 4 to 12 cells long; those of two pixels are the last that can be seen.
	float share = (1.0 - smoothstep(0.7, 2.6, near)) * (1.0 - smoothstep(3.0, 9.0, far));
	vec3 at = findWaves(level, vPlace.xz);
	Fetches four = getSpline(at.xy);
	if (far > 0.5)
	{
		// Seen at a flat angle a pixel is long and narrow: the mean of four places along it keeps what lies across. They
		// stay on the texels that neighbours lend.
		vec2 reach = footprint.along * waveLevels[level].x * min(1.0, 4.0 / far) * 0.125;
		four = Fetches(at.xy - 3.0 * reach, at.xy - reach, at.xy + reach, at.xy + 3.0 * reach, vec4(0.25));
	}
	vec4 sum = fetchFourWaves(four, at.z);
	float seen = share / (1.0 + 0.12 * far * far);
	return at.z < 0.0 ? vec3(0.0) : vec3(sum.yz * share, sum.w * (1.0 - seen * seen));
}

// Of all bands.
vec3 getWaveSlopes(Footprint footprint)
{
	vec3 sum = vec3(0.0);
	for (int level = int(waveOptions.y) - 1; level >= int(waveOptions.x); --level)
	{
		sum += getBandSlope(level, footprint);
	}
	return sum;
}

// Ripples that are too short for any band, all running one way.
vec3 getRunningRipples(float angle, float shift)
{
	mat2 turn = mat2(cos(angle), -sin(angle), sin(angle), cos(angle));
	float size = 10.0 * rippleOptions.z;
	// Waves of that length run at sqrt(g length / 2 pi).
	vec2 place = turn * vPlace.xz - vec2(1.25 * sqrt(rippleOptions.z) * eye.w, shift);
	vec4 texel = texture(rippleMap, place / size);
	vec2 slope = texel.xy * 2.0 - 1.0;
	return vec3(slope * turn, max(texel.z + texel.w - dot(slope, slope), 0.0));
}

// Slope of these ripples (xy), and the variance of what is too small to see (z).
vec3 getFineRipples()
{
	if (rippleOptions.w < 0.5)
	{
		return vec3(0.0);
	}
	vec3 field = texture(rippleFieldMap, vPlace.xz * rippleOptions.xy).xyz;
	// Height times wave number, up to where they break. In the picture both slopes are 1/4 in the mean.
	float slope = 0.001 * field.x * 2.0 * PI / rippleOptions.z;
	slope = 0.25 * (1.0 - exp(-4.0 * slope)) * effects.x * 2.8;
	float order = min(length(field.yz), 1.0);
	// Turning a picture bit by bit from place to place would tear it. So it has eight directions, and between two of
	// them both are seen; what runs everywhere is a mix of two that run across each other.
	float turns = atan(field.z, field.y) / (0.25 * PI), first = floor(turns), share = turns - first;
	vec3 directed = vec3(0.0), spread = vec3(0.0);
	if (slope > 0.0 && order > 0.02)
	{
		vec3 a = getRunningRipples(first * 0.25 * PI, 3.1 * first);
		vec3 b = getRunningRipples((first + 1.0) * 0.25 * PI, 3.1 * (first + 1.0));
		directed = vec3(a.xy * sqrt(1.0 - share) + b.xy * sqrt(share), mix(a.z, b.z, share));
	}
	if (slope > 0.0 && order < 0.98)
	{
		vec3 a = getRunningRipples(0.4, 1.7), b = getRunningRipples(0.4 + 0.6 * PI, 5.3);
		spread = vec3((a.xy + b.xy) * sqrt(0.5), 0.5 * (a.z + b.z));
	}
	vec2 sum = directed.xy * sqrt(order) + spread.xy * sqrt(1.0 - order);
	return vec3(sum * slope, mix(spread.z, directed.z, order) * slope * slope);
}

// Slopes that lean towards the eye take more room on the screen than those that lean away: where waves are too small to
// see, the surface as a whole seems to lean.
vec2 getLean(vec3 toEye, float variance)
{
	return -toEye.xz * 0.5 * variance / max(toEye.y, 0.5 * sqrt(variance) + 0.02);
}
#endif

Surface getSurface(vec2 velocity, vec2 waveSlope)
{
	float unit = scatter.w;
	float noise = texture(patternMap, vPlace.xz / (37.0 * unit)).r * PHASE_NOISE;
	Surface surface;
	// Ripples run with the flow; wind moves them on still water as well.
	surface.drift = getDrift(vPlace.xz, velocity + vec2(0.35, 0.18) * sqrt(unit), noise);
	vec3 large = getRipples(surface.drift, 15.0 * unit);
	vec2 windPlace = mat2(0.8, 0.6, -0.6, 0.8) * vPlace.xz - vec2(0.8, 0.3) * eye.w * sqrt(unit);
	vec4 wind = texture(rippleMap, windPlace / (6.3 * unit));
	vec4 breath = texture(rippleMap, windPlace.yx / (1.9 * unit) + 0.3);
	vec2 small = wind.xy * 2.0 - 1.0 + (breath.yx * 2.0 - 1.0) * 0.4;
	// Gusts: patches of rougher and smoother water.
	float gust = texture(patternMap, vPlace.zx / (97.0 * unit) + eye.w * 0.002).r;
	gust = 0.35 + 0.9 * smoothstep(0.35, 0.65, gust);
	float rapid = smoothstep(0.15, 2.5, length(velocity));
#if defined(WAVES)
	// Waves are in the layer: only a breath of wind is left of those that are made up.
	gust *= mix(0.2, 1.0, smoothstep(0.0, 0.03, getBeyond(vPlace.xz)));
#endif
	surface.strength = effects.x * (0.09 * gust + 0.36 * rapid) * mix(0.35, 1.0, smoothstep(0.0, 0.25, vDepth));
	surface.slope = waveSlope + (large.xy + small * 0.55) * surface.strength;
	surface.variance = large.z + 0.3 * max(wind.z + wind.w - dot(small, small), 0.0);
	surface.variance *= surface.strength * surface.strength;
	surface.normal = normalize(vec3(-surface.slope.x, 1.0, -surface.slope.y));
	return surface;
}

// Slopes that differ between pixels belong to what a pixel cannot show.
float getJump(vec2 slope)
{
	vec2 x = dFdx(slope), y = dFdy(slope);
	return min(0.25 * (dot(x, x) + dot(y, y)), 0.03);
}

// The normal of a mirror. Seen at a flat angle most of the slopes are hidden behind each other, and a pixel shows a long piece of
// water: what it mirrors is nearer to what level water would.
vec3 getMirror(Surface surface, vec3 toEye)
{
	float share = mix(0.3, 1.0, smoothstep(0.0, 0.7, toEye.y)) / (1.0 + 20.0 * surface.variance);
	vec2 slope = surface.slope * share;
	return normalize(vec3(-slope.x, 1.0, -slope.y));
}

// Sun glitter: normals spread as wide as the ripples that are too small to see, and as normals differ between pixels (Tokuyoshi and
// Kaplanyan 2019), so that no pixel is white on its own.
float getGlitter(Surface surface, vec3 toEye, float facing, float fresnel)
{
	float rough = 0.0022 + surface.variance * 0.5 + 0.0012 * surface.strength;
	float cosine = max(dot(surface.normal, normalize(toEye + sun.xyz)), 1e-3);
	float squared = cosine * cosine;
	float lobe = exp(-(1.0 - squared) / (2.0 * rough * squared)) / (2.0 * PI * rough * squared * squared);
	float light = 0.3 * lobe * fresnel / (4.0 * facing);
	return light / (1.0 + 0.4 * light) * effects.w;
}

// Walls between bubbles of three sizes, drawn out along the flow where it is fast.
// @param streak half of their length along the flow, in tiles
// @param here the largest of them alone
float getWeb(vec2 place, vec2 streak, out float here)
{
	here = texture(patternMap, place).g;
	float large = here;
	large = 0.4 * large + 0.3 * (texture(patternMap, place + streak).g + texture(patternMap, place - streak).g);
	// The mean of three has less contrast.
	large = 0.44 + (large - 0.44) * 1.35;
	float middle = texture(patternMap, place * 2.7 + 0.4 * streak).g;
	return dot(vec2(large, middle), vec2(0.65, 0.35)) + 0.3 * (texture(patternMap, place.yx * 8.1).g - 0.44);
}

// The foam of a world is the share of the water that it covers. What the web of bubbles needs to cover as much goes up to 1.3,
// where nothing of the water is left.
float getFoam(vec2 uv)
{
	float foam = texture(flowMap, uv).w;
	float needed = min(4.4 * foam, 0.395 + 0.45 * foam) + 0.45 * smoothstep(0.75, 1.0, foam);
	return marker.w > 0.5 ? needed : foam;
}

// Foam has rags that are smaller than cells: it is looked up beside the place, by a pattern that drifts along. Sheets that
// run down a wall have less of it than the water below.
float getFoamAmount(vec2 uv, Drift drift, vec2 slope)
{
	float unit = 9.0 * scatter.w;
	vec2 reach = 5.0 / grid.xy;
	vec2 a = (texture(patternMap, drift.first / unit).rb - 0.5) * reach;
	vec2 b = (texture(patternMap, drift.second / unit).rb - 0.5) * reach;
	vec2 side = 0.8 / grid.xy;
	float first = getFoam(uv + a + side) + getFoam(uv + a - side);
	float second = getFoam(uv + b + side * vec2(1, -1)) + getFoam(uv + b - side * vec2(1, -1));
	return 0.5 * mix(first, second, drift.share) * mix(1.0, 0.5, smoothstep(0.8, 2.5, length(slope)));
}

// A web of bubbles that drifts with the water: thin threads where there is little, closed where there is much, and white
// with bubbles below where there is most. It is as thick as it is dense: the side towards the sun is lighter.
vec3 addFoam(vec3 color, float amount, Surface surface, vec2 velocity, float shadow)
{
	if (amount <= 0.0)
	{
		return color;
	}
	float tile = 7.0 * scatter.w;
	vec2 streak = velocity * min(0.05, 0.16 / max(length(velocity), 1e-3)) / 2.0;
	vec2 first = surface.drift.first / tile, second = surface.drift.second / tile;
	vec2 here;
	float web = mix(getWeb(first, streak, here.x), getWeb(second, streak, here.y), surface.drift.share);
	float cover = smoothstep(0.86 - 0.56 * amount, 1.12 - 0.50 * amount, web);
	cover *= smoothstep(0.0, 0.12, amount) * smoothstep(0.0, 0.03, vDepth);
	vec2 toSun = sun.xz * 0.012;
	vec2 side = vec2(texture(patternMap, first + toSun).g, texture(patternMap, second + toSun).g);
	vec2 relief = here - side;
	float raised = clamp(1.0 + 1.1 * mix(relief.x, relief.y, surface.drift.share), 0.6, 1.35);
	vec3 lit = sunColor.rgb * max(dot(surface.normal, sun.xyz), 0.0) * shadow * 0.52 * raised + skyColor.rgb * 0.72;
	vec3 milky = mix(color, (scatter.rgb * 1.5 + vec3(0.34, 0.44, 0.46)) * lit, 0.7 * smoothstep(0.5, 1.5, amount));
	return mix(milky, vec3(0.86, 0.89, 0.90) * lit * (0.72 + 0.4 * web), cover * 0.92);
}
#endif

// What is seen through the water.
struct Beneath
{
	vec3 color;
	// Meters of water in between.
	float path;
};

#if defined(SIDE)
// How far a ray goes until it leaves the world through a cut face.
float getWayOut(vec3 direction)
{
	vec2 along = mix(vec2(-1.0), vec2(1.0), step(0.0, direction.xz)) * max(abs(direction.xz), 1e-4);
	vec2 way = (step(0.0, along) * extent.xy - vPlace.xz) / along;
	return max(min(way.x, way.y), 0.0);
}
#endif

#if !defined(SIDE)
// The way of a ray down to where it meets the ground, if that is level.
vec3 getWayDown(vec3 direction)
{
	return direction * min(vDepth / max(-direction.y, 0.2), 40.0 * grid.z);
}

// The same of one that bends no more than the screen has room for: it ends between those that do not bend and bend as they
// would.
// @param share of the bend that there is room for
vec3 getBentWay(vec2 screenPlace, vec3 straight, vec3 bent, out float share)
{
	vec3 from = getWayDown(straight), to = getWayDown(bent);
	float depthFrom = (viewProjection * vec4(vPlace + from, 1.0)).w;
	vec4 end = viewProjection * vec4(vPlace + to, 1.0);
	share = getShareOfBend(screenPlace, end.xy / end.w * 0.5 + 0.5);
	// That share of the way on the screen, in space.
	return mix(from, to, share * depthFrom / mix(end.w, depthFrom, share));
}

// Ground that was not drawn because it lies beyond the edge of the screen, where a ray meets it that may bend as it likes: its
// colours without its finest grain, in the light that there is. What is on the screen instead would be drawn out into a curtain.
// @param path meters of water on the way
vec3 getHiddenGround(vec3 way, out float path)
{
	vec3 place = vPlace + way;
	vec2 cell = clamp(place.xz * grid.w - 0.5, vec2(0.0), grid.xy - 1.001);
	ivec2 low = ivec2(cell);
	vec2 f = cell - vec2(low);
	float bed = mix(mix(texelFetch(bedMap, low, 0).r, texelFetch(bedMap, low + ivec2(1, 0), 0).r, f.x),
		mix(texelFetch(bedMap, low + ivec2(0, 1), 0).r, texelFetch(bedMap, low + 1, 0).r, f.x), f.y);
	// The ground is not level: once more, with the depth that was found, as far as that is not another slope.
	float deep = max(vPlace.y - bed, 0.02);
	way *= clamp(deep / max(-way.y, 0.02), 0.5, 1.6);
	place = vPlace + way;
	path = length(way);
	vec2 uv = clamp(place.xz / extent.xy, vec2(0.0), vec2(1.0));
	vec4 light = texture(groundMap, uv);
	vec3 normal = vec3(light.x, sqrt(max(1.0 - dot(light.xy, light.xy), 0.01)), light.y);
	float noise = texture(patternMap, place.zx / (17.0 * options.z)).r, slope = length(normal.xz) / normal.y;
	float band = 0.5 * options.z;
	float sandy = 1.0 - smoothstep(levels.x - band, levels.x + band, bed + (noise - 0.5) * band * 3.0);
	float rocky = smoothstep(levels.w * 0.75, levels.w * 1.25, slope + (noise - 0.5) * 0.35);
	vec3 albedo = mix(vec3(0.085, 0.112, 0.030), mix(vec3(0.40, 0.32, 0.20), vec3(0.56, 0.47, 0.32), noise) * 0.99, sandy);
	albedo = 0.48 * mix(albedo, vec3(0.19, 0.178, 0.162), rocky);
	// The webs of caustics.glsl, and the lenses of the flow's own waves.
	float size = 1.0 / (6.5 * min(options.z, 1.0));
	vec2 drift = eye.w * vec2(0.020, 0.013);
	float web = min(texture(patternMap, place.xz * size + drift).a, texture(patternMap, place.zx * size * 1.13 - drift.yx + 0.41).a);
	float lens = clamp(1.0 / max(1.0 + effects.z * 0.25 * deep * texture(waveMap, uv).w, 0.1), 0.45, 2.2);
	float fade = smoothstep(0.02, 0.3, deep) * exp(-deep * 0.6);
#if defined(WAVES)
	fade *= 0.25;
#endif
	float shadow = mix(1.0, light.w * getBodyShadow(place) * getCloudShadow(place), sun.w);
	vec3 sunlight = sunColor.rgb * max(dot(normal, sun.xyz), 0.0) * shadow * lens * (1.0 + effects.z * fade * (web * 4.5 - 0.45));
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * normal.y) * light.z;
	return albedo * (sunlight + skylight) * exp(-absorption.rgb * deep * 1.2) * 0.9;
}
#endif

// @param pixel meters along x and z that a pixel is wide
Beneath getBeneath(vec3 toEye, vec3 normal, vec2 pixel)
{
	vec2 screenPlace = gl_FragCoord.xy * screen.zw;
	float depth;
	vec3 seen = getPlaceAt(screenPlace, depth);
	Beneath beneath;
	bool bare = false;
#if defined(SIDE)
	float longest = getWayOut(-toEye);
#else
	// Down along the bent ray to where it meets the ground if that is level. Beyond the rim there is no ground to see, nor in
	// the pixels that are half beyond it: what is found there, ground or sky, would change from pixel to pixel.
	vec3 free = refract(-toEye, normal, WATER_INDEX);
	float bend;
	vec3 way = getBentWay(screenPlace, -toEye, free, bend);
	float reach = length(way);
	vec3 bent = way / reach;
	bool inFront = getMark(screenPlace) > 0.5;
	reach = inFront ? min(reach, distance(vPlace, seen)) : reach;
	vec3 target = vPlace + bent * reach;
	vec2 rim = min(0.6 * grid.z + 2.0 * pixel, 0.25 * extent.xy);
	vec2 beyond = vec2(around.x * around.y);
	target.xz = clamp(target.xz, rim - beyond, extent.xy - rim + beyond);
	vec2 bentPlace = getScreenPlace(target).xy;
	float bentDepth;
	vec3 bentSeen = getPlaceAt(bentPlace, bentDepth);
	bool onScreen = all(greaterThan(bentPlace, vec2(0.0))) && all(lessThan(bentPlace, vec2(1.0)));
	// A body may be anywhere between surface and ground, or above. If it is not what the ray meets, look behind it.
	vec3 toSeen = bentSeen - vPlace;
	float miss = length(toSeen - bent * dot(toSeen, bent));
	bool missed = bentSeen.y >= vPlace.y + 0.02 || miss > 0.12 * grid.z + 0.1 * length(toSeen);
	float mark = getMark(bentPlace);
	bool mixed = mark > 0.9 ? missed : mark > 0.02;
	bare = mixed && inFront == false;
	if (bare)
	{
		bentDepth = texture(bareDepthMap, bentPlace).r;
		vec4 place = inverseViewProjection * vec4(vec3(bentPlace, bentDepth) * 2.0 - 1.0, 1.0);
		bentSeen = place.xyz / place.w;
	}
	// What stands out of the water in front of it is not under it.
	bool other = mixed == bare && bentDepth > gl_FragCoord.z && bentDepth < 1.0 && bentSeen.y < vPlace.y + 0.02;
	if (onScreen && other)
	{
		screenPlace = bentPlace;
		seen = bentSeen;
	}
	else
	{
		bare = false;
		// What stands out of the water hides it: the nearest place that is not hidden, of a ray that bends less.
		bool found = false;
		vec2 straightPlace = screenPlace;
		for (int i = 1; i < 5 && found == false; ++i)
		{
			vec2 attempt = mix(bentPlace, straightPlace, 0.25 * float(i));
			float tryDepth;
			vec3 trySeen = getPlaceAt(attempt, tryDepth);
			found = all(greaterThan(attempt, vec2(0.0))) && all(lessThan(attempt, vec2(1.0))) && getMark(attempt) < 0.02 &&
				tryDepth > gl_FragCoord.z && tryDepth < 1.0 && trySeen.y < vPlace.y + 0.02;
			if (found)
			{
				screenPlace = attempt;
				seen = trySeen;
			}
		}
	}
	// What lies behind a ridge is not seen through the ridge. Beyond the rim the water goes on, as far as one can tell from
	// above: it would end in a bright seam.
	float longest = 1.6 * reach + 0.02;
#endif
	vec3 color = bare ? texture(bareColorMap, screenPlace).rgb : texture(colorMap, screenPlace).rgb;
	if (bare == false && getMark(screenPlace) > 0.02)
	{
		// Of one thing only, as its depth.
		color = texelFetch(colorMap, ivec2(screenPlace * screen.xy), 0).rgb;
	}
	beneath.color = decodeColor(color);
	beneath.path = min(distance(vPlace, seen), longest);
#if !defined(SIDE)
	// Where there is no room to bend, and nothing stands in the water there.
	float hidden = smoothstep(0.0, 0.2, 1.0 - bend) * (inFront ? 0.0 : 1.0);
	if (hidden > 0.0 && around.x > 0.5)
	{
		float path;
		vec3 ground = getHiddenGround(getWayDown(free), path);
		beneath.color = mix(beneath.color, ground, hidden);
		beneath.path = mix(beneath.path, path, hidden);
	}
#endif
	return beneath;
}

// Earth in the water, 0 to 1: fast and shallow water tears it from land that is dry at other times, and foam shows where it did.
// Where the water is slow or deep it settles.
float getSilt(float speed, float foam)
{
	float bed = vPlace.y - vDepth;
	// Below the beach lies sand, and it is washed.
	float earth = mix(0.12, 1.0, smoothstep(levels.x - 0.3 * options.z, levels.x + 0.8 * options.z, bed));
	float torn = 0.10 * smoothstep(0.02, 0.25, speed) + smoothstep(0.25, 3.0, speed) + 0.35 * min(foam, 1.0);
	return earth * min(torn, 1.0) * exp(-0.30 * max(vDepth, 0.0));
}

// Light that the water takes from what is beneath it (Beer and Lambert), and light that it gives of its own.
// @param silt 0 to 1
vec3 getBody(Beneath beneath, vec3 lit, float speed, float silt, vec2 uv)
{
	vec3 take = absorption.rgb + silt * vec3(1.1, 1.5, 2.2);
	vec3 give = scatter.rgb * (1.0 + 0.25 * smoothstep(0.5, 4.0, speed));
	give = mix(give, vec3(0.220, 0.152, 0.078), silt / (silt + 0.35));
	if (absorption.w > 0.5)
	{
		vec4 tracer = texture(tracerMap, uv);
		float density = max(tracer.w, 0.0);
		vec3 own = tracer.rgb / max(density, 1e-4);
		take += density * (1.3 - own);
		give = mix(give, own * 0.55, density / (density + 0.35));
	}
	vec3 through = exp(-take * beneath.path);
	return beneath.color * through + give * lit * (1.0 - through);
}

void main()
{
#if defined(WAVES) && !defined(SIDE)
	// Before some pixels leave: it is made of differences between them.
	Footprint footprint = getFootprint();
#endif
	vec2 pixel = fwidth(vPlace.xz);
	if (vDepth <= 0.0)
	{
		discard;
	}
	vec2 uv = vPlace.xz / extent.xy;
	vec4 flow = texture(flowMap, uv);
	vec4 light = texture(groundMap, uv);
	vec3 toEye = normalize(eye.xyz - vPlace);
	float beyond = getBeyond(vPlace.xz);
	light.zw = mix(light.zw, vec2(1.0), smoothstep(0.0, 0.03, beyond));
	light.w *= getCloudShadow(vPlace);
	// Water glows from all of its depth: a shadow that is sharp on foam is faint in it.
	float bodyLight = getBodyShadow(vPlace);
	float litShare = light.w * mix(1.0, bodyLight, 0.4);
	vec3 lit = sunColor.rgb * max(sun.y, 0.05) * mix(1.0, litShare, sun.w * 0.7) * 0.32 + skyColor.rgb * 0.55;
#if defined(SIDE)
	vec3 color = getBody(getBeneath(toEye, vOutward, pixel), lit, length(flow.yz), 0.0, uv);
	color = mix(color, getClearSky(reflect(-toEye, vOutward)), 0.06);
#else
	// Waves of the rim do not go on for ever: further out there are only ripples.
	float ownWaves = 1.0 - smoothstep(0.0, 0.03, beyond);
	vec2 waveSlope = texture(waveMap, uv).xy * ownWaves;
	// What drifts is carried by the flow around it, not by that of one cell: that would tear it.
	vec2 side = 1.5 / grid.xy;
	vec2 velocity = 0.25 * (texture(flowMap, uv + side).yz + texture(flowMap, uv - side).yz +
		texture(flowMap, uv + side * vec2(1, -1)).yz + texture(flowMap, uv + side * vec2(-1, 1)).yz);
	velocity *= ownWaves;
#if defined(WAVES)
	vec3 bands = getWaveSlopes(footprint), fine = getFineRipples();
	bands *= ownWaves;
	waveSlope += bands.xy;
	Surface surface = getSurface(velocity, waveSlope);
	float unseen = bands.z + fine.z;
	surface.variance += unseen;
	surface.slope += fine.xy + getLean(toEye, unseen);
	surface.normal = normalize(vec3(-surface.slope.x, 1.0, -surface.slope.y));
	vec3 normal = surface.normal;
	float facing = max(dot(normal, toEye), 0.02);
	// Rough water mirrors less at flat angles (Bruneton, Neyret and Holzschuch 2010).
	float rough = sqrt(0.5 * unseen);
	float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * rough * sqrt(rough));
#else
	Surface surface = getSurface(velocity, waveSlope);
	vec3 normal = surface.normal;
	float facing = max(dot(normal, toEye), 0.02);
	float rough = sqrt(0.5 * surface.variance);
	float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * rough * sqrt(rough));
#endif
	surface.variance += getJump(surface.slope);
	float shadow = mix(1.0, light.w * bodyLight, sun.w);
	// Waves that lean towards the sun take more light in. Weak in nature, but it shows their shape from above.
	lit *= clamp(1.0 - 2.2 * dot(waveSlope + surface.slope * 0.25, sun.xz), 0.5, 1.8);
	float silt = getSilt(length(velocity), flow.w) * (1.0 - smoothstep(0.0, 0.03, beyond));
	vec3 color = getBody(getBeneath(toEye, normal, pixel), lit, length(flow.yz), silt, uv);

	// The last centimeters at the shore: less and less of a mirror, then nothing.
	float edge = smoothstep(0.002, 0.07, vDepth);
	vec3 mirror = getMirror(surface, toEye);
	vec3 mirrored = reflect(-toEye, mirror);
	mirrored = normalize(vec3(mirrored.x, abs(mirrored.y) + 0.005, mirrored.z));
	float spread = 0.02 + 0.6 * sqrt(surface.variance);
	vec3 reflection = getReflection(vPlace + vec3(0.0, 0.02, 0.0), mirrored, spread);
	vec4 body = getMirroredBody(vPlace, mirrored);
	color = mix(color, mix(reflection, body.rgb, body.a), fresnel * edge);
	color += sunColor.rgb * getGlitter(surface, toEye, facing, fresnel) * shadow * edge;
	// The rim of a film of water, which is round and catches the sky.
	float film = smoothstep(0.004, 0.02, vDepth) * (1.0 - smoothstep(0.02, 0.07, vDepth));
	color += film * skyColor.rgb * 0.16 * mix(0.4, 1.0, light.z);
	color = addFoam(
		color, min(getFoamAmount(uv, surface.drift, waveSlope) * effects.y, 1.6) * (1.0 - smoothstep(0.0, 0.003, beyond)),
		surface, velocity, shadow);
#endif
	float clear = exp(-distance(eye.xyz, vPlace) * skyColor.w * 0.6) * (1.0 - smoothstep(0.1, 0.95, beyond));
	color = mix(color, getHaze(-toEye), 1.0 - clear);
#if !defined(SIDE)
	// The ground has its haze already.
	vec3 ground = decodeColor(texelFetch(colorMap, ivec2(gl_FragCoord.xy), 0).rgb);
	color = mix(ground, color, smoothstep(0.001, 0.02, vDepth));
#endif
	outColor = vec4(encodeColor(addMarker(color, vPlace.xz)), 0.0);
}
