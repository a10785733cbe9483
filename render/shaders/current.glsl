// SPDX-License-Identifier: MIT

// How liquid of a voxel world moves, and patterns that drift with it: two phases of each, one of which starts anew while the other is seen
// (Vlachos 2010).
uniform sampler2D flowMap; // m/s of the uppermost liquid of a column along x, z and y

// Seconds after which a phase starts anew, and how much that differs from place to place: see water.frag.
const float DRIFT_PERIOD = 2.0;
const float DRIFT_NOISE = 0.2;

vec3 getCurrent(vec3 place)
{
	vec3 current = texture(flowMap, place.xz / (grid.xy * grid.z)).xzy;
	// Jets of levels are fast; what one can follow with the eye is not.
	return current * min(1.0, 8.0 * sqrt(grid.z) / max(length(current), 1e-3));
}

// How far both phases have come, s, and the share of the second.
vec3 getDrift(vec2 place)
{
	float phase = eye.w / DRIFT_PERIOD + DRIFT_NOISE * texture(patternMap, place / (37.0 * scatter.w)).r;
	float a = fract(phase), b = fract(phase + 0.5);
	return vec3((vec2(a, b) - 0.5) * DRIFT_PERIOD, abs(1.0 - 2.0 * a));
}
