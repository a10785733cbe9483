#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the playground: build/web/dist is the whole page, to be served by any web server. Bodies move in it if ODE can be
# had for it (web/ode.sh); TARN_WEB_ODE=0 builds without.

set -eu
cd "$(dirname "$0")/.."

ode="$PWD/build/ode"
if [ "${TARN_WEB_ODE:-1}" = 1 ] && web/ode.sh build/ode-source "$ode"; then
	set -- "-DTARN_ODE=ON" "-DTARN_ODE_LIBRARY=$ode/lib/libode.a" "-DTARN_ODE_INCLUDE=$ode/include"
else
	echo "Without a physics engine: bodies in the playground stay where they are"
	set -- "-DTARN_ODE=OFF"
fi
cmake --preset web "$@"
cmake --build --preset web
node web/pack.mjs build/web/dist
echo "The playground is in build/web/dist, $(du -cb build/web/dist/* | tail -n 1 | cut -f 1) bytes"
