// SPDX-License-Identifier: MIT

// An arrow: one colour.

uniform vec4 arrowColor;

in float vShade;
out vec4 outColor;

void main()
{
	outColor = vec4(arrowColor.rgb * vShade, 1.0);
}
