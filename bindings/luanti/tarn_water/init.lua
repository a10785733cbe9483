-- SPDX-License-Identifier: MIT
--
-- Water of tarn in Luanti (Minetest): finite, exact to the unit, under pressure. A node holds 64 units, and the level of a water node
-- (param2) is its units: what one counts in the map, and what is on its way while connected water finds its level, is what there is.
--
-- Needs LuaJIT, and the mod among `secure.trusted_mods`: it calls a library of C (libtarn.so, in its folder).
--
--   tarn_water.import(minp, maxp)    take over what is there: ground, and water nodes of the game, which become ours
--   tarn_water.add(pos, units)       returns how many found room
--   tarn_water.remove(pos, units)    returns how many there were
--   tarn_water.count()               units in the world, exactly
--   tarn_water.step(steps)           what the server does 20 times a second

local insecure = minetest.request_insecure_environment()
if not insecure then
	error("tarn_water calls a library of C: add it to secure.trusted_mods in minetest.conf")
end
local path = minetest.get_modpath("tarn_water")
insecure.TARN_LIBRARY = path .. "/libtarn.so"
local tarn = setfenv(assert(insecure.loadfile(path .. "/tarn.lua")), insecure)()
local ffi = tarn.ffi

tarn_water = {}
local UNITS = 64 -- of a node
local BLOCK = tarn.VOXEL_BLOCK
local CHUNK = tarn.VOXEL_CHUNK -- a chunk of tarn is a map block of Luanti
local STEP = 1 / 20
-- Chunks that are written to the map in a step of the server, 0.2 ms each; the rest waits.
local MAX_WRITES = tonumber(minetest.settings:get("tarn_water_writes")) or 16

local def = {cap = UNITS, voxelSize = 1, stepRate = 20}
local file = minetest.get_worldpath() .. "/tarn_water.bin"
local world
do
	local saved = insecure.io.open(file, "rb")
	if saved then
		world = tarn.voxelWorldFrom(saved:read("*a"), def)
		saved:close()
	else
		world = tarn.VoxelWorld(def)
	end
end
tarn_water.world = world

minetest.register_node("tarn_water:water", {
	description = "Water",
	drawtype = "nodebox",
	node_box = {type = "leveled", fixed = {-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}},
	paramtype = "light",
	paramtype2 = "leveled",
	leveled = UNITS,
	leveled_max = UNITS,
	tiles = {"default_water.png^[opacity:160"},
	use_texture_alpha = "blend",
	sunlight_propagates = true,
	walkable = false,
	pointable = false,
	diggable = false,
	buildable_to = true,
	climbable = true,
	drop = "",
	drowning = 1,
	post_effect_color = {a = 100, r = 20, g = 60, b = 100},
	groups = {water = 3, not_in_creative_inventory = 1},
})
-- Water runs through it: its level is what of it is in there, as in water nodes.
minetest.register_node("tarn_water:sluice_open", {
	description = "Open sluice",
	drawtype = "allfaces_optional",
	paramtype = "light",
	paramtype2 = "leveled",
	tiles = {"default_ladder_steel.png"},
	sunlight_propagates = true,
	walkable = false,
	drop = "tarn_water:sluice",
	groups = {cracky = 3, not_in_creative_inventory = 1, tarn_water_open = 1},
})
local WATER = minetest.get_content_id("tarn_water:water")
local AIR = minetest.CONTENT_AIR

local function box(minp, maxp)
	return {low = {minp.x, minp.y, minp.z}, high = {maxp.x + 1, maxp.y + 1, maxp.z + 1}}
end

local function divide(value, size)
	return math.floor(value / size)
end

-- Blocks of tarn around places. What was not imported yet is rock: nothing flows into what the map does not have.
local function load_blocks(minp, maxp)
	for x = divide(minp.x, BLOCK), divide(maxp.x, BLOCK) do
		for y = divide(minp.y, BLOCK), divide(maxp.y, BLOCK) do
			for z = divide(minp.z, BLOCK), divide(maxp.z, BLOCK) do
				if not world:isLoaded({x, y, z}) then
					world:loadBlock({x, y, z})
					local low = {x = x * BLOCK, y = y * BLOCK, z = z * BLOCK}
					world:fillSolid(box(low, {x = low.x + BLOCK - 1, y = low.y + BLOCK - 1, z = low.z + BLOCK - 1}), tarn.VOXEL_ROCK)
				end
			end
		end
	end
end

-- Of a kind of node: "air", "water" of the game, "own" water, "open" for what water runs through and that stays, "ground".
local kinds = {}
local function get_kind(id)
	local kind = kinds[id]
	if not kind then
		local node = minetest.registered_nodes[minetest.get_name_from_content_id(id)]
		kind = id == WATER and "own" or node and (node.groups.tarn_water_open or 0) > 0 and "open" or not node and "ground" or node.liquidtype == "source" and (node.groups.water or 0) > 0 and "water" or
			node.liquidtype == "flowing" and "air" or node.walkable and "ground" or id == minetest.CONTENT_IGNORE and "ground" or "air"
		kinds[id] = kind
	end
	return kind
end

function tarn_water.import(minp, maxp)
	load_blocks(minp, maxp)
	local manip = VoxelManip(minp, maxp)
	local emin, emax = manip:get_emerged_area()
	local area = VoxelArea:new {MinEdge = emin, MaxEdge = emax}
	local data, levels = manip:get_data(), manip:get_param2_data()
	local size = vector.add(vector.subtract(maxp, minp), 1)
	local solid = ffi.new("uint8_t[?]", size.x * size.y * size.z)
	local runs, i = {}, 0
	-- tarn has x fastest, then z, then y.
	for y = minp.y, maxp.y do
		for z = minp.z, maxp.z do
			local run
			for x = minp.x, maxp.x do
				local kind = get_kind(data[area:index(x, y, z)])
				local units = kind == "water" and UNITS or (kind == "own" or kind == "open") and levels[area:index(x, y, z)] or 0
				solid[i] = kind == "ground" and tarn.VOXEL_ROCK or 0
				i = i + 1
				if units > 0 and run and run.units == units then
					run.last = x
				elseif units > 0 then
					run = {first = x, last = x, y = y, z = z, units = units}
					runs[#runs + 1] = run
				else
					run = nil
				end
			end
		end
	end
	-- What was there before, if it is done twice, goes first: the map is what counts.
	world:removeLiquid(box(minp, maxp), UNITS)
	world:setSolid(box(minp, maxp), solid)
	for _, run in ipairs(runs) do
		world:addLiquid(box({x = run.first, y = run.y, z = run.z}, {x = run.last, y = run.y, z = run.z}), 1, run.units)
	end
end

local function single(pos)
	pos = vector.round(pos)
	return pos, box(pos, pos)
end

function tarn_water.add(pos, units)
	local place, voxel = single(pos)
	load_blocks(place, place)
	return tonumber(world:addLiquid(voxel, 1, units))
end

function tarn_water.remove(pos, units)
	local _, voxel = single(pos)
	return tonumber(world:removeLiquid(voxel, units))
end

function tarn_water.count()
	local ledger = world:getLedger(1)
	return tonumber(ledger.volume + ledger.waiting), tonumber(ledger.drift)
end

local function set_solid(pos, value)
	local place, voxel = single(pos)
	if world:isLoaded({divide(place.x, BLOCK), divide(place.y, BLOCK), divide(place.z, BLOCK)}) then
		world:fillSolid(voxel, value)
	end
end
minetest.register_on_dignode(function(pos)
	set_solid(pos, 0)
end)
-- Other mods that change the map by themselves call tarn_water.import.
minetest.register_on_placenode(function(pos, node)
	if get_kind(minetest.get_content_id(node.name)) == "ground" then
		set_solid(pos, tarn.VOXEL_ROCK)
	end
end)
minetest.register_on_generated(function(minp, maxp)
	if minetest.settings:get_bool("tarn_water_import", true) then
		tarn_water.import(minp, maxp)
	end
end)

-- ---------------------------------------------------------------------------------------------------------------------
-- From tarn to the map

local waiting, first, last = {}, 1, 0
local queued = {}

local function write_chunk(cx, cy, cz)
	local minp = {x = cx * CHUNK, y = cy * CHUNK, z = cz * CHUNK}
	local maxp = vector.add(minp, CHUNK - 1)
	local _, amounts = world:read(box(minp, maxp))
	local manip = VoxelManip(minp, maxp)
	local emin, emax = manip:get_emerged_area()
	local area = VoxelArea:new {MinEdge = emin, MaxEdge = emax}
	local data, levels = manip:get_data(), manip:get_param2_data()
	local changed, i = false, 0
	for y = minp.y, maxp.y do
		for z = minp.z, maxp.z do
			local index = area:index(minp.x, y, z)
			for _ = 1, CHUNK do
				local units, there = amounts[i], data[index]
				i = i + 1
				if get_kind(there) == "open" then
					if levels[index] ~= units then
						levels[index], changed = units, true
					end
				elseif units > 0 then
					if there ~= WATER or levels[index] ~= units then
						data[index], levels[index], changed = WATER, units, true
					end
				elseif there == WATER or get_kind(there) == "water" then
					data[index], levels[index], changed = AIR, 0, true
				end
				index = index + 1
			end
		end
	end
	if changed then
		manip:set_data(data)
		manip:set_param2_data(levels)
		manip:write_to_map(false)
	end
end

local changed = ffi.new("tnVoxel[1024]")
-- Chunks that wait to be written, at most so many of them; all without a limit.
function tarn_water.write(limit)
	local count
	repeat
		count = tarn.C.tnVoxelWorld_TakeChanged(world.pointer, changed, 1024)
		for i = 0, math.min(count, 1024) - 1 do
			local key = changed[i].x .. "," .. changed[i].y .. "," .. changed[i].z
			if not queued[key] then
				queued[key] = true
				last = last + 1
				waiting[last] = {changed[i].x, changed[i].y, changed[i].z, key}
			end
		end
	until count <= 1024
	local written = 0
	while first <= last and (not limit or written < limit) do
		local chunk = waiting[first]
		waiting[first] = nil
		first = first + 1
		queued[chunk[4]] = nil
		write_chunk(chunk[1], chunk[2], chunk[3])
		written = written + 1
	end
	return written
end

function tarn_water.step(steps)
	for _ = 1, steps do
		world:step()
	end
end

local saved_time = 0
minetest.register_globalstep(function(dtime)
	saved_time = math.min(saved_time + dtime, 4 * STEP)
	if world:isAtRest() then
		saved_time = 0
	end
	while saved_time >= STEP do
		saved_time = saved_time - STEP
		tarn_water.step(1)
	end
	tarn_water.write(MAX_WRITES)
end)

minetest.register_on_shutdown(function()
	tarn_water.write()
	local saved = assert(insecure.io.open(file, "wb"))
	saved:write((world:save()))
	saved:close()
end)

-- ---------------------------------------------------------------------------------------------------------------------
-- Things to play with

-- A spring gives so many units a step of the water into the node above it, for as long as it is there and that has room.
local SPRING_RATE = tonumber(minetest.settings:get("tarn_water_spring")) or 4
minetest.register_node("tarn_water:spring", {
	description = "Spring",
	tiles = {"default_stone.png^default_water.png"},
	groups = {cracky = 3},
	on_construct = function(pos)
		local above = {x = pos.x, y = pos.y + 1, z = pos.z}
		load_blocks(pos, above)
		set_solid(pos, tarn.VOXEL_ROCK)
		-- Saved with the water, and known by the node.
		local id = world:createSource({box = box(above, above), liquid = 1, rate = SPRING_RATE})
		local meta = minetest.get_meta(pos)
		meta:set_int("index", id.index1)
		meta:set_int("generation", id.generation)
	end,
	on_destruct = function(pos)
		local meta = minetest.get_meta(pos)
		if meta:get_int("index") > 0 then
			world:destroySource({index1 = meta:get_int("index"), generation = meta:get_int("generation")})
		end
	end,
	on_blast = function() end,
})

-- A sluice lets water through, or not: who uses it turns it.
local function turn_sluice(name, solid)
	return function(pos)
		local level = minetest.get_node(pos).param2
		minetest.swap_node(pos, {name = name, param2 = solid == 0 and level or 0})
		-- What was in it when it is shut goes elsewhere.
		set_solid(pos, solid)
	end
end
minetest.register_node("tarn_water:sluice", {
	description = "Sluice",
	tiles = {"default_steel_block.png"},
	groups = {cracky = 3},
	on_rightclick = turn_sluice("tarn_water:sluice_open", 0),
})
minetest.override_item("tarn_water:sluice_open", {on_rightclick = turn_sluice("tarn_water:sluice", tarn.VOXEL_ROCK)})

minetest.register_craftitem("tarn_water:bucket", {
	description = "Bucket for finite water",
	inventory_image = "bucket.png",
	liquids_pointable = true,
	on_use = function(stack, _, pointed)
		if pointed.type == "node" then
			local below, above = pointed.under, pointed.above
			local units = tarn_water.remove(above, UNITS) + tarn_water.remove(below, UNITS)
			if units > 0 then
				local full = ItemStack("tarn_water:bucket_full")
				full:get_meta():set_int("units", math.min(units, UNITS))
				if units > UNITS then
					tarn_water.add(above, units - UNITS)
				end
				return full
			end
		end
		return stack
	end,
})
minetest.register_craftitem("tarn_water:bucket_full", {
	description = "Bucket with water",
	inventory_image = "bucket_water.png",
	stack_max = 1,
	on_use = function(stack, _, pointed)
		if pointed.type ~= "node" then
			return stack
		end
		local units = stack:get_meta():get_int("units")
		local left = units - tarn_water.add(pointed.above, units)
		if left <= 0 then
			return ItemStack("tarn_water:bucket")
		end
		stack:get_meta():set_int("units", left)
		return stack
	end,
})
