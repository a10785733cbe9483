// SPDX-License-Identifier: MIT

// Width and height of the overlay, and real pixels per pixel of it.
uniform vec4 overlaySize;

layout(location = 0) in vec2 place;
layout(location = 1) in vec4 shape;
layout(location = 2) in vec2 cornerAndKind;
layout(location = 3) in vec4 clip;
layout(location = 4) in vec4 color;

out vec2 vPlace;
out vec4 vShape;
out vec4 vColor;
flat out vec2 vCornerAndKind;
flat out vec4 vClip;

void main()
{
	vPlace = place;
	vShape = shape;
	vColor = color;
	vCornerAndKind = cornerAndKind;
	vClip = clip;
	gl_Position = vec4(place.x / overlaySize.x * 2.0 - 1.0, 1.0 - place.y / overlaySize.y * 2.0, 0.0, 1.0);
}
