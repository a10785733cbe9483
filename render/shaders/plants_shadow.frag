// SPDX-License-Identifier: MIT

// The shadow of a tree on the ground: what is there is multiplied by the light that it leaves.
in vec3 vPlace;
in vec2 vCorner;
flat in vec2 vLight;
flat in float vChance;
flat in float vTaper;
in float vLevel;
out vec4 outColor;

uniform sampler2D patternMap;

void main()
{
	// Trees with needles are pointed, others round.
	float width = mix(sqrt(max(1.0 - vCorner.y * vCorner.y, 0.0)), 0.5 - 0.5 * vCorner.y, vTaper);
	float inside = 1.0 - smoothstep(0.45, 1.0, abs(vCorner.x) / max(width, 0.02));
	inside *= 1.0 - smoothstep(0.6, 1.0, abs(vCorner.y));
	float leaves = texture(patternMap, vPlace.xz / (3.1 * min(options.z, 1.0)) + vChance).b;
	float dark = 0.62 * inside * (0.7 + 0.6 * leaves) * sun.w * vLight.x * vLevel;
	float left = 1.0 - clamp(dark, 0.0, 0.75);
	outColor = vec4(vec3(options.w > 0.5 ? sqrt(left) : left), 1.0);
}
