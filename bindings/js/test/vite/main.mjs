// SPDX-License-Identifier: MIT
//
// The program of bindings/test/program.c in a page that vite has packed, by import alone: nothing is said of the library's files.

import * as tarn from "tarn-water";
import { runProgram } from "../program.mjs";

await tarn.init({ simd: !new URLSearchParams(location.search).has("plain") });
window.lines = [];
runProgram(tarn, (line) => window.lines.push(line));
window.done = true;
