// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// Seas of many trains of waves: see wave_spectrum.c.

// Make def->trainCount trains. The text of a failure names the field and its value.
tnResult tnWaves_MakeSpectrum(
	const tnWaves* waves, const tnGrid* grid, const tnSpectrumDef* def, tnSwell trains[TN_MAX_TRAINS]);
