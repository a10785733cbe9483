// SPDX-License-Identifier: MIT

import type { World } from "tarn-water";
import type RAPIER from "@dimforge/rapier3d-compat";
import { Coupling } from "./coupling.mjs";

/** Bodies of Rapier in the water of tarn. Forces that others add to these bodies have to be impulses: step() sets the forces anew. */
export class RapierWater extends Coupling<RAPIER.RigidBody> {
	constructor(rapier: typeof RAPIER, world: World);
}
