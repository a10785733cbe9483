// SPDX-License-Identifier: MIT

// A body: boards, bark, metal, stone, paint; wet around the waterline, and tinted below it as the ground is. PLAIN: for
// views that show numbers as colours. VOXELS: boxes among voxels.
#if defined(VOXELS) || defined(PLAIN)
uniform sampler2D bedMap;
#endif
uniform sampler2D surfaceMap;
uniform sampler2D groundMap;
uniform sampler2D waveMap;

in vec3 vPlace;
in vec3 vLocal;
in vec3 vNormal;
in vec3 vLocalNormal;
in float vRim;
flat in float vHeld; // height of the water in the room that it faces into, or very low
flat in vec4 vColor; // and material, as in tnrMaterial, with an eighth for each axis before that of a roll
flat in vec4 vSize;  // half of its sides, meters, and a number that differs from body to body
flat in float vGlow;
flat in vec4 vRotation;
out vec4 outColor;

// In the frame of the body, turned so that the axis of rolls is y.
vec3 local, localNormal, size3;

// Of what is seen at a place.
struct Skin
{
	vec3 albedo;
	// Of the mirror of a dry surface, 0 to 1, and how sharp it is.
	float gloss, sharp;
	// How the normal leans, in the frame of the body.
	vec3 lean;
};

float getHash(float a, float b)
{
	return fract(sin(dot(vec2(a, b), vec2(12.99, 78.23))) * 437.6);
}

// 1 on the line between two spans of a pattern that repeats after 1, with edges a pixel wide; less far away.
float getJoint(float turns, float halfWidth)
{
	float width = fwidth(turns) + 1e-4;
	float away = 0.5 - abs(fract(turns) - 0.5);
	float line = 1.0 - smoothstep(halfWidth, halfWidth + width, away);
	return mix(line, 2.0 * halfWidth, clamp(width * 1.5, 0.0, 1.0));
}

// Places on a face of a box, the longer side first, and half of its sides.
void getFace(out vec2 place, out vec2 size)
{
	vec3 n = abs(vLocalNormal);
	bool x = n.x > n.y && n.x > n.z, y = n.y >= n.x && n.y > n.z;
	place = x ? vLocal.zy : y ? vLocal.xz : vLocal.xy;
	size = x ? vSize.zy : y ? vSize.xz : vSize.xy;
	if (size.y > size.x * 1.001)
	{
		place = place.yx;
		size = size.yx;
	}
}

float getGrain(vec2 place, float offset)
{
	float unit = max(max(vSize.x, vSize.y), vSize.z);
	vec2 at = place / unit + offset;
	return texture(patternMap, at * vec2(0.05, 0.9)).r * 0.6 + texture(patternMap, at * vec2(0.13, 2.1)).b * 0.4;
}

// Boards; on faces that are nearly square a frame around them, as crates have.
Skin getWood()
{
	vec2 place, size;
	getFace(place, size);
	float seed = vSize.w;
	bool crate = size.x < 1.8 * size.y;
	float count = crate ? 5.0 : clamp(floor(2.0 * size.y / max(0.12 * size.x, 0.08)), 1.0, 6.0);
	float row = (place.y / size.y * 0.5 + 0.5) * count;
	float board = floor(row);
	float joint = count > 1.5 ? getJoint(row, 0.03) : 0.0;
	float grain = getGrain(place, seed * 7.0 + board * 0.37);
	float tint = 0.82 + 0.36 * getHash(board, seed);
	vec2 inner = size - 0.26 * size.y;
	vec2 over = abs(place) - inner;
	if (crate && (over.x > 0.0 || over.y > 0.0))
	{
		bool upright = over.x > 0.0;
		grain = getGrain(upright ? place.yx : place, seed * 5.0 + (upright ? 0.1 : 0.6));
		tint = 0.92 + 0.3 * getHash(upright ? sign(place.x) : 3.0 + sign(place.y), seed + 0.5);
		// Where the frame ends its shadow lies on the boards, and its own pieces meet.
		float edge = upright ? over.x : over.y;
		float width = fwidth(edge) + 1e-4;
		joint = 1.0 - smoothstep(0.012 * size.y, 0.012 * size.y + width, edge);
	}
	else if (crate)
	{
		float near = min(-over.x, -over.y) / size.y;
		tint *= mix(0.62, 0.92, smoothstep(0.0, 0.12, near));
	}
	Skin skin;
	skin.albedo = vColor.rgb * tint * (0.55 + 0.85 * grain) * (1.0 - 0.6 * joint);
	skin.gloss = 0.02;
	skin.sharp = 12.0;
	skin.lean = vec3(0.0);
	return skin;
}

Skin getBark()
{
	float radius = max(size3.x, size3.z), seed = vSize.w;
	float from = length(local.xz) / radius;
	Skin skin;
	skin.gloss = 0.015;
	skin.sharp = 8.0;
	skin.lean = vec3(0.0);
	if (abs(localNormal.y) > 0.7)
	{
		float noise = texture(patternMap, local.xz / radius * 0.21 + seed).r;
		float ring = 0.5 + 0.5 * sin(from * 34.0 + noise * 9.0);
		vec3 wood = mix(vec3(0.40, 0.27, 0.14), vec3(0.56, 0.41, 0.23), ring * 0.6 + 0.3 * noise);
		skin.albedo = mix(wood, vColor.rgb * 0.6, smoothstep(0.90, 0.94, from));
		return skin;
	}
	float around = atan(local.x, local.z) / (2.0 * PI);
	vec2 at = vec2(around * 2.0, local.y / radius * 0.045) + seed;
	float coarse = texture(patternMap, at).r, fine = texture(patternMap, at * vec2(4.0, 5.0)).b;
	float crack = smoothstep(0.35, 0.62, texture(patternMap, at * vec2(3.0, 0.8) + 0.3).r);
	skin.albedo = vColor.rgb * (0.45 + 0.5 * coarse + 0.5 * fine) * mix(0.55, 1.1, crack);
	float lean = (fine - 0.5) * 0.9;
	skin.lean = vec3(localNormal.z, 0.0, -localNormal.x) * lean;
	return skin;
}

// A barrel: rings that stand out, paint that has suffered.
Skin getMetal()
{
	float seed = vSize.w;
	float along = local.y / size3.y;
	vec2 at = vec2(atan(local.x, local.z) / (2.0 * PI) * 2.0, along * 0.5) + seed;
	float worn = texture(patternMap, at * 0.5).r * 0.6 + texture(patternMap, at * 2.3).b * 0.4;
	bool end = abs(localNormal.y) > 0.7;
	float rust = smoothstep(0.56, 0.66, worn + 0.12 * smoothstep(0.75, 1.0, abs(along)));
	float away = abs(abs(along) - 0.36);
	float ring = end ? 0.0 : 1.0 - smoothstep(0.0, 0.05, away);
	Skin skin;
	skin.albedo = mix(vColor.rgb * (0.9 + 0.2 * worn), vec3(0.17, 0.075, 0.035) * (0.6 + 0.8 * worn), rust);
	skin.albedo *= end ? 1.0 - 0.45 * smoothstep(0.80, 0.84, length(local.xz) / size3.x) : 1.0;
	skin.gloss = mix(0.32, 0.03, rust);
	skin.sharp = 40.0;
	skin.lean = vec3(0.0, ring * sign(abs(along) - 0.36) * sign(along) * 0.8, 0.0);
	return skin;
}

Skin getStone()
{
	float unit = max(vSize.x, max(vSize.y, vSize.z)), seed = vSize.w;
	vec3 at = vLocal / unit * 0.23 + seed;
	vec3 weight = vLocalNormal * vLocalNormal;
	vec4 noise = texture(patternMap, at.zy) * weight.x + texture(patternMap, at.xz) * weight.y;
	noise += texture(patternMap, at.xy) * weight.z;
	vec4 fine = texture(patternMap, at.zy * 4.1) * weight.x + texture(patternMap, at.xz * 4.1) * weight.y;
	fine += texture(patternMap, at.xy * 4.1) * weight.z;
	Skin skin;
	skin.albedo = vColor.rgb * (0.45 + 0.6 * noise.r + 0.5 * fine.b);
	// Moss on what looks up.
	float moss = smoothstep(0.55, 0.95, vNormal.y) * smoothstep(0.45, 0.62, noise.r + 0.3 * (fine.r - 0.5));
	skin.albedo = mix(skin.albedo, vec3(0.085, 0.105, 0.035) * (0.6 + 0.8 * fine.b), 0.6 * moss);
	skin.gloss = 0.02;
	skin.sharp = 10.0;
	skin.lean = (fine.rbg - 0.5) * 0.5;
	return skin;
}

Skin getBall()
{
	float around = atan(vLocal.x, vLocal.z) / (2.0 * PI) * 6.0;
	float edge = fwidth(around) + 1e-3;
	float stripe = smoothstep(-edge, edge, 0.25 - abs(fract(around * 0.5) - 0.5));
	float cap = smoothstep(0.93, 0.94, abs(vLocal.y) / vSize.y);
	Skin skin;
	skin.albedo = mix(vColor.rgb, vec3(0.78, 0.76, 0.70), max(stripe * (1.0 - cap), 0.0));
	skin.gloss = 0.12;
	skin.sharp = 60.0;
	skin.lean = vec3(0.0);
	return skin;
}

// Painted boards along the body, as boats have.
Skin getPaint()
{
	float unit = max(vSize.x, max(vSize.y, vSize.z)), seed = vSize.w;
	bool level = abs(vLocalNormal.y) > 0.75;
	float across = level ? (vSize.x > vSize.z ? vLocal.z : vLocal.x) : vLocal.y;
	float row = across / (0.07 * unit) + 0.5;
	float joint = getJoint(row, 0.04);
	vec2 along = vec2(vSize.x > vSize.z ? vLocal.x : vLocal.z, across);
	float grain = getGrain(along, seed + floor(row) * 0.29);
	Skin skin;
	skin.albedo = vColor.rgb * (0.74 + 0.42 * grain) * (0.93 + 0.14 * getHash(floor(row), seed)) * (1.0 - 0.4 * joint);
	skin.gloss = 0.06;
	skin.sharp = 24.0;
	skin.lean = vec3(0.0);
	return skin;
}

Skin getMaterial(int material)
{
	switch (material)
	{
		case 1:
			return getWood();
		case 2:
			return getBark();
		case 3:
			return getMetal();
		case 4:
			return getStone();
		case 5:
			return getBall();
		default:
			return getPaint();
	}
}

// y and another axis change places.
vec3 swapAxes(vec3 v, int axis)
{
	return axis == 0 ? v.yxz : axis == 2 ? v.xzy : v;
}

Skin getSkin()
{
	int material = int(vColor.w), axis = int(fract(vColor.w) * 8.0 + 0.5);
	local = swapAxes(vLocal, axis);
	localNormal = swapAxes(vLocalNormal, axis);
	size3 = swapAxes(vSize.xyz, axis);
	Skin skin = getMaterial(material);
	skin.lean = swapAxes(skin.lean, axis);
	return skin;
}
#if defined(VOXELS)
// Heights of the liquid that stands highest in a column of voxels, and of the ground.
vec2 getLevels(vec2 place)
{
	return texelFetch(bedMap, clamp(ivec2(place * grid.w), ivec2(0), ivec2(grid.xy) - 1), 0).gr;
}

// Ground is in the shadow map already.
float getGroundShadow(vec3 place)
{
	return 1.0;
}
#elif !defined(PLAIN)
// Heights of the surface and of the bed, between cell middles.
vec2 getLevels(vec2 place)
{
	vec2 cell = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.001);
	ivec2 low = ivec2(cell);
	vec2 share = cell - vec2(low);
	vec2 corners[4];
	for (int i = 0; i < 4; ++i)
	{
		ivec2 at = min(low + ivec2(i & 1, i >> 1), ivec2(grid.xy) - 1);
		corners[i] = vec2(texelFetch(surfaceMap, at, 0).r, texelFetch(bedMap, at, 0).r);
	}
	return mix(mix(corners[0], corners[1], share.x), mix(corners[2], corners[3], share.x), share.y);
}
#endif
#if !defined(PLAIN)
// How much water is over a place, and how wet it is from water just below, 0 to 1.
void getWater(float noise, out float under, out float wet, out float line)
{
	vec2 height = getLevels(vPlace.xz);
	bool inside = all(greaterThanEqual(vPlace.xz, vec2(0.0))) && all(lessThanEqual(vPlace.xz, extent.xy));
	bool around = inside && height.x > height.y + 0.003 && height.x > vRim;
	float top = max(around ? height.x : -1e9, vHeld);
	bool water = options.y > 0.5 && top > -1e8;
	float over = vPlace.y - top;
	float band = clamp(0.16 * min(vSize.x, min(vSize.y, vSize.z)), 0.01, 0.16) * (0.5 + noise);
	under = water ? max(-over, 0.0) : 0.0;
	wet = water ? 1.0 - smoothstep(0.3 * band, band, over) : 0.0;
	line = water ? 1.0 - smoothstep(0.0, 0.22 * band, abs(over)) : 0.0;
}
#endif

void main()
{
	Skin skin = getSkin();
	vec3 normal = normalize(vNormal);
	vec3 toEye = normalize(eye.xyz - vPlace);
#if defined(PLAIN)
	float shade = 0.35 + 0.55 * max(dot(normal, normalize(vec3(-0.4, 0.8, 0.45))), 0.0);
	outColor = vec4(sqrt(clamp(skin.albedo * 1.6, 0.0, 1.0)) * shade + 0.3 * vGlow, 1.0);
#else
	vec2 uv = clamp(vPlace.xz / extent.xy, vec2(0.0), vec2(1.0));
#if defined(VOXELS)
	vec4 light = vec4(1.0), wave = vec4(0.0);
#else
	vec4 light = texture(groundMap, uv);
	vec4 wave = texture(waveMap, uv);
#endif
	float noise = texture(patternMap, vPlace.xz / (1.3 * options.z) + vPlace.y * 0.05).r;
	float under, wet, line;
	getWater(noise, under, wet, line);
	vec3 twice = 2.0 * cross(vRotation.xyz, skin.lean);
	normal = normalize(normal + skin.lean + vRotation.w * twice + cross(vRotation.xyz, twice));

	vec3 albedo = skin.albedo * mix(vec3(1.0), vec3(0.46, 0.44, 0.43), wet);
	float shadow = mix(1.0, getGroundShadow(vPlace) * getBodyShadow(vPlace + normalize(vNormal) * bodies.w), sun.w);
	vec3 sunlight = sunColor.rgb * max(dot(normal, sun.xyz), 0.0) * shadow;
	vec3 skylight = skyColor.rgb * (0.55 + 0.45 * normal.y) * light.z;
	skylight += sunColor.rgb * vec3(0.05, 0.045, 0.035) * (1.0 - 0.6 * normal.y);
	// Askew, so that webs do not become stripes on upright faces.
	vec3 web = vPlace + vec3(0.8, 0.0, 0.6) * vPlace.y;
	sunlight *= under > 0.0 ? getCaustics(web, under, wave.w) : 1.0;
	vec3 color = albedo * (sunlight + skylight) * exp(-absorption.rgb * under * 1.2) * 0.9;

	// Paint and metal shine, and everything that is wet.
	float above = 1.0 - smoothstep(0.0, 0.02, under);
	float gloss = max(skin.gloss, 0.35 * wet) * above;
	float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, toEye), 0.0), 5.0);
	float sharp = mix(skin.sharp, 50.0, wet);
	float shine = pow(max(dot(normal, normalize(toEye + sun.xyz)), 0.0), sharp) * step(0.0, dot(normal, sun.xyz));
	vec3 mirrored = getClearSky(reflect(-toEye, normal)) * (0.12 + fresnel) * light.z;
	color += gloss * (mirrored + sunColor.rgb * shine * shadow * 0.5);
	// Bubbles cling to the waterline.
	vec3 bubbles = vec3(0.8, 0.84, 0.86) * (sunColor.rgb * 0.25 * shadow + skyColor.rgb * 0.5);
	color = mix(color, bubbles, line * 0.22 * noise);
	color += vGlow * vec3(0.30, 0.22, 0.08) * (0.35 + fresnel);
	// The mark in alpha tells the water that this is a body.
	outColor = vec4(encodeColor(addHaze(color, vPlace)), 0.25);
#endif
}
