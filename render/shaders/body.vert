// SPDX-License-Identifier: MIT

// A body: one mesh, drawn once for each body that has it. SHADOW: as the sun sees it.
layout(location = 0) in vec3 aPlace;    // as a share of its size
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aRoom;     // height of the lid of the room that it faces into, or very low; its number from 1
layout(location = 3) in vec4 iPlace;    // where, and how much it glows
layout(location = 4) in vec4 iRotation;
layout(location = 5) in vec4 iScale;    // meters, and a number that differs from body to body
layout(location = 6) in vec4 iColor;    // and material
layout(location = 7) in vec4 iLevels;   // heights of the water in its rooms

out vec3 vPlace;
out vec3 vLocal;
out vec3 vNormal;
out vec3 vLocalNormal;
out float vRim;
flat out float vHeld;
flat out vec4 vColor;
flat out vec4 vSize;
flat out float vGlow;
flat out vec4 vRotation;

vec3 turn(vec3 v)
{
	vec3 twice = 2.0 * cross(iRotation.xyz, v);
	return v + iRotation.w * twice + cross(iRotation.xyz, twice);
}

void main()
{
	vLocal = aPlace * iScale.xyz;
	vPlace = iPlace.xyz + turn(vLocal);
#if defined(SHADOW)
	gl_Position = shadowMatrix * vec4(vPlace, 1.0);
#else
	vLocalNormal = normalize(aNormal / iScale.xyz);
	vNormal = turn(vLocalNormal);
	vRim = aRoom.x > -1e8 ? iPlace.y + turn(vec3(vLocal.x, aRoom.x * iScale.y, vLocal.z)).y : -1e9;
	int room = int(aRoom.y + 0.5);
	vHeld = room >= 1 && room <= 4 ? iLevels[room - 1] : -1e9;
	vColor = iColor;
	vSize = iScale;
	vGlow = iPlace.w;
	vRotation = iRotation;
	gl_Position = viewProjection * vec4(vPlace, 1.0);
#endif
}
