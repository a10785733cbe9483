-- SPDX-License-Identifier: MIT
--
-- Runs once on a server without players, in a world of air, and ends it. The first time: a lake behind a wall, the wall is dug open, and
-- every unit is counted, in the map and in the library; a pipe under a wall levels out; a node that is put into water loses none of it; a
-- mine is flooded through a sluice, a spring fills a basin; more than a hundred thousand nodes of water move.
-- The second time: is all of it still there?

minetest.register_node("tarn_water_test:stone", {description = "Stone", groups = {cracky = 3}})
local STONE = minetest.get_content_id("tarn_water_test:stone")
local AIR = minetest.CONTENT_AIR
local low, high = {x = 0, y = 0, z = 0}, {x = 79, y = 31, z = 47}

local function ensure(condition, what)
	if not condition then
		print("TARN failed: " .. what)
		minetest.request_shutdown("failed")
		error(what)
	end
end

local function fill(minp, maxp, id)
	local manip = VoxelManip(minp, maxp)
	local area = VoxelArea:new {MinEdge = select(1, manip:get_emerged_area()), MaxEdge = select(2, manip:get_emerged_area())}
	local data = manip:get_data()
	for i in area:iter(minp.x, minp.y, minp.z, maxp.x, maxp.y, maxp.z) do
		data[i] = id
	end
	manip:set_data(data)
	manip:write_to_map(false)
end

-- Units in the map: the levels of all water nodes.
local function count_map()
	local id = minetest.get_content_id("tarn_water:water")
	local manip = VoxelManip(low, high)
	local data, levels, units, nodes = manip:get_data(), manip:get_param2_data(), 0, 0
	for i = 1, #data do
		if data[i] == id or data[i] == minetest.get_content_id("tarn_water:sluice_open") then
			units = units + levels[i]
			nodes = nodes + 1
		end
	end
	return units, nodes
end

-- With what is on its way while connected water finds its level, and in no node.
local function count_all()
	return (count_map()) + tonumber(tarn_water.world:getLedger(1).waiting)
end

local function get_level(x, z)
	local level = 0
	for y = low.y, high.y do
		local node = minetest.get_node {x = x, y = y, z = z}
		if node.name == "tarn_water:water" then
			level = y + node.param2 / 64
		end
	end
	return level
end

-- Use a node as players do who click on it.
local function use(pos)
	local node = minetest.get_node(pos)
	minetest.registered_nodes[node.name].on_rightclick(pos, node)
end

local function step_and_write(steps)
	for _ = 1, steps do
		tarn_water.step(1)
	end
	tarn_water.write()
end

-- A mine under the lake, with a shaft that a sluice shuts; and a spring in a basin of its own.
local function flood_mine(units)
	local sluice, gallery = {x = 5, y = 1, z = 5}, {low = {x = 4, y = -6, z = 4}, high = {x = 30, y = -4, z = 8}}
	fill({x = 0, y = -16, z = 0}, {x = 79, y = -1, z = 47}, STONE)
	fill({x = 5, y = -3, z = 5}, {x = 5, y = 0, z = 5}, AIR)
	fill(gallery.low, gallery.high, AIR)
	fill({x = 50, y = -12, z = 20}, {x = 54, y = -8, z = 24}, AIR)
	tarn_water.import({x = 0, y = -16, z = 0}, {x = 79, y = -1, z = 47})
	minetest.dig_node({x = 5, y = 0, z = 5})
	minetest.set_node(sluice, {name = "tarn_water:sluice"})
	tarn_water.import({x = 4, y = 0, z = 4}, {x = 6, y = 1, z = 6})
	step_and_write(200)
	ensure(tarn_water.count() == units and minetest.get_node({x = 10, y = -6, z = 6}).name == "air", "the sluice is shut")
	use(sluice)
	ensure(minetest.get_node(sluice).name == "tarn_water:sluice_open", "the sluice is open")
	-- Full to the roof in a minute or two: the shaft is one node wide.
	local full, steps = 0, 0
	while full < 27 * 64 and steps < 3000 do
		step_and_write(100)
		steps, full = steps + 100, 0
		for x = gallery.low.x, gallery.high.x do
			local node = minetest.get_node({x = x, y = -4, z = 6})
			full = full + (node.name == "tarn_water:water" and node.param2 or 0)
		end
	end
	ensure(full == 27 * 64, ("the mine is flooded: %d units under the roof"):format(full))
	low.y = -16
	ensure(tarn_water.count() == units and count_all() == units, "units with the mine")
	use(sluice)
	step_and_write(50)
	ensure(minetest.get_node(sluice).name == "tarn_water:sluice", "the sluice is shut again")
	ensure(tarn_water.count() == units and count_all() == units, "nothing was lost in the sluice")

	-- Four units a step, into 125 nodes, as far as the node above it has room.
	local spring = {x = 52, y = -13, z = 22}
	minetest.set_node(spring, {name = "tarn_water:spring"})
	step_and_write(500)
	local given = tarn_water.count() - units
	ensure(given > 1000 and given <= 2000 and count_all() == units + given, ("the spring: %d units of 2000"):format(given))
	minetest.remove_node(spring)
	tarn_water.import(spring, spring)
	step_and_write(400)
	ensure(tarn_water.count() == units + given and count_all() == units + given, "a spring that is gone gives nothing")
end

-- A block of water, as wide as high, is let go in a hall, all of it awake. Only in the library: what the map costs is known.
local function move_many()
	local world, before = tarn_water.world, tarn_water.count()
	tarn_water.add({x = 1024, y = 0, z = 0}, 0)
	world:fillSolid({low = {1024, 1, 0}, high = {1152, 64, 128}}, 0)
	local units = tonumber(world:addLiquid({low = {1024, 1, 0}, high = {1080, 49, 56}}, 1, 64))
	ensure(units == 56 * 56 * 48 * 64, "the hall")
	local stepped, longest, most, awake = 0, 0, 0, 0
	for _ = 1, 200 do
		local begin = os.clock()
		tarn_water.step(1)
		local took, worked = os.clock() - begin, tonumber(world:getStats().workedVoxelCount)
		most = math.max(most, worked)
		if worked >= 100000 then
			awake, stepped, longest = awake + 1, stepped + took, math.max(longest, took)
		end
	end
	print(("TARN %d nodes of water let go: more than 100000 were awake in %d of 200 steps (up to %d): mean %.2f ms, longest %.2f ms"):format(
		units / 64, awake, most, stepped * 1000 / math.max(awake, 1), longest * 1000))
	ensure(awake > 0 and stepped / awake < 0.002, "a step with a hundred thousand nodes awake takes less than 2 ms of the processor")
	-- Away with it, and with what was on its way.
	for _ = 1, 1000 do
		world:removeLiquid({low = {1024, 0, 0}, high = {1152, 64, 128}}, 64)
		if tarn_water.count() == before then
			return
		end
		tarn_water.step(1)
	end
	error("the hall does not run dry")
end

local function first_time()
	-- A box of stone, a wall across it, the lake west of that, and behind another wall a shaft with a pipe to the lake.
	fill(low, high, STONE)
	fill({x = 2, y = 2, z = 2}, {x = 77, y = 31, z = 45}, AIR)
	fill({x = 40, y = 2, z = 2}, {x = 41, y = 24, z = 45}, STONE)
	fill({x = 2, y = 2, z = 36}, {x = 39, y = 24, z = 37}, STONE)
	fill({x = 20, y = 2, z = 36}, {x = 20, y = 2, z = 37}, AIR)
	tarn_water.import(low, high)
	local units = 0
	for x = 2, 39 do
		for z = 2, 35 do
			for y = 2, 17 do
				units = units + tarn_water.add({x = x, y = y, z = z}, 64)
			end
		end
	end
	ensure(units == 38 * 34 * 16 * 64 and tarn_water.count() == units, "filled")
	for _ = 1, 600 do
		tarn_water.step(1)
	end
	tarn_water.write()
	ensure(count_map() == units and tarn_water.count() == units, "counted after the pipe")
	local lake, shaft = get_level(10, 10), get_level(20, 42)
	ensure(math.abs(lake - shaft) < 0.1 and shaft > 10, ("the pipe levels out: %.2f, %.2f"):format(lake, shaft))

	-- Dig as players do.
	for y = 4, 20 do
		for z = 15, 20 do
			minetest.dig_node {x = 40, y = y, z = z}
			minetest.dig_node {x = 41, y = y, z = z}
		end
	end
	-- As the server does it: a step, and what has changed into the map.
	local stepped, longest, written, chunks, most = 0, 0, 0, 0, 0
	for _ = 1, 300 do
		-- Of the processor, so that a busy machine does not matter.
		local begin = os.clock()
		tarn_water.step(1)
		local middle = os.clock()
		chunks = chunks + tarn_water.write(48)
		stepped, longest = stepped + middle - begin, math.max(longest, middle - begin)
		written = written + os.clock() - middle
		most = math.max(most, tonumber(tarn_water.world:getStats().workedVoxelCount))
	end
	tarn_water.write()
	local counted, nodes = count_map()
	local inside, drift = tarn_water.count()
	ensure(counted == units and inside == units and drift == 0, ("units: map %d, library %d, of %d"):format(counted, inside, units))
	ensure(get_level(60, 24) > 4, "the flood is there")
	-- A node in the water: what was there goes elsewhere.
	minetest.place_node({x = 60, y = 3, z = 24}, {name = "tarn_water_test:stone"})
	for _ = 1, 400 do
		tarn_water.step(1)
	end
	tarn_water.write()
	ensure(count_map() == units, "a node in the water")
	ensure(tarn_water.remove({x = 10, y = 3, z = 10}, 40) == 40 and tarn_water.count() == units - 40, "a bucket")
	print(("TARN %d units in %d nodes; a step of the flood: mean %.2f ms, longest %.2f ms, of up to %d voxels; %d chunks into the map, " ..
		"%.2f ms each"):format(units - 40, nodes, stepped / 0.3, longest * 1000, most, chunks, written * 1000 / math.max(chunks, 1)))
end

local storage = minetest.get_mod_storage()
minetest.after(0, function()
	minetest.emerge_area({x = 0, y = -16, z = 0}, high, function(_, _, left)
		if left > 0 then
			return
		end
		if storage:get_int("units") == 0 then
			first_time()
			flood_mine(tarn_water.count())
			move_many()
			storage:set_int("units", tarn_water.count())
			print("TARN first time: good")
		else
			low.y = -16
			ensure(tarn_water.count() == storage:get_int("units"), "saved with the map")
			-- What has moved since the server runs.
			tarn_water.write()
			ensure(count_all() == storage:get_int("units"), "the map has it, too")
			print("TARN second time: good")
		end
		minetest.request_shutdown("done")
	end)
end)
