// SPDX-License-Identifier: MIT

// The place of a vertex of the grid: vertex i stands on cell i - 1, the first and the last one on the rim.
// Around buildings vertices move towards the walls, which stand on the border between two cells.
uniform sampler2D builtMap;

ivec2 getVertexCell(ivec2 vertex)
{
	return clamp(vertex - 1, ivec2(0), ivec2(grid.xy) - 1);
}

vec2 getVertexPlace(ivec2 vertex)
{
	vec2 shift = (texelFetch(builtMap, getVertexCell(vertex), 0).ba * 255.0 - 128.0) / 255.0;
	ivec2 last = ivec2(grid.xy) + 1;
	shift *= vec2(vertex.x > 0 && vertex.x < last.x, vertex.y > 0 && vertex.y < last.y);
	return clamp(vec2(vertex) - 0.5 + shift, vec2(0.0), grid.xy) * grid.z;
}
