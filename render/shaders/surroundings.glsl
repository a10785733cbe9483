// SPDX-License-Identifier: MIT

// What goes on beyond the world: heights are those of the rim, ever more blurred the farther away, and land has hills.
uniform sampler2D bedMap;
uniform sampler2D surfaceMap;
uniform sampler2D patternMap;

// Heights of the ground and of the water.
vec2 getSurroundingsAt(vec2 place)
{
	vec2 at = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.0);
	ivec2 low = ivec2(at), last = ivec2(grid.xy) - 1, high = min(low + 1, last);
	vec2 f = at - vec2(low);
	float beyond = getBeyond(place);
	float reach = min(0.4 * beyond * around.y * grid.w, 0.16 * min(grid.x, grid.y));
	// Of bed, and of the surface where there is no water; of the surface where there is some, and how often.
	vec2 sum = vec2(0.0), wet = vec2(0.0);
	for (int i = 0; i < 9; ++i)
	{
		ivec2 step = ivec2(floor(vec2(i % 3 - 1, i / 3 - 1) * reach + 0.5));
		ivec2 a = clamp(low + step, ivec2(0), last), b = clamp(high + step, ivec2(0), last);
		vec2 north = mix(vec2(texelFetch(bedMap, a, 0).r, texelFetch(surfaceMap, a, 0).r),
			vec2(texelFetch(bedMap, ivec2(b.x, a.y), 0).r, texelFetch(surfaceMap, ivec2(b.x, a.y), 0).r), f.x);
		vec2 south = mix(vec2(texelFetch(bedMap, ivec2(a.x, b.y), 0).r, texelFetch(surfaceMap, ivec2(a.x, b.y), 0).r),
			vec2(texelFetch(bedMap, b, 0).r, texelFetch(surfaceMap, b, 0).r), f.x);
		vec2 here = mix(north, south, f.y);
		sum += here / 9.0;
		wet += here.y > here.x ? vec2(here.y, 1.0) : vec2(0.0);
	}
	// Water goes on at its level, however high the banks.
	sum.y = wet.y > 0.5 ? wet.x / wet.y : sum.y;
	float range = max(extent.w - extent.z, 1.0);
	float land = smoothstep(0.0, 0.06 * range, sum.x - sum.y);
	float hills = texture(patternMap, place / (6.0 * length(extent.xy))).r - 0.45;
	sum.x += land * hills * range * smoothstep(0.0, 0.12, beyond);
	return sum;
}
