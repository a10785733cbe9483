// SPDX-License-Identifier: MIT

import * as THREE from "three";
import type { Surface, World } from "tarn-water";

export interface WaterOptions {
	shallowColor?: THREE.ColorRepresentation;
	deepColor?: THREE.ColorRepresentation;
	skyColor?: THREE.ColorRepresentation;
	horizonColor?: THREE.ColorRepresentation;
	sunColor?: THREE.ColorRepresentation;
	sunDirection?: readonly [number, number, number];
	/** Depth, in meters, that hides about two thirds of the ground. */
	clearness?: number;
}

/** The water of a world, in the space of the world: meters, y up. */
export class WaterMesh extends THREE.Group {
	constructor(world: World, options?: WaterOptions);
	readonly world: World;
	readonly surface: Surface;
	readonly material: THREE.ShaderMaterial;
	/** Show the world as it is, or between its last two states: alpha in [0, 1]. Returns how many tiles were uploaded. */
	update(alpha?: number): number;
	dispose(): void;
}

/** The ground of a world, with its vertices where the water has them. */
export class TerrainMesh extends THREE.Mesh {
	constructor(world: World, material?: THREE.Material);
	readonly world: World;
	/** After the ground was edited. */
	update(): void;
}
