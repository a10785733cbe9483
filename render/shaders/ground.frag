// SPDX-License-Identifier: MIT

// Ground: sand, grass, rock and snow; walls and roofs; wet ground, and light on the ground under water.
uniform sampler2D bedMap;
uniform sampler2D groundMap;
uniform sampler2D builtMap;
uniform sampler2D blendMap;
uniform sampler2D waveMap;

// Pictures of sand, grass, rock and snow, where lens.z has their bits.
uniform highp sampler2DArray groundTileMap;

in vec3 vPlace;
in float vDepth;
out vec4 outColor;

// Noise of four sizes.
struct Grain
{
	float coarse;
	vec4 middle, fine, finest;
};

// A pattern that lies on steep faces as it does on level ground, by height, not stretched over it: on each of the planes that a face is
// near to, mixed where it is between two.
vec4 getWrapped(vec3 weights, float size)
{
	vec3 place = vPlace / size;
	vec4 sum = vec4(0.0);
	if (weights.y > 0.0)
	{
		sum += weights.y * texture(patternMap, place.zx);
	}
	if (weights.x > 0.0)
	{
		sum += weights.x * texture(patternMap, place.zy);
	}
	if (weights.z > 0.0)
	{
		sum += weights.z * texture(patternMap, place.xy);
	}
	return sum;
}

Grain getGrain(vec3 face, float under)
{
	float unit = options.z;
	vec3 weights = max(abs(face) - 0.42, 0.0);
	weights *= weights;
	weights /= dot(weights, vec3(1.0));
	Grain grain;
	grain.coarse = texture(patternMap, vPlace.xz / (83.0 * unit)).r;
	grain.middle = getWrapped(weights, 17.0 * unit);
	grain.fine = getWrapped(weights, 4.3 * unit);
	// Close up: what a hand could cover. Farther away it is grey, by its own smaller pictures.
	grain.finest = getWrapped(weights, 1.1 * min(unit, 1.0));
	// Under water the ground is washed smooth.
	grain.fine = mix(grain.fine, vec4(0.5), 0.75 * smoothstep(0.1, 1.2, under));
	grain.finest = mix(grain.finest, vec4(0.5), 0.75 * smoothstep(0.1, 1.2, under));
	return grain;
}

// Rock in layers that bend, with cracks along them and across, and lichen where it is not too steep.
vec3 getRock(float height, Grain grain, float unit, float slope)
{
	float bent = height / (1.7 * unit) + grain.coarse * 14.0 + grain.middle.r * 2.5;
	float layer = 0.5 + 0.5 * sin(bent);
	float ledge = smoothstep(0.75, 1.0, sin(bent * 2.7 + grain.fine.r * 3.0));
	vec3 color = mix(vec3(0.125, 0.117, 0.11), vec3(0.285, 0.262, 0.232), layer * 0.4 + grain.middle.r * 0.3 + grain.fine.r * 0.3);
	color *= 0.62 + 0.3 * grain.fine.b + 0.34 * grain.finest.b + 0.24 * grain.fine.r;
	color *= 1.0 - 0.30 * ledge;
	// Cracks are the walls between the cells of the foam.
	color *= 1.0 - 0.42 * smoothstep(0.62, 0.80, grain.fine.g * 0.7 + grain.finest.g * 0.3);
	float lichen = smoothstep(0.52, 0.64, grain.middle.b * 0.5 + grain.fine.r * 0.5) * smoothstep(2.6, 0.9, slope);
	return mix(color, vec3(0.16, 0.165, 0.075), 0.35 * lichen);
}

// The height of the roof that a wall belongs to.
float getRoofHeight(vec2 place)
{
	vec2 cell = place * grid.w - 0.5;
	ivec2 low = clamp(ivec2(floor(cell)), ivec2(0), ivec2(grid.xy) - 2);
	float a = texelFetch(bedMap, low, 0).r, b = texelFetch(bedMap, low + ivec2(1, 0), 0).r;
	float c = texelFetch(bedMap, low + ivec2(0, 1), 0).r, d = texelFetch(bedMap, low + ivec2(1, 1), 0).r;
	return max(max(a, b), max(c, d));
}

// 1 inside a span of a pattern that repeats after 1, with edges a pixel wide.
float getSpan(float turns, float low, float high)
{
	float width = fwidth(turns) + 1e-4, place = fract(turns);
	return smoothstep(low - width, low + width, place) * (1.0 - smoothstep(high - width, high + width, place));
}

// Walls of houses: plaster of some colour, with windows.
vec3 getWall(vec3 place, vec3 normal, float name, vec4 noise)
{
	vec3 warm = vec3(0.74, 0.66, 0.53), pale = vec3(0.78, 0.75, 0.70), red = vec3(0.62, 0.40, 0.30);
	vec3 color = name < 0.4 ? warm : name < 0.75 ? pale : red;
	color *= 0.78 + 0.3 * noise.b + 0.15 * noise.r;

	float below = getRoofHeight(place.xz) - place.y;
	float along = abs(normal.x) > abs(normal.z) ? place.z : place.x;
	float storey = 2.7, gap = 2.3;
	float row = below / storey, column = along / gap;
	float window = getSpan(row, 0.30, 0.74) * getSpan(column, 0.28, 0.66);
	// Too far away to make out: a darker wall.
	float blur = clamp(max(fwidth(row), fwidth(column)) * 2.2, 0.0, 1.0);
	window = mix(window, 0.17, blur) * step(0.6, below);
	color = mix(color, vec3(0.035, 0.045, 0.06), window * 0.85);
	return color * mix(0.55, 1.0, smoothstep(0.15, 0.4, below));
}

// Blocks of stone in rows, each row shifted by half a block.
vec3 getMasonry(vec3 place, vec3 normal, vec4 noise)
{
	bool top = normal.y > 0.7;
	float along = top || abs(normal.x) < abs(normal.z) ? place.x : place.z;
	float row = (top ? place.z : place.y) / 0.55, column = along / 1.1 + 0.5 * floor(row);
	float joint = 1.0 - getSpan(row, 0.06, 0.94) * getSpan(column, 0.03, 0.97);
	float block = fract(sin(dot(vec2(floor(row), floor(column)), vec2(12.99, 78.23))) * 437.6);
	float near = 1.0 - clamp(max(fwidth(row), fwidth(column)) * 1.5, 0.0, 1.0);
	vec3 color = vec3(0.36, 0.335, 0.30) * (0.85 + 0.3 * (block - 0.5) * near);
	color *= 0.7 + 0.4 * noise.b + 0.2 * noise.r;
	return color * (1.0 - 0.45 * joint * near);
}

vec3 getRoof(vec3 place, float name, vec4 noise)
{
	vec3 tile = vec3(0.44, 0.155, 0.085), slate = vec3(0.17, 0.18, 0.21), old = vec3(0.36, 0.215, 0.13);
	vec3 color = name < 0.45 ? tile : name < 0.7 ? old : slate;
	float tiles = 0.72 + 0.28 * smoothstep(0.0, 0.5, fract(place.z / 0.45));
	tiles = mix(tiles, 0.93, clamp(fwidth(place.z) * 4.0, 0.0, 1.0));
	return color * (0.70 + 0.35 * noise.b + 0.3 * noise.r) * tiles;
}

// Shares of sand, grass, rock and snow at a place, by height and slope, with ragged borders.
vec4 getShares(float slope, Grain grain)
{
	float broken = grain.middle.r - 0.5;
	float height = vPlace.y + broken * 2.4 * options.z;
	float rock = smoothstep(levels.w * 0.75, levels.w * 1.25, slope + broken * 0.35 + (grain.fine.b - 0.5) * 0.2);
	float bare = smoothstep(levels.y - 6.0, levels.y + 6.0, height + (grain.coarse - 0.5) * 16.0);
	rock = max(rock, bare * 0.85);
	float snow = smoothstep(levels.z - 4.0, levels.z + 4.0, height + (grain.coarse - 0.5) * 18.0);
	snow *= 1.0 - smoothstep(levels.w * 0.9, levels.w * 1.7, slope + (grain.fine.b - 0.5) * 0.4);
	float band = 0.5 * options.z;
	float sand = 1.0 - smoothstep(levels.x - band, levels.x + band, vPlace.y + broken * band * 3.0);
	rock *= 1.0 - snow;
	sand *= 1.0 - max(rock, snow);
	return vec4(sand, max(1.0 - sand - rock - snow, 0.0), rock, snow);
}

vec3 getGrass(Grain grain, float open)
{
	float broken = grain.middle.r - 0.5;
	float dryness = clamp(grain.coarse * 1.2 - 0.1 + broken * 0.9, 0.0, 1.0);
	vec3 color = mix(vec3(0.058, 0.108, 0.022), vec3(0.150, 0.165, 0.045), dryness);
	// Dry meadows here and there, and woods: dark, with lighter crowns.
	color = mix(color, vec3(0.235, 0.195, 0.085), smoothstep(0.52, 0.74, grain.coarse + broken * 0.25) * 0.45);
	color *= 0.46 + 0.40 * grain.fine.b + 0.3 * grain.middle.b + 0.40 * grain.finest.b;
	// Blades catch light of their own, with dark between them.
	color *= 1.0 + 0.9 * (grain.finest.g - 0.44) * (0.5 + grain.fine.r);
	color = mix(color, vec3(0.20, 0.165, 0.06), 0.35 * smoothstep(0.60, 0.72, grain.fine.r * 0.6 + grain.finest.r * 0.4));
	float woods = texture(patternMap, vPlace.zx / (227.0 * options.z) + 0.37).r + broken * 0.22;
	vec3 crowns = vec3(0.040, 0.078, 0.024) * (0.45 + 0.8 * grain.middle.b + 0.5 * grain.fine.b);
	return mix(color, crowns, smoothstep(0.47, 0.36, woods) * 0.75 * open);
}

// The picture of a kind of ground, wrapped around as all patterns are, or the colour that was made for it.
vec3 getTile(int kind, vec3 face, vec3 made)
{
	if ((int(lens.z) >> kind & 1) == 0)
	{
		return made;
	}
	vec3 weights = max(abs(face) - 0.42, 0.0);
	weights *= weights;
	weights /= dot(weights, vec3(1.0));
	vec3 place = vPlace * lens.w;
	float layer = float(kind);
	// In all branches: which one is taken differs between pixels.
	vec3 x = texture(groundTileMap, vec3(place.zy, layer)).rgb, y = texture(groundTileMap, vec3(place.xz, layer)).rgb;
	return x * weights.x + y * weights.y + texture(groundTileMap, vec3(place.xy, layer)).rgb * weights.z;
}

vec3 getAlbedo(vec4 share, Grain grain, vec2 built, vec3 face, vec3 normal)
{
	vec4 fine = grain.fine;
	vec3 sand = mix(vec3(0.40, 0.32, 0.20), vec3(0.56, 0.47, 0.32), grain.middle.r);
	sand *= 0.72 + 0.3 * fine.b + 0.26 * grain.finest.b;
	sand = mix(sand, vec3(0.30, 0.27, 0.23), 0.7 * smoothstep(0.70, 0.76, grain.finest.g * 0.6 + fine.b * 0.4));
	vec3 rock = getRock(vPlace.y, grain, options.z, length(normal.xz) / max(normal.y, 0.05));
	vec3 snow = vec3(0.80, 0.84, 0.90) * (0.9 + 0.15 * fine.r);
	vec3 grass = getGrass(grain, 1.0 - built.r);
	if (lens.z > 0.5)
	{
		sand = getTile(0, face, sand);
		grass = getTile(1, face, grass);
		rock = getTile(2, face, rock);
		snow = getTile(3, face, snow);
	}
	vec3 ground = grass * share.y + sand * share.x + rock * share.z + snow * share.w;
	ground /= max(dot(share, vec4(1.0)), 1e-3);
	if (built.r <= 0.02)
	{
		return ground;
	}
	// The name is 0 outside, so near a rim it fades like the share.
	float name = clamp(built.g / built.r, 0.0, 1.0);
	bool house = name > 0.03;
	vec3 stone = getMasonry(vPlace, face, fine);
	vec3 top = built.r < 0.55 ? ground : house ? getRoof(vPlace, name, fine) : stone;
	vec3 wall = house ? getWall(vPlace, normal, name, fine) : stone;
	return mix(top, wall, smoothstep(0.90, 0.72, face.y));
}

// Small bumps: the gradient of a height on the surface follows from what changes between pixels (Mikkelsen 2010).
vec3 getBumped(vec3 normal, float height)
{
	vec3 alongX = dFdx(vPlace), alongY = dFdy(vPlace);
	vec3 first = cross(alongY, normal), second = cross(normal, alongX);
	float area = dot(alongX, first);
	vec3 gradient = sign(area) * (dFdx(height) * first + dFdy(height) * second) / max(abs(area), 1e-7);
	return normalize(normal - gradient * min(1.0, 1.2 / max(length(gradient), 1e-4)));
}

void main()
{
	vec2 uv = vPlace.xz / extent.xy;
	vec4 light = texture(groundMap, uv);
	vec4 wave = texture(waveMap, uv);
	float beyond = getBeyond(vPlace.xz);
	// Light and houses of the rim do not go on.
	light.zw = mix(light.zw, vec2(1.0), smoothstep(0.0, 0.03, beyond));
	vec2 built = texture(builtMap, uv).rg * step(beyond, 0.0);
	bool water = options.y > 0.5;
	float under = water ? max(vDepth, 0.0) : 0.0;

	vec3 toEye = normalize(eye.xyz - vPlace);
	vec3 face = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
	face = dot(face, toEye) < 0.0 ? -face : face;
	vec3 rounded = normalize(vec3(light.x, sqrt(max(1.0 - dot(light.xy, light.xy), 0.01)), light.y));
	float steep = smoothstep(0.8, 0.5, face.y);
	vec3 normal = normalize(mix(rounded, face, max(step(0.02, built.r), steep * 0.8)));

	Grain grain = getGrain(face, under);
	vec4 share = options.x > 0.5 ? texture(blendMap, uv) : getShares(length(rounded.xz) / rounded.y, grain);
	vec3 albedo = getAlbedo(share, grain, built, face, normal);
	float bump = (grain.fine.b * 0.022 + grain.fine.r * 0.07) * options.z;
	bump += (grain.finest.b * 0.016 + grain.finest.g * 0.012 * share.z) * min(options.z, 1.0);
	bump += share.z * (grain.middle.r * 0.35 - grain.fine.g * 0.05) * options.z;
	bump *= (1.0 + 0.8 * share.z - 0.6 * share.w) * (1.0 - 0.8 * step(0.02, built.r));
	normal = getBumped(normal, bump);

	float wet = water ? max(wave.z, smoothstep(0.0, 0.01, under)) : 0.0;
	albedo *= mix(vec3(1.0), vec3(0.52, 0.50, 0.50), wet * (1.0 - share.w));

	float shadow = mix(1.0, light.w * getBodyShadow(vPlace) * getCloudShadow(vPlace), sun.w);
	vec3 sunlight = sunColor.rgb * max(dot(normal, sun.xyz), 0.0) * shadow;
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * normal.y) * light.z;
	skylight += sunColor.rgb * vec3(0.05, 0.045, 0.035) * (1.0 - 0.6 * normal.y);
	sunlight *= mix(1.0, getCaustics(vPlace, under, wave.w), step(1e-6, under));
	vec3 color = albedo * (sunlight + skylight) * exp(-absorption.rgb * under * 1.2) * 0.9;

	// Wet ground shines a little towards the sun and the sky.
	float gloss = wet * (1.0 - smoothstep(0.0, 0.02, under));
	float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, toEye), 0.0), 5.0);
	float shine = pow(max(dot(normal, normalize(toEye + sun.xyz)), 0.0), 40.0) * 0.5 * shadow;
	vec3 mirrored = getClearSky(reflect(-toEye, normal)) * 0.3 * light.z + sunColor.rgb * shine;
	color += gloss * fresnel * mirrored;
	outColor = vec4(encodeColor(addMarker(addHaze(color, vPlace), vPlace.xz)), 0.0);
}
