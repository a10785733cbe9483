#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The mod on a server of Luanti without players, twice: the second time everything must still be there.
#
#   bindings/luanti/test.sh FOLDER      FOLDER has the mod, made by bindings/build.sh luanti; the server works there

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
server=$(PATH="$PATH:/usr/games" command -v minetestserver)
home="$folder/server"
rm -rf "$home"
mkdir -p "$home/.minetest/worlds/test/worldmods" "$home/.minetest/games/bare/mods"
# A game of nothing: nodes are those of the two mods.
printf 'title = bare\n' > "$home/.minetest/games/bare/game.conf"
ln -s "$folder/tarn_water" "$home/.minetest/worlds/test/worldmods/tarn_water"
ln -s "$here/test" "$home/.minetest/worlds/test/worldmods/tarn_water_test"
printf 'gameid = bare\nworld_name = test\nbackend = sqlite3\nmod_storage_backend = sqlite3\nplayer_backend = sqlite3\nauth_backend = sqlite3\nload_mod_tarn_water = true\nload_mod_tarn_water_test = true\n' \
	> "$home/.minetest/worlds/test/world.mt"
cat > "$home/minetest.conf" << 'END'
secure.trusted_mods = tarn_water
tarn_water_import = false
mg_name = singlenode
bind_address = 127.0.0.1
server_announce = false
END
for run in first second; do
	HOME="$home" timeout 300 "$server" --config "$home/minetest.conf" --world "$home/.minetest/worlds/test" --gameid bare --port 30123 \
		> "$home/$run.log" 2>&1 || { tail -n 20 "$home/$run.log"; exit 1; }
	grep TARN "$home/$run.log"
	grep -q "TARN $run time: good" "$home/$run.log" || { tail -n 20 "$home/$run.log"; exit 1; }
done
