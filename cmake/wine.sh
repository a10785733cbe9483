#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wine.sh PROGRAM [ARGUMENTS]: runs a program of Windows, with a Windows of its own (700 MB) that is made on first use and
# nobody else's settings. TARN_WINE_FOLDER says where it is kept; otherwise it goes with the build.

set -eu
WINEPREFIX="${TARN_WINE_FOLDER:-$(cd "$(dirname "$0")/.." && pwd)/build/windows/wine}"
export WINEPREFIX
export WINEDEBUG=-all
# It would offer to install what web pages and .NET programs need.
export WINEDLLOVERRIDES="mscoree=;mshtml="
# No window is opened, and none must be.
unset DISPLAY WAYLAND_DISPLAY
if [ ! -f "$WINEPREFIX/made" ]; then
	mkdir -p "$WINEPREFIX"
	# Tests may start at the same time: one makes it, the others wait.
	flock "$WINEPREFIX" sh -c '[ -f "$WINEPREFIX/made" ] || { wine wineboot --init && touch "$WINEPREFIX/made"; }' > /dev/null 2>&1
fi
exec wine "$@"
