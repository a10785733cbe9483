-- SPDX-License-Identifier: MIT
--
-- Dig, pour, float: a small game of LÖVE. A spring feeds a lake behind a ridge; the left button digs, the right one raises ground,
-- space pours, b throws a crate in. Crates float: tarn says what pushes them, a few lines below move them.
--
--   make bindings && love build/bindings/lua/love
--
-- With --screenshot FILE the game plays itself for some seconds, saves a picture and its numbers, and ends.

local tarn = require "tarn"

local COLUMNS, ROWS, SCALE = 160, 106, 6 -- cells of 1 m, and pixels of one
local STEP = 1 / 60
local world, image, pixels, terrain
local crates = {}
local shot, frame = nil, 0

local function ground(x, z)
	local ridge = 6 * math.exp(-((x - 78 - 6 * math.sin(z / 14)) / 7) ^ 2)
	return 8 - x / 26 + ridge + 1.2 * math.sin(x / 9) * math.cos(z / 11) + math.max(0, math.abs(z - 53) / 9 - 3)
end

local function throwCrate(x, z)
	local side = 1.5
	local body = world:createBody {shapes = {{halfExtents = {side, 1, side}}}, mass = 4 * side * side * 2 * 450, pose = {position = {x, 12, z}}}
	crates[#crates + 1] = {body = body, x = x, y = 12, z = z, vx = 0, vy = 0, vz = 0, mass = 4 * side * side * 2 * 450, turn = 0}
end

-- The whole of the physics: crates stay upright, fall, float, drift and stop at the ground.
local function moveCrates()
	for _, crate in ipairs(crates) do
		local force = world:getBodyWrench(crate.body).force
		crate.vx = crate.vx + force.x / crate.mass * STEP
		crate.vy = crate.vy + (force.y / crate.mass - 9.81) * STEP
		crate.vz = crate.vz + force.z / crate.mass * STEP
		crate.x = math.min(math.max(crate.x + crate.vx * STEP, 3), COLUMNS - 3)
		crate.z = math.min(math.max(crate.z + crate.vz * STEP, 3), ROWS - 3)
		crate.y = crate.y + crate.vy * STEP
		local bed = world:sample({crate.x, crate.z}).bed + 1
		if crate.y < bed then
			crate.y, crate.vy = bed, math.max(crate.vy, 0)
			crate.vx, crate.vz = crate.vx * 0.9, crate.vz * 0.9
		end
		world:moveBody(crate.body, {position = {crate.x, crate.y, crate.z}, rotation = {0, 0, 0, 1}},
			{crate.vx, crate.vy, crate.vz}, {0, 0, 0})
	end
end

function love.load(arguments)
	for i, argument in ipairs(arguments) do
		if argument == "--screenshot" then
			shot = arguments[i + 1]
		end
	end
	world = tarn.World {columnCount = COLUMNS, rowCount = ROWS, method = "shallow", manning = 0.03,
		edges = {west = {kind = "wall"}, east = {kind = "open"}}, foam = {enable = true}}
	local heights, depths = {}, {}
	for row = 0, ROWS - 1 do
		for column = 0, COLUMNS - 1 do
			heights[#heights + 1] = ground(column + 0.5, row + 0.5)
			depths[#depths + 1] = column < 78 and math.max(0, 10.5 - heights[#heights]) or 0
		end
	end
	world:setTerrain(heights)
	world:setDepths(depths)
	world:createSource {center = {12, 53}, radius = 4, rate = 14, velocity = {2, 0}}
	for i = 1, 5 do
		throwCrate(24 + 6 * i, 38 + 5 * i)
	end
	pixels = love.image.newImageData(COLUMNS, ROWS)
	image = love.graphics.newImage(pixels)
	image:setFilter("linear", "linear")
end

-- How many crates are as deep in the water as Archimedes says: 45 % of their 2 m.
local floating = 0
local function countFloating()
	for _, crate in ipairs(crates) do
		local state = world:getBodyState(crate.body)
		if math.abs(state.waterlineHeight - (crate.y - 1) - 0.9) < 0.05 then
			floating = floating + 1
		end
	end
end

local function edit(x, z)
	if love.mouse.isDown(1) or love.mouse.isDown(2) then
		world:editTerrain {kind = "raise", center = {x, z}, radius = 4, falloff = 0.7, amount = love.mouse.isDown(1) and -0.15 or 0.15}
	end
	if love.keyboard.isDown("space") then
		world:addWater({x, z}, 3, 6)
	end
end

function love.update()
	local x, z = love.mouse.getX() / SCALE, love.mouse.getY() / SCALE
	if x > 0 and x < COLUMNS and z > 0 and z < ROWS then
		edit(x, z)
	end
	for _ = 1, shot and 4 or 1 do
		frame = frame + 1
		if shot and frame == 600 then
			countFloating()
		elseif shot and frame > 600 and frame < 700 then
			-- Nobody is at the mouse: breach the ridge.
			world:editTerrain {kind = "flatten", center = {64 + frame % 32, 53}, radius = 4, falloff = 0.5, amount = 0.3, height = 6}
		end
		moveCrates()
		world:step(STEP)
	end
end

function love.keypressed(key)
	if key == "b" then
		throwCrate(love.mouse.getX() / SCALE, love.mouse.getY() / SCALE)
	elseif key == "escape" then
		love.event.quit()
	end
end

-- Ground by height and slope, water by depth and foam.
local function paint()
	local bed, depth, foam = world:getBed(), world:getDepth(), world:getFoam()
	for row = 0, ROWS - 1 do
		for column = 0, COLUMNS - 1 do
			local height = bed.data[row * bed.stride + column]
			local east = bed.data[row * bed.stride + math.min(column + 1, COLUMNS - 1)]
			local light = 0.8 + math.max(-0.45, math.min(0.45, (height - east) * 0.8))
			local share = math.min(height / 16, 1)
			local r, g, b = (0.35 + 0.35 * share) * light, (0.45 + 0.2 * share) * light, (0.25 + 0.25 * share) * light
			local d = depth.data[row * depth.stride + column]
			if d > 0.02 then
				local cover = 1 - math.exp(-0.5 - d * 0.6)
				local f = foam.data[row * foam.stride + column]
				local white = f / (1 + f) * 0.8
				r = r + (0.07 - r) * cover + (1 - r) * white
				g = g + (0.33 - g) * cover + (1 - g) * white
				b = b + (0.55 - b) * cover + (1 - b) * white
			end
			pixels:setPixel(column, row, math.min(r, 1), math.min(g, 1), math.min(b, 1), 1)
		end
	end
	image:replacePixels(pixels)
end

function love.draw()
	paint()
	love.graphics.setColor(1, 1, 1)
	love.graphics.draw(image, 0, 0, 0, SCALE, SCALE)
	for _, crate in ipairs(crates) do
		love.graphics.setColor(0.75, 0.52, 0.26)
		love.graphics.rectangle("fill", (crate.x - 1.5) * SCALE, (crate.z - 1.5) * SCALE, 3 * SCALE, 3 * SCALE)
		love.graphics.setColor(0.3, 0.2, 0.1)
		love.graphics.rectangle("line", (crate.x - 1.5) * SCALE, (crate.z - 1.5) * SCALE, 3 * SCALE, 3 * SCALE)
	end
	love.graphics.setColor(1, 1, 1)
	local ledger = world:getLedger()
	love.graphics.print(("left: dig   right: raise   space: pour   b: crate      %.0f m3 of water, %d frames a second"):format(
		ledger.volume, love.timer.getFPS()), 10, ROWS * SCALE - 22)
	if shot and frame >= 1100 then
		print(("floating %d of %d, drift %.2g of %.0f m3, east of the ridge %.2f m deep"):format(floating, #crates,
			tonumber(ledger.drift), tonumber(ledger.volume), world:sample({110, 53}).depth))
		local path = shot
		shot = nil
		love.graphics.captureScreenshot(function(data)
			local file = assert(io.open(path, "wb"))
			file:write(data:encode("png"):getString())
			file:close()
			love.event.quit()
		end)
	end
end
