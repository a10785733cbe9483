// SPDX-License-Identifier: MIT

// The programs of the renderer: which shaders each is made of, and where its uniforms are.

#include "frame/renderer.h"

#include "shaders.h"

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

void tnrMakePrograms(tnrPrograms* programs, tnrResult* result)
{
	static const char waterDefine[] = "#define WATER\n", topDefine[] = "#define TOP\n";
	static const char sideDefine[] = "#define SIDE\n#define WATER\n";
	const char* screen[] = {s_common_glsl, s_screen_vert};
	const char* groundPatch[] = {s_common_glsl, s_field_glsl, s_surroundings_glsl, s_patch_vert};
	const char* waterPatch[] = {waterDefine, s_common_glsl, s_field_glsl, s_surroundings_glsl, s_patch_vert};
	const char* topPatch[] = {topDefine, s_common_glsl, s_field_glsl, s_surroundings_glsl, s_patch_vert};
	const char* side[] = {s_common_glsl, s_field_glsl, s_side_vert};
	const char* waterSide[] = {sideDefine, s_common_glsl, s_field_glsl, s_side_vert};
	const char* arrows[] = {s_common_glsl, s_arrows_vert};
	const char* sky[] = {s_common_glsl, s_sky_glsl, s_sky_frag};
	const char* ground[] = {s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_caustics_glsl, s_ground_frag};
	const char* sideFace[] = {s_common_glsl, s_sky_glsl, s_side_frag};
	const char* water[] = {s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* waterSideFace[] = {sideDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* house[] = {s_common_glsl, s_house_vert};
	const char* houseFace[] = {
		s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_caustics_glsl, s_ground_shadow_glsl, s_house_frag};
	const char* view[] = {s_common_glsl, s_marker_glsl, s_view_frag};
	const char* arrow[] = {s_common_glsl, s_arrows_frag};
	const char* finish[] = {s_common_glsl, s_finish_frag};

	programs->sky = tnrMakeProgram("sky", screen, COUNT(screen), sky, COUNT(sky), result);
	const char* under[] = {s_common_glsl, s_sky_glsl, s_under_frag};
	programs->under = tnrMakeProgram("under", screen, COUNT(screen), under, COUNT(under), result);
	programs->ground = tnrMakeProgram("ground", groundPatch, COUNT(groundPatch), ground, COUNT(ground), result);
	programs->house = tnrMakeProgram("house", house, COUNT(house), houseFace, COUNT(houseFace), result);
	programs->side = tnrMakeProgram("side", side, COUNT(side), sideFace, COUNT(sideFace), result);
	programs->water = tnrMakeProgram("water", waterPatch, COUNT(waterPatch), water, COUNT(water), result);
	programs->waterSide =
		tnrMakeProgram("water side", waterSide, COUNT(waterSide), waterSideFace, COUNT(waterSideFace), result);
	programs->view = tnrMakeProgram("view", topPatch, COUNT(topPatch), view, COUNT(view), result);
	programs->arrows = tnrMakeProgram("arrows", arrows, COUNT(arrows), arrow, COUNT(arrow), result);
	programs->finish = tnrMakeProgram("finish", screen, COUNT(screen), finish, COUNT(finish), result);

	programs->groundPatch = tnrFindUniform(&programs->ground, "patchPlace");
	programs->waterPatch = tnrFindUniform(&programs->water, "patchPlace");
	programs->viewPatch = tnrFindUniform(&programs->view, "patchPlace");
	programs->sideSide = tnrFindUniform(&programs->side, "side");
	programs->waterSideSide = tnrFindUniform(&programs->waterSide, "side");
	programs->arrowGrid = tnrFindUniform(&programs->arrows, "arrowGrid");
	programs->arrowScale = tnrFindUniform(&programs->arrows, "arrowScale");
	programs->finishBloom = tnrFindUniform(&programs->finish, "bloom");
	programs->arrowColor = tnrFindUniform(&programs->arrows, "arrowColor");
}

void tnrMakeWavePrograms(tnrPrograms* programs, tnrResult* result)
{
	static const char define[] = "#define WATER\n#define WAVES\n", groundDefine[] = "#define WAVES\n";
	static const char sideDefine[] = "#define SIDE\n#define WATER\n#define WAVES\n";
	const char* patch[] = {define, s_common_glsl, s_field_glsl, s_surroundings_glsl, s_waves_glsl, s_patch_vert};
	const char* side[] = {sideDefine, s_common_glsl, s_field_glsl, s_waves_glsl, s_side_vert};
	const char* face[] = {define, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_waves_glsl, s_water_frag};
	const char* sideFace[] = {sideDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* groundPatch[] = {s_common_glsl, s_field_glsl, s_surroundings_glsl, s_patch_vert};
	const char* ground[] = {groundDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_waves_glsl,
		s_caustics_glsl, s_ground_frag};
	programs->wavesGround =
		tnrMakeProgram("waves ground", groundPatch, COUNT(groundPatch), ground, COUNT(ground), result);
	programs->wavesGroundPatch = tnrFindUniform(&programs->wavesGround, "patchPlace");
	programs->waves = tnrMakeProgram("waves", patch, COUNT(patch), face, COUNT(face), result);
	programs->wavesSide = tnrMakeProgram("waves side", side, COUNT(side), sideFace, COUNT(sideFace), result);
	programs->wavesPatch = tnrFindUniform(&programs->waves, "patchPlace");
	programs->wavesSideSide = tnrFindUniform(&programs->wavesSide, "side");
	programs->wavesSideHalvings = tnrFindUniform(&programs->wavesSide, "sideHalvings");
}

void tnrMakePlantPrograms(tnrPrograms* programs, tnrResult* result)
{
	static const char largeDefine[] = "#define LARGE\n";
	const char* large[] = {largeDefine, s_common_glsl, s_field_glsl, s_surroundings_glsl, s_plants_vert};
	const char* small[] = {s_common_glsl, s_field_glsl, s_surroundings_glsl, s_plants_vert};
	const char* face[] = {s_common_glsl, s_sky_glsl, s_plants_frag};
	static const char shadowsDefine[] = "#define LARGE\n#define SHADOWS\n";
	const char* shadows[] = {shadowsDefine, s_common_glsl, s_field_glsl, s_surroundings_glsl, s_plants_vert};
	const char* shadowFace[] = {s_common_glsl, s_plants_shadow_frag};
	programs->treeShadows =
		tnrMakeProgram("tree shadows", shadows, COUNT(shadows), shadowFace, COUNT(shadowFace), result);
	programs->trees = tnrMakeProgram("trees", large, COUNT(large), face, COUNT(face), result);
	programs->tufts = tnrMakeProgram("tufts", small, COUNT(small), face, COUNT(face), result);
	static const char* const names[3] = {"plantGrid", "plantSize", "plantCenter"};
	for (int i = 0; i < 3; ++i)
	{
		programs->treesUniforms[i] = tnrFindUniform(&programs->trees, names[i]);
		programs->treeShadowsUniforms[i] = tnrFindUniform(&programs->treeShadows, names[i]);
		programs->tuftsUniforms[i] = tnrFindUniform(&programs->tufts, names[i]);
	}
}

void tnrMakeOverPrograms(tnrPrograms* programs, tnrResult* result)
{
	const char* screen[] = {s_common_glsl, s_screen_vert};
	const char* in[] = {s_common_glsl, s_over_in_frag};
	const char* out[] = {s_common_glsl, s_over_out_frag};
	programs->overIn = tnrMakeProgram("over in", screen, COUNT(screen), in, COUNT(in), result);
	programs->overOut = tnrMakeProgram("over out", screen, COUNT(screen), out, COUNT(out), result);
}

void tnrMakeBodyPrograms(tnrPrograms* programs, tnrResult* result)
{
	static const char shadowDefine[] = "#define SHADOW\n", plainDefine[] = "#define PLAIN\n";
	const char* body[] = {s_common_glsl, s_body_vert};
	const char* shadow[] = {shadowDefine, s_common_glsl, s_body_vert};
	const char* face[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_caustics_glsl, s_ground_shadow_glsl, s_body_frag};
	const char* plainFace[] = {plainDefine, s_common_glsl, s_sky_glsl, s_body_frag};
	const char* nothing[] = {s_common_glsl, s_shadow_frag};
	programs->body = tnrMakeProgram("body", body, COUNT(body), face, COUNT(face), result);
	programs->plainBody = tnrMakeProgram("plain body", body, COUNT(body), plainFace, COUNT(plainFace), result);
	programs->bodyShadow = tnrMakeProgram("body shadow", shadow, COUNT(shadow), nothing, COUNT(nothing), result);
	programs->bodyLid = tnrMakeProgram("body lid", body, COUNT(body), nothing, COUNT(nothing), result);
	const char* held[] = {s_common_glsl, s_held_vert};
	const char* heldFace[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_held_frag};
	programs->held = tnrMakeProgram("held water", held, COUNT(held), heldFace, COUNT(heldFace), result);
}

void tnrMakeVoxelPrograms(tnrPrograms* programs, tnrResult* result)
{
	static const char shadowDefine[] = "#define SHADOW\n";
	static const char voxelDefine[] = "#define VOXELS\n";
	const char* vertices[] = {s_common_glsl, s_voxel_vert};
	const char* boxes[] = {s_common_glsl, s_body_vert};
	const char* boxFaces[] = {voxelDefine, s_common_glsl, s_sky_glsl, s_shadow_glsl, s_caustics_glsl, s_body_frag};
	const char* shadow[] = {shadowDefine, s_common_glsl, s_voxel_vert};
	const char* ground[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_voxel_ground_frag};
	const char* lava[] = {s_common_glsl, s_sky_glsl, s_current_glsl, s_voxel_lava_frag};
	const char* water[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_current_glsl, s_voxel_water_frag};
	const char* nothing[] = {s_common_glsl, s_shadow_frag};
	programs->voxelGround = tnrMakeProgram("voxel ground", vertices, COUNT(vertices), ground, COUNT(ground), result);
	programs->voxelLava = tnrMakeProgram("voxel lava", vertices, COUNT(vertices), lava, COUNT(lava), result);
	programs->voxelWater = tnrMakeProgram("voxel water", vertices, COUNT(vertices), water, COUNT(water), result);
	programs->voxelShadow = tnrMakeProgram("voxel shadow", shadow, COUNT(shadow), nothing, COUNT(nothing), result);
	programs->voxelDepth = tnrMakeProgram("voxel depth", vertices, COUNT(vertices), nothing, COUNT(nothing), result);
	programs->voxelBox = tnrMakeProgram("voxel box", boxes, COUNT(boxes), boxFaces, COUNT(boxFaces), result);
	programs->lavaGlow = tnrFindUniform(&programs->voxelLava, "liquidGlow");
	programs->liquidAbsorption = tnrFindUniform(&programs->voxelWater, "liquidAbsorption");
	programs->liquidScatter = tnrFindUniform(&programs->voxelWater, "liquidScatter");
}

void tnrMakeSprayProgram(tnrPrograms* programs, tnrResult* result)
{
	const char* streaks[] = {s_common_glsl, s_sky_glsl, s_spray_vert};
	const char* face[] = {s_common_glsl, s_spray_frag};
	programs->spray = tnrMakeProgram("spray", streaks, COUNT(streaks), face, COUNT(face), result);
	programs->sprayPixelAngle = tnrFindUniform(&programs->spray, "pixelAngle");
}

void tnrDestroyPrograms(const tnrPrograms* programs)
{
	const tnrProgram list[] = {programs->sky, programs->ground, programs->side, programs->water, programs->waterSide,
		programs->view, programs->arrows, programs->finish, programs->body, programs->plainBody, programs->bodyShadow,
		programs->bodyLid, programs->held, programs->waves, programs->wavesSide, programs->wavesGround,
		programs->voxelGround, programs->voxelLava, programs->voxelWater, programs->voxelShadow, programs->voxelDepth,
		programs->voxelBox, programs->spray, programs->trees, programs->tufts, programs->under, programs->overIn,
		programs->overOut, programs->house, programs->treeShadows};
	for (int i = 0; i < COUNT(list); ++i)
	{
		glDeleteProgram(list[i].id);
	}
}
