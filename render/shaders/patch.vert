// SPDX-License-Identifier: MIT

// A patch of the grid. WATER: the water surface; TOP: the higher of water and ground; otherwise the ground.
// WAVES: with waves on the water, on patches that may be finer than the grid.
// First column and row, stride, halvings of the grid. With a stride of 0 a patch of what goes on beyond the world: -1 to 1 along x
// and z, 0 for the sides.
uniform ivec4 patchPlace;

out vec3 vPlace;
out float vDepth;

const int N = 65;

#if defined(WAVES)
// Place, bed and surface of a vertex of the grid.
vec4 getCorner(ivec2 vertex)
{
	ivec2 cell = getVertexCell(vertex);
	return vec4(getVertexPlace(vertex), texelFetch(bedMap, cell, 0).r, texelFetch(surfaceMap, cell, 0).r);
}

// The same in between, on the two triangles that a quad of the ground has.
vec4 getBetween(ivec2 vertex, int halvings)
{
	ivec2 low = vertex >> halvings;
	vec2 f = vec2(vertex - (low << halvings)) / float(1 << halvings);
	if (f == vec2(0.0))
	{
		return getCorner(low);
	}
	vec4 b = getCorner(low + ivec2(0, 1)), c = getCorner(low + ivec2(1, 0));
	vec4 other = f.x + f.y < 1.0 ? getCorner(low) : getCorner(low + 1);
	vec2 w = f.x + f.y < 1.0 ? f.yx : 1.0 - f;
	return other * (1.0 - w.x - w.y) + b * w.x + c * w.y;
}
#endif

#if !defined(TOP)
// @param share of the patch along x and z, 0 to 1
vec4 getSurroundings(vec2 share)
{
	vec2 side = vec2(patchPlace.xy);
	vec2 far = around.y * (0.02 * share + 0.98 * share * share * share);
	vec2 place = mix(share * extent.xy, mix(-far, extent.xy + far, step(0.0, side)), abs(side));
	return vec4(place, getSurroundingsAt(place));
}
#endif

void main()
{
	ivec2 local;
	bool skirt = gl_VertexID >= N * N;
	if (skirt)
	{
		int place = gl_VertexID - N * N;
		int side = place / (N - 1);
		int i = place % (N - 1);
		int last = N - 1;
		ivec2 rims[4] = ivec2[4](ivec2(i, 0), ivec2(last, i), ivec2(last - i, last), ivec2(0, last - i));
		local = rims[side];
	}
	else
	{
		local = ivec2(gl_VertexID % N, gl_VertexID / N);
	}
#if !defined(TOP)
	if (patchPlace.z == 0)
	{
		vec4 of = getSurroundings(vec2(local) / float(N - 1));
#if defined(WAVES)
		of.w += getWaveHeight(of.xy, distance(eye.xyz, of.xwy)) * (1.0 - smoothstep(0.0, 0.05, getBeyond(of.xy)));
#endif
		vDepth = of.w - of.z;
#if defined(WATER)
		float level = of.w;
#else
		float level = of.z;
		// The seam to the finer mesh of the world may be as high as a cliff.
		level = skirt ? extent.z : level;
#endif
		vPlace = vec3(of.x, level, of.y);
		gl_Position = viewProjection * vec4(vPlace, 1.0);
		return;
	}
#endif
#if defined(WAVES)
	ivec2 last = (ivec2(grid.xy) + 1) << patchPlace.w;
	ivec2 vertex = min(patchPlace.xy + local, last);
	vec4 between = getBetween(vertex, patchPlace.w);
	vec2 place = between.xy;
	float bed = between.z;
	float surface = between.w + getWaveHeight(place, distance(eye.xyz, vec3(place.x, between.w, place.y)));
	float spacing = grid.z * float(patchPlace.z) / float(1 << patchPlace.w);
#else
	ivec2 last = ivec2(grid.xy) + 1;
	ivec2 vertex = min(patchPlace.xy + local, last);
	vec2 place = getVertexPlace(vertex);
	ivec2 cell = getVertexCell(vertex);
	float bed = texelFetch(bedMap, cell, 0).r;
	float surface = texelFetch(surfaceMap, cell, 0).r;
	float spacing = float(patchPlace.z) * grid.z;
#endif
	vDepth = surface - bed;
#if defined(WATER)
	float height = surface;
#elif defined(TOP)
	float height = max(surface, bed);
#else
	float height = bed;
#endif
	// The rim of the world has sides instead of skirts.
	if (skirt && vertex.x > 0 && vertex.y > 0 && vertex.x < last.x && vertex.y < last.y)
	{
#if defined(WATER)
		// From below they would hang down into the picture.
		spacing *= 1.0 - lens.y;
#endif
		height -= spacing;
	}
#if !defined(WATER)
	else if (skirt && around.x > 0.5)
	{
		height = extent.z;
	}
#endif
	vPlace = vec3(place.x, height, place.y);
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
