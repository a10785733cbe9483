// SPDX-License-Identifier: MIT

// A liquid that glows: a dark crust that drifts, with the heat in its cracks.
uniform vec3 liquidGlow;

in vec3 vPlace;
in vec3 vNormal;
out vec4 outColor;

// A pattern from three sides.
vec4 getPattern(vec3 place, vec3 share, float size, vec2 drift)
{
	return texture(patternMap, place.zy / size + drift) * share.x + texture(patternMap, place.xz / size + drift) * share.y +
		texture(patternMap, place.xy / size + drift) * share.z;
}

void main()
{
	vec3 normal = normalize(vNormal);
	vec3 share = pow(abs(normal), vec3(4.0));
	share /= share.x + share.y + share.z;
	float unit = options.z;
	vec2 drift = eye.w * vec2(0.011, -0.007);
	// The crust goes with the current.
	vec3 current = getCurrent(vPlace), phases = getDrift(vPlace.xz);
	vec3 a = vPlace - current * phases.x, b = vPlace - current * phases.y + vec3(3.7, 1.3, 1.9) * unit;
	float cracks = mix(getPattern(a, share, 7.0 * unit, drift).g, getPattern(b, share, 7.0 * unit, drift).g, phases.z) * 0.55 +
		mix(getPattern(a, share, 17.0 * unit, -drift.yx).g, getPattern(b, share, 17.0 * unit, -drift.yx).g, phases.z) * 0.45;
	float noise = getPattern(vPlace, share, 11.0 * unit, 0.5 * drift).r;
	float heat = clamp(smoothstep(0.4, 0.95, cracks + 0.6 * (noise - 0.45)) + 0.1 * (1.0 - abs(normal.y)), 0.0, 1.0);
	vec3 crust = vec3(0.05, 0.035, 0.03) * (sunColor.rgb * max(dot(normal, sun.xyz), 0.0) + skyColor.rgb * 0.6);
	vec3 warm = mix(vec3(1.0, 0.45, 0.3), vec3(1.0), heat);
	vec3 color = crust * (1.0 - heat) + liquidGlow * warm * (0.12 + 1.7 * heat * heat);
	outColor = vec4(encodeColor(addHaze(color, vPlace)), 0.0);
}
