#!/usr/bin/env bash
# crafty-server runs without a window, prints the same hashes for any number of threads, and refuses wrong
# options in one line.
# Usage: test_crafty_server.sh path/to/crafty-server
set -uo pipefail

program=$1
. "$(dirname "$0")/program.sh"

expect 0 --help
for option in --seed --ticks --threads --replay; do
    grep -q -- "^  $option\b" "$scratch/out" || fail "--help does not list $option"
done

refuses 2 'unknown option --nonsense' --nonsense 1
refuses 2 '--seed needs a number' --seed -1
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

# It needs neither SDL nor Vulkan.
if command -v ldd >/dev/null && ldd "$program" | grep -Eq 'SDL|vulkan|freetype'; then
    fail 'the server links libraries that draw'
fi
((failed == 0))
