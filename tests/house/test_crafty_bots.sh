#!/usr/bin/env bash
# crafty-bots against a real crafty-server: everybody stays, and all have the same blocks; wrong options, a
# missing server and a server that stops are reported.
#
# Usage: test_crafty_bots.sh CRAFTY_SERVER CRAFTY_BOTS
set -euo pipefail

server=$1
bots=$2
scratch=$(mktemp -d)
pid=
trap '[[ -z $pid ]] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_DATA_HOME=$scratch/data XDG_CONFIG_HOME=$scratch/config

fail() {
    echo "FAILED: $1" >&2
    tail -n 20 "$scratch"/*.log >&2 || true
    exit 1
}

# Takes a free port: others may use the default.
for port in $((20000 + $$ % 20000)) $((20001 + $$ % 20000)) $((20002 + $$ % 20000)); do
    mkfifo "$scratch/input.$port"
    "$server" --world "$scratch/w.crafty" --seed 7 --mode survival --bind 127.0.0.1 --port "$port" \
        --set network.connections_per_address=32 <"$scratch/input.$port" >"$scratch/server.log" 2>&1 &
    pid=$!
    exec 3>"$scratch/input.$port"
    for _ in {1..300}; do
        if grep -q ' ready ' "$scratch/server.log"; then break 2; fi
        kill -0 "$pid" 2>/dev/null || break
        sleep .1
    done
done
grep -q ' ready ' "$scratch/server.log" || fail 'the server does not run'

"$bots" --server "127.0.0.1:$port" --count 4 --seconds 6 --json >"$scratch/bots.log" 2>&1 || fail 'bots failed'
grep -q '"connected": 4' "$scratch/bots.log" || fail 'not all bots stayed'
grep -q '"columns_different": 0' "$scratch/bots.log" || fail 'blocks differ'
"$bots" --server "127.0.0.1:$port" --count 2 --seconds 4 --net-sim latency=100,jitter=20,loss=5% \
    >"$scratch/far.log" 2>&1 || fail 'bots on a bad network failed'
grep -q 'bot1_[0-9a-f]* joined' "$scratch/server.log" || fail 'the log does not name who joined'

# A server that stops tells why.
("$bots" --server "127.0.0.1:$port" --seconds 60 >"$scratch/stopped.log" 2>&1 && touch "$scratch/wrong") &
sleep 2
kill -TERM "$pid"
wait "$pid" || fail 'the server did not end with 0'
pid=
"$bots" --server "127.0.0.1:$port" --seconds 1 >"$scratch/nobody.log" 2>&1 && fail 'there was no server'
kill %2 2>/dev/null || true

for wrong in '--count 0' '--server nowhere:x' '--colour red' '--net-sim loss=200%'; do
    # shellcheck disable=SC2086
    "$bots" --server 127.0.0.1 $wrong >"$scratch/wrong.log" 2>&1 && fail "$wrong was accepted"
    [[ -s $scratch/wrong.log ]] || fail "$wrong has no message"
done
"$bots" --help | grep -q 'usage: crafty-bots' || fail 'there is no help'
