// SPDX-License-Identifier: MIT

// Trees, and what is small: tufts of grass, reeds, stones. An instance stands on each point of a grid around what is looked at, beside it by
// chance; the ground says what it is, and the water lays it down. LARGE: trees. SHADOWS: of trees, as patches on the ground.
uniform ivec4 plantGrid; // first column and row, step, points in a row
uniform vec4 plantSize;  // m between points at step 1, height in m, share that is shown, m from the middle at which all are gone
uniform vec4 plantCenter; // x, z
uniform sampler2D groundMap;
uniform sampler2D flowMap;
uniform sampler2D waveMap;

out vec3 vPlace;
out vec3 vNormal;
// Colour, and 1 for leaves, 0.5 for blades, 0 for wood and stone.
out vec4 vLook;
// Light of the sun and of the sky that reaches its foot.
flat out vec2 vLight;
flat out float vChance;
#if defined(SHADOWS)
// Across and along the shadow, -1 to 1.
out vec2 vCorner;
// How narrow it is at its far end.
flat out float vTaper;
// 0 where the ground is much higher or lower than the foot: walls and cliffs.
out float vLevel;
#endif

uint mixBits(uint x)
{
	x ^= x >> 16;
	x *= 0x7FEB352Du;
	x ^= x >> 15;
	x *= 0x846CA68Bu;
	return x ^ (x >> 16);
}

vec4 getChances(ivec2 at, uint seed)
{
	uint a = mixBits(uint(at.x) + mixBits(uint(at.y) + mixBits(seed)));
	return vec4(uvec4(a, a >> 8, a >> 16, a >> 24) & 255u) / 255.0;
}

// Where something might stand.
struct Site
{
	vec3 place;
	float depth, slope;
	vec2 velocity, light;
	// Taken by houses; neither in a ditch nor where it is often wet.
	bool built, open;
};

Site getSite(vec2 place)
{
	Site site;
	if (getBeyond(place) > 0.0)
	{
		vec2 of = getSurroundingsAt(place);
		site = Site(vec3(place.x, of.x, place.y), of.y - of.x, 0.2, vec2(0.0), vec2(1.0), false, of.y < of.x);
		return site;
	}
	vec2 at = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.001);
	ivec2 low = ivec2(at);
	vec2 f = at - vec2(low);
	vec4 bed = vec4(texelFetch(bedMap, low, 0).r, texelFetch(bedMap, low + ivec2(1, 0), 0).r,
		texelFetch(bedMap, low + ivec2(0, 1), 0).r, texelFetch(bedMap, low + 1, 0).r);
	float height = mix(mix(bed.x, bed.y, f.x), mix(bed.z, bed.w, f.x), f.y);
	vec2 uv = place / extent.xy;
	vec4 light = texture(groundMap, uv), flow = texture(flowMap, uv);
	float lean = length(light.xy);
	// Steps that smooth normals do not show.
	float step = max(max(abs(bed.x - bed.w), abs(bed.y - bed.z)), abs(bed.x - bed.y)) * grid.w;
	site.place = vec3(place.x, height, place.y);
	site.depth = options.y > 0.5 ? texelFetch(surfaceMap, low, 0).r - texelFetch(bedMap, low, 0).r : -1.0;
	site.slope = max(lean / sqrt(max(1.0 - lean * lean, 0.01)), 0.6 * step);
	site.velocity = flow.yz;
	site.light = light.wz;
	site.open = light.z > 0.8 && texture(waveMap, uv).z < 0.5;
	site.built = texture(builtMap, uv).r > 0.01;
	return site;
}

#if defined(SHADOWS)
float getGround(vec2 place)
{
	if (getBeyond(place) > 0.0)
	{
		return getSurroundingsAt(place).x;
	}
	vec2 at = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.001);
	ivec2 low = ivec2(at);
	vec2 f = at - vec2(low);
	return mix(mix(texelFetch(bedMap, low, 0).r, texelFetch(bedMap, low + ivec2(1, 0), 0).r, f.x),
		mix(texelFetch(bedMap, low + ivec2(0, 1), 0).r, texelFetch(bedMap, low + 1, 0).r, f.x), f.y);
}

// A vertex of the patch, which is four pieces long so that it lies on uneven ground.
void placeShadow(vec3 foot, float size, bool needles)
{
	const int PIECES = 4;
	int piece = gl_VertexID / 6, corner = gl_VertexID % 6;
	float along = float(piece + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0)) / float(PIECES);
	float across = corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0;
	float level = length(sun.xz);
	vec2 away = level > 1e-3 ? -sun.xz / level : vec2(1.0, 0.0);
	// Low suns throw shadows that reach far, and are too faint there to see.
	float wide = (needles ? 0.30 : 0.40) * size, reach = size * min(level / max(sun.y, 0.05), 3.0);
	float begin = (needles ? 0.1 : 0.3) * reach - wide, end = (needles ? 1.1 : 0.95) * reach + (needles ? 0.2 : 1.0) * wide;
	vec2 place = foot.xz + away * mix(begin, end, along) + vec2(-away.y, away.x) * wide * across;
	vCorner = vec2(across, 2.0 * along - 1.0);
	vTaper = needles ? 1.0 : 0.0;
	float ground = getGround(place), most = 0.3 * size;
	vLevel = 1.0 - smoothstep(0.5 * most, most, abs(ground - foot.y));
	vPlace = vec3(place.x, clamp(ground, foot.y - most, foot.y + most), place.y);
	// Nearer to the eye, along the ray: before the ground between its vertices, and nowhere else on the screen.
	vec3 toEye = eye.xyz - vPlace;
	vec3 lifted = vPlace + toEye * min(0.35, 0.6 * options.z / max(length(toEye), 1e-3));
	gl_Position = viewProjection * vec4(lifted, 1.0);
}
#endif

void hide()
{
	gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}

void main()
{
	ivec2 at = plantGrid.xy + ivec2(gl_InstanceID % plantGrid.w, gl_InstanceID / plantGrid.w) * plantGrid.z;
	vec4 chance = getChances(at, 3u);
	vec2 foot = (vec2(at) + 0.15 + 0.7 * chance.xy) * plantSize.x;
	float size = plantSize.y * (0.6 + 0.7 * chance.z);
	// Nothing stands before the eye.
	size *= smoothstep(0.8, 2.2, distance(eye.xz, foot) / plantSize.y);
	// Smaller and smaller towards the end of the grid.
	float away = distance(foot, plantCenter.xy) / plantSize.w;
	size *= 1.0 - smoothstep(0.7, 1.0, away);
	vPlace = vNormal = vec3(0.0);
	vLook = vec4(0.0);
	vLight = vec2(1.0);
	vChance = chance.w;
	hide();
	if (size < 0.02 * plantSize.y || chance.w > plantSize.z || getBeyond(foot) > 0.1)
	{
		return;
	}
	Site site = getSite(foot);
	vec4 low = viewProjection * vec4(site.place, 1.0);
	if (site.built || low.w < -size || abs(low.x) > low.w + 3.0 * size || abs(low.y) > low.w + 5.0 * size)
	{
		return;
	}
	float unit = options.z, height = site.place.y;
	float chill = height + (chance.z - 0.5) * 8.0 * unit;
	float woods = texture(patternMap, foot.yx / (227.0 * unit) + 0.37).r;
	float sway = sin(eye.w * 1.7 + foot.x * 0.31 + foot.y * 0.23 + chance.x * 6.0);
	vec3 lean = vec3(0.02 * sway, 0.0, 0.013 * sway);
	// What stands in fast water is laid down along it, and then gone.
	float washed = smoothstep(0.1, 0.7, site.depth / size) * smoothstep(0.3, 2.0, length(site.velocity));
	lean += vec3(site.velocity.x, 0.0, site.velocity.y) * 0.5 * min(max(site.depth, 0.0) / size, 1.0);
	int id = gl_VertexID;
	vec3 local, normal;
#if defined(LARGE)
	// Among crates, where trees would be as high as doors, there are few.
	float many = smoothstep(0.2, 0.8, unit);
	bool wood = (woods < 0.46 ? chance.x < 0.9 : chance.x < 0.07) && chance.y < 0.25 + 0.75 * many;
	bool fits = site.slope < 0.6 * levels.w && height > levels.x + 0.6 * unit && chill < levels.y && site.depth < 0.2 * size &&
		site.open;
	if (wood == false || fits == false || washed > 0.6)
	{
		return;
	}
	bool needles = fract(chance.y * 7.0 + 0.004 * chill / unit) > 0.45;
#if defined(SHADOWS)
	vLight = site.light;
	placeShadow(site.place, size, needles);
	return;
#endif
	const int SIDES = 5, RINGS = 3;
	float turn = 6.28 * chance.x;
	if (id < SIDES * RINGS * 6)
	{
		int quad = id / 6, corner = id % 6;
		int ring = quad / SIDES + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0);
		int side = quad % SIDES + (corner == 2 || corner == 4 || corner == 5 ? 1 : 0);
		float leafRadii[4] = float[4](0.14, 0.40, 0.34, 0.0), leafHeights[4] = float[4](0.22, 0.46, 0.78, 0.98);
		float needleRadii[4] = float[4](0.05, 0.27, 0.16, 0.0), needleHeights[4] = float[4](0.10, 0.17, 0.58, 1.15);
		float radius = needles ? needleRadii[ring] : leafRadii[ring];
		float up = needles ? needleHeights[ring] : leafHeights[ring];
		vec4 own = getChances(ivec2(side % SIDES + 16 * ring, int(chance.w * 255.0)), 9u);
		radius *= 0.72 + 0.56 * own.x;
		up += (own.y - 0.5) * (needles ? 0.05 : 0.12) * step(0.01, radius);
		float angle = turn + 6.28318 * (float(side) + (ring % 2 == 0 ? 0.5 : 0.0)) / float(SIDES);
		vec2 round = vec2(cos(angle), sin(angle));
		local = vec3(round.x * radius, up, round.y * radius);
		normal = needles ? normalize(vec3(round.x, 0.45, round.y)) : normalize(local - vec3(0.0, 0.5, 0.0));
		vec3 green = needles ? vec3(0.030, 0.062, 0.026) : mix(vec3(0.040, 0.085, 0.020), vec3(0.085, 0.105, 0.028), chance.z);
		// Inside and below it is dark.
		vLook = vec4(green * (0.55 + 0.55 * smoothstep(0.1, 0.9, up)), 1.0);
	}
	else
	{
		int quad = (id - SIDES * RINGS * 6) / 6, corner = (id - SIDES * RINGS * 6) % 6;
		float angle = turn + 3.14159 * float(corner == 2 || corner == 4 || corner == 5 ? 1 : 0);
		float up = corner == 1 || corner == 2 || corner == 4 ? 0.34 : -0.08;
		normal = vec3(cos(angle), 0.0, sin(angle));
		local = normal * 0.035 + vec3(0.0, up, 0.0);
		vLook = vec4(0.085, 0.06, 0.04, 0.0);
	}
	local += lean * local.y * local.y;
#else
	// Beside the water, and a little in it.
	bool wetFoot = site.depth > max(-0.12, -0.4 * grid.z) && site.depth < 0.45 * unit && length(site.velocity) < 0.7;
	float patches = texture(patternMap, foot / (23.0 * unit)).r;
	bool reed = wetFoot && patches > 0.54 && site.slope < 0.5;
	float bare = max(smoothstep(0.6 * levels.w, levels.w, site.slope), 1.0 - smoothstep(levels.x, levels.x + 0.6 * unit, height));
	bool stone = reed == false && (chance.w < 0.10 + 0.25 * bare || bare > 0.5);
	if ((reed == false && site.depth > 0.03) || (stone && (chance.x > 0.06 + 0.2 * bare || site.slope > 2.0 * levels.w)) || chill > levels.z ||
		washed > 0.6)
	{
		return;
	}
	int blade = id / 3, corner = id % 3;
	vec4 own = getChances(at * 7 + blade, 5u);
	if (stone)
	{
		float angle = 1.0472 * float(blade + (corner == 2 ? 1 : 0)) + 6.28 * chance.x;
		float radius = 0.4 + 0.25 * fract(chance.y * float(5 + (blade + (corner == 2 ? 1 : 0)) % 6));
		local = corner == 0 ? vec3(0.1 * (chance.x - 0.5), 0.34, 0.1 * (chance.y - 0.5)) : vec3(cos(angle) * radius, -0.1, sin(angle) * radius);
		normal = normalize(vec3(cos(angle), 0.9, sin(angle)));
		float grey = 0.14 + 0.10 * chance.z;
		vLook = vec4(vec3(1.0, 0.94, 0.86) * grey, 0.0);
		lean = vec3(0.0);
	}
	else
	{
		float tall = reed ? 2.6 : 1.0;
		vec2 root = (own.xy - 0.5) * (reed ? 1.2 : 0.9);
		float angle = 6.28 * own.z;
		vec2 across = vec2(cos(angle), sin(angle)) * (reed ? 0.045 : 0.06);
		float up = tall * (0.6 + 0.6 * own.w);
		vec2 bend = (own.yx - 0.5) * 0.5;
		local = corner == 0 ? vec3(root.x + bend.x, up, root.y + bend.y)
							: vec3(root.x, -0.05, root.y) + vec3(across.x, 0.0, across.y) * (corner == 1 ? 1.0 : -1.0);
		local.xz += lean.xz * 4.0 * (corner == 0 ? up : 0.0);
		normal = normalize(vec3(0.4 * across.y * 10.0, 1.0, -0.4 * across.x * 10.0));
		float dry = clamp(texture(patternMap, foot / (83.0 * unit)).r * 1.2 - 0.1, 0.0, 1.0);
		vec3 green = reed ? vec3(0.075, 0.115, 0.030) : mix(vec3(0.058, 0.115, 0.020), vec3(0.16, 0.16, 0.05), dry);
		vLook = vec4(green * (corner == 0 ? 1.35 : 0.6), 0.5);
	}
#endif
	vPlace = site.place + local * size;
	vNormal = normal;
	vLight = site.light;
	gl_Position = viewProjection * vec4(vPlace, 1.0);
}
