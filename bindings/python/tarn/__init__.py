# SPDX-License-Identifier: MIT
"""Real-time, interactive water.

>>> import tarn
>>> world = tarn.World(column_count=64, row_count=32, cell_size=0.5)
>>> moved = world.add_water((8.0, 8.0), 2.0, 10.0)  # 10 m^3 on a disc of 2 m; what was added comes back
>>> for step in range(60):
...     world.step(1 / 60)
>>> world.depth.shape                               # a view, row by row, without a copy
(32, 64)
>>> round(float(world.depth.sum()) * 0.25, 3)       # cells are 0.5 x 0.5 m
10.0
>>> world.sample((8.0, 8.0)).inside
True

Every function of C is a method of what it is about: tnWorld_AddWater(world, ...) is world.add_water(...), tnDefaultSourceDef() is
what a dict for a source begins with. Names are those of docs/api in snake_case, units and ranges are told there and by help().

Structs go in as dicts, tuples or records, enums as names, arrays as anything that numpy takes; what C fills comes back:

>>> spring = world.create_source({"center": (3.0, 3.0), "rate": 0.5})
>>> definition, volume = world.get_source(spring)
>>> definition.rate, definition.kind
(0.5, <SourceKind.RATE: 0>)

What the library refuses raises tarn.Error with its text, and has changed nothing:

>>> tarn.World(cell_size=-1)
Traceback (most recent call last):
    ...
tarn.InvalidArgument: cellSize must be in [0.001, 1000], got -1
>>> world.destroy_source(spring)
>>> world.destroy_source(spring)
Traceback (most recent call last):
    ...
tarn.StaleId: source id is null or stale, got (1, 1)

Arrays that the library shows (depth, bed, spray, tiles) are read-only views of its memory. They are what the world is now: after the
next call that changes it they may hold anything, so ask again, or copy(). They keep the memory: a world is destroyed when nobody has
it or one of its arrays any more, or by close(), which refuses while there are any. `with tarn.World() as world:` closes.
"""

from ._core import (
    Closed, Error, InvalidArgument, NotAvailable, OutOfMemory, Replay, Rollback, StaleId, Stream, StreamView, Surface, VoxelMesher,
    VoxelWorld, World, ffi, functions, lib, version,
)
from ._core import enums as _enums
from ._core import records as _records

globals().update(_enums)
globals().update(_records)
globals().update(functions)

__version__ = version
__all__ = [
    "Closed", "Error", "InvalidArgument", "NotAvailable", "OutOfMemory", "Replay", "Rollback", "StaleId", "Stream", "StreamView",
    "Surface", "VoxelMesher", "VoxelWorld", "World", "ffi", "lib",
    *_enums, *_records, *functions,
]
