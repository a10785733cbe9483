// SPDX-License-Identifier: MIT

// Water back into the picture of a host: only where there is some.
uniform sampler2D colorMap;
uniform sampler2D depthMap;
// The host's own, as over_in.frag had it.
uniform sampler2D bareColorMap;
uniform float ofScreen;

out vec4 outColor;

void main()
{
	ivec2 place = ivec2(gl_FragCoord.xy);
	vec3 stored = texelFetch(colorMap, place, 0).rgb;
	if (stored == texelFetch(bareColorMap, place, 0).rgb)
	{
		discard;
	}
	vec3 color = decodeColor(stored);
	if (ofScreen > 0.5)
	{
		vec3 x = color * sunColor.w;
		vec3 tone = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
		color = pow(tone, vec3(1.0 / 2.2));
	}
	outColor = vec4(color, 1.0);
	gl_FragDepth = texelFetch(depthMap, place, 0).r;
}
