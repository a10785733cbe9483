// SPDX-License-Identifier: MIT

// What all shaders of a frame share. Places are meters from the corner of the world, y up; the struct FrameBlock in
// render.c has the same order.
layout(std140) uniform Frame
{
	mat4 viewProjection;
	mat4 inverseViewProjection;
	vec4 eye;         // place, seconds
	vec4 sun;         // direction, strength of shadows
	vec4 sunColor;    // light, exposure
	vec4 skyColor;    // light from above, strength of haze per meter
	vec4 grid;        // columns, rows, cell size, 1 / cell size
	vec4 extent;      // width, length, height of the underside, highest ground
	vec4 screen;      // pixels, 1 / pixels
	vec4 absorption;  // 1/m, 1 if there are tracers
	vec4 scatter;     // light that deep water sends back, height of waves that ripples stand for
	vec4 effects;     // ripples, foam, caustics, glitter
	vec4 levels;      // beach, tree line, snow line, slope of rock
	vec4 options;     // 1 if there is a blend map, 1 if water is drawn, meters of the coarse noise, encoding of colours
	vec4 marker;      // middle x, z, radius, 1 if foam is that of the world
	vec4 markerColor;
	mat4 shadowMatrix; // to the map of what bodies shade
	vec4 bodies;       // 1 if bodies throw shadows, width of a soft rim and slack in that map, slack in meters
	vec4 bodyLow;      // the box around all bodies, 1 if there are any
	vec4 bodyHigh;
	vec4 waveOptions;    // first level and end of levels, slots in a row of the atlas, pixels times meters per wave cell
	vec4 rippleOptions;  // 1 / size of the grid of ripples, length of ripples, 1 if there are any
	vec4 waveLevels[12]; // 1 / cell size, first row in the index, tiles along x and z
	vec4 lens;           // level of the water at the eye, 1 if the eye may be in it; which kinds of ground have pictures, 1 / m
	vec4 around;         // 1 if land and water go on beyond the world, how far, 1 / how far, strength of shadows of clouds
};

const float PI = 3.14159265;

// Where colours have only 8 bits between passes they are kept as roots, and above 1 up to 4.
vec3 encodeColor(vec3 color)
{
	return options.w > 0.5 ? sqrt(color * 0.25) : color;
}

vec3 decodeColor(vec3 color)
{
	return options.w > 0.5 ? color * color * 4.0 : color;
}

// How far beyond the edges of the world a place is, as a share of where all ends in haze.
float getBeyond(vec2 place)
{
	vec2 way = max(max(-place, place - extent.xy), vec2(0.0));
	return max(way.x, way.y) * around.z;
}

float luminance(vec3 color)
{
	return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

// How much rays may bend at the surface of water: what they meet beyond the edge of the screen was not drawn. Up to half of
// the way to the edge as they do, and then less, so that none gets there and no seam shows where it would have.
// @param from, to places on the screen, of the ray as it is and bent
float getShareOfBend(vec2 from, vec2 to)
{
	vec2 way = max(abs(to - from), 1e-5);
	vec2 room = mix(from, 1.0 - from, step(from, to));
	vec2 kept = mix(way, room - room * room / (4.0 * way), step(0.5 * room, way));
	return clamp(min(kept.x / way.x, kept.y / way.y), 0.0, 1.0);
}
