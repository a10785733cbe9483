# SPDX-License-Identifier: MIT
#
# What bindings/test/program.c does, in GDScript, and tests of what is Godot's own:
#
#   godot3-server --path PROJECT -s program.gd FILE      FILE gets what the program prints

extends SceneTree

const World = preload("res://addons/tarn/tarn_world.gdns")
const VoxelWorld = preload("res://addons/tarn/tarn_voxel_world.gdns")

var failed := 0


func expect(found, wanted, what: String) -> void:
	if typeof(found) != typeof(wanted) or found != wanted:
		failed += 1
		printerr("FAIL %s: %s, expected %s" % [what, found, wanted])


# What is refused returns null, says why, and has changed nothing.
func expect_refused(world, result, text: String) -> void:
	if result != null and not (result is bool and not result) or world.get_error().find(text) < 0:
		failed += 1
		printerr("FAIL refused: %s, error \"%s\", expected \"%s\"" % [result, world.get_error(), text])


func hexadecimal(hash_value: int) -> String:
	var text := ""
	for i in range(16):
		text = "0123456789abcdef"[(hash_value >> (4 * i)) & 15] + text
	return text


func run_world() -> String:
	var world = World.new()
	expect(world.create({"columnCount": 96, "rowCount": 64, "cellSize": 0.5, "method": "shallow", "tracerCount": 1,
		"edges": {1: {"kind": "open"}}, "waves": {"enable": true, "levelCount": 3, "tileCount": 64}, "spray": {"enable": true},
		"foam": {"enable": true}}), true, "create")
	var heights := PoolRealArray()
	for row in range(64):
		for column in range(96):
			heights.append(((column * 7 + row * 13) % 16) / 16.0 + column / 32.0)
	world.set_terrain(heights)
	world.add_water(Vector2(12, 16), 6, 200)
	world.create_source({"center": Vector2(36, 8), "rate": 2.5, "tracers": [0.5]})
	var crate = world.create_body({"shapes": [{"halfExtents": Vector3(1, 0.5, 1.5)}], "mass": 1500,
		"pose": {"position": Vector3(14, 2, 16)}})
	for step in range(90):
		world.move_body(crate, {"position": Vector3(14 + step / 32.0, 2, 16), "rotation": Quat()}, Vector3(1.875, 0, 0), Vector3())
		world.step(1.0 / 64)
	expect(world.get_error(), "", "no error")
	return "world " + hexadecimal(world.get_hash())


func run_voxels() -> String:
	var world = VoxelWorld.new()
	world.create({"liquidCount": 2, "liquids": {1: {"viscosity": 4, "density": 2500}}})
	world.load_block([0, 0, 0])
	world.fill_solid({"low": [0, 0, 0], "high": [64, 8, 64]}, 255)
	world.fill_solid_ball(Vector3(20, 8, 20), 7.5, 0)
	world.add_liquid({"low": [14, 20, 14], "high": [26, 30, 26]}, 1, 1024)
	world.add_liquid({"low": [30, 12, 30], "high": [34, 20, 34]}, 2, 700)
	for step in range(120):
		world.step(0)
	var inside = world.read({"low": [0, 8, 0], "high": [64, 9, 64]})
	expect(inside.solid is PoolByteArray and inside.solid.size() == 64 * 64, true, "read")
	return "voxels " + hexadecimal(world.get_hash())


func test_values() -> void:
	var world = World.new()
	expect_refused(world, world.step(0.1), "call create() first")
	world.create({"columnCount": 37, "rowCount": 23})
	world.fill_to_level(1.0)
	expect(world.get_depth().size(), 37 * 23, "fields")
	expect(world.get_depth()[37 * 23 - 1], 1.0, "depth")
	expect(world.sample(Vector2(5, 5)).depth, 1.0, "sample")
	expect(world.sample_many(PoolRealArray([5, 5, 900, 1])).size(), 2, "samples")
	expect(world.sample_many([Vector2(5, 5), [900, 1]])[1].inside, false, "outside")
	expect(world.get_def().method, "pipe", "enums")
	expect(world.get_def().edges[3].kind, "wall", "arrays of structs")
	expect(world.add_water(Vector2(10, 10), 3, 20), 20.0, "what comes back")
	var velocities = world.copy_velocities()
	expect([velocities.velocitiesX.size(), velocities.velocitiesZ.size()], [37 * 23, 37 * 23], "several values")
	var saved = world.save()
	var before = world.get_hash()
	world.step(1.0 / 60)
	expect(world.get_hash() == before, false, "stepped")
	world.restore(saved)
	expect(world.get_hash(), before, "restored")
	var body = world.create_body({"shapes": [{"kind": "sphere", "radius": 2}], "pose": {"position": Vector3(18, 1, 11)}})
	world.step(1.0 / 60)
	expect(world.get_bodies().size(), 1, "bodies")
	expect(world.get_body_wrench(body).force.y > 1000, true, "wrench")
	expect(world.get_body_state(body).mode, "blocking", "state")
	expect(world.get_body_state(body).pose.rotation, Quat(), "rotation")
	expect(world.copy_waterline(body).size() > 8, true, "waterline")
	expect(world.get_body_mesh(body).points.size() > 8, true, "mesh")
	world.destroy_body(body)
	expect_refused(world, world.get_body_state(body), "body")
	world.destroy()
	expect_refused(world, world.get_depth(), "call create() first")
	world.destroy()


func test_refused() -> void:
	var world = World.new()
	for given in [[{"columnCount": 12.5}, "columnCount must be a whole number"], [{"columnCount": 1 << 40}, "columnCount does not fit into int"],
			[{"cellSize": "1"}, "cellSize must be a number"], [{"cellSize": NAN}, "cellSize"], [{"cellsize": 1}, "has no field cellsize"],
			[{"method": "fluid"}, "method must not be \"fluid\""], [{"enableSleep": 1}, "enableSleep must be true or false"],
			[{"edges": {4: {}}}, "edges has not so many places"], [{"edges": 3}, "edges must be an array"], [{"waves": 3}, "waves must be a dictionary"],
			[{"waves": {"enable": true, "levelCount": 99}}, "levelCount"], [7, "def must be a dictionary"], ["", "def must be a dictionary"]]:
		expect_refused(world, world.create(given[0]), given[1])
	world.create()
	var before = world.get_hash()
	expect_refused(world, world.step(), "step: timeStep is missing")
	expect_refused(world, world.step(0.1, 2), "fewer parameters")
	expect_refused(world, world.step(NAN), "timeStep")
	expect_refused(world, world.step(null), "timeStep must be a number")
	expect_refused(world, world.set_terrain(PoolRealArray([1, 2])), "heights must have 16384 values, got 2")
	expect_refused(world, world.set_terrain(PoolByteArray([1])), "heights must be an array of float")
	expect_refused(world, world.set_edges([{}, {}]), "defs must have 4 values, got 2")
	expect_refused(world, world.sample([1, 2, 3]), "position must have all parts")
	expect_refused(world, world.sample_many(PoolRealArray([1, 2, 3])), "positions must be an array of tnVec2")
	expect_refused(world, world.add_wave_field(0, 0, -3, 1 << 30, PoolRealArray([1]), null), "heights must have 0 values")
	expect_refused(world, world.restore(PoolByteArray([1, 2, 3])), "it is cut off")
	expect_refused(world, world.create_body({"shapes": [{}, 3]}), "shapes must be a dictionary")
	expect_refused(world, world.create_body({"shapes": [{"kind": "mesh", "points": [Vector3()], "triangles": [0, 0, 1 << 33]}]}), "does not fit")
	expect_refused(world, world.create({}, 1), "fewer parameters")
	expect_refused(world, world.destroy(1), "fewer parameters")
	expect(world.get_hash(), before, "nothing has changed")
	# A world stays as it was when another one is refused in its place.
	expect_refused(world, world.create({"cellSize": -1}), "cellSize must be in [0.001, 1000], got -1")
	expect(world.get_def().columnCount, 128, "still there")


func _init() -> void:
	var file := File.new()
	file.open(OS.get_cmdline_args()[-1], File.WRITE)
	file.store_line(run_world())
	file.store_line(run_voxels())
	var world = World.new()
	world.create({"cellSize": -1})
	file.store_line(world.get_error())
	file.close()
	test_values()
	test_refused()
	# Nothing is left: many worlds in a memory that would not hold them all.
	for i in range(3000):
		var forgotten = World.new()
		forgotten.create({"columnCount": 512, "rowCount": 512})
	print("failed: %d, memory: %d MB" % [failed, OS.get_static_memory_peak_usage() / 1000000])
	quit(1 if failed else 0)
