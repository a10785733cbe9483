// SPDX-License-Identifier: MIT

// The sky: a gradient, warm around a low sun, with clouds and the sun itself. Below the horizon only haze.
uniform sampler2D patternMap;

vec3 getClearSky(vec3 direction)
{
	float up = max(direction.y, 0.0);
	float day = smoothstep(-0.05, 0.35, sun.y);
	vec3 zenith = mix(vec3(0.05, 0.08, 0.22), vec3(0.075, 0.225, 0.64), day);
	vec3 horizon = mix(vec3(0.60, 0.37, 0.26), vec3(0.60, 0.75, 0.93), day);
	vec3 color = mix(horizon, zenith, 1.0 - exp(-3.6 * up));
	// Light that the air scatters forward.
	float toSun = max(dot(direction, sun.xyz), 0.0);
	color += sunColor.rgb * (0.03 * pow(toSun, 6.0) + 0.09 * pow(toSun, 48.0)) * mix(1.0, 0.6, day);
	color += sunColor.rgb * 0.25 * pow(toSun, 900.0);
	if (around.x > 0.5)
	{
		return color;
	}
	// Nothing lies around the world: light haze that darkens downwards, like the backdrop of a photographer.
	vec3 nadir = mix(vec3(0.13, 0.10, 0.13), vec3(0.15, 0.27, 0.43), day);
	vec3 below = mix(mix(horizon, vec3(0.42, 0.68, 1.0), 0.5 * day) * 1.15, nadir, smoothstep(0.0, -0.95, direction.y));
	return mix(color, below, smoothstep(0.02, -0.06, direction.y));
}

vec3 getHaze(vec3 direction)
{
	// Where land and water go on it is what lies behind them at the horizon.
	return getClearSky(vec3(direction.x, around.x > 0.5 ? 0.0 : 0.04, direction.z));
}

vec3 getSky(vec3 direction)
{
	vec3 color = getClearSky(direction);
	if (direction.y > 0.015)
	{
		vec2 place = direction.xz / (direction.y + 0.12) * 0.11 + vec2(0.13, 0.52) + eye.w * vec2(0.0011, 0.0004);
		float shape = texture(patternMap, place).r * 0.62 + texture(patternMap, place * 3.1 + 0.3).r * 0.38;
		float cover = smoothstep(0.50, 0.70, shape) * smoothstep(0.015, 0.22, direction.y);
		// Towards the sun the cloud is thinner or thicker: that shades it.
		float ahead = texture(patternMap, place + sun.xz * 0.012).r;
		vec3 bright = sunColor.rgb * 0.30 + skyColor.rgb * 0.55;
		vec3 cloud = bright * (0.80 + 0.9 * clamp(shape - ahead, -0.25, 0.3));
		color = mix(color, cloud, cover * 0.82);
	}
	return color;
}

vec3 getSunDisc(vec3 direction)
{
	// As wide as the sun is, and a little more, so that it is seen: 0.6 degrees.
	return sunColor.rgb * 20.0 * smoothstep(0.999962, 0.999988, dot(direction, sun.xyz));
}

// Air between the eye and a place.
vec3 addHaze(vec3 color, vec3 place)
{
	vec3 toPlace = place - eye.xyz;
	float distance = length(toPlace);
	float clear = exp(-distance * skyColor.w) * (1.0 - smoothstep(0.1, 0.95, getBeyond(place.xz)));
	return mix(color, getHaze(toPlace / max(distance, 1e-4)), 1.0 - clear);
}

// Light of the sun that clouds let through to a place.
float getCloudShadow(vec3 place)
{
	if (around.w <= 0.0)
	{
		return 1.0;
	}
	// Clouds lie as high as a small world is wide.
	vec2 over = (place.xz + sun.xz / max(sun.y, 0.1) * 120.0 * options.z) / (340.0 * options.z);
	float shape = texture(patternMap, over + vec2(0.37, 0.11) + eye.w * vec2(0.0022, 0.0008)).r;
	return 1.0 - around.w * smoothstep(0.50, 0.66, shape);
}
