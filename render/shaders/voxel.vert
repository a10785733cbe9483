// SPDX-License-Identifier: MIT

// Meshes of voxel worlds. SHADOW: as the sun sees them.
layout(location = 0) in vec3 aPlace;
layout(location = 1) in vec3 aNormal;

out vec3 vPlace;
out vec3 vNormal;

void main()
{
	vPlace = aPlace;
	vNormal = aNormal;
#if defined(SHADOW)
	gl_Position = shadowMatrix * vec4(aPlace, 1.0);
#else
	gl_Position = viewProjection * vec4(aPlace, 1.0);
#endif
}
