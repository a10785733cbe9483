// SPDX-License-Identifier: MIT

// What the sample draws with: ground and water as height fields. docs/rendering.md explains it.

#pragma once

static const char s_vertex[] =
	"#version 330 core\n"
	"uniform sampler2D bedMap, heightMap, flowMap, slopeMap;\n"
	"uniform mat4 camera; uniform int cells; uniform bool water;\n"
	"out vec3 place; out float depth; out vec4 flow, slope;\n"
	"void main() {\n"
	// Two triangles for each quad between the middles of four cells.
	"	int corner = gl_VertexID % 6, quad = gl_VertexID / 6;\n"
	"	ivec2 step = ivec2(corner == 1 || corner > 3, corner == 2 || corner == 3 || corner == 5);\n"
	"	ivec2 cell = ivec2(quad % (cells - 1), quad / (cells - 1)) + step;\n"
	"	float bed = texelFetch(bedMap, cell, 0).r, surface = texelFetch(heightMap, cell, 0).r;\n"
	"	flow = texelFetch(flowMap, cell, 0); slope = texelFetch(slopeMap, cell, 0);\n"
	"	depth = surface - bed;\n"
	"	place = vec3(float(cell.x) + 0.5, water ? surface : bed, float(cell.y) + 0.5);\n"
	"	gl_Position = camera * vec4(place, 1.0);\n"
	"}\n";

static const char s_fragment[] =
	"#version 330 core\n"
	"uniform bool water; uniform vec3 eye;\n"
	"in vec3 place; in float depth; in vec4 flow, slope; out vec4 color;\n"
	"const vec3 sun = vec3(-0.48, 0.72, 0.5);\n"
	"void main() {\n"
	"	vec3 toEye = normalize(eye - place);\n"
	"	if (!water) {\n"
	"		vec3 n = normalize(cross(dFdx(place), dFdy(place))); n *= sign(n.y);\n"
	"		vec3 ground = mix(vec3(0.30, 0.42, 0.16), vec3(0.42, 0.38, 0.33), smoothstep(0.9, 0.7, n.y));\n"
	"		ground *= mix(1.0, 0.55, slope.z);\n" // wetness
	"		color = vec4(ground * (0.35 + 0.9 * max(dot(n, sun), 0.0)), 1.0);\n"
	"		return;\n"
	"	}\n"
	// The shore: where the surface meets the ground, between two cells.
	"	if (depth <= 0.0) discard;\n"
	"	vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));\n"
	"	float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(n, toEye), 0.0), 5.0);\n"
	"	vec3 sky = mix(vec3(0.75, 0.84, 0.92), vec3(0.28, 0.48, 0.75), max(reflect(-toEye, n).y, 0.0));\n"
	"	vec3 body = mix(vec3(0.10, 0.42, 0.42), vec3(0.01, 0.12, 0.20), 1.0 - exp(-0.35 * depth));\n"
	"	vec3 lit = mix(body, sky, fresnel) + pow(max(dot(reflect(-sun, n), toEye), 0.0), 200.0);\n"
	"	lit = mix(lit, vec3(0.92), clamp(flow.w, 0.0, 1.0));\n"
	"	color = vec4(lit, clamp(1.0 - exp(-1.5 * depth) + fresnel, 0.0, 1.0) * smoothstep(0.0, 0.05, depth));\n"
	"}\n";
