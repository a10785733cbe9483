// SPDX-License-Identifier: MIT

#pragma once

// Runs a verification case with every method and prints its failing rows. Returns 0 if there is none.
int TestRunCase(const char* name);
