// SPDX-License-Identifier: MIT

import type { World } from "tarn-water";
import type Jolt from "jolt-physics";
import { Coupling } from "./coupling.mjs";

/** Bodies of Jolt in the water of tarn. */
export class JoltWater extends Coupling<Jolt.Body> {
	constructor(jolt: typeof Jolt, bodyInterface: Jolt.BodyInterface, world: World);
	/** Give back what this has in the memory of Jolt. Bodies and worlds stay. */
	destroy(): void;
}
