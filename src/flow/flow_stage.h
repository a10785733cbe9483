// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "flow_rows.h"

// One sub-step on its way through the rows of a band. flow.c cuts the world into bands and sends several sub-steps
// through each; flow_stage.c says what one of them does at a row.

// How a method is computed.
tnScheme tnMakeScheme(const tnWorldDef* def);

// Deal out the rows of slots that a stage needs, of `stride` floats each.
void tnStage_Deal(tnStage* stage, const tnScheme* scheme, tnCarver* carver, int stride);

// Set the rows of a stage that is to complete rows [begin, end), which may lie beyond the world.
void tnStage_SetRows(const tnBand* band, tnStage* stage, int begin, int end);
// Positions that a stage visits: [first, last].
int tnStage_GetFirst(const tnStage* stage);
int tnStage_GetLast(const tnStage* stage, const tnScheme* scheme);
// Bring one sub-step to a position.
void tnStage_Visit(const tnBand* band, tnStage* stage, int row);
