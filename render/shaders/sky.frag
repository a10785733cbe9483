// SPDX-License-Identifier: MIT

// The sky behind everything.

in vec2 vScreen;
out vec4 outColor;

void main()
{
	vec4 far = inverseViewProjection * vec4(vScreen * 2.0 - 1.0, 1.0, 1.0);
	vec3 direction = normalize(far.xyz / far.w - eye.xyz);
	outColor = vec4(encodeColor(getSky(direction) + getSunDisc(direction)), 0.0);
}
