-- SPDX-License-Identifier: MIT
--
-- tarn for LuaJIT (and so for LÖVE): real-time, interactive water. This one file and the shared library of tarn are all it takes.
--
--   local tarn = require "tarn"
--   local world = tarn.World{columnCount = 64, rowCount = 32, method = "shallow", edges = {east = {kind = "open"}}}
--   world:addWater({8, 8}, 2, 10)
--   world:step(1 / 60)
--   print(world:sample({8, 8}).depth, world:getDepth():at(8, 8))
--
-- Every function of C is a method of what it is about: tnWorld_AddWater(world, ...) is world:addWater(...). Structs are tables, by
-- name or in order, or cdata; enums are names ("shallow"). What C fills comes back. What the library refuses is an error whose
-- tostring is the text of the library and whose `status` says why. Names, units and ranges: docs/api.
--
-- Views (getDepth, getBed, ...) show the memory of the library without a copy: view:at(column, row), or view.data, a pointer that
-- counts from 0. They are what the world is now: ask again after it has changed. at() refuses when the world is destroyed;
-- nothing can do that for view.data.
--
-- Made by `make bindings` from bindings/lua/tarn.lua and the headers of tarn.

local ffi = require "ffi"

ffi.cdef [[
--@declarations@
]]

local roles = {
--@roles@
}

-- Fields of structs that are no plain numbers.
local structs = {
--@structs@
}

local enums = {
--@enums@
}

local classNames = {
--@classes@
}

local tarn = {
--@constants@
}

-- Where the library is: TARN_LIBRARY, of the environment or set before, wherever the system looks, or beside the program.
local function load()
	local named = os.getenv("TARN_LIBRARY") or TARN_LIBRARY
	if named then
		return ffi.load(named)
	end
	local found, library = pcall(ffi.load, "tarn")
	return found and library or ffi.load("./libtarn.so")
end
local C = load()
tarn.C = C
tarn.ffi = ffi

local Error = {__tostring = function(self) return self.text end}

local function fail(text, status)
	error(setmetatable({text = text, status = status or "invalidArgument"}, Error), 0)
end

local statusNames = {}
for name, value in pairs(enums.tnStatus) do
	statusNames[value] = name
end

local function check(result)
	if result.status ~= 0 then
		fail(ffi.string(result.text), statusNames[tonumber(result.status)])
	end
end

local function toEnum(kind, value)
	if type(value) ~= "string" then
		return value
	end
	local found = enums[kind][value]
	if not found then
		local names = {}
		for name in pairs(enums[kind]) do
			names[#names + 1] = name
		end
		table.sort(names)
		fail(kind:sub(3) .. " must be one of " .. table.concat(names, ", ") .. ", got '" .. value .. "'")
	end
	return found
end

local sides = enums.tnSide
local fill

local function hasDefault(kind)
	return pcall(function() return C["tnDefault" .. kind:sub(3)] end)
end

-- A struct as its tnDefault... function has it, or zeros.
local function makeDefault(kind)
	return hasDefault(kind) and C["tnDefault" .. kind:sub(3)]() or ffi.new(kind)
end

-- A list of structs or numbers as an array of C. `keep` gets what must live as long as that.
local function toArray(kind, value, keep)
	if type(value) ~= "table" then
		return value, 0
	end
	local count = #value
	local array = ffi.new(kind .. "[?]", math.max(count, 1))
	keep[#keep + 1] = array
	local isStruct = structs[kind] or type(value[1]) == "table"
	for i = 1, count do
		if isStruct and type(value[i]) == "table" then
			if hasDefault(kind) then
				array[i - 1] = C["tnDefault" .. kind:sub(3)]()
			end
			fill(kind, array[i - 1], value[i], keep)
		else
			array[i - 1] = value[i]
		end
	end
	return array, count
end

-- Fractions, and numbers that a whole number of C cannot hold, would silently become others there.
local function put(kind, target, name, part)
	target[name] = part
	if type(part) == "number" and tonumber(target[name]) ~= part then
		target[name] = 0.5
		if tonumber(target[name]) == 0 then
			fail(("%s.%s must be a whole number that fits, got %g"):format(kind:sub(3), name, part))
		end
		target[name] = part
	end
end

fill = function(kind, target, value, keep)
	local special = structs[kind] or {}
	if value[1] ~= nil and not special[1] then
		-- In order: vectors, and what consists of them.
		local made = ffi.new(kind, value)
		ffi.copy(target, made, ffi.sizeof(kind))
		return
	end
	for name, part in pairs(value) do
		local how = special[name]
		local reached, message = pcall(function() return target[name] end)
		if not reached then
			fail(kind:sub(3) .. " has no field " .. tostring(name))
		end
		if not how then
			local done, problem = pcall(put, kind, target, name, part)
			if not done then
				fail(type(problem) == "table" and problem.text or kind:sub(3) .. "." .. name .. ": " .. tostring(problem))
			end
		elseif how:sub(1, 1) == "*" then
			local element, counter = how:match("^%*(%S+) (%S+)$")
			local array, count = toArray(element, part, keep)
			target[name] = array
			if type(part) == "table" then
				target[counter] = name == "triangles" and count / 3 or count
			end
		elseif how:sub(1, 1) == "[" then
			local element, count = how:match("^%[(%S+) (%d+)$")
			for index, item in pairs(part) do
				local place = sides[index] or tonumber(index) and index - 1
				if not place or place < 0 or place >= tonumber(count) then
					fail(kind:sub(3) .. "." .. name .. " has " .. count .. " places")
				end
				if type(item) == "table" then
					fill(element, target[name][place], item, keep)
				else
					target[name][place] = enums[element] and toEnum(element, item) or item
				end
			end
		elseif enums[how] then
			target[name] = toEnum(how, part)
		elseif type(part) == "table" then
			fill(how, target[name], part, keep)
		else
			target[name] = part
		end
	end
end

local function toStruct(kind, value, keep)
	if type(value) ~= "table" then
		return value
	end
	local target = makeDefault(kind)
	keep[#keep + 1] = target
	fill(kind, target, value, keep)
	return target
end

-- A field of the world, without a copy.
local View = {}
View.__index = View

function View:at(column, row)
	if not self.owner.pointer then
		fail("the world of this view is destroyed", "staleId")
	end
	if column < 0 or column >= self.columns or row < 0 or row >= self.rows then
		fail("the view has " .. self.columns .. " x " .. self.rows .. " cells, got (" .. column .. ", " .. row .. ")")
	end
	return self.data[row * self.stride + column]
end

local function fromC(owner, kind, value)
	if kind == "tnFieldView" then
		if value.data == nil then
			return nil
		end
		return setmetatable({owner = owner, data = value.data, columns = value.columnCount, rows = value.rowCount,
			stride = value.stride}, View)
	elseif kind == "const char*" then
		return ffi.string(value)
	end
	return value
end

local function countCells(cells, given, owner)
	if cells == "block" then
		return given.columns * given.rows
	elseif cells == "box" then
		local box = given.box
		return (box.high.x - box.low.x) * (box.high.y - box.low.y) * (box.high.z - box.low.z)
	end
	local def = C.tnWorld_GetDef(owner.pointer)
	local columns, rows = def.columnCount, def.rowCount
	return cells == "xFaces" and (columns + 1) * rows or cells == "zFaces" and columns * (rows + 1) or columns * rows
end

local function toCells(parameter, value, count, keep)
	if type(value) == "table" then
		if #value ~= count then
			fail(parameter.name .. " must have " .. count .. " values, got " .. #value)
		end
		return (toArray(parameter.kind, value, keep))
	elseif type(value) == "cdata" and tostring(ffi.typeof(value)):find("%[") and
		ffi.sizeof(value) < count * ffi.sizeof(parameter.kind) then
		fail(parameter.name .. " must have " .. count .. " values")
	end
	return value
end

local unpack = unpack or table.unpack

-- A method for a function of C.
local function makeCall(name, result, text)
	local call, parameters, plain = C[name], {}, true
	for role, parameter, kind, extra in text:gmatch("(%w+):(%w+):([%w_]+)(%S*)") do
		parameters[#parameters + 1] = {role = role, name = parameter, kind = kind, optional = extra:find("^%?") ~= nil,
			extra = extra:match(":(%w*)$")}
		plain = plain and (role == "handle" and #parameters == 1 or
			role == "value" and not structs[kind] and not enums[kind] and not kind:find("^tn"))
	end
	local method = parameters[1] and parameters[1].role == "handle"
	local argumentCount = #parameters - (method and 1 or 0)
	if plain and method and argumentCount <= 1 then
		-- Steps, times, hashes: nothing to make on the way.
		local isResult = result == "tnResult"
		return function(self, a)
			local pointer = self.pointer or fail("this " .. self.kind .. " is destroyed", "staleId")
			local value
			if argumentCount == 0 then
				value = call(pointer)
			else
				if a == nil then
					-- A work limit may be left out.
					a = name == "tnVoxelWorld_Step" and 0 or fail(name:gsub("^tn%w-_", "") .. ": an argument is missing")
				end
				value = call(pointer, a)
			end
			if isResult then
				check(value)
			else
				return fromC(self, result, value)
			end
		end
	end
	return function(...)
		local arguments, place = {...}, 1
		local owner = method and arguments[1]
		local raw, keep, outs, given, count = {}, {}, {}, {}, 0
		local twice, counted
		for i, p in ipairs(parameters) do
			local role, kind = p.role, p.kind
			local value
			if role == "handle" or role == "value" or role == "struct" or role == "list" or role == "cells" or role == "bytes" or
				role == "callback" or role == "context" or role == "mesh" or role == "tasks" or
				role == "capacity" and (name == "tnStream_Write" or name == "tnWorld_GetSounds") then
				value = arguments[place]
				place = place + 1
				if value == nil and not p.optional and role ~= "context" and name ~= "tnVoxelWorld_Step" then
					fail(name:gsub("^tn%w-_", "") .. ": " .. p.name .. " is missing")
				end
			end
			if role == "handle" then
				raw[i] = value.pointer or fail("this " .. value.kind .. " is destroyed", "staleId")
			elseif role == "value" then
				value = type(value) == "table" and toStruct(kind, value, keep) or enums[kind] and toEnum(kind, value) or value
				if type(value) == "number" and (kind == "int" or kind == "int32_t") and (value ~= math.floor(value) or math.abs(value) >= 2 ^ 31) then
					fail(("%s must be a whole number that fits, got %g"):format(p.name, value))
				end
				given[p.name] = value
				raw[i] = value == nil and 0 or value
			elseif role == "struct" then
				raw[i] = toStruct(kind, value, keep)
			elseif role == "list" then
				raw[i], count = toArray(kind, value, keep)
				-- Four edges are not counted.
				if (not parameters[i + 1] or parameters[i + 1].role ~= "count") and count ~= 4 then
					fail(p.name .. " must have 4 items, one for each side, got " .. count)
				end
			elseif role == "count" then
				if counted then
					raw[i] = ffi.new(kind .. "[1]")
					twice.counter = raw[i]
				else
					raw[i] = count
				end
			elseif role == "cells" then
				raw[i] = value and toCells(p, value, countCells(p.extra, given, owner), keep)
			elseif role == "bytes" then
				keep[#keep + 1] = value
				raw[i], count = ffi.cast("const char*", value), #value
			elseif role == "outCells" then
				raw[i] = ffi.new(kind .. "[?]", countCells(p.extra, given, owner))
				outs[#outs + 1] = raw[i]
			elseif role == "outList" then
				raw[i] = ffi.new(kind .. "[?]", math.max(count, 1))
				outs[#outs + 1] = raw[i]
			elseif role == "out" then
				raw[i] = ffi.new(kind .. "[1]")
				outs[#outs + 1] = raw[i]
			elseif role == "save" or role == "fill" then
				twice = {role = role, place = i, kind = kind, counter = nil}
				counted = true
			elseif role == "capacity" then
				raw[i] = value or 0
			elseif role == "size" then
				if twice then
					raw[i] = ffi.new("size_t[1]")
					twice.counter = raw[i]
				else
					raw[i] = count
				end
			elseif value ~= nil then
				raw[i] = value
			end
		end
		local length = #parameters
		if twice then
			local capacity = tonumber(raw[twice.place + 1])
			local function read(value)
				if result == "tnResult" then
					check(value)
				end
				return tonumber(twice.counter and twice.counter[0] or value)
			end
			if capacity == 0 then
				capacity = read(call(unpack(raw, 1, length)))
				raw[twice.place + 1] = capacity
			end
			local buffer = ffi.new((twice.role == "save" and "char" or twice.kind) .. "[?]", math.max(capacity, 1))
			raw[twice.place] = buffer
			local found = math.min(read(call(unpack(raw, 1, length))), capacity)
			local extra = outs[1] and outs[1][0]
			if twice.role == "save" then
				return ffi.string(buffer, found), extra
			end
			return buffer, found
		end
		local value = call(unpack(raw, 1, length))
		local returned = {}
		if result == "tnResult" then
			check(value)
		elseif result == "bool" and outs[1] then
			if not value then
				return nil
			end
		elseif result ~= "void" and not (result == "int" and outs[1]) then
			returned[1] = fromC(owner, result, value)
		end
		for i, out in ipairs(outs) do
			local single = tostring(ffi.typeof(out)):find("%[1%]")
			returned[#returned + 1] = single and out[0] or out
			-- A value of a struct lives in its array.
			keep[out] = true
		end
		if returned[1] ~= nil and type(returned[1]) == "cdata" and outs[1] and not outs[2] and
			tostring(ffi.typeof(outs[1])):find("%[1%]") and type(outs[1][0]) == "cdata" then
			local kind = parameters[#parameters].kind
			local reached, copy = pcall(ffi.new, kind, outs[1][0])
			if reached then
				returned[#returned] = copy
			end
		end
		return unpack(returned)
	end
end

local function lower(text)
	return text:sub(1, 1):lower() .. text:sub(2)
end

local classes = {}
for _, name in ipairs(classNames) do
	local class = {}
	class.__index = class
	classes[name] = class
	-- Once. What lives on it refuses from then on.
	function class:destroy()
		if self.pointer then
			for child in pairs(self.children) do
				child:destroy()
			end
			ffi.gc(self.pointer, nil)
			C["tnDestroy" .. name](self.pointer)
			self.pointer = nil
		end
	end
end

local function own(name, pointer, parent)
	local made = setmetatable({kind = name, pointer = ffi.gc(pointer, C["tnDestroy" .. name]), parent = parent,
		children = setmetatable({}, {__mode = "k"})}, classes[name])
	if parent then
		parent.children[made] = true
	end
	return made
end

-- World, VoxelWorld, StreamView, of a def; Surface, Rollback, Stream, of a world and a def.
for _, name in ipairs {"World", "VoxelWorld", "StreamView"} do
	tarn[name] = function(def)
		local keep, made = {}, ffi.new("tn" .. name .. "*[1]")
		check(C["tnCreate" .. name](toStruct("tn" .. name .. "Def", def or {}, keep), made))
		return own(name, made[0])
	end
end
for _, name in ipairs {"Surface", "Rollback", "Stream"} do
	tarn[name] = function(world, def)
		local keep, made = {}, ffi.new("tn" .. name .. "*[1]")
		check(C["tnCreate" .. name](world.pointer or fail("this World is destroyed", "staleId"),
			toStruct("tn" .. name .. "Def", def or {}, keep), made))
		return own(name, made[0], world)
	end
end
function tarn.VoxelMesher()
	local made = ffi.new("tnVoxelMesher*[1]")
	check(C.tnCreateVoxelMesher(nil, made))
	return own("VoxelMesher", made[0])
end
function tarn.Replay(bytes)
	local made = ffi.new("tnReplay*[1]")
	check(C.tnCreateReplay(bytes, #bytes, nil, made))
	local replay = own("Replay", made[0])
	replay.bytes = bytes
	return replay
end
-- Of bytes that world:save() has made.
function tarn.worldFrom(bytes)
	local made = ffi.new("tnWorld*[1]")
	check(C.tnCreateWorldFrom(bytes, #bytes, nil, made))
	return own("World", made[0])
end
function tarn.voxelWorldFrom(bytes, def)
	local keep, made = {}, ffi.new("tnVoxelWorld*[1]")
	check(C.tnCreateVoxelWorldFrom(bytes, #bytes, toStruct("tnVoxelWorldDef", def or {}, keep), made))
	return own("VoxelWorld", made[0])
end

for _, entry in ipairs(roles) do
	local name, result, text = entry[1], entry[2], entry[3]
	local prefix, method = name:match("^tn(%w+)_(%w+)$")
	if prefix and classes[prefix] then
		classes[prefix][lower(method)] = makeCall(name, result, text)
	elseif prefix then
		-- tnBody_IsValid(world, id) is world:isBodyValid(id).
		classes.World[lower(method:gsub("^Is", "Is" .. prefix))] = makeCall(name, result, text)
	else
		tarn[lower(name:sub(3))] = makeCall(name, result, text)
	end
end

-- A struct with its defaults: tarn.default "BodyDef".
function tarn.default(name)
	return makeDefault("tn" .. name)
end

return tarn
