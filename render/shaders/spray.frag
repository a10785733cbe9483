// SPDX-License-Identifier: MIT

// Water in the air: strands that tear along their way, lit by sun and sky from all sides as foam is.
uniform sampler2D depthMap;

in vec3 vPlace;
in vec2 vCorner;
flat in vec4 vLook;
flat in vec2 vSize;
out vec4 outColor;

// Meters from the eye's plane to what is behind, for a depth of the depth map.
float getReach(float depth)
{
	vec4 place = inverseViewProjection * vec4(gl_FragCoord.xy * screen.zw * 2.0 - 1.0, depth * 2.0 - 1.0, 1.0);
	return length(place.xyz / place.w - eye.xyz);
}

void main()
{
	// Strands: noise drawn out along the way, its own and that of its neighbours, so that those of a sheet go on.
	vec2 own = vec2(vCorner.x * vSize.x * 0.23, vCorner.y * vSize.y * 0.035) + vLook.x * vec2(7.3, 3.1);
	float strand = texture(patternMap, own).r * 0.55 + texture(patternMap, own * 2.7).b * 0.45;
	float sheet = texture(patternMap, vPlace.xz * 0.17).r * 0.5 + texture(patternMap, vPlace.xz * 0.71).r * 0.5;
	// Streaks of a whole sheet, which fall with it: where many packets overlap theirs are not seen.
	vec2 fall = vec2(dot(vPlace.xz, vec2(0.8, 0.6)) * 0.45, vPlace.y * 0.03 + eye.w * 0.24);
	float streak = smoothstep(0.36, 0.64, texture(patternMap, fall).r * 0.5 + texture(patternMap, fall * 2.3).r * 0.5);
	float ends = 1.0 - vCorner.y * vCorner.y;
	float shape = max((1.0 - vCorner.x * vCorner.x) * ends, 0.0);
	float torn = smoothstep(0.30, 0.72, 0.5 * strand + 0.35 * sheet + 0.15 * streak + 0.12 * (shape - 0.5));
	// Where it meets the ground it fades within its own radius.
	float gap = getReach(texture(depthMap, gl_FragCoord.xy * screen.zw).r) - distance(vPlace, eye.xyz);
	float cover = vLook.z * shape * torn * clamp(gap / vSize.x, 0.0, 1.0);
	if (cover < 0.004)
	{
		discard;
	}
	// Drops send light on mostly forwards: against the sun they shine.
	vec3 away = normalize(vPlace - eye.xyz);
	float forward = pow(max(dot(away, sun.xyz), 0.0), 4.0);
	vec3 light = sunColor.rgb * vLook.w * (0.26 + 0.5 * forward) + skyColor.rgb * 0.72;
	vec3 white = vec3(0.86, 0.90, 0.92) * (0.36 + 0.5 * torn * strand + 0.42 * streak);
	// At the lip it is still clear: the colour of deep water and of the sky in it.
	vec3 clear = scatter.rgb + vec3(0.12, 0.13, 0.14);
	vec3 color = addHaze(mix(clear, white, vLook.y) * light, vPlace);
	outColor = vec4(encodeColor(color) * cover, cover);
}
