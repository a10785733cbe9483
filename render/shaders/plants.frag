// SPDX-License-Identifier: MIT

// Trees, grass, reeds, stones: lit from all sides by the sky, and through their leaves by the sun.
in vec3 vPlace;
in vec3 vNormal;
in vec4 vLook;
flat in vec2 vLight;
flat in float vChance;
out vec4 outColor;

void main()
{
	vec3 toEye = eye.xyz - vPlace;
	float far = length(toEye);
	toEye /= max(far, 1e-4);
	vec3 normal = normalize(vNormal + vec3(0.0, 1e-3, 0.0));
	vec2 leafPlace = vec2(vPlace.x * 0.8 + vPlace.z * 0.6, vPlace.y * 0.9 + vPlace.z * 0.5 - vPlace.x * 0.4);
	vec4 noise = texture(patternMap, leafPlace / (3.1 * min(options.z, 1.0)) + vChance * 3.7);
	float leaf = step(0.9, vLook.w);
	// Ragged outlines.
	if (leaf > 0.5 && abs(dot(normal, toEye)) < 0.75 * noise.b - 0.06)
	{
		discard;
	}
	normal = normalize(normal + (noise.brg - 0.5) * 1.4 * leaf);
	float shadow = mix(1.0, vLight.x * getCloudShadow(vPlace), sun.w);
	float straight = dot(normal, sun.xyz);
	// Thin things let light through.
	float through = step(0.4, vLook.w) * 0.30;
	float sunlight = max((straight + through) / (1.0 + through), 0.0) + through * max(-dot(toEye, sun.xyz), 0.0);
	vec3 albedo = vLook.rgb * mix(1.0, 0.55 + 0.9 * noise.b, max(leaf, step(vLook.w, 0.1)));
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * normal.y) * vLight.y + sunColor.rgb * 0.045;
	vec3 color = albedo * (sunColor.rgb * sunlight * shadow + skylight);
	outColor = vec4(encodeColor(addHaze(color, vPlace)), 0.0);
}
