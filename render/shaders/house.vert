// SPDX-License-Identifier: MIT

// A house.
layout(location = 0) in vec3 aPlace;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 aWall; // from the left end and down from the eaves or the ridge, width and height of all of it, m
layout(location = 3) in vec2 aKind; // part, as in houses.c, and a number that differs from house to house

out vec3 vPlace;
out vec4 vWall;
flat out vec3 vNormal;
flat out vec2 vKind;

void main()
{
	vPlace = aPlace;
	vNormal = aNormal;
	vWall = aWall;
	vKind = aKind;
	gl_Position = viewProjection * vec4(aPlace, 1.0);
}
