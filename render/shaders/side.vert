// SPDX-License-Identifier: MIT

// The cut faces of the world: a strip along a side. WATER: from the bed up to the surface; otherwise from the underside
// up to the bed. WAVES: with waves on the water.
uniform int side; // west, east, north, south
#if defined(WAVES)
uniform int sideHalvings; // of the cells of the grid
#endif
uniform sampler2D bedMap;
uniform sampler2D surfaceMap;

out vec3 vPlace;
out float vDepth;
out float vTop;
flat out vec3 vOutward;

void main()
{
	int along = gl_VertexID / 2;
#if defined(WAVES)
	int fine = along;
	along = along >> sideHalvings;
	float share = float(fine - (along << sideHalvings)) / float(1 << sideHalvings);
#endif
	bool top = (gl_VertexID & 1) == 1;
	ivec2 last = ivec2(grid.xy) + 1;
	bool alongZ = side < 2, high = (side & 1) == 1;
	ivec2 vertex = alongZ ? ivec2(high ? last.x : 0, along) : ivec2(along, high ? last.y : 0);
	float outward = high ? 1.0 : -1.0;
	vOutward = alongZ ? vec3(outward, 0.0, 0.0) : vec3(0.0, 0.0, outward);
	vec2 place = getVertexPlace(vertex);
	ivec2 cell = getVertexCell(vertex);
	float bed = texelFetch(bedMap, cell, 0).r;
	float surface = texelFetch(surfaceMap, cell, 0).r;
#if defined(WAVES)
	if (share > 0.0)
	{
		ivec2 next = vertex + (alongZ ? ivec2(0, 1) : ivec2(1, 0));
		ivec2 nextCell = getVertexCell(next);
		place = mix(place, getVertexPlace(next), share);
		bed = mix(bed, texelFetch(bedMap, nextCell, 0).r, share);
		surface = mix(surface, texelFetch(surfaceMap, nextCell, 0).r, share);
	}
	surface += getWaveHeight(place, distance(eye.xyz, vec3(place.x, surface, place.y)));
#endif
	vDepth = surface - bed;
	vTop = bed;
#if defined(WATER)
	float height = top ? surface : bed;
#else
	float height = top ? bed : extent.z;
#endif
	vPlace = vec3(place.x, height, place.y);
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
