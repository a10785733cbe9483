// SPDX-License-Identifier: MIT
//
// What the glue to all physics engines has in common: bodies of an engine in the water of tarn. The engine owns their motion; the water
// pushes them and gives way to them. Everything happens in the order in which bodies were added.

// As in the glue for ODE and Bullet: how much the force on a sleeping body may change, as a share of its weight, before it wakes, and the
// speed, of a body or of the water around it, m/s, with which nothing sleeps.
const wakeShare = 0.02;
const stillSpeed = 0.02;

const zero = { x: 0, y: 0, z: 0 };
const getDistance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/** The product of two quaternions [x, y, z, w]: first b, then a. */
export function multiply([ax, ay, az, aw], [bx, by, bz, bw])
{
	return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz];
}

/** A vector [x, y, z] turned by a quaternion. */
export function turn(q, [x, y, z])
{
	const [a, b, c] = multiply(multiply(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]]);
	return [a, b, c];
}

/**
 * Of an engine: getKey, getShapes, getMass (Infinity for what the water does not move), getPose and getVelocities of the centre of mass,
 * isAsleep, wake, which also restarts the time after which the engine lets it sleep, and push(body, force, torque), which acts in the next
 * step of the engine only.
 */
export class Coupling
{
	#engine;
	#pairs = new Map();

	constructor(world, engine)
	{
		this.world = world;
		this.#engine = engine;
	}

	add(rigidBody, def = {})
	{
		const engine = this.#engine, key = engine.getKey(rigidBody);
		if (this.#pairs.has(key))
		{
			throw new Error("this body is in the water already");
		}
		const mass = engine.getMass(rigidBody);
		const body = this.world.addBody({ mass, ...def, shapes: def.shapes ?? engine.getShapes(rigidBody), pose: engine.getPose(rigidBody) });
		// Torques are measured with the size of the body as their arm.
		const size = Math.cbrt(body.getState().volume);
		this.#pairs.set(key, { rigidBody, body, mass, size, sleptSteps: 0, rest: null });
		return body;
	}

	get(rigidBody)
	{
		return this.#pairs.get(this.#engine.getKey(rigidBody))?.body ?? null;
	}

	remove(rigidBody)
	{
		const key = this.#engine.getKey(rigidBody), pair = this.#pairs.get(key);
		this.#pairs.delete(key);
		pair?.body.destroy();
	}

	step(timeStep)
	{
		const engine = this.#engine;
		let problem = null;
		const refused = new Set();
		for (const pair of this.#pairs.values())
		{
			// What the water refuses stays where the water had it and gets no force; the rest is done.
			try
			{
				const { position, rotation } = engine.getPose(pair.rigidBody);
				const { velocity, spin } = engine.getVelocities(pair.rigidBody);
				pair.body.move(position, rotation, velocity, spin);
			}
			catch (error)
			{
				problem ??= error;
				refused.add(pair);
			}
		}
		this.world.step(timeStep);
		for (const pair of this.#pairs.values())
		{
			if (pair.mass < Infinity && !refused.has(pair))
			{
				this.#push(pair);
			}
		}
		if (problem)
		{
			throw problem;
		}
	}

	#push(pair)
	{
		const engine = this.#engine, { rigidBody, body, mass, size } = pair;
		const wrench = body.getWrench(), { submergedVolume, current, velocity } = body.getState();
		let moves = submergedVolume > 0 && Math.max(Math.hypot(current.x, current.z), getDistance(velocity, zero)) > stillSpeed;
		if (engine.isAsleep(rigidBody))
		{
			// That the engine has stopped it still shows in the first force after that.
			pair.rest = ++pair.sleptSteps <= 2 ? wrench : pair.rest;
			const most = wakeShare * mass * this.world.getDef().gravity;
			moves ||= getDistance(wrench.force, pair.rest.force) > most || getDistance(wrench.torque, pair.rest.torque) > most * size;
		}
		if (moves)
		{
			engine.wake(rigidBody);
		}
		// A calm lake wakes nobody up.
		if (!engine.isAsleep(rigidBody))
		{
			pair.sleptSteps = 0;
			engine.push(rigidBody, wrench.force, wrench.torque);
		}
	}
}
