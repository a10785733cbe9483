# SPDX-License-Identifier: MIT
#
# What bindings/test/program.c does, in Python: it must print the same.

import numpy as np
import tarn


def run_world():
    column, row = np.meshgrid(np.arange(96), np.arange(64))
    with tarn.World(
        column_count=96, row_count=64, cell_size=0.5, method="shallow", tracer_count=1, edges={"east": {"kind": "open"}},
        waves={"enable": True, "level_count": 3, "tile_count": 64}, spray={"enable": True}, foam={"enable": True},
    ) as world:
        world.set_terrain((column * 7 + row * 13) % 16 / 16 + column / 32)
        world.add_water((12, 16), 6, 200)
        world.create_source({"center": (36, 8), "rate": 2.5, "tracers": {0: 0.5}})
        crate = world.create_body(
            {"shapes": [{"half_extents": (1, 0.5, 1.5)}], "mass": 1500, "pose": {"position": (14, 2, 16)}})
        for step in range(90):
            pose = {"position": (14 + step / 32, 2, 16), "rotation": (0, 0, 0, 1)}
            world.move_body(crate, pose, (1.875, 0, 0), (0, 0, 0))
            world.step(1 / 64)
        return world.get_hash()


def run_voxels():
    with tarn.VoxelWorld(liquid_count=2, liquids={1: {"viscosity": 4, "density": 2500}}) as world:
        world.load_block((0, 0, 0))
        world.fill_solid(((0, 0, 0), (64, 8, 64)), 255)
        world.fill_solid_ball((20, 8, 20), 7.5, 0)
        world.add_liquid(((14, 20, 14), (26, 30, 26)), 1, 1024)
        world.add_liquid(((30, 12, 30), (34, 20, 34)), 2, 700)
        for _ in range(120):
            world.step()
        return world.get_hash()


if __name__ == "__main__":
    print(f"world {run_world():016x}")
    print(f"voxels {run_voxels():016x}")
    try:
        tarn.World(cell_size=-1)
    except tarn.InvalidArgument as error:
        print(error)
