// SPDX-License-Identifier: MIT

// One triangle over the whole screen, as far away as can be.
out vec2 vScreen;

void main()
{
	vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
	vScreen = corner;
	gl_Position = vec4(corner * 2.0 - 1.0, 1.0, 1.0);
}
