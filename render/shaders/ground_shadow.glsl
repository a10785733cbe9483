// SPDX-License-Identifier: MIT

// Shadows of the ground on what stands on it.
uniform sampler2D bedMap;

// Light of the sun that the ground lets through to a place. What is known for the ground below does not do: a bridge
// stands high above it.
float getGroundShadow(vec3 place)
{
	float light = 1.0, reach = 0.75 * grid.z;
	for (int i = 0; i < 16; ++i)
	{
		vec3 point = place + sun.xyz * reach;
		vec2 cell = point.xz * grid.w;
		if (point.y > extent.w || any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, grid.xy)))
		{
			break;
		}
		// As wide as the rims of shadows on the ground.
		float rim = 0.035 * reach + 0.35 * grid.z;
		light = min(light, smoothstep(-rim, rim, point.y - texelFetch(bedMap, ivec2(cell), 0).r));
		reach *= 1.4;
	}
	return light;
}
