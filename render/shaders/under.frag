// SPDX-License-Identifier: MIT

// What an eye in the water sees: fog in the colour of the water, beams of the sun, and the surface from below, through which all of the sky is
// seen in a window (Snell), and around it the water itself. Above the line where the lens comes out nothing changes.
uniform sampler2D bedMap;
uniform sampler2D surfaceMap;
uniform sampler2D waveMap;
uniform sampler2D rippleMap;
uniform sampler2D colorMap;
uniform sampler2D depthMap;

in vec2 vScreen;
out vec4 outColor;

const float WATER_INDEX = 1.333;
// Half of the height of a lens over its distance from the eye: how thick the line on it is.
const float LINE = 0.0006;

// Light of the sun in the water along a ray, as if there were dust in it.
float getBeams(vec3 direction, float reach)
{
	float sum = 0.0;
	vec2 shear = sun.xz / max(sun.y, 0.2);
	for (int i = 0; i < 6; ++i)
	{
		vec3 place = eye.xyz + direction * reach * (float(i) + 0.5) / 6.0;
		float below = max(lens.x - place.y, 0.0);
		// Where this light came through the surface.
		vec2 top = place.xz + shear * below;
		float web = texture(patternMap, top / (9.0 * min(options.z, 1.0)) + eye.w * vec2(0.017, 0.011)).a;
		sum += web * exp(-0.25 * below) / 6.0;
	}
	return sum;
}

// What is behind the surface, for a ray from below.
vec3 getAbove(vec3 place, vec3 direction, vec3 deep)
{
	vec2 uv = place.xz / extent.xy;
	float unit = scatter.w;
	vec2 drift = vec2(0.35, 0.18) * eye.w * sqrt(unit);
	vec2 slope = texture(waveMap, uv).xy * (1.0 - smoothstep(0.0, 0.03, getBeyond(place.xz)));
	slope += 0.10 * effects.x * (texture(rippleMap, (place.xz - drift) / (9.0 * unit)).xy * 2.0 - 1.0);
	slope += 0.05 * effects.x * (texture(rippleMap, (place.zx + 0.7 * drift) / (3.1 * unit)).xy * 2.0 - 1.0);
	vec3 normal = normalize(vec3(slope.x, -1.0, slope.y));
	vec3 upward = refract(direction, normal, WATER_INDEX);
	float facing = clamp(-dot(direction, normal), 0.0, 1.0);
	// From Schlick's term with the angle in air, which reaches 90 degrees at the rim of the window.
	float airCosine = sqrt(max(1.0 - WATER_INDEX * WATER_INDEX * (1.0 - facing * facing), 0.0));
	float mirror = dot(upward, upward) < 0.5 ? 1.0 : 0.02 + 0.98 * pow(1.0 - airCosine, 5.0);
	vec3 sky = getSky(vec3(upward.x, max(upward.y, 0.0), upward.z)) + getSunDisc(upward) * 0.25;
	return mix(sky, deep, mirror);
}

void main()
{
	ivec2 pixel = ivec2(gl_FragCoord.xy);
	vec4 texel = texelFetch(colorMap, pixel, 0);
	float depth = texelFetch(depthMap, pixel, 0).r;
	vec4 far = inverseViewProjection * vec4(vScreen * 2.0 - 1.0, depth * 2.0 - 1.0, 1.0);
	vec3 place = far.xyz / far.w;
	vec3 direction = place - eye.xyz;
	float reach = length(direction);
	direction /= max(reach, 1e-4);
	// How far above the water this part of the lens is, of an eye that is a ball of ten centimeters.
	float ripple = 0.004 * sin(9.0 * direction.x + 2.1 * eye.w) * sin(7.0 * direction.z - 1.7 * eye.w);
	float above = eye.y + 0.1 * direction.y + ripple - lens.x;
	if (above > LINE)
	{
		outColor = texel;
		return;
	}
	vec3 color = decodeColor(texel.rgb);
	float eyeDepth = max(lens.x - eye.y, 0.0);
	vec3 lit = sunColor.rgb * max(sun.y, 0.05) * 0.32 + skyColor.rgb * 0.55;
	// Light that comes from all around, less of it the deeper.
	vec3 downward = exp(-absorption.rgb * 0.55 * max(eyeDepth - direction.y * min(reach, 6.0), 0.0));
	vec3 deep = (scatter.rgb * 1.05 + vec3(0.006, 0.02, 0.024)) * lit * downward * (1.0 + 0.5 * direction.y);
	// The surface from below: where the ray comes up to it before anything else.
	float toTop = direction.y > 1e-3 ? eyeDepth / direction.y : 1e6;
	vec2 cell = clamp(place.xz * grid.w, vec2(0.0), grid.xy - 1.0);
	float level = texelFetch(surfaceMap, ivec2(cell), 0).r;
	if (direction.y > 0.0 && (depth >= 1.0 || abs(place.y - level) < 0.15 + 0.02 * reach || reach > toTop))
	{
		reach = min(reach, toTop);
		color = getAbove(eye.xyz + direction * min(reach, 400.0), direction, deep);
	}
	reach = min(reach, 400.0);
	vec3 through = exp(-(absorption.rgb + 0.035) * reach);
	color = mix(deep, color, through);
	float toSun = max(dot(direction, sun.xyz), 0.0);
	color += sunColor.rgb * scatter.rgb * getBeams(direction, min(reach, 14.0)) * effects.z * (0.12 + 0.8 * toSun * toSun) *
		(1.0 - exp(-0.15 * reach)) * downward;
	// The line of the water on the lens.
	float line = smoothstep(-4.0 * LINE, 0.0, above);
	color = mix(color, deep * 1.6 + 0.06, 0.8 * line);
	outColor = vec4(encodeColor(color), 0.0);
}
