#!/usr/bin/env bash
# A server that crashes while mods run goes on from its last tick: the recording is repeated with the same mods, and
# what they did is as if nothing had happened. Without them, or with other ones, the world is as it was last saved.
# Usage: test_crafty_crash_mods.sh path/to/crafty-server
set -uo pipefail

program=$1
. "$(dirname "$0")/program.sh"
ulimit -c 0

crashes=$XDG_STATE_HOME/crafty/crashes
export XDG_DATA_HOME=$scratch/data XDG_CONFIG_HOME=$scratch/config
mods=$scratch/mods
world=$scratch/home/Home.crafty
mkdir -p "$mods/clock"

# Its state depends on every tick and on chance.
cat >"$mods/clock/mod.json" <<'JSON'
{ "name": "clock", "version": "1.0.0", "permissions": ["storage", "world", "creatures"] }
JSON
cat >"$mods/clock/main.lua" <<'LUA'
on("tick", function(e)
    storage.set("ticks", (storage.get("ticks") or 0) + 1)
    storage.set("dice", { world.random(1000), (storage.get("dice") or { 0 })[1] })
end, 1)
LUA

# crash: runs the world with the mods and lets it crash.
crash() {
    local status=0
    rm -rf "$crashes" "$scratch/home"
    mkdir "$scratch/home"
    { CRAFTY_TEST_CRASH=segv@$1 "$program" --world "$world" --mods "$mods" --ticks 100000 \
        >"$scratch/out" 2>"$scratch/err"; } 2>/dev/null || status=$?
    [[ $status == 139 ]] || fail "the crash ends with status $status"
}

# says_error WORDS
says_error() {
    grep -qF -- "$1" "$scratch/err" || fail "\"$1\" is not reported"
}

hashes() {
    grep -o 'tick [0-9].*' "$scratch/out" | sort -u
}

# Without a crash: the state in the last tick, and when the world is opened again, where players join again.
expect 0 --world "$scratch/other.crafty" --mods "$mods" --ticks 200
hashes >"$scratch/last"
expect 0 --world "$scratch/other.crafty" --mods "$mods" --ticks 0
cat "$scratch/last" <(hashes) | sort -u >"$scratch/expected"
expect 0 --world "$scratch/plain.crafty" --ticks 200
hashes >"$scratch/plain"
cmp -s "$scratch/last" "$scratch/plain" && fail 'the mod changes nothing'

crash 200
cp -r "$crashes" "$scratch/killed"
cp -r "$scratch/home" "$scratch/saved"
expect 0 --world "$world" --mods "$mods" --ticks 0 --continue
says_error 'goes on from its last tick'
hashes >"$scratch/continued"
cmp -s "$scratch/expected" "$scratch/continued" || fail 'the world with mods goes on from another state'

restore() {
    rm -rf "$crashes" "$scratch/home"
    cp -r "$scratch/killed" "$crashes"
    cp -r "$scratch/saved" "$scratch/home"
}

# The recorded mods are needed.
restore
expect 0 --world "$world" --ticks 0 --continue
says_error 'goes on from its last save'

# Other code does other things.
restore
sed -i 's/1000/999/' "$mods/clock/main.lua"
expect 0 --world "$world" --mods "$mods" --ticks 0 --continue
says_error 'goes on from its last save'
((failed == 0))
