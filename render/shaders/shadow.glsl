// SPDX-License-Identifier: MIT

// Shadows that bodies throw.
uniform highp sampler2DShadow shadowMap;

// Light of the sun that bodies let through to a place, 0 to 1.
float getBodyShadow(vec3 place)
{
	if (bodies.x < 0.5)
	{
		return 1.0;
	}
	vec3 p = (shadowMatrix * vec4(place, 1.0)).xyz * 0.5 + 0.5;
	if (p.z < 0.0 || any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0))))
	{
		return 1.0;
	}
	// What lies behind all bodies counts as just behind them.
	float depth = min(p.z - bodies.z, 1.0);
	float w = bodies.y;
	float light = texture(shadowMap, vec3(p.xy, depth)) * 0.28;
	light += texture(shadowMap, vec3(p.xy + vec2(0.9, 0.4) * w, depth)) * 0.18;
	light += texture(shadowMap, vec3(p.xy + vec2(-0.9, -0.4) * w, depth)) * 0.18;
	light += texture(shadowMap, vec3(p.xy + vec2(-0.4, 0.9) * w, depth)) * 0.18;
	light += texture(shadowMap, vec3(p.xy + vec2(0.4, -0.9) * w, depth)) * 0.18;
	return light;
}
