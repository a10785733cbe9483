// SPDX-License-Identifier: MIT

// A shape of the overlay, smooth at its rim.

uniform vec4 overlaySize;
uniform sampler2D fontMap;

in vec2 vPlace;
in vec4 vShape;
in vec4 vColor;
flat in vec2 vCornerAndKind;
flat in vec4 vClip;

out vec4 outColor;

void main()
{
	if (vPlace.x < vClip.x || vPlace.y < vClip.y || vPlace.x > vClip.z || vPlace.y > vClip.w)
	{
		discard;
	}
	// Distance into the shape, pixels of the overlay.
	float inside;
	if (vCornerAndKind.y < 0.5)
	{
		vec2 q = abs(vShape.xy) - vShape.zw + vCornerAndKind.x;
		inside = vCornerAndKind.x - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0);
	}
	else if (vCornerAndKind.y < 1.5)
	{
		inside = min(vShape.x, min(vShape.y, vShape.z)) - 0.5 / overlaySize.z;
	}
	else
	{
		inside = (texture(fontMap, vShape.xy).r - 128.0 / 255.0) * 3.0 * vCornerAndKind.x;
	}
	float cover = clamp(inside * overlaySize.z + 0.5, 0.0, 1.0);
	outColor = vec4(vColor.rgb, vColor.a * cover);
}
