// SPDX-License-Identifier: MIT

// Water in the air: a streak for each packet of drops, as long as its way while a shutter is open, facing the eye.
layout(location = 0) in vec4 iPlace;    // and radius, m
layout(location = 1) in vec4 iVelocity; // m/s, and share of light that it stops
layout(location = 2) in vec2 iLook;     // a number of its own, share of bubbles, or 2 for mist

uniform float pixelAngle; // rad
uniform sampler2D bedMap;

out vec3 vPlace;
out vec2 vCorner;      // across and along, -1 to 1
flat out vec3 vLook;   // a number of its own, cover, 1 for mist
flat out vec2 vSize;   // half of its sides, m
flat out vec3 vWhite;  // its colour in the light, less what haze takes
flat out vec3 vHaze;   // what haze adds

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
	vLook = vec3(iLook.x, iVelocity.w * iPlace.w / radius * near, step(1.5, iLook.y));
	// Lit from all sides, as foam is. Drops send light on mostly forwards: against the sun they shine.
	float forward = pow(max(dot(-toEye, sun.xyz), 0.0), 4.0);
	float sunlight = mix(1.0, getGroundShadow(iPlace.xyz), sun.w) * (0.26 + 0.5 * forward);
	vec3 light = sunColor.rgb * sunlight + skyColor.rgb * 0.72;
	// At the lip it is still clear: the colour of deep water and of the sky in it.
	vec3 clear = scatter.rgb + vec3(0.12, 0.13, 0.14);
	vec3 color = mix(clear, vec3(0.86, 0.90, 0.92), min(iLook.y, 1.0)) * light;
	vHaze = addHaze(vec3(0.0), iPlace.xyz);
	vWhite = addHaze(color, iPlace.xyz) - vHaze;
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
