// SPDX-License-Identifier: MIT
//
// tarn for JavaScript: real-time, interactive water, in browsers and in node, without a bundler.
//
//   import { init, World } from "tarn-water";
//   await init();
//   const world = new World({ columnCount: 64, rowCount: 32, method: "shallow" });
//   world.addWater([8, 8], 2, 10);
//   world.step(1 / 60);
//   console.log(world.sample([8, 8]).depth, world.depth.at(8, 8));
//
// Classes and functions are made of the tables of api.mjs, which say of every parameter what it is for. index.d.ts has them all.

import { constants, defaults, enums, functions, handles, structs } from "./api.mjs";

export { constants };

let wasm = null; // exports of the library
let views = null; // of its memory, made anew when that has grown
let arena = 0; // room for what calls take, and how much of it is in use
let used = 0;
const arenaSize = 1 << 17;
const records = new Map(); // who gets the bytes of recordings
const decoder = new TextDecoder();
const hasDefault = new Set(defaults);
const names = {}; // of enumerators, by enum and value
for (const [kind, values] of Object.entries(enums))
{
	names[kind] = Object.fromEntries(Object.entries(values).map(([name, value]) => [value, name]));
}

export class TarnError extends Error
{
	constructor(text, status = "invalidArgument")
	{
		super(text);
		this.name = "TarnError";
		this.status = status;
	}
}

// A module of one function that uses a vector: (v128.const 0, drop).
const simdProbe = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 26, 11]);

async function loadModule(source)
{
	if (source instanceof WebAssembly.Module)
	{
		return source;
	}
	if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
	{
		return WebAssembly.compile(source);
	}
	const url = new URL(source, import.meta.url);
	if (url.protocol === "file:")
	{
		const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
		return WebAssembly.compile(await readFile(url));
	}
	const answer = await fetch(url);
	if (!answer.ok)
	{
		throw new Error(`${url}: ${answer.status}`);
	}
	return WebAssembly.compile(await answer.arrayBuffer());
}

// Bytes of a recording for whoever wants them. What goes wrong there must not end the call of the library in the middle: it is thrown when
// that is over.
let recordProblem = null;
let isGiving = false;
function giveRecord(bytes, size, number)
{
	isGiving = true;
	try
	{
		records.get(number)?.(u8(bytes, size).slice());
	}
	catch (problem)
	{
		recordProblem ??= { problem };
	}
	finally
	{
		isGiving = false;
	}
}

let loading = null;

export function init(options = {})
{
	loading ??= start(options).catch((problem) =>
	{
		loading = null;
		throw problem;
	});
	return loading;
}

async function start({ wasm: source, simd = WebAssembly.validate(simdProbe) })
{
	// Both are written out so that bundlers find them.
	source ??= simd ? new URL("./simd.wasm", import.meta.url) : new URL("./plain.wasm", import.meta.url);
	const module = await loadModule(source);
	const imports = { tarn: { record: giveRecord } };
	// Whatever else the C library asks for (to end the program, to tell that memory has grown) is nothing here.
	for (const { module: from, name } of WebAssembly.Module.imports(module))
	{
		imports[from] ??= {};
		imports[from][name] ??= () => 0;
	}
	const instance = await WebAssembly.instantiate(module, imports);
	wasm = instance.exports;
	wasm._initialize?.();
	arena = wasm.malloc(arenaSize);
}

function memory()
{
	if (!wasm)
	{
		throw new TarnError("tarn is not loaded: await init() first", "notAvailable");
	}
	if (views?.buffer !== wasm.memory.buffer)
	{
		views = new DataView(wasm.memory.buffer);
	}
	return views;
}

const u8 = (pointer, count) => new Uint8Array(wasm.memory.buffer, pointer, count);
const f32 = (pointer, count) => new Float32Array(wasm.memory.buffer, pointer, count);

// ---------------------------------------------------------------------------------------------------------------------
// Values

const scalars = {
	"float": [4, "Float32"], "double": [8, "Float64"], "int": [4, "Int32"], "int32_t": [4, "Int32"], "uint32_t": [4, "Uint32"],
	"uint8_t": [1, "Uint8"], "char": [1, "Uint8"], "bool": [1, "Uint8"], "uint16_t": [2, "Uint16"], "size_t": [4, "Uint32"],
	"int64_t": [8, "BigInt64"], "uint64_t": [8, "BigUint64"],
};
const arrays = { "float": Float32Array, "int32_t": Int32Array, "int": Int32Array, "uint32_t": Uint32Array, "uint8_t": Uint8Array,
	"uint16_t": Uint16Array };

function sizeOf(kind)
{
	return structs[kind]?.[0] ?? scalars[kind]?.[0] ?? 4;
}

// How many numbers of one kind a struct consists of: vectors are arrays of numbers.
const rowKinds = {};
function getRow(kind)
{
	if (!(kind in rowKinds))
	{
		const fields = structs[kind]?.[1] ?? [];
		const plain = fields.length > 1 && fields.every(([, type, , count]) => type === fields[0][1] && count === 0 && arrays[type]);
		rowKinds[kind] = arrays[kind] ? { array: arrays[kind], length: 1 } :
			plain ? { array: arrays[fields[0][1]], length: fields.length } : null;
	}
	return rowKinds[kind];
}

function read(owner, kind, pointer)
{
	if (structs[kind])
	{
		return readStruct(owner, kind, pointer);
	}
	if (enums[kind])
	{
		const value = memory().getInt32(pointer, true);
		return names[kind][value] ?? value;
	}
	const value = memory()["get" + scalars[kind][1]](pointer, true);
	return kind === "bool" ? value !== 0 : kind === "int64_t" ? Number(value) : value;
}

// The field that counts another one: points by pointCount, items and events by count.
function findCount(fields, name)
{
	const wanted = [name.replace(/s$/, "") + "Count", "count"];
	return fields.find(([other]) => wanted.includes(other));
}

function readStruct(owner, kind, pointer)
{
	if (kind === "tnFieldView")
	{
		return Field.make(pointer);
	}
	const fields = structs[kind][1];
	if (fields.length === 2 && fields[1][0] === "count" && fields[0][3] === -1)
	{
		return new StructList(owner, fields[0][1], memory().getUint32(pointer, true), memory().getInt32(pointer + fields[1][2], true));
	}
	const result = {};
	for (const [name, type, offset, count] of fields)
	{
		const place = pointer + offset;
		if (name === "stamp" || type === "function" || type === "tnAllocator" || type === "tnTaskSystem" || type === "tnErrorHook" ||
			type === "void")
		{
			continue;
		}
		if (type === "char")
		{
			const bytes = u8(place, count);
			result[name] = decoder.decode(bytes.slice(0, bytes.indexOf(0)));
		}
		else if (count > 0)
		{
			result[name] = Array.from({ length: count }, (_, i) => read(owner, type, place + i * sizeOf(type)));
		}
		else if (count < 0)
		{
			result[name] = readPointer(owner, fields, pointer, name, type, memory().getUint32(place, true));
		}
		else
		{
			result[name] = read(owner, type, place);
		}
	}
	return result;
}

function readPointer(owner, fields, struct, name, type, pointer)
{
	const counter = findCount(fields, name);
	const row = getRow(type);
	if (!pointer)
	{
		return null;
	}
	if (counter)
	{
		const count = memory().getInt32(struct + counter[2], true);
		return row ? new row.array(wasm.memory.buffer, pointer, count * (name === "triangles" ? 3 : row.length)) :
			new StructList(owner, type, pointer, count);
	}
	const stride = fields.find(([other]) => other === "stride");
	const size = fields.find(([other]) => other === "size");
	if (type === "float" && stride && size)
	{
		// Square tiles: all of their rows but what follows the last one.
		const rows = memory().getInt32(struct + size[2], true);
		return f32(pointer, (rows - 1) * memory().getInt32(struct + stride[2], true) + rows);
	}
	return null;
}

class Field
{
	static make(pointer)
	{
		const data = memory().getUint32(pointer, true);
		if (!data)
		{
			return null;
		}
		const field = new Field();
		field.columns = memory().getInt32(pointer + 4, true);
		field.rows = memory().getInt32(pointer + 8, true);
		field.stride = memory().getInt32(pointer + 12, true);
		field.data = f32(data, (field.rows - 1) * field.stride + field.columns);
		return field;
	}

	at(column, row)
	{
		return this.data[row * this.stride + column];
	}

	slice()
	{
		const copy = new Float32Array(this.columns * this.rows);
		for (let row = 0; row < this.rows; ++row)
		{
			copy.set(this.data.subarray(row * this.stride, row * this.stride + this.columns), row * this.columns);
		}
		return copy;
	}
}

class StructList
{
	constructor(owner, kind, pointer, count)
	{
		this.kind = kind;
		this.owner = owner;
		this.stride = sizeOf(kind);
		this.length = pointer ? count : 0;
		this.bytes = u8(pointer, this.length * this.stride);
	}

	get(index)
	{
		if (!(index >= 0 && index < this.length))
		{
			throw new RangeError(`there are ${this.length}, asked for ${index}`);
		}
		if (this.bytes.buffer !== wasm.memory.buffer)
		{
			throw new TarnError("this list is stale: ask for it again", "staleId");
		}
		return read(this.owner, this.kind, this.bytes.byteOffset + index * this.stride);
	}

	toArray()
	{
		return Array.from({ length: this.length }, (_, i) => this.get(i));
	}

	*[Symbol.iterator]()
	{
		for (let i = 0; i < this.length; ++i)
		{
			yield this.get(i);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Room for what goes in. It is given back when the call is over.

function take(size, large)
{
	const rounded = (size + 15) & ~15;
	if (used + rounded <= arenaSize)
	{
		used += rounded;
		return arena + used - rounded;
	}
	const pointer = wasm.malloc(Math.max(size, 1));
	if (!pointer)
	{
		throw new TarnError(`no memory for ${size} bytes`, "outOfMemory");
	}
	large.push(pointer);
	return pointer;
}

function scoped(body)
{
	memory();
	if (isGiving)
	{
		throw new TarnError("who is given the bytes of a recording must not call the library", "notAvailable");
	}
	const mark = used, large = [];
	let result;
	try
	{
		result = body(large);
	}
	finally
	{
		used = mark;
		large.forEach((pointer) => wasm.free(pointer));
	}
	if (recordProblem && mark === 0)
	{
		const { problem } = recordProblem;
		recordProblem = null;
		throw problem;
	}
	return result;
}

function toEnum(kind, value)
{
	if (typeof value === "string")
	{
		if (!Object.hasOwn(enums[kind], value))
		{
			throw new TarnError(`${kind.slice(2)} must be one of ${Object.keys(enums[kind]).join(", ")}, got "${value}"`);
		}
		return enums[kind][value];
	}
	return toNumber("int", value, kind.slice(2));
}

// What goes into a number of C as it is, and nothing that it would silently become.
const wholes = { "int": [-(2 ** 31), 2 ** 31 - 1], "int32_t": [-(2 ** 31), 2 ** 31 - 1], "uint32_t": [0, 2 ** 32 - 1], "size_t": [0, 2 ** 32 - 1],
	"uint16_t": [0, 65535], "uint8_t": [0, 255], "char": [0, 255] };

function show(value)
{
	return typeof value === "string" ? `"${value}"` : typeof value === "symbol" || Object.prototype.toString.call(value) === "[object Object]" ?
		typeof value : String(value);
}

function toNumber(kind, value, name)
{
	if (kind === "bool")
	{
		if (typeof value !== "boolean" && value !== 0 && value !== 1)
		{
			throw new TarnError(`${name} must be true or false, got ${show(value)}`);
		}
		return Number(value);
	}
	const [least, most] = wholes[kind] ?? [];
	if (most === undefined ? typeof value !== "number" : !(Number.isInteger(value) && value >= least && value <= most))
	{
		throw new TarnError(`${name} must be a ${most === undefined ? "number" : `whole number in [${least}, ${most}]`}, got ${show(value)}`);
	}
	return value;
}

function toBig(kind, value, name)
{
	// As text they come out of JSON.
	const isWhole = typeof value === "bigint" || Number.isSafeInteger(value) || typeof value === "string" && /^-?\d+$/.test(value);
	const big = isWhole ? BigInt(value) : 0n;
	if (!isWhole || (kind === "uint64_t" ? BigInt.asUintN(64, big) : BigInt.asIntN(64, big)) !== big)
	{
		throw new TarnError(`${name} must be a whole number of 64 bits, got ${show(value)}`);
	}
	return big;
}

function write(kind, pointer, value, large, name = kind)
{
	if (structs[kind])
	{
		writeStruct(kind, pointer, value, large);
	}
	else if (enums[kind])
	{
		memory().setInt32(pointer, toEnum(kind, value), true);
	}
	else
	{
		const how = scalars[kind][1];
		memory()["set" + how](pointer, how.startsWith("Big") ? toBig(kind, value, name) : toNumber(kind, value, name), true);
	}
}

function writeStruct(kind, pointer, value, large)
{
	const fields = structs[kind][1];
	if (value === null || typeof value !== "object")
	{
		throw new TarnError(`${kind.slice(2)} must be an object or an array, got ${show(value)}`);
	}
	if (Array.isArray(value) || ArrayBuffer.isView(value))
	{
		if (value.length !== fields.length)
		{
			throw new TarnError(`${kind.slice(2)} has ${fields.length} parts (${fields.map(([n]) => n).join(", ")}), got ${value.length}`);
		}
		value = Object.fromEntries(fields.map(([name], i) => [name, value[i]]));
	}
	for (const [name, part] of Object.entries(value))
	{
		const field = fields.find(([other]) => other === name);
		if (!field)
		{
			throw new TarnError(`${kind.slice(2)} has no field ${name}: it has ${fields.map(([n]) => n).filter((n) => n !== "stamp").join(", ")}`);
		}
		if (part === undefined)
		{
			continue;
		}
		const [, type, offset, count] = field;
		if (count < 0)
		{
			const counter = findCount(fields, name);
			const [array, length] = part === null ? [0, 0] : putArray(type, part, large, name);
			memory().setUint32(pointer + offset, array, true);
			memory().setInt32(pointer + counter[2], name === "triangles" ? length / 3 : length, true);
		}
		else if (count > 0)
		{
			for (const [key, item] of Object.entries(part))
			{
				const index = enums.tnSide[key] ?? Number(key);
				if (!(index >= 0 && index < count))
				{
					throw new TarnError(`${kind.slice(2)}.${name} has ${count} places, got ${key}`);
				}
				write(type, pointer + offset + index * sizeOf(type), item, large, `${name}.${key}`);
			}
		}
		else
		{
			write(type, pointer + offset, part, large, name);
		}
	}
}

// A list of numbers, vectors or structs: [pointer, how many].
function putArray(kind, value, large, name = "a list")
{
	const row = getRow(kind);
	if (!Array.isArray(value) && (!ArrayBuffer.isView(value) || value instanceof DataView))
	{
		throw new TarnError(`${name} must be an array, got ${show(value)}`);
	}
	if (row && (ArrayBuffer.isView(value) || typeof value[0] === "number"))
	{
		if (value.length % row.length)
		{
			throw new TarnError(`an array of ${kind.slice(2)} has ${row.length} numbers for each, got ${value.length}`);
		}
		if (row.array !== Float32Array && !(value instanceof row.array))
		{
			// Arrays of whole numbers would take the rest of a division, and nothing for what is no number.
			const whole = { Int32Array: "int32_t", Uint32Array: "uint32_t", Uint16Array: "uint16_t", Uint8Array: "uint8_t" }[row.array.name];
			value.forEach((item, i) => toNumber(whole, item, `${name}[${i}]`));
		}
		const pointer = take(value.length * row.array.BYTES_PER_ELEMENT, large);
		new row.array(wasm.memory.buffer, pointer, value.length).set(value);
		return [pointer, value.length / row.length];
	}
	const size = sizeOf(kind);
	const pointer = take(value.length * size, large);
	u8(pointer, value.length * size).fill(0);
	for (let i = 0; i < value.length; ++i)
	{
		putDefault(kind, pointer + i * size);
		write(kind, pointer + i * size, value[i], large);
	}
	return [pointer, value.length];
}

function putDefault(kind, pointer)
{
	if (hasDefault.has(kind.slice(2)))
	{
		wasm["tnDefault" + kind.slice(2)](pointer);
	}
	else
	{
		u8(pointer, sizeOf(kind)).fill(0);
	}
}

function putStruct(kind, value, large)
{
	const pointer = take(sizeOf(kind), large);
	putDefault(kind, pointer);
	writeStruct(kind, pointer, value, large);
	return pointer;
}

function check(pointer)
{
	const status = memory().getInt32(pointer, true);
	if (status !== 0)
	{
		const bytes = u8(pointer + 4, 156);
		throw new TarnError(decoder.decode(bytes.slice(0, bytes.indexOf(0))), names.tnStatus[status]);
	}
}

// Call what returns a result.
function call(name, ...parameters)
{
	scoped((large) =>
	{
		const result = take(sizeOf("tnResult"), large);
		wasm[name](result, ...parameters);
		check(result);
	});
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects

// What is alive: {pointer, kind, children}. What lives on it is destroyed before it.
function release(record)
{
	if (record.pointer)
	{
		record.children.forEach(release);
		const pointer = record.pointer;
		record.pointer = 0;
		record.parent?.children.delete(record);
		if (!record.borrowed)
		{
			wasm["tnDestroy" + record.kind](pointer);
		}
		if (record.bytes)
		{
			wasm.free(record.bytes);
		}
		records.delete(record.number);
	}
}

const forgotten = new FinalizationRegistry(release);

class Handle
{
	#record;
	#parent;

	// `parent` is kept alive by this.
	static own(object, kind, pointer, parent, extra)
	{
		object.#record = { pointer, kind, children: new Set(), parent: parent ? parent.#record : null, ...extra };
		object.#parent = parent;
		parent?.#record.children.add(object.#record);
		forgotten.register(object, object.#record);
		return object;
	}

	static pointer(object, kind)
	{
		if (!(object instanceof Handle) || kind && object.#record && object.#record.kind !== kind)
		{
			throw new TarnError(`a ${kind ?? "world or the like"} is wanted, got ${object instanceof Handle ? `a ${object.#record.kind}` : show(object)}`);
		}
		if (!object.#record?.pointer)
		{
			throw new TarnError(`this ${object.constructor.name} is destroyed`, "destroyed");
		}
		return object.#record.pointer;
	}

	static record(object)
	{
		return object.#record;
	}

	destroy()
	{
		release(this.#record);
	}

	get isDestroyed()
	{
		return !this.#record.pointer;
	}
}

function create(object, kind, def, ...parents)
{
	scoped((large) =>
	{
		const made = take(4, large);
		const worlds = parents.map((parent) => Handle.pointer(parent, "World"));
		const defs = def === undefined ? [0] : [putStruct(`tn${kind}Def`, def, large)];
		call("tnCreate" + kind, ...worlds, ...defs, made);
		Handle.own(object, kind, memory().getUint32(made, true), parents[0]);
	});
}

function createFrom(type, kind, bytes, def)
{
	return scoped((large) =>
	{
		const made = take(4, large);
		const [pointer, size] = putArray("uint8_t", bytes, large);
		call(`tnCreate${kind}From`, pointer, size, def ? putStruct(`tn${kind}Def`, def, large) : 0, made);
		return adopt(type, kind, memory().getUint32(made, true));
	});
}

const adopting = Symbol();

function adopt(type, kind, pointer, parent, extra)
{
	return Handle.own(new type(adopting), kind, pointer, parent, extra);
}

export class World extends Handle
{
	constructor(def = {})
	{
		super();
		if (def !== adopting)
		{
			create(this, "World", def);
		}
	}

	static from(bytes)
	{
		return createFrom(World, "World", bytes);
	}

	get depth()
	{
		return this.getDepth();
	}

	get bed()
	{
		return this.getBed();
	}

	get time()
	{
		return this.getTime();
	}

	addBody(def)
	{
		return new Body(this, this.createBody(def));
	}

	startRecording(write)
	{
		const record = Handle.record(this);
		records.delete(record.number);
		record.number = ++recordCount;
		records.set(record.number, write);
		call("tnjsStartRecording", Handle.pointer(this), record.number);
	}
}
let recordCount = 0;

export class VoxelWorld extends Handle
{
	constructor(def = {})
	{
		super();
		if (def !== adopting)
		{
			create(this, "VoxelWorld", def);
		}
	}

	static from(bytes, def = {})
	{
		return createFrom(VoxelWorld, "VoxelWorld", bytes, def);
	}

	addBody(def)
	{
		return new Body(this, this.createBody(def));
	}

	takeChanged()
	{
		return scoped((large) =>
		{
			const found = [], room = 1024, places = take(room * 12, large);
			for (;;)
			{
				const count = wasm.tnVoxelWorld_TakeChanged(Handle.pointer(this), places, room);
				found.push(...new Int32Array(wasm.memory.buffer, places, 3 * Math.min(count, room)));
				if (count <= room)
				{
					return Int32Array.from(found);
				}
			}
		});
	}
}

export class Body
{
	constructor(world, id)
	{
		this.world = world;
		this.id = id;
	}

	move(position, rotation, velocity = [0, 0, 0], spin = [0, 0, 0])
	{
		this.world.moveBody(this.id, { position, rotation }, velocity, spin);
	}

	getWrench()
	{
		return this.world.getBodyWrench(this.id);
	}

	getState()
	{
		return this.world.getBodyState(this.id);
	}

	destroy()
	{
		this.world.destroyBody(this.id);
	}
}

// Arrays for a mesh, by a call that tells first how much room it takes.
function buildMesh(kind, name, parameters, hasLiquids)
{
	return scoped((large) =>
	{
		const fields = Object.fromEntries(structs[kind][1].map(([field, , offset]) => [field, offset]));
		const mesh = take(sizeOf(kind), large);
		const result = take(sizeOf("tnResult"), large);
		u8(mesh, sizeOf(kind)).fill(0);
		wasm[name](result, ...parameters, mesh);
		if (memory().getInt32(result, true) !== enums.tnStatus.outOfMemory)
		{
			check(result);
		}
		const vertices = memory().getInt32(mesh + fields.vertexCount, true);
		const indices = memory().getInt32(mesh + fields.indexCount, true);
		const places = [12 * vertices, 12 * vertices, 4 * indices, vertices].map((size) => take(size, large));
		["positions", "normals", "indices"].forEach((field, i) => memory().setUint32(mesh + fields[field], places[i], true));
		if (hasLiquids)
		{
			memory().setUint32(mesh + fields.liquids, places[3], true);
		}
		memory().setInt32(mesh + fields.vertexCapacity, vertices, true);
		memory().setInt32(mesh + fields.indexCapacity, indices, true);
		if (vertices)
		{
			wasm[name](result, ...parameters, mesh);
			check(result);
		}
		return {
			positions: f32(places[0], 3 * vertices).slice(),
			normals: f32(places[1], 3 * vertices).slice(),
			indices: new Uint32Array(wasm.memory.buffer, places[2], indices).slice(),
			...(hasLiquids && { liquids: u8(places[3], vertices).slice() }),
		};
	});
}

export class Surface extends Handle
{
	#layers;

	constructor(world, def = {})
	{
		super();
		create(this, "Surface", def, world);
		// Which layers there are: those of the def, with what it leaves out.
		scoped((large) =>
		{
			const whole = readStruct(this, "tnSurfaceDef", putStruct("tnSurfaceDef", def, large));
			this.#layers = whole.layers.slice(0, whole.layerCount);
		});
	}

	getTile(index)
	{
		return scoped((large) =>
		{
			const pointer = take(sizeOf("tnSurfaceTile"), large);
			call("tnSurface_GetTile", Handle.pointer(this), index, pointer);
			const tile = readStruct(this, "tnSurfaceTile", pointer);
			const texels = structs.tnSurfaceTile[1].find(([name]) => name === "texels")[2];
			tile.texels = this.#layers.map((layer, i) =>
				new (layer.format === "floats" ? Float32Array : Uint16Array)(wasm.memory.buffer,
					memory().getUint32(pointer + texels + 4 * i, true), tile.size * tile.size * layer.channelCount));
			return tile;
		});
	}

	buildMesh(tile)
	{
		return buildMesh("tnSurfaceMesh", "tnSurface_BuildMesh", [Handle.pointer(this), tile], false);
	}
}

export class Rollback extends Handle
{
	constructor(world, def = {})
	{
		super();
		create(this, "Rollback", def, world);
	}
}

export class Stream extends Handle
{
	constructor(world, def = {})
	{
		super();
		create(this, "Stream", def, world);
	}
}

export class StreamView extends Handle
{
	constructor(def = {})
	{
		super();
		create(this, "StreamView", def);
	}
}

export class VoxelMesher extends Handle
{
	constructor()
	{
		super();
		create(this, "VoxelMesher", undefined);
	}

	build(world, chunk, def = {})
	{
		return scoped((large) => buildMesh("tnVoxelMesh", "tnVoxelMesher_Build", [Handle.pointer(this), Handle.pointer(world, "VoxelWorld"),
			putStruct("tnVoxel", chunk, large), putStruct("tnVoxelMeshDef", def, large)], true));
	}
}

export class Replay extends Handle
{
	#world;

	constructor(bytes)
	{
		super();
		if (!(bytes instanceof Uint8Array))
		{
			throw new TarnError(`bytes must be a Uint8Array, got ${show(bytes)}`);
		}
		scoped((large) =>
		{
			// The library does not copy them.
			const copy = wasm.malloc(Math.max(bytes.length, 1)), made = take(4, large);
			u8(copy, bytes.length).set(bytes);
			try
			{
				call("tnCreateReplay", copy, bytes.length, 0, made);
			}
			catch (problem)
			{
				wasm.free(copy);
				throw problem;
			}
			Handle.own(this, "Replay", memory().getUint32(made, true), null, { bytes: copy });
		});
	}

	get world()
	{
		this.#world ??= adopt(World, "World", wasm.tnReplay_GetWorld(Handle.pointer(this)), this, { borrowed: true });
		return this.#world;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// All functions

function countCells(cells, given, owner)
{
	if (cells === "block")
	{
		return given.columns * given.rows;
	}
	if (cells === "box")
	{
		const { low, high } = readStruct(null, "tnVoxelBox", given.box);
		return Math.max(high.x - low.x, 0) * Math.max(high.y - low.y, 0) * Math.max(high.z - low.z, 0);
	}
	return scoped((large) =>
	{
		const pointer = take(sizeOf("tnWorldDef"), large);
		wasm.tnWorld_GetDef(pointer, Handle.pointer(owner));
		const { columnCount: columns, rowCount: rows } = readStruct(null, "tnWorldDef", pointer);
		return cells === "xFaces" ? (columns + 1) * rows : cells === "zFaces" ? columns * (rows + 1) : columns * rows;
	});
}

const shown = new Set(["handle", "value", "struct", "list", "cells", "bytes"]);
const budgets = new Set(["tnStream_Write", "tnWorld_GetSounds"]);

function makeCall(name, result, parameters)
{
	const returnsStruct = result in structs;
	const isMethod = parameters[0]?.[0] === "handle";

	return function (...given)
	{
		const owner = isMethod ? this : null;
		return scoped((large) =>
		{
			const known = {}, raw = [], outs = [];
			let next = 0, count = 0, twice = null, counter = 0;
			parameters.forEach(([role, parameter, kind, extra, optional], i) =>
			{
				let value;
				if (isMethod && i === 0)
				{
					value = owner;
				}
				else if (shown.has(role) || role === "capacity" && budgets.has(name))
				{
					value = given[next++];
					if (value === undefined && !optional && name !== "tnVoxelWorld_Step")
					{
						throw new TarnError(`${name.replace(/^tn\w*?_/, "")}: ${parameter} is missing`);
					}
				}
				if (role === "handle")
				{
					raw.push(Handle.pointer(value, kind.slice(2)));
				}
				else if (role === "value")
				{
					known[parameter] = structs[kind] ? putStruct(kind, value, large) : enums[kind] ? toEnum(kind, value) :
						scalars[kind][1].startsWith("Big") ? toBig(kind, value ?? 0, parameter) : toNumber(kind, value, parameter);
					raw.push(known[parameter]);
				}
				else if (role === "struct")
				{
					raw.push(value === undefined || value === null ? 0 : putStruct(kind, value, large));
				}
				else if (role === "list")
				{
					const [pointer, length] = putArray(kind, value, large, parameter);
					// Four edges are not counted.
					if (parameters[i + 1]?.[0] !== "count" && length !== 4)
					{
						throw new TarnError(`${parameter} must have 4 items, one for each side, got ${length}`);
					}
					count = length;
					raw.push(pointer);
				}
				else if (role === "cells")
				{
					const wanted = countCells(extra, known, owner);
					if (value && value.length !== wanted)
					{
						throw new TarnError(`${parameter} must have ${wanted} values, got ${value.length}`);
					}
					raw.push(value ? putArray(kind, value, large, parameter)[0] : 0);
				}
				else if (role === "bytes")
				{
					const [pointer, length] = putArray("uint8_t", value, large, parameter);
					count = length;
					raw.push(pointer);
				}
				else if (role === "count" || role === "size")
				{
					if (twice)
					{
						counter = take(8, large);
						raw.push(counter);
					}
					else
					{
						raw.push(count);
					}
				}
				else if (role === "outCells" || role === "outList" || role === "out")
				{
					const length = role === "outCells" ? countCells(extra, known, owner) : role === "outList" ? count : 1;
					const pointer = take(Math.max(length, 1) * sizeOf(kind), large);
					u8(pointer, length * sizeOf(kind)).fill(0);
					raw.push(pointer);
					outs.push({ parameter, role, kind, pointer, length });
				}
				else if (role === "save" || role === "fill")
				{
					twice = { place: raw.length, role, kind, parameter };
					raw.push(0);
				}
				else if (role === "capacity")
				{
					raw.push(value === undefined ? 0 : toNumber(kind, value, parameter));
				}
			});

			const sret = returnsStruct ? take(sizeOf(result), large) : 0;
			const go = () =>
			{
				const value = returnsStruct ? wasm[name](sret, ...raw) : wasm[name](...raw);
				if (result === "tnResult")
				{
					check(sret);
				}
				return value;
			};
			const values = [];
			if (twice)
			{
				let value;
				if (raw[twice.place + 1] === 0)
				{
					value = go();
					raw[twice.place + 1] = counter ? memory().getUint32(counter, true) : value;
				}
				const capacity = raw[twice.place + 1], kind = twice.role === "save" ? "uint8_t" : twice.kind;
				raw[twice.place] = take(capacity * sizeOf(kind), large);
				value = go();
				const length = Math.min(counter ? memory().getUint32(counter, true) : value, capacity);
				values.push([twice.parameter, copyArray(owner, kind, raw[twice.place], length)]);
			}
			else
			{
				const value = go();
				if (result === "bool" && outs.length)
				{
					if (!value)
					{
						return null;
					}
				}
				else if (returnsStruct && result !== "tnResult")
				{
					values.push(["result", readStruct(owner, result, sret)]);
				}
				else if (result === "const char*")
				{
					let end = value;
					while (memory().getUint8(end))
					{
						++end;
					}
					values.push(["result", decoder.decode(u8(value, end - value).slice())]);
				}
				else if (!returnsStruct && result !== "void" && !(result === "int" && outs.length))
				{
					values.push(["result", result === "bool" ? value !== 0 : result === "uint64_t" ? BigInt.asUintN(64, value) :
						result === "int64_t" ? Number(value) : value]);
				}
			}
			for (const { parameter, role, kind, pointer, length } of outs)
			{
				values.push([parameter, role === "out" ? read(owner, kind, pointer) : copyArray(owner, kind, pointer, length)]);
			}
			return values.length === 0 ? undefined : values.length === 1 ? values[0][1] : Object.fromEntries(values);
		});
	};
}

// What C has filled, of one's own.
function copyArray(owner, kind, pointer, length)
{
	const row = getRow(kind);
	if (row && !kind.endsWith("Id"))
	{
		return new row.array(wasm.memory.buffer, pointer, length * row.length).slice();
	}
	return Array.from({ length }, (_, i) => read(owner, kind, pointer + i * sizeOf(kind)));
}

const classes = { World, VoxelWorld, Surface, Rollback, Replay, Stream, StreamView, VoxelMesher };
const free = {};
for (const [name, place, method, result, parameters] of functions)
{
	const made = makeCall(name, result, parameters);
	Object.defineProperty(made, "name", { value: method });
	if (place)
	{
		Object.defineProperty(classes[place].prototype, method, { value: made, writable: true, configurable: true });
	}
	else
	{
		free[method] = made;
	}
}
if (handles.some((name) => !classes[name]))
{
	throw new Error("there is a handle without a class");
}

export const { getSimdName, getVersion, getWindSea, isSimdAvailable, readDeltaInfo, readSnapshotInfo } = free;
