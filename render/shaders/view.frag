// SPDX-License-Identifier: MIT

// Numbers as colours on the higher of ground and water.
uniform sampler2D groundMap;
uniform sampler2D viewMap;

in vec3 vPlace;
in float vDepth;
out vec4 outColor;

void main()
{
	vec2 uv = vPlace.xz / extent.xy;
	vec4 light = texture(groundMap, uv);
	vec3 normal = vec3(light.x, sqrt(max(1.0 - dot(light.xy, light.xy), 0.01)), light.y);
	float shade = 0.35 + 0.55 * max(dot(normal, normalize(vec3(-0.4, 0.8, 0.45))), 0.0);
	vec3 ground = vec3(0.78, 0.76, 0.72) * shade * (0.4 + 0.6 * light.z);
	vec4 value = texture(viewMap, uv);
	vec3 color = mix(ground, value.rgb, value.a);
	// Alpha 1: a colour for the screen as it is.
	outColor = vec4(addMarker(color, vPlace.xz), 1.0);
}
