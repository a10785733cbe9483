// SPDX-License-Identifier: MIT

// The wave layer: bands of waves on tiles of 64 x 64 cells, level 0 the finest. wave_bands.c has what is in a texel.
uniform highp sampler2DArray waveTileMap;
uniform highp isampler2D waveIndexMap;

const float TILE = 64.0, BORDER = 2.0, SLOT = 68.0;

// Where a place is in the atlas: texels and layer; the layer is -1 where nothing moves.
vec3 findWaves(int level, vec2 place)
{
	vec4 of = waveLevels[level];
	vec2 cell = place * of.x;
	vec2 tile = clamp(floor(cell * (1.0 / TILE)), vec2(0.0), of.zw - 1.0);
	int slot = texelFetch(waveIndexMap, ivec2(tile) + ivec2(0, int(of.y)), 0).r;
	if (slot < 0)
	{
		return vec3(-1.0);
	}
	int perRow = int(waveOptions.z);
	int row = slot / perRow;
	vec2 corner = vec2(slot - row * perRow, row % perRow) * SLOT;
	return vec3(corner + clamp(cell - tile * TILE, vec2(0.0), vec2(TILE)) + BORDER, float(row / perRow));
}

vec4 fetchWaves(vec2 texel, float layer)
{
	return textureLod(waveTileMap, vec3(texel / (waveOptions.z * SLOT), layer), 0.0);
}

// Where to fetch, and how much each fetch counts.
struct Fetches
{
	vec2 a, b, c, d;
	vec4 shares;
};

vec4 fetchFourWaves(Fetches four, float layer)
{
	return fetchWaves(four.a, layer) * four.shares.x + fetchWaves(four.b, layer) * four.shares.y +
		fetchWaves(four.c, layer) * four.shares.z + fetchWaves(four.d, layer) * four.shares.w;
}

// A cubic B-spline through 4 x 4 texels takes four fetches that are filtered already (Sigg and Hadwiger 2005).
Fetches getSpline(vec2 texel)
{
	vec2 p = texel - 0.5;
	vec2 whole = floor(p), f = p - whole, g = 1.0 - f;
	vec2 w0 = g * g * g / 6.0, w1 = 2.0 / 3.0 - 0.5 * f * f * (2.0 - f), w3 = f * f * f / 6.0;
	vec2 near = w0 + w1, far = 1.0 - near;
	vec2 a = whole - 0.5 + w1 / near, d = whole + 1.5 + w3 / far;
	return Fetches(
		a, vec2(d.x, a.y), vec2(a.x, d.y), d, vec4(near.x * near.y, far.x * near.y, near.x * far.y, far.x * far.y));
}

// Height of the waves that the mesh has vertices enough for. What is left out shows in normals alone; it fades with
// distance, not from patch to patch, so that nothing jumps when patches change.
float getWaveHeight(vec2 place, float distance)
{
	float height = 0.0;
	for (int level = int(waveOptions.y) - 1; level >= int(waveOptions.x); --level)
	{
		float share = smoothstep(1.0, 2.0, waveOptions.w / (waveLevels[level].x * max(distance, 1e-3)));
		if (share <= 0.0)
		{
			break;
		}
		vec3 at = findWaves(level, place);
		height += at.z < 0.0 ? 0.0 : share * fetchFourWaves(getSpline(at.xy), at.z).x;
	}
	return height;
}
