-- SPDX-License-Identifier: MIT
--
-- Tests of tarn.lua. Prints what bindings/test/program.c prints.

local tarn = require "tarn"
local bit = require "bit"

local function refused(text, call, ...)
	local done, problem = pcall(call, ...)
	assert(not done, "not refused: " .. text)
	assert(tostring(problem):find(text, 1, true), tostring(problem))
	return problem
end

local function lake()
	local world = tarn.World {columnCount = 37, rowCount = 23}
	world:fillToLevel(1)
	return world
end

-- Views and lifetime.
do
	local world = lake()
	local depth = world:getDepth()
	assert(depth.columns == 37 and depth.rows == 23 and depth:at(36, 22) == 1)
	assert(depth.data[5] == 1)
	refused("37 x 23", depth.at, depth, 37, 0)
	assert(world:getFoam() == nil)
	local surface = tarn.Surface(world)
	surface:update(world, 1)
	assert(surface:takeChanges().count == surface:getTileCount())
	world:destroy()
	world:destroy()
	refused("destroyed", world.step, world, 0.1)
	refused("destroyed", depth.at, depth, 0, 0)
	refused("destroyed", surface.getTileCount, surface)
	refused("destroyed", tarn.Surface, world)
	for _ = 1, 200 do
		tarn.Rollback(tarn.World {columnCount = 256, rowCount = 256})
		if _ % 10 == 0 then
			collectgarbage()
		end
	end
end

-- Errors.
do
	local problem = refused("cellSize must be in [0.001, 1000], got 0", tarn.World, {cellSize = 0})
	assert(problem.status == "invalidArgument")
	refused("one of linear, pipe, shallow", tarn.World, {method = "fluid"})
	refused("no field cellsize", tarn.World, {cellsize = 1})
	local world = lake()
	refused("columnCount must be a whole number that fits, got 12.5", tarn.World, {columnCount = 12.5})
	refused("columnCount must be a whole number that fits", tarn.World, {columnCount = 2 ^ 40 + 64})
	refused("columnCount must be a whole number that fits", tarn.World, {columnCount = 0 / 0})
	refused("columnCount", tarn.World, {columnCount = "64"})
	refused("enableSleep", tarn.World, {enableSleep = "no"})
	refused("cellSize", tarn.World, {cellSize = 0 / 0})
	refused("defs must have 4 items", world.setEdges, world, {{kind = "open"}})
	refused("column must be a whole number that fits", world.getTileHash, world, 0.5, 0)
	refused("", world.step, tarn.VoxelWorld(), 0.1)
	refused("", world.step, world, {})
	refused("enable is missing", world.setSleep, world)
	refused("must have 851 values, got 2", world.setTerrain, world, {1, 2})
	assert(refused("", world.addDrops, world, {{{1, 1}, 0.1}}).status == "notAvailable")
	assert(refused("", world.destroyBody, world, {3, 3}).status == "staleId")
end

-- What comes back.
do
	local world = lake()
	assert(math.abs(world:addWater({10, 10}, 3, 20) - 20) < 0.001)
	local id = world:createSource {center = {4, 4}, rate = 2}
	assert(world:isSourceValid(id))
	local def, volume = world:getSource(id)
	assert(def.rate == 2 and volume == 0)
	world:step(1 / 60)
	assert(world:sample({4, 4}).wet)
	local samples = world:sampleMany {{1, 1}, {900, 1}}
	assert(samples[0].inside and not samples[1].inside)
	local bytes, hash = world:save(), world:getHash()
	world:step(1 / 60)
	assert(world:getHash() ~= hash)
	world:restore(bytes)
	assert(world:getHash() == hash and tarn.worldFrom(bytes):getHash() == hash)
	refused("", world.restore, world, bytes:sub(1, -2))
	local body = world:createBody {shapes = {{kind = "sphere", radius = 2}}, pose = {position = {18, 1, 11}}}
	world:step(1 / 60)
	local bodies, count = world:getBodies()
	assert(count == 1 and bodies[0].index1 == body.index1)
	assert(world:getBodyWrench(body).force.y > 1000)
	local line, points = world:copyWaterline(body)
	assert(points > 8 and line[0].y ~= 0)
	local hit = world:castRay({5, 9, 5}, {0, -1, 0}, 20)
	assert(hit.hit and hit.water)
	local x, z = world:copyVelocities()
	assert(x[0] == x[0] and z[36] == z[36])
	assert(tarn.getSimdName("scalar") == "scalar")
	local voxels = tarn.VoxelWorld()
	voxels:loadBlock {0, 0, 0}
	local box = {low = {0, 0, 0}, high = {16, 2, 16}}
	assert(voxels:addLiquid(box, 1, 512) == 512 * 512)
	local solid, amounts = voxels:read(box)
	assert(solid[0] == 0 and amounts[511] == 512)
	assert(tarn.voxelWorldFrom(voxels:save()):getHash() == voxels:getHash())
	local stream, view = tarn.Stream(world), tarn.StreamView()
	local message, state = stream:write(100000)
	view:read(message)
	assert(state.waitingCount == 0 and math.abs(view:getField("depth"):at(1, 1) - 1) < 0.01)
	stream:takeReceipt(view:getReceipt())
end

local function runWorld()
	local world = tarn.World {
		columnCount = 96, rowCount = 64, cellSize = 0.5, method = "shallow", tracerCount = 1, edges = {east = {kind = "open"}},
		waves = {enable = true, levelCount = 3, tileCount = 64}, spray = {enable = true}, foam = {enable = true},
	}
	local heights = {}
	for row = 0, 63 do
		for column = 0, 95 do
			heights[#heights + 1] = (column * 7 + row * 13) % 16 / 16 + column / 32
		end
	end
	world:setTerrain(heights)
	world:addWater({12, 16}, 6, 200)
	world:createSource {center = {36, 8}, rate = 2.5, tracers = {0.5}}
	local crate = world:createBody {shapes = {{halfExtents = {1, 0.5, 1.5}}}, mass = 1500, pose = {position = {14, 2, 16}}}
	for step = 0, 89 do
		world:moveBody(crate, {position = {14 + step / 32, 2, 16}, rotation = {0, 0, 0, 1}}, {1.875, 0, 0}, {0, 0, 0})
		world:step(1 / 64)
	end
	return world:getHash()
end

local function runVoxels()
	local world = tarn.VoxelWorld {liquidCount = 2, liquids = {[2] = {viscosity = 4, density = 2500}}}
	world:loadBlock {0, 0, 0}
	world:fillSolid({{0, 0, 0}, {64, 8, 64}}, 255)
	world:fillSolidBall({20, 8, 20}, 7.5, 0)
	world:addLiquid({{14, 20, 14}, {26, 30, 26}}, 1, 1024)
	world:addLiquid({{30, 12, 30}, {34, 20, 34}}, 2, 700)
	for _ = 1, 120 do
		world:step()
	end
	return world:getHash()
end

print("world " .. bit.tohex(runWorld(), 16))
print("voxels " .. bit.tohex(runVoxels(), 16))
print(select(2, pcall(tarn.World, {cellSize = -1})))
