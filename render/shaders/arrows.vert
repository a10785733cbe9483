// SPDX-License-Identifier: MIT

// Velocity as arrows, one instance each, flat on the water. Length by speed, none where dry or still.
uniform ivec4 arrowGrid; // arrows per row, cells between them, first cell
uniform vec2 arrowScale; // meters per m/s, longest arrow in meters
uniform sampler2D surfaceMap;
uniform sampler2D flowMap;

out float vShade;

void main()
{
	ivec2 cell = ivec2(gl_InstanceID % arrowGrid.x, gl_InstanceID / arrowGrid.x) * arrowGrid.y + arrowGrid.z;
	cell = min(cell, ivec2(grid.xy) - 1);
	vec4 flow = texelFetch(flowMap, cell, 0);
	float surface = texelFetch(surfaceMap, cell, 0).r;
	float speed = length(flow.yz);
	float reach = min(speed * arrowScale.x, arrowScale.y);
	vec2 along = flow.yz / max(speed, 1e-5);
	vec2 across = vec2(-along.y, along.x);
	// Shaft (two triangles) and head (one), as shares of the length and of the width.
	const vec2 corners[9] = vec2[9](vec2(-0.5, -0.35), vec2(-0.5, 0.35), vec2(0.15, -0.35), vec2(0.15, -0.35),
		vec2(-0.5, 0.35), vec2(0.15, 0.35), vec2(0.1, -1.0), vec2(0.1, 1.0), vec2(0.5, 0.0));
	vec2 corner = corners[gl_VertexID];
	float width = min(0.26 * reach, 0.16 * arrowScale.y);
	vec2 place = (vec2(cell) + 0.5) * grid.z + along * corner.x * reach + across * corner.y * width;
	bool shown = flow.x > 0.001 && reach > 0.06 * arrowScale.y;
	vShade = gl_VertexID >= 6 ? 1.0 : 0.85;
	vec4 clip = viewProjection * vec4(place.x, surface + 0.08 * arrowScale.y, place.y, 1.0);
	gl_Position = shown ? clip : vec4(2.0, 2.0, 2.0, 1.0);
}
