// SPDX-License-Identifier: MIT

#pragma once

// Numbers of nature that no def can change.

#define TN_WATER_DENSITY 1000.0f // kg/m^3
