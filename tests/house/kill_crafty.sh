#!/usr/bin/env bash
# Kills a program of Crafty that plays a world with SIGKILL, at random moments: each time the world opens, is not
# damaged, and is not older than the last save that the program reported (CAIRN_LOG=debug).
# Usage: kill_crafty.sh FOLDER_OF_PROGRAMS KILLS [OPTION OF crafty...]
# Without options, crafty-server is killed, otherwise crafty with these options.
set -uo pipefail

programs=$1 kills=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
world=$scratch/Home.crafty
export XDG_STATE_HOME=$scratch/state
cp tests/golden/crafty/version_1.crafty "$world" # water flows in it
chmod u+w "$world"
saves=0 last_tick=0

fail() {
    echo "FAILED: kill $round: $*" >&2
    sed 's/^/    /' "$scratch/log" >&2
    exit 1
}

for ((round = 1; round <= kills; round++)); do
    if (($# > 0)); then
        CAIRN_LOG=debug "$programs/crafty" --world "$world" "$@" >"$scratch/log" 2>&1 </dev/null &
    else
        CAIRN_LOG=debug "$programs/crafty-server" --world "$world" --port "$((20000 + $$ % 20000))" >"$scratch/log" 2>&1 </dev/null &
    fi
    program=$!
    # Some are killed soon after their start, most between the first and the second save, which are 5 s apart.
    if ((round % 4 > 0)); then
        until grep -q 'is saved' "$scratch/log"; do
            kill -0 "$program" 2>/dev/null || fail 'the program ended by itself'
            sleep 0.1
        done
        sleep "$((RANDOM % 6)).$((RANDOM % 1000))"
    else
        sleep "0.$((RANDOM % 1000))"
    fi
    kill -9 "$program" 2>/dev/null || fail 'the program ended by itself'
    wait "$program" 2>/dev/null
    saved=$(sed -n 's/.*save: tick \([0-9]*\) is saved$/\1/p' "$scratch/log" | tail -1)
    [[ -z $saved ]] || saves=$((saves + 1))
    verdict=$("$programs/crafty" world verify "$world" 2>&1) || fail "the world is damaged: $verdict"
    found=$("$programs/crafty-server" --world "$world" --ticks 0) || fail 'the world does not open'
    tick=$(sed -n 's/^tick \([0-9]*\) .*/\1/p' <<<"$found")
    ((tick >= ${saved:-0} && tick >= last_tick)) ||
        fail "the world is in tick $tick, but ${saved:-$last_tick} was saved"
    last_tick=$tick
done
echo "$kills kills, $saves after saves; the world is in tick $last_tick"
((saves > 0))
