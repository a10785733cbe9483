# SPDX-License-Identifier: MIT
#
# A dam in a channel fails: depths at four times beside the exact solution (Ritter 1892), as a picture.
#
#   python3 dam_break.py [FILE]

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import tarn

LENGTH, DAM, LEVEL, GRAVITY = 400, 200.0, 2.0, 9.81


def solve(x, t):
    """Depth behind and before a dam that is gone at t = 0, on dry ground without friction."""
    wave = np.sqrt(GRAVITY * LEVEL)
    fan = (2 * wave - (x - DAM) / t) ** 2 / (9 * GRAVITY)
    return np.where(x < DAM - wave * t, LEVEL, np.where(x > DAM + 2 * wave * t, 0, fan))


def main(path):
    world = tarn.World(column_count=LENGTH, row_count=8, cell_size=1.0, method="shallow", advection="fine", gravity=GRAVITY)
    x = np.arange(LENGTH) + 0.5
    world.set_depths(np.tile(np.where(x < DAM, LEVEL, 0.0), (8, 1)))
    figure, axes = plt.subplots(figsize=(9, 4), layout="constrained")
    worst = 0.0
    for seconds, shade in zip((4, 8, 12, 16), plt.cm.viridis([0.1, 0.35, 0.6, 0.85])):
        while world.time < seconds - 1e-6:
            world.step(1 / 32)
        axes.plot(x, solve(x, world.time), "--", color=shade, linewidth=1)
        axes.plot(x, world.depth[4], color=shade, label=f"{seconds} s")
        worst = max(worst, float(abs(world.depth[4] - solve(x, world.time)).mean()) / LEVEL)
    axes.set(xlabel="m", ylabel="depth, m", title="A dam break on dry ground; dashed: exact")
    axes.legend()
    figure.savefig(path, dpi=100)
    print(f"mean error of the depth: {100 * worst:.2f} % of the water behind the dam; {path}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "dam_break.png") > 0.01)
