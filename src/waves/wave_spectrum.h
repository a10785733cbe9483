// SPDX-License-Identifier: MIT

#pragma once

#include "wave_layer.h"

// Seas of many trains of waves: see wave_spectrum.c.

// Make def->trainCount trains. The text of a failure names the field and its value.
tnResult tnWaves_MakeSpectrum(
	const tnWaves* waves, const tnGrid* grid, const tnSpectrumDef* def, tnSwell trains[TN_MAX_TRAINS]);

// The share of the energy of a sea below a frequency over that of its peak, for one that has stopped to grow (peakedness 1) and one
// that grows (3.3).
struct tnSpectrumSums;
size_t tnGetSpectrumSumsBytes(void);
void tnMakeSpectrumSums(struct tnSpectrumSums* sums);
double tnGetSpectrumBelow(const struct tnSpectrumSums* sums, bool grows, double frequency);
