// SPDX-License-Identifier: MIT

// From light to the screen: tone curve, soft edges, and a little noise against bands.
uniform sampler2D colorMap;
uniform float bloom;

in vec2 vScreen;
out vec4 outColor;

// What is much brighter than white and spreads in the lens; found once for a pixel.
vec3 glow = vec3(0.0);

vec3 getGlow(vec2 place)
{
	vec3 sum = vec3(0.0);
	// Small pictures of the picture: four of them around the place hide their texels.
	for (int i = 0; i < 2; ++i)
	{
		// An eighth and a thirty-second of a picture of 720 rows.
		float level = max(log2(screen.y / 90.0), 1.0) + 2.0 * float(i);
		vec2 side = exp2(level) * 0.5 * screen.zw;
		vec3 mean = vec3(0.0);
		for (int j = 0; j < 4; ++j)
		{
			vec2 corner = vec2(j & 1, j >> 1) * 2.0 - 1.0;
			mean += 0.25 * decodeColor(textureLod(colorMap, place + corner * side, level).rgb);
		}
		sum += max(mean * sunColor.w - 1.3, vec3(0.0));
	}
	return min(0.07 * sum, vec3(0.3));
}

// The picture on the tone curve, but before the gamma of the screen. Narkowicz's fit of the ACES curve, 2016.
vec3 getTone(vec2 place)
{
	vec4 texel = textureLod(colorMap, place, 0.0);
	vec3 x = decodeColor(texel.rgb) * sunColor.w;
	x += glow;
	vec3 tone = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
	return texel.a > 0.5 ? texel.rgb * texel.rgb : tone;
}

float getBrightness(vec2 place)
{
	return sqrt(luminance(getTone(place)));
}

// Smooths steps along edges: blends along the edge where the four neighbours differ (after Lottes' FXAA, 2009).
vec3 getSmoothed(vec2 place)
{
	vec3 middle = getTone(place);
	float m = sqrt(luminance(middle));
	float nw = getBrightness(place + screen.zw * vec2(-0.5, 0.5));
	float ne = getBrightness(place + screen.zw * vec2(0.5, 0.5));
	float sw = getBrightness(place + screen.zw * vec2(-0.5, -0.5));
	float se = getBrightness(place + screen.zw * vec2(0.5, -0.5));
	float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
	if (high - low < max(0.03, high * 0.09))
	{
		return middle;
	}
	vec2 direction = vec2(-(nw + ne) + (sw + se), (nw + sw) - (ne + se));
	direction /= min(abs(direction.x), abs(direction.y)) + 0.02;
	direction = clamp(direction, -6.0, 6.0) * screen.zw;
	vec3 near = 0.5 * (getTone(place - direction / 6.0) + getTone(place + direction / 6.0));
	vec3 ends = getTone(place - direction * 0.5) + getTone(place + direction * 0.5);
	vec3 wide = 0.5 * near + 0.25 * ends;
	float l = sqrt(luminance(wide));
	return l < low || l > high ? near : wide;
}

void main()
{
	if (bloom > 0.0 && textureLod(colorMap, vScreen, 0.0).a < 0.5)
	{
		glow = bloom * getGlow(vScreen);
	}
	vec3 tone = getSmoothed(vScreen);
	vec3 color = sqrt(tone);
	if (textureLod(colorMap, vScreen, 0.0).a < 0.5)
	{
		color = pow(tone, vec3(1.0 / 2.2));
		color = clamp(mix(vec3(luminance(color)), color, 1.12), 0.0, 1.0);
		float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
		color += (noise - 0.5) / 255.0;
	}
	outColor = vec4(color, 1.0);
}
