# SPDX-License-Identifier: MIT

import doctest
import gc
import inspect
import json
import os
import resource
import unittest

import numpy as np
import tarn


def make_lake(**fields):
    world = tarn.World(column_count=37, row_count=23, **fields)
    world.fill_to_level(1.0)
    return world


class Views(unittest.TestCase):
    def test_are_the_memory_of_the_world(self):
        world = make_lake()
        depth = world.depth
        self.assertEqual((depth.shape, depth.dtype), ((23, 37), np.float32))
        self.assertTrue((depth == 1.0).all())
        with self.assertRaises(ValueError):
            depth[0, 0] = 2.0
        first = depth.__array_interface__["data"][0]
        self.assertEqual(world.depth.__array_interface__["data"][0], first)

    def test_keep_the_world(self):
        world = make_lake()
        depth = world.depth
        with self.assertRaises(BufferError):
            world.close()
        del world
        gc.collect()
        self.assertEqual(float(depth.sum()), 37 * 23)
        part = depth[3:5, ::2]
        del depth
        gc.collect()
        self.assertEqual(float(part.sum()), 2 * 19)

    def test_close(self):
        world = make_lake()
        surface = tarn.Surface(world)
        depth = world.depth.copy()
        world.close()
        world.close()
        self.assertTrue(world.closed and surface.closed)
        self.assertEqual(float(depth.sum()), 37 * 23)
        for call in (lambda: world.step(0.1), lambda: world.depth, lambda: surface.take_changes(), lambda: tarn.Surface(world)):
            self.assertRaises(tarn.Closed, call)
        # One that could not be made has nothing to close.
        self.assertRaises(tarn.InvalidArgument, tarn.World, gravity=0)
        gc.collect()

    def test_worlds_go_with_their_last_name(self):
        for _ in range(5):
            tarn.World(column_count=512, row_count=512)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(60):
            tarn.Rollback(tarn.World(column_count=512, row_count=512))
        # Each has ten megabytes and more.
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 150_000)

    def test_structured(self):
        world = make_lake(spray={"enable": True}, waves={"enable": True})
        world.create_jet({"position": (10, 3, 10), "velocity": (1, 4, 0), "rate": 0.5})
        for _ in range(20):
            world.step(1 / 60)
        spray = world.get_spray()
        self.assertGreater(len(spray), 3)
        self.assertEqual(spray["position"].shape, (len(spray), 3))
        self.assertAlmostEqual(float(spray["volume"].sum()), world.get_spray_stats().airborne, 5)
        self.assertTrue((spray["kind"] == tarn.SprayKind.JET).all())
        world.add_drops([((10, 10), 0.1)])
        world.step(1 / 60)
        tile = world.get_wave_tile(0)
        self.assertEqual(tile.heights.shape, (64, 64))


class Calls(unittest.TestCase):
    def test_texts(self):
        for fields, text in [({"cell_size": 0}, "cellSize"), ({"method": "fluid"}, "pipe, linear, shallow"),
                             ({"waves": {"enable": True, "level_count": 99}}, "levelCount")]:
            with self.assertRaisesRegex(tarn.InvalidArgument, text):
                tarn.World(**fields)
        with self.assertRaisesRegex(TypeError, "did you mean cell_size"):
            tarn.World(cellsize=1)
        with self.assertRaisesRegex(TypeError, "step"):
            make_lake().step()
        with self.assertRaisesRegex(tarn.InvalidArgument, r"\(23, 37\)"):
            make_lake().set_terrain(np.zeros(5))
        with self.assertRaises(tarn.NotAvailable) as caught:
            make_lake().add_drops([((1, 1), 0.1)])
        self.assertEqual(caught.exception.status, tarn.Status.NOT_AVAILABLE)
        self.assertRaises(tarn.StaleId, make_lake().destroy_body, (3, 3))

    def test_what_is_no_number(self):
        for fields, text in (
            ({"column_count": 12.5}, "column_count must be a whole number, got 12.5"),
            ({"column_count": "64"}, "column_count must be a whole number"),
            ({"cell_size": "1"}, "cell_size must be a number"),
            ({"cell_size": None}, "cell_size must be a number"),
            ({"enable_sleep": "no"}, "enable_sleep must be True or False"),
            ({"waves": 3}, "WavesDef must be a dict or a sequence, got 3"),
            ({"edges": {"west": "open"}}, "EdgeDef must be a dict or a sequence"),
            ({"method": None}, "method must be a whole number"),
        ):
            with self.assertRaisesRegex(TypeError, text):
                tarn.World(**fields)
        self.assertRaises(OverflowError, tarn.World, column_count=2**40)
        world = make_lake()
        for call in (lambda: world.step("1"), lambda: world.step(None), lambda: world.sample(None), lambda: world.restore("text"),
                     lambda: tarn.Surface(tarn.VoxelWorld()), lambda: tarn.World.step(tarn.VoxelWorld(), 0.1)):
            self.assertRaises(TypeError, call)
        with self.assertRaisesRegex(tarn.InvalidArgument, "defs must have 4 items, one for each side, got 1"):
            world.set_edges([{}])
        world.set_edges([{"kind": "open"}] * 4)
        # numpy's numbers are numbers.
        tarn.World(column_count=np.int64(16), cell_size=np.float32(0.5), enable_sleep=np.bool_(True)).step(np.float64(0.01))

    def test_ranges_of_the_description(self):
        # Whatever the comments say is out of range the library refuses, by name; what is in range it takes.
        with open(os.path.join(os.path.dirname(tarn.__file__), "_description.json"), encoding="utf-8") as file:
            structs = json.load(file)["structs"]
        world = make_lake(foam={"enable": True}, spray={"enable": True}, waves={"enable": True})
        trials = {
            "tnWorldDef": lambda field: tarn.World(**{"column_count": 16, "row_count": 16, **field}),
            "tnFoamDef": lambda field: tarn.World(column_count=16, row_count=16, foam={"enable": True, **field}),
            "tnSprayDef": lambda field: tarn.World(column_count=16, row_count=16, spray={"enable": True, **field}),
            "tnWavesDef": lambda field: tarn.World(column_count=16, row_count=16, waves={"enable": True, **field}),
            "tnJetDef": world.create_jet,
            "tnRegionDef": world.create_region,
            "tnVoxelWorldDef": lambda field: tarn.VoxelWorld(**field),
            "tnRollbackDef": lambda field: tarn.Rollback(world, **field),
            "tnStreamDef": lambda field: tarn.Stream(world, **field),
            "tnSurfaceDef": lambda field: tarn.Surface(world, **field),
            "tnSpectrumDef": world.set_spectrum,
            "tnBodyDef": lambda field: world.create_body({"shapes": [{}], **field}),
        }
        tried = 0
        for name, make in trials.items():
            for field in structs[name]["fields"]:
                found, kind = field["range"], field["type"]["name"]
                if not found or kind not in ("float", "int", "int32_t", "double") or field["type"]["counts"]:
                    continue
                outside = []
                if found["low"] is not None:
                    outside.append(found["low"] - (0 if found["openLow"] else max(abs(found["low"]) * 0.01, 1e-6) if kind == "float" else 1))
                if found["high"] is not None:
                    outside.append(found["high"] * 1.01 if kind == "float" else found["high"] + 1)
                for value in outside:
                    if found.get("orZero") and value == 0:
                        continue
                    with self.assertRaisesRegex(tarn.InvalidArgument, field["name"], msg=f"{name}.{field['name']} = {value}"):
                        make({field["name"]: value})
                    tried += 1
        self.assertGreater(tried, 60)

    def test_saves(self):
        world = make_lake()
        world.add_water((10, 10), 3, 20)
        world.step(1 / 60)
        data = world.save()
        other = tarn.World.from_bytes(data)
        self.assertEqual(other.get_hash(), world.get_hash())
        world.step(1 / 60)
        world.restore(data)
        self.assertEqual(other.get_hash(), world.get_hash())
        self.assertRaises(tarn.InvalidArgument, world.restore, data[:-3])
        self.assertEqual(tarn.read_snapshot_info(data).step_count, 1)
        rollback = tarn.Rollback(world)
        rollback.push()
        world.step(1 / 60)
        rollback.restore(0)
        self.assertEqual(other.get_hash(), world.get_hash())

    def test_recording(self):
        world, parts = make_lake(), []
        world.start_recording(parts.append)
        world.add_water((10, 10), 3, 20)
        world.step(1 / 60)
        world.stop_recording()
        replay = tarn.Replay(b"".join(parts))
        state = replay.step()
        self.assertFalse(state.parted)
        self.assertEqual(state.step_count, 1)
        self.assertEqual(replay.world.get_hash(), world.get_hash())
        depth = replay.world.depth
        self.assertRaises(BufferError, replay.close)
        del depth
        played = replay.world
        replay.close()
        self.assertRaises(tarn.Closed, played.get_hash)

    def test_lists(self):
        world = make_lake(keep_discharge=True)
        samples = world.sample_many([(1, 1), (5, 5), (900, 1)])
        self.assertEqual(samples["inside"].tolist(), [True, True, False])
        self.assertTrue(np.isclose(samples["depth"], 1).all())
        self.assertEqual([v.shape for v in world.copy_velocities()], [(23, 37)] * 2)
        self.assertEqual([v.shape for v in world.copy_discharge()], [(23, 38), (24, 37)])
        body = world.create_body({"shapes": [{"kind": "sphere", "radius": 2}, {"half_extents": (1, 3, 1)}],
                                  "pose": {"position": (18, 1, 11)}})
        world.step(1 / 60)
        self.assertEqual(world.get_bodies(), [body])
        self.assertGreater(world.get_body_wrench(body).force.y, 1000)
        line = world.copy_waterline(body)
        self.assertEqual(line.shape[1:], (3,))
        self.assertGreater(len(line), 8)
        mesh = world.get_body_mesh(body)
        self.assertEqual(mesh.triangles.max() + 1, len(mesh.points))
        points = np.array([[-1, 0, -1], [1, 0, -1], [0, 0, 1], [0, 1, 0]], "f4")
        hull = world.create_body({"shapes": [{"kind": "hull", "points": points}]})
        self.assertTrue(world.is_body_valid(hull))
        self.assertIsNone(world.get_leak(hull, 0))
        self.assertIsNone(world.foam)
        world.set_rain(1e-6, np.ones((23, 37)))
        world.set_rain(1e-6)
        hit = world.cast_ray((5, 9, 5), (0, -1, 0), 20)
        self.assertTrue(hit.hit and hit.water)

    def test_surface_and_voxels(self):
        world = make_lake()
        surface = tarn.Surface(world)
        surface.update(world, 1.0)
        self.assertEqual(len(surface.take_changes()), surface.get_tile_count())
        tile = surface.get_tile(0)
        self.assertEqual([(t.shape, str(t.dtype)) for t in tile.texels],
                         [((64, 64, 1), "float32"), ((64, 64, 4), "float16"), ((64, 64, 4), "float16")])
        self.assertTrue((tile.texels[0][:23, :37] == 1.0).all())
        positions, normals, triangles = surface.build_mesh(0)
        self.assertTrue((positions[:, 1] == 1.0).all() and triangles.max() < len(positions) == len(normals))
        voxels = tarn.VoxelWorld()
        voxels.load_block((0, 0, 0))
        box = ((0, 0, 0), (16, 2, 16))
        self.assertEqual(voxels.add_liquid(box, 1, 512), 512 * 512)
        solid, amounts, liquids = voxels.read(box)
        self.assertEqual((amounts.shape, int(amounts.sum()), int(liquids.max())), ((2, 16, 16), 512 * 512, 1))
        self.assertEqual((len(voxels.take_changed()), len(voxels.take_changed())), (8 * 8 * 8, 0))
        positions, normals, triangles, kinds = tarn.VoxelMesher().build(voxels, (0, 0, 0), liquid=1, cut_out=True)
        self.assertTrue(len(positions) and (kinds == 1).all())
        data = voxels.save()
        self.assertEqual(tarn.VoxelWorld.from_bytes(data).get_hash(), voxels.get_hash())
        voxels.set_solid(box, np.full((2, 16, 16), 255, "u1"))
        self.assertEqual(voxels.get_voxel((1, 1, 1)).solid, 255)

    def test_stream(self):
        world = make_lake()
        stream, view = tarn.Stream(world), tarn.StreamView()
        self.assertIsNone(view.get_field("depth"))
        data, state = stream.write(100_000)
        view.read(data)
        stream.take_receipt(view.get_receipt())
        self.assertEqual(state.waiting_count, 0)
        self.assertLess(abs(view.get_field("depth") - 1.0).max(), 0.006)

    def test_every_function_is_there(self):
        with open(os.path.join(os.path.dirname(tarn.__file__), "_description.json"), encoding="utf-8") as file:
            names = json.load(file)["functions"]
        told = set()
        for thing in [tarn] + [v for v in vars(tarn).values() if inspect.isclass(v)]:
            for member in vars(thing).values():
                document = getattr(getattr(member, "__func__", member), "__doc__", None) or ""
                told.update(line.strip()[3:] for line in document.split("\n") if line.strip().startswith("C: "))
        # Made and destroyed by Python itself, begun from by every dict, or of no use here.
        left = {n for n in names if n not in told and not n.startswith(("tnDestroy", "tnDefault"))}
        self.assertEqual(left, {"tnSetAssertHandler", "tnVoxelMesher_BuildMany"})


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(tarn))
    return tests


if __name__ == "__main__":
    unittest.main()
