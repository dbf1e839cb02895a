#!/usr/bin/env bash
# crafty-server runs without a window, prints the same hashes for any number of threads, keeps worlds in files,
# and refuses wrong options in one line.
# Usage: test_crafty_server.sh path/to/crafty-server
set -uo pipefail

program=$1
. "$(dirname "$0")/program.sh"

expect 0 --help
for option in --config --check-config --write-config --set --port --bind --seed --ticks --threads --record --replay \
    --world --worlds --continue; do
    grep -q -- "^  $option\b" "$scratch/out" || fail "--help does not list $option"
done

refuses 2 'unknown option --nonsense' --nonsense 1
refuses 2 '--seed needs a number or a text' --seed ''
refuses 2 '--ticks needs a number' --ticks many
refuses 2 '--threads needs a number from 0 to 256' --threads 257
refuses 2 '--replay needs a value' --replay
refuses 2 'cannot be combined' --replay a --seed 1
refuses 1 "$scratch/none" --replay "$scratch/none"
head -c 4096 /dev/urandom >"$scratch/damaged"
refuses 1 damaged --replay "$scratch/damaged"

expect 0 --ticks 30 --threads 1
cp "$scratch/out" "$scratch/one"
grep -Eq '^tick 30 state [0-9a-f]{16} blocks [0-9a-f]{16}$' "$scratch/one" || fail 'there are no hashes'
expect 0 --ticks 30 --threads 4
cmp -s "$scratch/one" "$scratch/out" || fail 'the number of threads changes the hashes'
expect 0 --ticks 30 --seed 7
cmp -s "$scratch/one" "$scratch/out" && fail '--seed changes nothing'
"$program" --ticks 1 >/dev/full 2>"$scratch/err" && fail 'lost hashes are not reported'

# A world that is closed and opened again runs on as if it had not been.
expect 0 --ticks 60
cp "$scratch/out" "$scratch/uninterrupted"
worlds="$scratch/data/worlds"
expect 0 --world Home --worlds "$worlds" --ticks 25
expect 0 --world Home --worlds "$worlds" --ticks 35 --threads 4
cmp -s "$scratch/uninterrupted" "$scratch/out" || fail 'a saved world does not run on to the same hashes'
expect 0 --world "$worlds/Home.crafty" --ticks 0
cmp -s "$scratch/uninterrupted" "$scratch/out" || fail 'opening a world changes it'

# Without --worlds, it is in the data folder of the user.
export XDG_DATA_HOME="$scratch/xdg"
expect 0 --world Own --ticks 1
[[ -f $scratch/xdg/crafty/worlds/Own.crafty ]] || fail 'the world is not in XDG_DATA_HOME'

# Signals end it; the world is saved. While it runs, nobody else opens the world. SIGHUP reads the settings again.
for signal in TERM INT; do
    : >"$scratch/log"
    bash -c 'exec "$0" "$@"' "$program" --port "$((20001 + $$ % 20000))" --world Home --worlds "$worlds" >"$scratch/running" 2>"$scratch/log" </dev/null &
    server=$!
    until grep -q ' info ready ' "$scratch/log" || ! kill -0 "$server"; do sleep 0.05; done
    kill -HUP "$server"
    until grep -q ' info reloaded ' "$scratch/log" || ! kill -0 "$server"; do sleep 0.05; done
    refuses 1 'it is open in another program' --world Home --worlds "$worlds" --ticks 0
    kill -"$signal" "$server"
    wait "$server" || fail "SIG$signal ends the server with status $?"
    expect 0 --world Home --worlds "$worlds" --ticks 0
    cmp -s "$scratch/running" "$scratch/out" || fail "SIG$signal loses ticks"
done

refuses 1 'has the seed 42' --world Home --worlds "$worlds" --seed 9 --ticks 0
refuses 1 'cannot be the name of a world' --world .hidden --worlds "$worlds" --ticks 0
head -c 9000 "$worlds/Home.crafty" >"$worlds/Half.crafty"
refuses 1 'it is damaged' --world Half --worlds "$worlds" --ticks 0
refuses 2 'cannot be combined' --world Home --replay a
# Settings: the default file is valid, wrong ones are refused before anything is started.
expect 0 --write-config
cp "$scratch/out" "$scratch/server.conf"
expect 0 --check-config --config "$scratch/server.conf"
says 'the settings are valid'
expect 0 config new "$scratch/new.conf"
cmp -s "$scratch/server.conf" "$scratch/new.conf" || fail 'config new writes another file'
refuses 1 'new.conf' config new "$scratch/new.conf"
printf '[server]\nmax_players = lots\n' >"$scratch/server.conf"
refuses 2 'server.conf:2: max_players: expected a number from 1 to 2000, not "lots"' --config "$scratch/server.conf"
refuses 2 'server.conf:2: ' --check-config --config "$scratch/server.conf"
refuses 2 'none.conf' --config "$scratch/none.conf"
refuses 2 'there is no setting "server.none"' --set server.none=1
refuses 2 'expected a number from 1 to 65535' --port 65536
refuses 2 'a numeric address' --bind localhost
refuses 2 'cannot be combined' --config "$scratch/new.conf" --ticks 1
refuses 2 'need --world' --config "$scratch/new.conf" --seed 1
refuses 2 'needs --world' --worlds "$worlds"
refuses 2 'needs --world' --continue
refuses 2 'cannot be combined' --record a --replay a

# The recording of a world replays after the world has moved on, and without it. It contains the blocks that
# ticks used, which are all of them while a player is there: worlds of servers have none without a client.
expect 0 --world Film --worlds "$worlds" --ticks 60
expect 0 --world Film --worlds "$worlds" --ticks 40 --record "$scratch/home.cnr"
cp "$scratch/out" "$scratch/recorded"
expect 0 --world Film --worlds "$worlds" --ticks 20
rm "$worlds"/Film.crafty*
for threads in 1 4; do
    expect 0 --replay "$scratch/home.cnr" --threads "$threads"
    cmp -s "$scratch/recorded" "$scratch/out" || fail "the recording of a world ends in another state"
done
expect 0 --replay "$scratch/home.cnr" --ticks 7
head -c 20000 "$scratch/home.cnr" >"$scratch/short.cnr"
refuses 1 'the file ends before the initial state' --replay "$scratch/short.cnr"

# It needs neither SDL nor Vulkan.
if command -v ldd >/dev/null && ldd "$program" | grep -Eq 'SDL|vulkan|freetype'; then
    fail 'the server links libraries that draw'
fi
((failed == 0))
