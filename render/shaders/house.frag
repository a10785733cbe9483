// SPDX-License-Identifier: MIT

// Houses: plastered walls with windows and a door, roofs of tiles, chimneys; wet up to the water, and tinted below it as the ground is.
uniform sampler2D surfaceMap;
uniform sampler2D groundMap;
uniform sampler2D waveMap;

in vec3 vPlace;
in vec4 vWall;
flat in vec3 vNormal;
flat in vec2 vKind;
out vec4 outColor;

struct Skin
{
	vec3 albedo;
	// Share of a mirror, as panes are.
	float gloss;
	// How the normal leans, along the wall and up it.
	vec2 lean;
};

float getHash(vec2 of)
{
	return fract(sin(dot(of, vec2(12.99, 78.23))) * 437.6);
}

// 1 inside a rectangle around 0, of half the sides given, with edges a pixel wide.
float getCover(vec2 place, vec2 span, float pixel)
{
	vec2 over = abs(place) - span;
	return 1.0 - smoothstep(-0.5 * pixel, 0.5 * pixel, max(over.x, over.y));
}

// A window in a wall, or a door: an opening as deep as a hand is long.
// @param place from its middle, to the right and down, m
// @param shift by which what lies that deep seems to move
void addOpening(inout Skin skin, vec2 place, vec2 span, bool door, vec2 shift, float pixel, vec3 trim)
{
	float opening = getCover(place, span, pixel);
	vec2 inner = place - shift;
	float pane = getCover(inner, span, pixel);
	vec2 sash = span - 0.06;
	float glass = getCover(inner, sash, pixel) * (door ? 0.0 : 1.0);
	float bars = min(abs(inner.x), abs(inner.y + 0.25 * span.y));
	glass *= smoothstep(0.02, 0.02 + pixel, bars);
	// The sides of the opening are in its own shade.
	vec3 inside = skin.albedo * (shift.y > 0.0 ? 0.75 : 0.5);
	float board = door ? 0.7 + 0.3 * smoothstep(0.02, 0.04 + pixel, abs(fract(inner.x * 5.0) - 0.5)) : 1.0;
	vec3 wood = door ? trim * 0.8 * board : vec3(0.70, 0.69, 0.65);
	vec3 seen = mix(inside, mix(wood, vec3(0.018, 0.022, 0.028), glass), pane);
	skin.albedo = mix(skin.albedo, seen, opening);
	skin.gloss = mix(skin.gloss, 0.9 * glass, opening);
	skin.lean *= 1.0 - opening;
}

Skin getWall(vec3 toEye, vec3 right, vec4 noise, float pixel, bool front)
{
	float name = vKind.y;
	vec3 warm = vec3(0.72, 0.61, 0.44), pale = vec3(0.76, 0.73, 0.66), red = vec3(0.60, 0.36, 0.26), blue = vec3(0.50, 0.56, 0.60);
	float pick = fract(name * 7.31);
	vec3 plaster = pick < 0.34 ? warm : pick < 0.66 ? pale : pick < 0.86 ? red : blue;
	Skin skin = Skin(plaster * (0.80 + 0.22 * noise.b + 0.14 * noise.r), 0.0, (noise.rb - 0.5) * 0.12);
	vec2 at = vWall.xy;
	float width = vWall.z, height = max(vWall.w, 1.0);
	float storeys = max(floor(height / 2.6), 1.0), storey = height / storeys;
	float columns = max(floor(width / 2.5 + 0.35), 1.0), gap = width / columns;
	vec3 trims[4] = vec3[4](vec3(0.10, 0.19, 0.12), vec3(0.12, 0.17, 0.26), vec3(0.27, 0.12, 0.07), vec3(0.20, 0.15, 0.10));
	vec3 trim = trims[int(fract(name * 13.7) * 4.0)];
	if (at.y < 0.0)
	{
		// Boards below a gable.
		float board = abs(fract(at.x / 0.22) - 0.5);
		float gap = 1.0 - smoothstep(0.03, 0.05 + 4.0 * pixel, board);
		skin.albedo = (trim * 0.9 + 0.05) * (0.8 + 0.5 * noise.b) * (1.0 - 0.55 * gap * smoothstep(0.10, 0.03, pixel));
		return skin;
	}
	// Quoins at the corners, and a plinth of stone.
	float edge = min(at.x, width - at.x);
	float quoin = 1.0 - smoothstep(0.0, pixel, edge - (fract(at.y / 0.7) < 0.5 ? 0.24 : 0.38));
	skin.albedo = mix(skin.albedo, vec3(0.52, 0.49, 0.43) * (0.75 + 0.35 * noise.b), 0.8 * quoin * smoothstep(3.0, 5.0, width));
	float plinth = smoothstep(-pixel, pixel, at.y - height + 0.45);
	vec2 block = vec2(at.x / 0.7 + 0.5 * floor(at.y / 0.3), at.y / 0.3);
	float joint = smoothstep(0.0, 0.06 + pixel, min(0.5 - abs(fract(block.x) - 0.5), 0.5 - abs(fract(block.y) - 0.5)));
	skin.albedo = mix(skin.albedo, vec3(0.30, 0.285, 0.26) * (0.7 + 0.4 * getHash(floor(block))) * mix(0.65, 1.0, joint), plinth);

	vec2 turns = at / vec2(gap, storey);
	vec2 index = floor(turns);
	vec2 place = (fract(turns) - vec2(0.5, 0.48)) * vec2(gap, storey);
	vec2 span = vec2(min(0.48, 0.24 * gap), min(0.68, 0.27 * storey));
	bool ground = index.y > storeys - 1.5;
	bool door = front && ground && index.x == floor(0.5 * columns);
	if (door)
	{
		span = vec2(min(0.55, 0.3 * gap), 0.5 * min(2.05, 0.86 * storey));
		place.y = at.y - height + span.y;
	}
	float inRow = step(index.y, storeys - 0.5);
	// A sill of stone, shutters, what runs down from the sill.
	if (inRow > 0.5 && (door == false))
	{
		vec2 beside = vec2(abs(place.x) - 1.55 * span.x, place.y);
		float slat = 0.75 + 0.25 * smoothstep(0.2, 0.5, abs(fract(place.y / 0.09) - 0.5) + pixel * 4.0);
		float shutter = getCover(beside, vec2(0.5 * span.x, span.y), pixel) * step(0.45, fract(name * 29.3));
		skin.albedo = mix(skin.albedo, trim * (0.85 + 0.4 * noise.b) * slat, shutter);
		float stain = getCover(vec2(place.x, place.y - span.y - 0.4), vec2(span.x, 0.4), 0.3);
		skin.albedo *= 1.0 - 0.16 * stain * noise.r;
		float sill = getCover(vec2(place.x, place.y - span.y - 0.05), vec2(span.x + 0.1, 0.05), pixel);
		skin.albedo = mix(skin.albedo, vec3(0.58, 0.56, 0.51), sill);
	}
	if (inRow > 0.5)
	{
		float facing = max(dot(toEye, vNormal), 0.2);
		vec2 shift = vec2(dot(toEye, right), -toEye.y) / facing * -0.13;
		addOpening(skin, place, span, door, -shift, pixel, trim);
	}
	// Splashes below, and the shade of the eaves.
	skin.albedo *= 0.80 + 0.20 * smoothstep(0.0, 0.9, height - at.y);
	skin.albedo *= mix(0.60, 1.0, smoothstep(0.05, 0.55, at.y));
	return skin;
}

Skin getRoof(vec4 noise, float pixel)
{
	float pick = fract(vKind.y * 5.77);
	vec3 tile = vec3(0.42, 0.14, 0.075), old = vec3(0.31, 0.165, 0.10), slate = vec3(0.135, 0.145, 0.165);
	vec3 color = pick < 0.5 ? tile : pick < 0.78 ? old : slate;
	bool isFlat = pick >= 0.78;
	vec2 size = isFlat ? vec2(0.34, 0.26) : vec2(0.24, 0.34);
	vec2 turns = vWall.xy / size;
	turns.x += isFlat ? 0.5 * floor(turns.y) : 0.0;
	float near = smoothstep(0.5, 0.12, pixel / size.x);
	float tint = getHash(floor(turns) + vKind.y) - 0.5;
	vec2 inTile = fract(turns);
	// Each row lies on the next one: its lower edge stands out, and throws a shadow on it.
	float shade = mix(0.55, 1.0, smoothstep(0.0, 0.22, inTile.y));
	float gap = isFlat ? smoothstep(0.0, 0.08, min(inTile.x, 1.0 - inTile.x)) : 1.0;
	color *= mix(0.93, shade * mix(0.7, 1.0, gap), near) * (1.0 + 0.35 * tint * near);
	color *= 0.66 + 0.34 * noise.b + 0.34 * noise.r;
	// Moss where it stays wet.
	color = mix(color, vec3(0.10, 0.105, 0.045), 0.45 * smoothstep(0.55, 0.68, noise.r + 0.08 * vWall.y / max(vWall.w, 1.0)));
	float round = isFlat ? 0.0 : cos(6.2832 * inTile.x) * 0.55;
	// The tiles that cover the ridge and the edge at the eaves.
	float ridge = 1.0 - smoothstep(0.16, 0.16 + pixel, vWall.y);
	color = mix(color, color * 1.15, ridge);
	return Skin(color, 0.0, vec2(round, 0.0) * near * (1.0 - ridge));
}

// How much water stands before a wall.
float getUnder(vec3 normal)
{
	vec2 place = clamp((vPlace.xz + normal.xz * 0.9 * grid.z) * grid.w, vec2(0.0), grid.xy - 1.0);
	ivec2 cell = ivec2(place);
	float surface = texelFetch(surfaceMap, cell, 0).r;
	return options.y > 0.5 && surface > texelFetch(bedMap, cell, 0).r + 0.003 ? surface - vPlace.y : -1e9;
}

void main()
{
	vec3 toEye = normalize(eye.xyz - vPlace);
	vec3 normal = dot(vNormal, toEye) < 0.0 ? -vNormal : vNormal;
	vec3 right = normalize(vec3(vNormal.z, 0.0, -vNormal.x) + vec3(1e-5, 0.0, 0.0));
	float pixel = max(length(vec2(dFdx(vWall.x), dFdy(vWall.x))), length(vec2(dFdx(vWall.y), dFdy(vWall.y)))) + 1e-4;
	vec2 patternPlace = vWall.xy / 4.3 + vKind.y * 7.0;
	vec4 noise = 0.5 * (texture(patternMap, patternPlace) + texture(patternMap, vWall.yx / 1.3 + vKind.y));
	int part = int(vKind.x + 0.5);
	Skin skin;
	if (part <= 1)
	{
		skin = getWall(toEye, right, noise, pixel, part == 1);
	}
	else if (part == 2)
	{
		skin = getRoof(noise, pixel);
	}
	else
	{
		vec3 color = part == 3 ? vec3(0.30, 0.155, 0.11) : vec3(0.16, 0.12, 0.085);
		skin = Skin(color * (0.7 + 0.6 * noise.b), 0.0, vec2(0.0));
	}
	vec3 up = cross(normal, right);
	normal = normalize(normal + right * skin.lean.x + up * skin.lean.y);

	vec2 uv = clamp((vPlace.xz + vNormal.xz * 1.2 * grid.z) / extent.xy, vec2(0.0), vec2(1.0));
	vec4 light = texture(groundMap, uv);
	float over = getUnder(vNormal);
	float under = max(over, 0.0);
	float wet = smoothstep(-0.35, -0.05, over + 0.15 * noise.r);
	vec3 albedo = skin.albedo * mix(vec3(1.0), vec3(0.50, 0.48, 0.47), wet);
	float straight = max(dot(normal, sun.xyz), 0.0);
	float shadow = straight > 0.0 ? getGroundShadow(vPlace + vNormal * 0.3 * grid.z) * getBodyShadow(vPlace) * getCloudShadow(vPlace) : 0.0;
	vec3 sunlight = sunColor.rgb * straight * mix(1.0, shadow, sun.w);
	// What stands upright sees span of the sky, and the ground before it.
	float open = part == 2 ? 1.0 : min(light.z, 1.0);
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * normal.y) * open;
	skylight += sunColor.rgb * vec3(0.05, 0.045, 0.035) * (1.0 - 0.6 * normal.y);
	vec3 web = vPlace + vec3(0.8, 0.0, 0.6) * vPlace.y;
	sunlight *= under > 0.0 ? getCaustics(web, under, texture(waveMap, uv).w) : 1.0;
	vec3 color = albedo * (sunlight + skylight) * exp(-absorption.rgb * under * 1.2) * 0.9;
	// Panes mirror the sky.
	vec3 mirrored = reflect(-toEye, vNormal);
	float fresnel = 0.05 + 0.95 * pow(1.0 - max(dot(vNormal, toEye), 0.0), 5.0);
	mirrored.y = abs(mirrored.y);
	color += skin.gloss * (1.0 - smoothstep(0.0, 0.05, under)) * fresnel * getClearSky(mirrored) * 0.8;
	outColor = vec4(encodeColor(addMarker(addHaze(color, vPlace), vPlace.xz)), 0.0);
}
