// SPDX-License-Identifier: MIT

// Water in the air: a streak for each packet of drops, as long as its way while a shutter is open, facing the eye.
layout(location = 0) in vec4 iPlace;    // and radius, m
layout(location = 1) in vec4 iVelocity; // m/s, and share of light that it stops
layout(location = 2) in vec2 iLook;     // a number of its own, share of bubbles

uniform float pixelAngle; // rad
uniform sampler2D bedMap;

out vec3 vPlace;
out vec2 vCorner;     // across and along, -1 to 1
flat out vec4 vLook;  // seed, bubbles, cover, light of the sun
flat out vec2 vSize;  // half of its sides, m

// s: long enough that packets of a sheet touch, short enough to see that it falls.
const float SHUTTER = 0.16;

// Light of the sun that the ground lets through to a place.
float getGroundShadow(vec3 place)
{
	float light = 1.0, reach = 0.75 * grid.z;
	for (int i = 0; i < 10; ++i)
	{
		vec3 point = place + sun.xyz * reach;
		vec2 cell = point.xz * grid.w;
		if (point.y > extent.w || any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, grid.xy)))
		{
			break;
		}
		float rim = 0.05 * reach + 0.5 * grid.z;
		light = min(light, smoothstep(-rim, rim, point.y - texelFetch(bedMap, ivec2(cell), 0).r));
		reach *= 1.6;
	}
	return light;
}

void main()
{
	vec3 toEye = eye.xyz - iPlace.xyz;
	float distance = max(length(toEye), 1e-4);
	toEye /= distance;
	vec3 way = iVelocity.xyz - dot(iVelocity.xyz, toEye) * toEye;
	float speed = length(way);
	// Straight towards the eye: any direction does.
	vec3 along = speed > 1e-3 ? way / speed : normalize(cross(toEye, vec3(0.31, 0.12, 0.94)));
	vec3 across = cross(along, toEye);
	// Never thinner than a pixel, but then fainter.
	float radius = max(iPlace.w, pixelAngle * distance);
	vSize = vec2(radius, radius + 0.5 * SHUTTER * speed);
	vCorner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
	vPlace = iPlace.xyz + across * vCorner.x * vSize.x + along * vCorner.y * vSize.y;
	float near = smoothstep(1.0, 4.0, distance / radius);
	vLook = vec4(iLook, iVelocity.w * iPlace.w / radius * near, mix(1.0, getGroundShadow(iPlace.xyz), sun.w));
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
