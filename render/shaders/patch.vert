// SPDX-License-Identifier: MIT

// A patch of the grid. WATER: the water surface; TOP: the higher of water and ground; otherwise the ground.
uniform ivec4 patchPlace; // first column and row, stride
uniform sampler2D bedMap;
uniform sampler2D surfaceMap;

out vec3 vPlace;
out float vDepth;

const int N = 65;

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
	ivec2 last = ivec2(grid.xy) + 1;
	ivec2 vertex = min(patchPlace.xy + local, last);
	vec2 place = getVertexPlace(vertex);
	ivec2 cell = getVertexCell(vertex);
	float bed = texelFetch(bedMap, cell, 0).r;
	float surface = texelFetch(surfaceMap, cell, 0).r;
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
		height -= float(patchPlace.z) * grid.z;
	}
	vPlace = vec3(place.x, height, place.y);
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
