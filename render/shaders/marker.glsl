// SPDX-License-Identifier: MIT

// The ring of a tool on ground or water.
vec3 addMarker(vec3 color, vec2 place)
{
	if (marker.z <= 0.0)
	{
		return color;
	}
	float distance = length(place - marker.xy);
	float width = max(fwidth(distance), 1e-4);
	float ring = 1.0 - smoothstep(1.0, 2.2, abs(distance - marker.z) / width);
	float inside = 0.10 * (1.0 - smoothstep(marker.z - width, marker.z, distance));
	return mix(color, markerColor.rgb, max(ring * 0.9, inside));
}
