// SPDX-License-Identifier: MIT

// Snapshots of water in the air, and of foam.

#pragma once

#include "../core/archive.h"
#include "foam.h"
#include "spray.h"

// What its bytes need that the layer may not have.
typedef struct tnSprayPlan
{
	int jetCount;
} tnSprayPlan;

// False if memory ran out.
bool tnSprayPlan_Prepare(const tnSprayPlan* plan, tnSpray* spray, tnMemory* memory);

// Call it after the bodies are there.
void tnSpray_Archive(tnSpray* spray, tnArchive* archive, const tnBodies* bodies, tnSprayPlan* plan);
void tnFoam_Archive(tnFoam* foam, tnArchive* archive, tnGrid* grid);
