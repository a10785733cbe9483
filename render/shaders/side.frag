// SPDX-License-Identifier: MIT

// The cut through the ground: turf, soil with stones, and rock in layers.
in vec3 vPlace;
in float vTop;
flat in vec3 vOutward;
out vec4 outColor;

void main()
{
	float unit = options.z;
	float along = abs(vOutward.x) > 0.5 ? vPlace.z : vPlace.x;
	vec2 face = vec2(along, vPlace.y);
	vec4 coarse = texture(patternMap, face / (61.0 * unit));
	vec4 middle = texture(patternMap, face / (13.0 * unit));
	vec4 fine = texture(patternMap, face / (3.7 * unit));
	float below = vTop - vPlace.y;
	float thickness = extent.w - extent.z;

	float layerPlace = (vPlace.y + (coarse.r - 0.5) * 9.0 * unit) / (7.0 * unit);
	float layer = texture(patternMap, vec2(layerPlace * 0.31, 0.61)).r;
	vec3 rock = mix(vec3(0.20, 0.155, 0.12), vec3(0.40, 0.325, 0.25), smoothstep(0.3, 0.7, layer));
	rock *= 0.75 + 0.5 * middle.b;
	vec3 soil = mix(vec3(0.19, 0.115, 0.062), vec3(0.31, 0.195, 0.11), middle.r) * (0.75 + 0.5 * fine.b);
	// Stones in the soil.
	soil = mix(soil, vec3(0.33, 0.30, 0.27), smoothstep(0.62, 0.72, fine.g) * 0.6);
	float soilDepth = (1.6 + 2.4 * middle.r) * unit;
	vec3 albedo = mix(soil, rock, smoothstep(soilDepth * 0.8, soilDepth * 1.2, below));
	albedo = mix(vec3(0.075, 0.085, 0.03), albedo, smoothstep(0.12, 0.35, below / unit + (fine.r - 0.5) * 0.2));
	albedo *= mix(1.0, 0.6, clamp(below / max(thickness, 1.0), 0.0, 1.0));

	vec3 normal = normalize(vOutward + vec3(fine.b - 0.5, middle.b - 0.5, fine.r - 0.5) * 0.5);
	// Half of what a cut face sees is sky, the other half light thrown back by the haze below.
	vec3 around = skyColor.rgb * (0.42 + 0.25 * normal.y) + sunColor.rgb * 0.15;
	vec3 color = albedo * (sunColor.rgb * max(dot(normal, sun.xyz), 0.0) + around);
	outColor = vec4(encodeColor(addHaze(color, vPlace)), 0.0);
}
