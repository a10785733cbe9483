#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Formats all sources with clang-format. With --check it changes nothing and fails if something would change.

set -eu
cd "$(dirname "$0")/.."

formatter=clang-format
if command -v clang-format-14 > /dev/null; then
	formatter=clang-format-14
fi

mode=-i
if [ "${1:-}" = --check ]; then
	mode="--dry-run --Werror"
fi

# shellcheck disable=SC2086
find . \( -path './.git' -o -path './build*' -o -path './out' -o -path './bindings/python/build' \) -prune -o \
	-type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) -print0 | xargs -0 "$formatter" --style=file $mode
