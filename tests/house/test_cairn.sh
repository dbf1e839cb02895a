#!/usr/bin/env bash
# The program `cairn` does what its help promises, and refuses what is wrong in one line.
# Usage: test_cairn.sh path/to/cairn path/to/plugins
set -uo pipefail

cairn=$1
plugins=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

complain() {
    echo "FAILED: $*" >&2
    sed 's/^/    /' "$scratch/out" "$scratch/err" >&2
    failed=$((failed + 1))
}

# STATUS ARGUMENT...: runs it; what it prints lies in $scratch/out and $scratch/err.
expect() {
    local expected=$1 status=0
    shift
    "$cairn" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [[ $status == "$expected" ]] || complain "cairn $* ends with status $status, not $expected"
}

says() { # WORDS: the last one printed these
    grep -qF -- "$1" "$scratch/out" || complain "no \"$1\" is printed"
}

# STATUS WORDS ARGUMENT...: refuses with one line on stderr that has these words.
refuses() {
    local status=$1 words=$2
    shift 2
    expect "$status" "$@"
    if [[ $(wc -l <"$scratch/err") != 1 ]] || ! grep -qF -- "$words" "$scratch/err"; then
        complain "cairn $* does not say \"$words\" in one line"
    fi
}

hash_of() { # ARGUMENT...: of the final state
    expect 0 "$@" --hash
    grep -E '^tick [0-9]+ hash [0-9a-f]{16}$' "$scratch/out" || complain "cairn $* prints no hash"
}

same() { # WHAT HASH HASH
    [[ -n $2 && $2 == "$3" ]] || complain "$1: $2 and $3"
}

swarm=(run --demo swarm --entities 1000)

# ---- Help ----

commands=(run replay schedule bench info)
expect 0 --help
for command in "${commands[@]}"; do
    says "  $command "
done
for command in "${commands[@]}"; do
    expect 0 "$command" --help
    says "usage: cairn $command"
done
expect 2
refuses 2 'no command dance' dance

# ---- Wrong options ----

for command in "${commands[@]}"; do
    refuses 2 'no option --unknown' "$command" --unknown
done
refuses 2 'no place for extra' info extra
refuses 2 'missing after --demo' run --demo
refuses 2 'no value belongs to --hash' run --demo swarm --hash=3
for number in 0 -1 ' -1' x '' 4000001 99999999999999999999 1e3 5x; do
    refuses 2 '--entities needs a number from 1 to 4000000' run --demo swarm --entities "$number"
done
refuses 2 '--threads needs' run --demo swarm --threads 257
refuses 2 '--hz needs' run --demo swarm --hz 0
refuses 2 'say what to run' run
refuses 2 'scene files cannot be read yet' run world.scene
refuses 2 'does not go with' run --demo swarm --real-time --heap
refuses 2 '--record, which is missing' run --demo swarm --keyframes 10
refuses 1 'there is no demo waltz' run --demo waltz
refuses 1 'there is no demo waltz' schedule --demo waltz
refuses 2 'which file?' replay

# ---- Files that are missing, wrong or cannot be written ----

none=$scratch/no/such
echo 'no data' >"$scratch/text"
refuses 1 "$none" "${swarm[@]}" --load "$none"
refuses 1 "$scratch/text" "${swarm[@]}" --load "$scratch/text"
refuses 1 "$none" "${swarm[@]}" --ticks 2 --save "$none"
refuses 1 "$none" "${swarm[@]}" --ticks 2 --record "$none"
refuses 1 "$scratch" "${swarm[@]}" --ticks 2 --record "$scratch"
refuses 1 "$none" "${swarm[@]}" --plugin "$none"
refuses 1 "$scratch/text" "${swarm[@]}" --plugin "$scratch/text"
refuses 1 'plugin interface' "${swarm[@]}" --plugin "$plugins/wrong_abi.so"
refuses 1 "$none" replay "$none"
refuses 1 'not a recording' replay "$scratch/text"

# ---- Threads ----

one=$(hash_of "${swarm[@]}" --ticks 200 --play 5 --threads 1)
for threads in 2 4 8; do
    same "$threads threads" "$one" "$(hash_of "${swarm[@]}" --ticks 200 --play 5 --threads $threads)"
done
other=$(hash_of "${swarm[@]}" --ticks 200 --play 6)
[[ $one != "$other" ]] || complain 'what the hand does changes nothing'
other=$(hash_of "${swarm[@]}" --ticks 200 --play 5 --seed 2)
[[ $one != "$other" ]] || complain 'the seed changes nothing'

# ---- Save and load ----

expect 0 "${swarm[@]}" --ticks 120 --play 5 --save "$scratch/state"
same 'saved and loaded' "$one" "$(hash_of "${swarm[@]}" --ticks 80 --play 5 --load "$scratch/state")"
same 'loaded into a swarm of another size' "$one" \
    "$(hash_of run --demo swarm --entities 50 --ticks 80 --play 5 --load "$scratch/state")"
expect 0 run --demo empty --ticks 3 --save "$scratch/empty"
refuses 1 'state of another world' "${swarm[@]}" --load "$scratch/empty"
head -c 5000 "$scratch/state" >"$scratch/cut"
refuses 1 "$scratch/cut" "${swarm[@]}" --load "$scratch/cut"

# ---- Recordings ----

recording=$scratch/run.cnr
recorded=$(hash_of "${swarm[@]}" --ticks 200 --play 5 --record "$recording" --keyframes 50)
same 'recorded' "$one" "$recorded"
same 'played' "$one" "$(hash_of replay "$recording")"
same 'verified by four threads' "$one" "$(hash_of replay "$recording" --verify --threads 4)"
says 'verified: 200 ticks'
expect 0 replay "$recording" --info
says 'demo=swarm entities=1000'
says 'ticks 0 to 200, 5 whole states'
expect 0 replay "$recording" --to 60
says 'played 60 ticks'
same 'rewound' "$(hash_of "${swarm[@]}" --ticks 133 --play 5)" \
    "$(hash_of replay "$recording" --seek 133 --save "$scratch/rewound")"
same 'rewound, saved and gone on' "$one" \
    "$(hash_of "${swarm[@]}" --ticks 67 --play 5 --load "$scratch/rewound")"
refuses 1 'tick 201 is not one of' replay "$recording" --seek 201
refuses 2 '--watch needs --real-time' "${swarm[@]}" --watch

expect 1 replay "$recording" --verify --plant 70:SwarmVelocity:123:9
entity=$(sed -n 's/^planted: bit 9 of SwarmVelocity of entity \([0-9:]*\) before tick 70$/\1/p' "$scratch/out")
says "before tick 70: entity ${entity:-that was planted} has another SwarmVelocity"
expect 0 replay "$recording" --plant 70:SwarmVelocity:123:9
refuses 2 'TICK:COMPONENT:ENTITY:BIT' replay "$recording" --plant 70:SwarmVelocity
refuses 2 'TICK:COMPONENT:ENTITY:BIT' replay "$recording" --plant 70:SwarmVelocity:1:2x
refuses 1 'no bit 64' replay "$recording" --plant 70:SwarmVelocity:123:64
refuses 1 'of Nothing' replay "$recording" --plant 70:Nothing:0:0
refuses 1 'from 0 up to 200' replay "$recording" --plant 200:SwarmVelocity:0:0
expect 1 replay "$recording" --verify --plugin "$plugins/template_plugin.so"
says 'other settings'

bytes=$(stat -c %s "$recording")
head -c $((bytes * 3 / 4)) "$recording" >"$scratch/cut.cnr"
expect 0 replay "$scratch/cut.cnr" --verify
says 'the recording was cut off there'
head -c 300 "$recording" >"$scratch/cut.cnr"
refuses 1 "$scratch/cut.cnr" replay "$scratch/cut.cnr" --verify
cp "$recording" "$scratch/bad.cnr"
printf '\xa5\x5a\xa5\x5a' | dd of="$scratch/bad.cnr" bs=1 seek=$((bytes / 2)) conv=notrunc 2>/dev/null
refuses 1 'damaged' replay "$scratch/bad.cnr" --verify
head -c 100 "$recording" | cat - "$scratch/text" >"$scratch/bad.cnr"
refuses 1 "$scratch/bad.cnr" replay "$scratch/bad.cnr"

expect 0 "${swarm[@]}" --ticks 40 --play 5 --load "$scratch/state" --record "$recording"
expect 0 replay "$recording" --verify
says 'verified: 40 ticks'

# ---- The rest ----

expect 0 run --demo swarm --entities 2000 --ticks 4000 --play 5 --heap
says 'heap calls in the last 2000 ticks: 0'
expect 0 "${swarm[@]}" --ticks 6 --real-time
says 'dropped ticks'
expect 0 "${swarm[@]}" --ticks 20 --plugin "$plugins/template_plugin.so"
says ' alive, '

expect 0 schedule
for words in PreUpdate swarm_grid 'wave 1   swarm_follow'; do
    says "$words"
done
expect 0 schedule --demo empty --plugin "$plugins/template_plugin.so" --dot
says 'digraph schedule'
expect 0 schedule --dot
says '"swarm_steer" -> "swarm_follow"'
expect 0 info
for words in 'SIMD path' 'plugin interface' 'core plugins: CoreTiming' 'demos: swarm'; do
    says "$words"
done
expect 0 bench --entities 100 --ticks 3 --threads 2
says empty_tick_100
expect 0 bench --entities 100 --ticks 3 --threads 2 --json
python3 -c 'import json, sys; [json.loads(line)["ns"] for line in sys.stdin]' <"$scratch/out" ||
    complain 'bench --json prints something else'

((failed == 0))
