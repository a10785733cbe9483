// SPDX-License-Identifier: MIT

// A clear liquid of a voxel world: what is behind it, what it mirrors, foam where it falls.
uniform vec3 liquidAbsorption;
uniform vec3 liquidScatter;
uniform sampler2D bedMap;
uniform sampler2D rippleMap;
uniform sampler2D colorMap;
uniform sampler2D depthMap;
uniform sampler2D bareDepthMap; // where the liquid ends: the nearest of its far sides, and of the ground

in vec3 vPlace;
in vec3 vNormal;
out vec4 outColor;

vec3 getPlaceBehind(vec2 screenPlace, float depth)
{
	vec4 place = inverseViewProjection * vec4(vec3(screenPlace, depth) * 2.0 - 1.0, 1.0);
	return place.xyz / place.w;
}

vec3 getScreenPlace(vec3 place)
{
	vec4 clip = viewProjection * vec4(place, 1.0);
	return clip.xyz / clip.w * 0.5 + 0.5;
}

// What a ray from the water meets on the screen, or the sky.
vec3 getReflection(vec3 place, vec3 direction)
{
	vec3 sky = getSky(direction);
	float reach = 0.5 * grid.z, size = 0.5 * grid.z;
	for (int i = 0; i < 24; ++i)
	{
		vec3 point = place + direction * reach;
		vec3 seen = getScreenPlace(point);
		vec2 rim = min(seen.xy, 1.0 - seen.xy);
		if (min(rim.x, rim.y) < 0.0 || point.y > extent.w)
		{
			break;
		}
		vec3 there = getPlaceBehind(seen.xy, texture(depthMap, seen.xy).r);
		float behind = distance(eye.xyz, point) - distance(eye.xyz, there);
		if (behind > 0.0 && behind < 2.0 * size + grid.z && there.y > place.y - 0.1 * grid.z)
		{
			float share = smoothstep(0.0, 0.06, min(rim.x, rim.y));
			return mix(sky, decodeColor(texture(colorMap, seen.xy).rgb), share * 0.94);
		}
		size *= 1.18;
		reach += size;
	}
	return sky;
}

// Share of the sky above a place: none in caves.
float getOpenSky(vec3 place)
{
	float open = 0.0;
	for (int i = 0; i < 9; ++i)
	{
		ivec2 cell = ivec2(floor(place.xz * grid.w)) + 2 * ivec2(i % 3 - 1, i / 3 - 1);
		cell = clamp(cell, ivec2(0), ivec2(grid.xy) - 1);
		open += 1.0 - smoothstep(0.5, 3.0, (texelFetch(bedMap, cell, 0).r - place.y) * grid.w);
	}
	return open / 9.0;
}

void main()
{
	vec2 screenPlace = gl_FragCoord.xy * screen.zw;
	vec3 toEye = normalize(eye.xyz - vPlace);
	vec3 smoothNormal = normalize(vNormal);
	vec2 rim = min(vPlace.xz - marker.xy, marker.zw - vPlace.xz);
	// Beside a cut face, as of an aquarium, normals are a mean of both sides of the edge.
	vec3 face = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
	face = dot(face, toEye) < 0.0 ? -face : face;
	smoothNormal = min(rim.x, rim.y) < 1.02 * grid.z ? face : smoothNormal;
	float cut = (1.0 - smoothstep(0.0, 0.05 * grid.z, min(rim.x, rim.y))) * (1.0 - step(0.3, abs(face.y)));
	float level = smoothstep(0.6, 0.95, smoothNormal.y);
	float unit = scatter.w;

	// Large ripples go with the current, small ones with the wind. Fast water is rougher.
	vec3 current = getCurrent(vPlace), phases = getDrift(vPlace.xz);
	float speed = length(current) / sqrt(grid.z), rapid = smoothstep(0.15, 2.5, speed);
	vec3 a = vPlace - current * phases.x, b = vPlace - current * phases.y + vec3(3.7, 1.3, 1.9) * unit;
	vec2 gentle = eye.w * vec2(0.02, 0.011);
	vec2 first = mix(texture(rippleMap, a.xz / (15.0 * unit) + gentle).xy, texture(rippleMap, b.xz / (15.0 * unit) + gentle).xy, phases.z) * 2.0 - 1.0;
	vec2 second = texture(rippleMap, mat2(0.8, 0.6, -0.6, 0.8) * vPlace.xz / (6.3 * unit) - eye.w * vec2(0.05, 0.02)).xy * 2.0 - 1.0;
	// Falls are sheets: steps between their voxels are not seen.
	float fall = smoothstep(0.75, 0.35, abs(smoothNormal.y));
	fall = max(fall, smoothstep(0.5, 2.0, -current.y) * smoothstep(0.95, 0.80, abs(smoothNormal.y))) * (1.0 - cut);
	vec2 upright = smoothNormal.xz / max(length(smoothNormal.xz), 1e-3);
	smoothNormal = normalize(mix(smoothNormal, vec3(upright.x, 0.05, upright.y), 0.9 * fall));
	vec2 slope = (first + 0.55 * second) * effects.x * (0.075 * level + 0.2 * (1.0 - level)) * (1.0 + 1.2 * rapid) * (1.0 - cut);
	vec3 normal = normalize(smoothNormal - vec3(slope.x, 0.0, slope.y));
	float facing = max(dot(normal, toEye), 0.02);
	float fresnel = (0.02 + 0.98 * pow(1.0 - facing, 5.0)) * mix(1.0, 0.15, cut);

	// Through the water to where it ends, bent by the surface as far as there is water to bend in.
	float ownPath = distance(vPlace, getPlaceBehind(screenPlace, texture(bareDepthMap, screenPlace).r));
	vec3 bent = refract(-toEye, normal, 1.0 / 1.333);
	vec2 bentPlace = getScreenPlace(vPlace + bent * min(ownPath, 6.0 * grid.z)).xy;
	bentPlace = mix(screenPlace, bentPlace, getShareOfBend(screenPlace, bentPlace) * (1.0 - cut));
	float bentDepth = texture(bareDepthMap, bentPlace).r;
	bool usable = all(greaterThan(bentPlace, vec2(0.0))) && all(lessThan(bentPlace, vec2(1.0))) && bentDepth > gl_FragCoord.z;
	vec3 end = getPlaceBehind(usable ? bentPlace : screenPlace, texture(bareDepthMap, usable ? bentPlace : screenPlace).r);
	float path = min(distance(vPlace, end), 1.6 * ownPath + 0.1 * grid.z);
	vec3 behind = decodeColor(texture(colorMap, usable ? bentPlace : screenPlace).rgb);

	float open = getOpenSky(vPlace);
	float shadow = mix(1.0, getBodyShadow(vPlace + smoothNormal * (bodies.w + 0.02)), sun.w);
	vec3 lit = sunColor.rgb * max(sun.y, 0.05) * mix(1.0, shadow, 0.7) * 0.32 + skyColor.rgb * 0.55;
	lit *= 0.15 + 0.85 * max(open, 0.8 * cut);
	vec3 through = exp(-liquidAbsorption * path);
	vec3 color = behind * through + liquidScatter * lit * (1.0 - through);

	// Light webs on what is not far below the surface.
	float under = max(vPlace.y - end.y, 0.0) * level;
	vec2 webDrift = eye.w * vec2(0.020, 0.013);
	float webSize = 1.0 / (6.5 * min(options.z, 1.0));
	float web = min(texture(patternMap, end.xz * webSize + webDrift).a, texture(patternMap, end.zx * webSize * 1.13 - webDrift.yx + 0.41).a);
	float webShare = effects.z * smoothstep(0.02, 0.3, under) * exp(-under * 0.6) * shadow * open;
	color *= 1.0 + webShare * (web * 2.6 - 0.3);

	vec3 mirrored = reflect(-toEye, normal);
	mirrored = normalize(vec3(mirrored.x, mix(mirrored.y, abs(mirrored.y) + 0.005, level), mirrored.z));
	vec3 reflection = getReflection(vPlace + smoothNormal * 0.05 * grid.z, mirrored) * mix(0.2, 1.0, max(open, cut));
	float shore = smoothstep(0.0, 0.12, ownPath);
	color = mix(color, reflection, fresnel * shore);
	float cosine = max(dot(normal, normalize(toEye + sun.xyz)), 1e-3);
	color += sunColor.rgb * min(pow(cosine, 700.0) * 2.5, 1.2) * shadow * effects.w * shore * level;

	// Foam: falling water, and a thin line along shores.
	// Strands that are drawn out downwards and fall; those of the voxels are not seen.
	vec2 sheet = vec2((vPlace.x + vPlace.z) * 0.7, 0.16 * vPlace.y + 0.9 * eye.w) / (2.2 * unit);
	float strands = 0.6 * texture(patternMap, sheet).r + 0.4 * texture(patternMap, sheet * vec2(2.9, 1.7) + 0.3).b;
	float white = fall * (0.5 + 0.5 * smoothstep(0.36, 0.62, strands));
	// On fast water a web that drifts with it.
	float threads = mix(texture(patternMap, a.xz / (4.0 * unit)).g, texture(patternMap, b.xz / (4.0 * unit)).g, phases.z);
	white = max(white, level * smoothstep(0.8, 3.5, speed) * smoothstep(0.52, 0.72, threads) * (1.0 - cut));
	float foam = effects.y * 0.85 * white;
	vec3 lather = vec3(0.86, 0.89, 0.90) * (sunColor.rgb * 0.35 * shadow + skyColor.rgb * 0.75) * (0.2 + 0.8 * open);
	color = mix(color, lather, clamp(foam, 0.0, 0.9));
	color = mix(decodeColor(texture(colorMap, screenPlace).rgb), color, smoothstep(0.0, 0.03, ownPath));
	color = mix(color, getHaze(-toEye), 1.0 - exp(-distance(eye.xyz, vPlace) * skyColor.w * 0.6));
	outColor = vec4(encodeColor(color), 0.0);
}
