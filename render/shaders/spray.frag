// SPDX-License-Identifier: MIT

// Water in the air: strands that tear along their way. Many lie over each other, so that what is alike in a packet is done
// in the vertex shader.
uniform sampler2D depthMap;
uniform sampler2D patternMap;

in vec3 vPlace;
in vec2 vCorner;
flat in vec3 vLook;
flat in vec2 vSize;
flat in vec3 vWhite;
flat in vec3 vHaze;
out vec4 outColor;

void main()
{
	float shape = (1.0 - vCorner.x * vCorner.x) * (1.0 - vCorner.y * vCorner.y);
	// Where it meets the ground it fades within its own radius. 1 / (meters along the view) is linear in depth.
	float depth = texture(depthMap, gl_FragCoord.xy * screen.zw).r * 2.0 - 1.0;
	float reach = 1.0 / (inverseViewProjection[2].w * depth + inverseViewProjection[3].w);
	float most = vLook.y * shape * clamp((reach - 1.0 / gl_FragCoord.w) / vSize.x, 0.0, 1.0);
	if (most < 0.004)
	{
		discard;
	}
	if (vLook.z > 0.5)
	{
		// Mist is round and soft, and thicker here than there.
		vec2 place = vCorner * vSize.x * 0.09 + vLook.x * vec2(5.1, 8.7) + eye.w * vec2(0.01, -0.015);
		float thick = smoothstep(0.25, 0.75, texture(patternMap, place).r);
		float round = max(1.0 - dot(vCorner, vCorner), 0.0);
		float cover = most * round * (0.4 + 1.2 * thick);
		outColor = vec4(encodeColor(vWhite * 0.95 + vHaze) * cover, cover);
		return;
	}
	// Strands: noise drawn out along the way, its own and that of its neighbours, so that those of a sheet go on.
	vec2 own = vec2(vCorner.x * vSize.x * 0.4, vCorner.y * vSize.y * 0.06) + vLook.x * vec2(7.3, 3.1);
	float strand = dot(texture(patternMap, own).rb, vec2(0.55, 0.45));
	float sheet = texture(patternMap, vPlace.xz * 0.37).r;
	// Streaks of a whole sheet, which fall with it: where many packets overlap theirs are not seen.
	vec2 fall = vec2(dot(vPlace.xz, vec2(0.8, 0.6)) * 0.6, vPlace.y * 0.04 + eye.w * 0.32);
	float streak = smoothstep(0.36, 0.64, texture(patternMap, fall).r);
	float torn = smoothstep(0.30, 0.72, 0.5 * strand + 0.35 * sheet + 0.15 * streak + 0.12 * (shape - 0.5));
	float cover = most * torn;
	vec3 color = vWhite * (0.36 + 0.5 * torn * strand + 0.42 * streak) + vHaze;
	outColor = vec4(encodeColor(color) * cover, cover);
}
