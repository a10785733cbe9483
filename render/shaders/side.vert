// SPDX-License-Identifier: MIT

// The cut faces of the world: a strip along a side. WATER: from the bed up to the surface; otherwise from the underside
// up to the bed.
uniform int side; // west, east, north, south
uniform sampler2D bedMap;
uniform sampler2D surfaceMap;

out vec3 vPlace;
out float vDepth;
out float vTop;
flat out vec3 vOutward;

void main()
{
	int along = gl_VertexID / 2;
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
