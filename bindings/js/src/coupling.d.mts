// SPDX-License-Identifier: MIT

import type { Body, BodyDef, Given, World } from "tarn-water";

/** What the glue to all physics engines has in common. */
export class Coupling<RigidBody> {
	protected constructor();
	readonly world: World;
	/** Put a body of the engine into the water. Fields of `def` go before what the engine says of it. */
	add(rigidBody: RigidBody, def?: Given<BodyDef>): Body;
	/** What is in the water for a body, or null. */
	get(rigidBody: RigidBody): Body | null;
	/** Take it out again: before the engine destroys it. */
	remove(rigidBody: RigidBody): void;
	/**
	 * Move bodies in the water to where the engine has them, step the water, and let it push them in the next step of the engine. A body
	 * whose pose or velocity the water refuses stays where the water had it and gets no force; the first refusal is thrown when all
	 * else is done. A body in the water does not fall asleep while it or the water around it is faster than 0.02 m/s. Once asleep it
	 * sleeps on until the water is, or until force or torque have changed by 2 % of its weight (times its size) since it fell asleep.
	 */
	step(timeStep: number): void;
}
