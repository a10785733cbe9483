// SPDX-License-Identifier: MIT

// The picture of a host, as light: what the water is drawn over.
uniform sampler2D colorMap;
uniform sampler2D depthMap;
// 1 if its colours are those of a screen.
uniform float ofScreen;

out vec4 outColor;

void main()
{
	ivec2 place = ivec2(gl_FragCoord.xy);
	vec3 color = max(texelFetch(colorMap, place, 0).rgb, vec3(0.0));
	if (ofScreen > 0.5)
	{
		// The light that the tone curve of finish.frag makes this colour of.
		vec3 y = pow(min(color, vec3(0.995)), vec3(2.2));
		vec3 a = 2.51 - 2.43 * y, b = 0.03 - 0.59 * y, c = -0.14 * y;
		color = (sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a) / sunColor.w;
	}
	outColor = vec4(encodeColor(color), 0.0);
	gl_FragDepth = texelFetch(depthMap, place, 0).r;
}
