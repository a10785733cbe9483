// SPDX-License-Identifier: MIT

import type { Body, BodyDef, Given, World } from "tarn-water";
import type RAPIER from "@dimforge/rapier3d-compat";

/** Bodies of Rapier in the water of tarn. Forces that others add to these bodies have to be impulses: step() sets the forces anew. */
export class RapierWater {
	constructor(rapier: typeof RAPIER, world: World);
	readonly world: World;
	/** Put a body of Rapier into the water. Fields of `def` go before what its colliders say. */
	add(rigidBody: RAPIER.RigidBody, def?: Given<BodyDef>): Body;
	/** Take it out again. */
	remove(rigidBody: RAPIER.RigidBody): void;
	/** Move bodies in the water to where Rapier has them, step the water, and let it push them in the next step of Rapier. */
	step(timeStep: number): void;
}
