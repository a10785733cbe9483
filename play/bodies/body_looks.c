// SPDX-License-Identifier: MIT

// Colours and materials of bodies for the renderer, by what the scene says and by how dense they are.

#include "bodies/body_looks.h"

#include <math.h>

// Denser than crates full of iron, kg/m^3.
#define DENSITY_OF_STONE 2200.0f

// What is brightly coloured is made of something else.
static bool tnpIsGrey(tnVec3 color)
{
	const float most = fmaxf(color.x, fmaxf(color.y, color.z)), least = fminf(color.x, fminf(color.y, color.z));
	return least > 0.5f * most;
}

static tnrMaterial tnpGetMaterial(const tnsRun* run, const tnsBody* body)
{
	tnBodyState state;
	const tnWorld* world = tnsRun_GetWorld(run);
	const bool known = world != NULL && tnWorld_GetBodyState(world, body->id, &state).status == tn_ok;
	const bool dense = known && (isinf(body->mass) || body->mass > DENSITY_OF_STONE * state.volume);
	return dense && tnpIsGrey(body->color) ? tnr_stoneMaterial : tnr_autoMaterial;
}

void tnpShowBodies(tnrRenderer* renderer, const tnsRun* run, int pointed)
{
	for (int i = 0; i < tnsRun_GetBodyEnd(run); ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(run, i, &body))
		{
			const tnrBodyLook look = {
				.color = body.color,
				.material = tnpGetMaterial(run, &body),
				.glow = body.grabbed ? 1.0f
					: i == pointed   ? 0.6f
									 : 0.0f,
			};
			tnrRenderer_SetBodyLook(renderer, body.id, &look);
		}
	}
}
