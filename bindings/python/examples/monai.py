# SPDX-License-Identifier: MIT
#
# The tsunami of Okushiri in 1993 in a tank of 5.5 m (Matsuyama and Tanaka 2001, benchmark 7 of the NTHMP): water levels at three gauges
# beside those measured, and how high the water ran up the valley of Monai, as a picture.
#
#   python3 monai.py FOLDER [FILE] [COARSENESS]
#
# FOLDER has the data of the benchmark: bed_393x244.r32 (meters, floats), incident_wave.csv, gauges.csv. Every COARSENESS-th node of the
# bed is a cell; 1, by default, is all of them and takes minutes.

import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import tarn

COLUMNS, ROWS, NODE = 393, 244, 0.014
GAUGES = {"ch5": 2.213, "ch7": 1.713, "ch9": 1.213}  # at x = 4.521 m, by z
SECONDS = 25  # later the edge throws back what the real tank was too long for


def main(folder, path, coarseness):
    if not os.path.exists(os.path.join(folder, "bed_393x244.r32")):
        print(f"skipped: there is no benchmark in {folder}")
        return 0.0
    bed = np.fromfile(os.path.join(folder, "bed_393x244.r32"), "<f4").reshape(ROWS, COLUMNS)[::coarseness, ::coarseness]
    wave = np.genfromtxt(os.path.join(folder, "incident_wave.csv"), delimiter=",", skip_header=1)
    measured = np.genfromtxt(os.path.join(folder, "gauges.csv"), delimiter=",", names=True)

    # Nodes are the middles of cells.
    cell = coarseness * NODE
    world = tarn.World(column_count=bed.shape[1], row_count=bed.shape[0], cell_size=cell, origin=((0.0 - cell) / 2, (NODE - cell) / 2),
                       method="shallow", advection="fine", manning=0.01, enable_sleep=False, edges={"west": {"kind": "level"}})
    world.set_terrain(bed)
    world.fill_to_level(0)
    world.set_edge_curve("west", [tuple(point) for point in wave.tolist()])

    times, levels = [], {name: [] for name in GAUGES}
    highest = np.full(bed.shape, -np.inf)
    while world.time < SECONDS:
        for _ in range(10):
            world.step(0.005)
        times.append(world.time)
        for name, z in GAUGES.items():
            levels[name].append(world.sample((4.521, z)).surface)
        wet = world.depth > 5e-4
        highest = np.where(wet, np.maximum(highest, world.bed + world.depth), highest)

    figure, axes = plt.subplots(4, 1, figsize=(9, 11), layout="constrained", height_ratios=(1, 1, 1, 2))
    errors = []
    for axis, (name, values) in zip(axes, levels.items()):
        true = np.interp(times, measured["t"], measured[f"{name}_m"])
        after = np.array(times) > 8  # before, nothing has come
        errors.append(float(np.abs(np.array(values) - true)[after].mean() / np.ptp(true)))
        axis.plot(times, 100 * true, "k.", markersize=2, label="measured")
        axis.plot(times, 100 * np.array(values), label=f"tarn, off by {100 * errors[-1]:.1f} % of the range")
        axis.set(ylabel=f"{name}, cm", xlim=(0, SECONDS), xlabel="s")
        axis.legend(loc="upper left")
    shown = axes[3].imshow(np.where(bed > 0, np.where(np.isfinite(highest), 100 * highest, np.nan), np.nan), origin="upper", cmap="viridis",
                           extent=(0, COLUMNS * NODE, ROWS * NODE, 0), aspect="equal")
    axes[3].contour(bed, levels=[0.0], colors="k", extent=(0, COLUMNS * NODE, 0, ROWS * NODE), linewidths=0.5)
    axes[3].set(xlim=(3.5, COLUMNS * NODE), xlabel="m", ylabel="m", title="how high it ran up; line: the shore")
    figure.colorbar(shown, ax=axes[3], label="cm")
    figure.savefig(path, dpi=100)
    print(f"gauges off by {', '.join(f'{100 * e:.1f} %' for e in errors)} of their range; highest water {100 * highest[bed > 0].max():.1f} cm; {path}")
    return max(errors)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("monai.py FOLDER [FILE] [COARSENESS]")
    worst = main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "monai.png", int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    sys.exit(worst > 0.15)
