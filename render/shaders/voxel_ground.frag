// SPDX-License-Identifier: MIT

// Ground of a voxel world: rock, with soil and grass where it is level and the sky is open. Cut faces show layers.
uniform sampler2D bedMap; // highest ground of each column, and the liquid on it

in vec3 vPlace;
in vec3 vNormal;
out vec4 outColor;

// Share of the sky that columns around leave open, 0 to 1.
float getOpenSky(vec3 place, vec3 normal)
{
	vec3 from = place + normal * 0.6 * grid.z;
	float open = 0.0;
	for (int i = 0; i < 16; ++i)
	{
		float angle = 2.4 * float(i), reach = (0.35 + 0.42 * float(i)) * grid.z;
		ivec2 cell = ivec2(floor((from.xz + reach * vec2(cos(angle), sin(angle))) * grid.w));
		if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, ivec2(grid.xy))))
		{
			open += 1.0;
			continue;
		}
		float rise = (texelFetch(bedMap, cell, 0).r - from.y) / max(reach, grid.z);
		open += 1.0 - smoothstep(-0.2, 1.6, rise);
	}
	return open / 16.0;
}

// A pattern from three sides.
vec4 getPattern(vec3 place, vec3 share, float size)
{
	return texture(patternMap, place.zy / size) * share.x + texture(patternMap, place.xz / size) * share.y +
		texture(patternMap, place.xy / size) * share.z;
}

void main()
{
	vec3 normal = normalize(vNormal);
	// Edges of cut faces are sharp.
	vec2 rim = min(vPlace.xz - marker.xy, marker.zw - vPlace.xz);
	vec3 face = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
	face = dot(face, eye.xyz - vPlace) < 0.0 ? -face : face;
	normal = min(rim.x, rim.y) < 1.02 * grid.z && min(rim.x, rim.y) > -0.1 * grid.z ? face : normal;
	vec3 share = pow(abs(normal), vec3(4.0));
	share /= share.x + share.y + share.z;
	float unit = options.z;
	vec4 coarse = getPattern(vPlace, share, 41.0 * unit);
	vec4 middle = getPattern(vPlace, share, 11.0 * unit);
	vec4 fine = getPattern(vPlace, share, 3.1 * unit);
	float open = getOpenSky(vPlace, normal);

	float layerPlace = (vPlace.y + (coarse.r - 0.5) * 5.0 * unit) / (5.0 * unit);
	float layer = texture(patternMap, vec2(layerPlace * 0.31, 0.61)).r;
	vec3 rock = levels.yzw * mix(0.612, 1.384, smoothstep(0.3, 0.7, layer * 0.6 + middle.r * 0.4));
	rock *= 0.70 + 0.5 * fine.b + 0.2 * middle.b;
	float dryness = clamp(coarse.r * 1.2 - 0.1 + (middle.r - 0.5) * 0.9, 0.0, 1.0);
	vec3 grass = mix(vec3(0.058, 0.108, 0.022), vec3(0.150, 0.165, 0.045), dryness) * (0.6 + 0.5 * fine.b + 0.3 * middle.b);
	vec3 soil = mix(vec3(0.19, 0.115, 0.062), vec3(0.31, 0.195, 0.11), middle.r) * (0.75 + 0.5 * fine.b);
	ivec2 cell = clamp(ivec2((vPlace.xz - normal.xz * 0.3 * grid.z) * grid.w), ivec2(0), ivec2(grid.xy) - 1);
	vec2 tops = texelFetch(bedMap, cell, 0).rg;
	float below = (tops.r - vPlace.y) * grid.w;
	float outside = levels.x * smoothstep(0.25, 0.6, open);
	float level = smoothstep(0.62, 0.82, normal.y + (fine.b - 0.5) * 0.25) * smoothstep(0.9, 0.3, below);
	vec3 albedo = mix(rock, soil, outside * smoothstep(2.2, 0.9, below + (middle.r - 0.5)));
	albedo = mix(albedo, grass, level * outside);
	// Sand under water and a little above it.
	vec2 place = vPlace.xz * grid.w - 0.5;
	ivec2 corner = clamp(ivec2(floor(place)), ivec2(0), ivec2(grid.xy) - 2);
	float surface = max(max(texelFetch(bedMap, corner, 0).g, texelFetch(bedMap, corner + ivec2(1, 0), 0).g),
		max(texelFetch(bedMap, corner + ivec2(0, 1), 0).g, texelFetch(bedMap, corner + 1, 0).g));
	float under = surface - vPlace.y;
	vec3 sand = mix(vec3(0.36, 0.29, 0.185), vec3(0.50, 0.42, 0.29), middle.r) * (0.8 + 0.4 * fine.b);
	float sandy = smoothstep(-0.35, 0.1, under * grid.w + (middle.r - 0.5) * 0.8) * smoothstep(1.6, 0.8, below);
	albedo = mix(albedo, sand, sandy * outside * smoothstep(0.5, 0.75, normal.y + (fine.b - 0.5) * 0.2));
	albedo *= mix(1.0, 0.62, smoothstep(-0.05, 0.02, under) * smoothstep(1.6, 0.8, below));

	// Small bumps from what changes between pixels.
	vec3 alongX = dFdx(vPlace), alongY = dFdy(vPlace);
	float height = (fine.b * 0.02 + fine.r * 0.06) * unit;
	vec3 first = cross(alongY, normal), second = cross(normal, alongX);
	float area = dot(alongX, first);
	vec3 gradient = sign(area) * (dFdx(height) * first + dFdy(height) * second) / max(abs(area), 1e-7);
	vec3 bumped = normalize(normal - gradient * min(1.0, 1.0 / max(length(gradient), 1e-4)));

	float shadow = mix(1.0, getBodyShadow(vPlace + normal * (bodies.w + 0.02)), sun.w);
	vec3 sunlight = sunColor.rgb * max(dot(bumped, sun.xyz), 0.0) * shadow;
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * bumped.y) * (0.12 + 0.88 * open);
	skylight += sunColor.rgb * vec3(0.05, 0.045, 0.035) * (1.0 - 0.6 * bumped.y) * (0.3 + 0.7 * open);
	outColor = vec4(encodeColor(addHaze(albedo * (sunlight + skylight), vPlace)), 0.0);
}
