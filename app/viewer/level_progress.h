// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file Which levels have been won, kept in a small file of the user: one name a line, in tarn/levels of
/// XDG_STATE_HOME, or of ~/.local/state. Where there is no such place nothing is kept, and nobody is told.

/// Has a level been won before? @param stem the name of its file without folder and ending
bool WasLevelWon(const char* stem);
/// Keep that it has been won. Once is enough.
void KeepLevelWon(const char* stem);
