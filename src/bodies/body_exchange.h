// SPDX-License-Identifier: MIT

// What comes into the hollows of bodies and goes out of them, and the weight of what is in them.

#pragma once

#include "bodies.h"

// Over rims, through leaks, by pumps: between the hollows of a body, and between them and the cells around it. Before bodies are
// aimed. Volumes are exact: what a hollow gets, cells lose.
void tnBodies_Exchange(tnBodies* bodies, tnGrid* grid, tnTiles* tiles, float gravity, float timeStep);

// Add the weight of what bodies hold to their wrenches. After pressure, drag and waves, before spray.
void tnBodies_FeelHeld(tnBodies* bodies, tnParallel* parallel, float gravity);

// Give what a body holds to the cells where it is. It goes.
void tnBody_PourOut(tnBody* body, tnGrid* grid, tnTiles* tiles);

// Give what a body holds to one that will take its place, with leaks and pumps, if it has as many hollows. What does not fit stays.
void tnBody_HandOver(tnBody* body, tnBody* made);

// What all bodies hold, m^3.
double tnBodies_GetHeld(const tnBodies* bodies);

uint64_t tnBodies_HashHeld(const tnBodies* bodies, uint64_t hash);
