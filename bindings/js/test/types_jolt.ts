// SPDX-License-Identifier: MIT
//
// Only compiled. By itself, for the types of jolt-physics leave extensions out, which only bundlers allow.

import initJolt from "jolt-physics";
import { World } from "tarn-water";
import { JoltWater } from "tarn-water/jolt";

const Jolt = await initJolt();
const jolt = new Jolt.JoltInterface(new Jolt.JoltSettings());
const floating = new JoltWater(Jolt, jolt.GetPhysicsSystem().GetBodyInterface(), new World());
declare const log: InstanceType<typeof Jolt.Body>;
const push: number = floating.add(log, { mode: "floating" }).getWrench().force.y + (floating.get(log)?.getState().volume ?? 0);
// @ts-expect-error: this is no body of Jolt
floating.remove(7);
floating.step(1 / 60);
floating.destroy();
console.log(push);
