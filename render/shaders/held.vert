// SPDX-License-Identifier: MIT

// The water inside of a body.
layout(location = 0) in vec3 aPlace;

out vec3 vPlace;

void main()
{
	vPlace = aPlace;
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
