// SPDX-License-Identifier: MIT

#include "net_truth.h"

#include <math.h>
#include <stdlib.h>

bool NetTruth_Create(NetTruth* truth, NetExtent extent)
{
	*truth = (NetTruth){.columns = extent.x / NET_PLACE_STEP, .rows = extent.z / NET_PLACE_STEP};
	bool good = true;
	for (int i = 0; i < NET_TRUTHS_KEPT * tn_streamFieldCount; ++i)
	{
		float* field = calloc((size_t)truth->columns * (size_t)truth->rows, sizeof(float));
		truth->truths[i / tn_streamFieldCount].fields[i % tn_streamFieldCount] = field;
		good = good && field;
	}
	return good;
}

void NetTruth_Destroy(NetTruth* truth)
{
	for (int i = 0; i < NET_TRUTHS_KEPT * tn_streamFieldCount; ++i)
	{
		free(truth->truths[i / tn_streamFieldCount].fields[i % tn_streamFieldCount]);
	}
	*truth = (NetTruth){0};
}

static void CopyField(float* field, tnFieldView from)
{
	for (int i = 0; from.data && i < from.columnCount * from.rowCount; ++i)
	{
		field[i] = from.data[i / from.columnCount * from.stride + i % from.columnCount];
	}
}

void NetTruth_Keep(NetTruth* truth, const NetGame* game)
{
	const int slot = (int)(game->tick % NET_TRUTHS_KEPT);
	float** fields = truth->truths[slot].fields;
	truth->truths[slot].tick = game->tick;
	tnWorld_CopySurface(game->world, 1.0f, fields[tn_streamSurface]);
	tnWorld_CopyVelocities(game->world, fields[tn_streamVelocityX], fields[tn_streamVelocityZ]);
	CopyField(fields[tn_streamDepth], tnWorld_GetDepth(game->world));
	CopyField(fields[tn_streamBed], tnWorld_GetBed(game->world));
	CopyField(fields[tn_streamFoam], tnWorld_GetFoam(game->world));
	for (int i = 0; i < truth->columns * truth->rows; ++i)
	{
		// Amounts cover a share.
		fields[tn_streamFoam][i] /= 1.0f + fields[tn_streamFoam][i];
	}
}

static void Raise(float* most, float error)
{
	*most = error > *most ? error : *most;
}

void NetTruth_Compare(NetTruth* truth, const NetShow* show)
{
	const int slot = (int)(show->tick % NET_TRUTHS_KEPT);
	if (truth->truths[slot].tick != show->tick || !show->whole)
	{
		return;
	}
	float* const* fields = truth->truths[slot].fields;
	const tnStreamViewInfo info = tnStreamView_GetInfo(show->view);
	const tnFieldView shownDepth = tnStreamView_GetField(show->view, tn_streamDepth);
	float errors[tn_streamFieldCount];
	for (int cell = 0; cell < truth->columns * truth->rows; ++cell)
	{
		const int column = cell % truth->columns, row = cell / truth->columns;
		const float x = (float)(column * NET_PLACE_STEP + NET_PLACE_STEP / 2 - show->interest.x);
		const float z = (float)(row * NET_PLACE_STEP + NET_PLACE_STEP / 2 - show->interest.z);
		const float radius = (float)show->interest.radius;
		if (show->interest.radius > 0 && x * x + z * z > radius * radius)
		{
			continue;
		}
		for (int i = 0; i < tn_streamFieldCount; ++i)
		{
			const tnFieldView shown = tnStreamView_GetField(show->view, (tnStreamField)i);
			errors[i] = fabsf(shown.data[row * shown.stride + column] - fields[i][cell]);
		}
		Raise(&truth->ground, errors[tn_streamBed] / info.heightError);
		if (shownDepth.data[row * shownDepth.stride + column] > 0.0f)
		{
			Raise(&truth->surface, errors[tn_streamSurface] / info.heightError);
			Raise(&truth->velocity, errors[tn_streamVelocityX] / info.velocityError);
			Raise(&truth->velocity, errors[tn_streamVelocityZ] / info.velocityError);
			Raise(&truth->foam, errors[tn_streamFoam] / info.foamError);
		}
		else
		{
			// Hidden by what is allowed, and by the errors of ground and surface. Bodies press water down to the ground.
			const float stands = fields[tn_streamSurface][cell] - fields[tn_streamBed][cell];
			const float hidden = fminf(stands, fields[tn_streamDepth][cell]);
			Raise(&truth->dry, hidden / (info.dryDepth + 2.0f * info.heightError));
		}
	}
	++truth->frameCount;
}
