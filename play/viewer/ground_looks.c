// SPDX-License-Identifier: MIT

// What a scene says of its ground, for the renderer.

#include "viewer/ground_looks.h"

tnrGroundDef tnpGetGroundDef(const tnsRun* run)
{
	const tnsGroundLook* look = tnsRun_GetGround(run);
	const tnWorldDef world = tnWorld_GetDef(tnsRun_GetWorld(run));
	tnrGroundDef def = tnrDefaultGroundDef();
	def.beachLevel = look->beachLevel;
	def.treeLine = look->treeLine;
	def.snowLine = look->snowLine;
	def.rockSlope = look->rockSlope > 0.0f ? look->rockSlope : def.rockSlope;
	def.blendMap = look->blend;
	def.blendWidth = world.columnCount;
	def.blendHeight = world.rowCount;
	for (int i = 0; i < TNS_GROUND_COUNT; ++i)
	{
		def.textures[i] = look->textures[i];
	}
	def.textureSide = TNS_TEXTURE_SIDE;
	def.textureSize = look->textureSize;
	return def;
}
