#!/usr/bin/env bash
# A server that crashes in a world leaves a report and the last minute as a recording, and --continue goes on from the
# last tick. CRAFTY_TEST_CRASH=SIGNAL@TICK raises a signal.
# Usage: test_crafty_crash.sh path/to/crafty-server
set -uo pipefail

program=$1
. "$(dirname "$0")/program.sh"
ulimit -c 0

crashes=$XDG_STATE_HOME/crafty/crashes
mkdir "$scratch/home"
world=$scratch/home/Home.crafty
export CRAFTY_TEST_SECRET=hunter2

# crash STATUS SIGNAL TICK: runs the world and lets it crash.
crash() {
    local status=0
    { CRAFTY_TEST_CRASH=$2@$3 "$program" --world "$world" --ticks 100000 >"$scratch/out" 2>"$scratch/err"; } \
        2>/dev/null || status=$?
    [[ $status == "$1" ]] || fail "a crash by $2 ends with status $status, expected $1"
}

# Brings back the files as they were after kill -9.
restore() {
    rm -rf "$crashes" "$scratch/home"
    cp -r "$scratch/killed" "$crashes"
    cp -r "$scratch/saved" "$scratch/home"
}

# hashes_at TICK: the state of a world that was never interrupted.
hashes_at() {
    rm -f "$scratch"/other.crafty*
    expect 0 --world "$scratch/other.crafty" --ticks "$1"
    cp "$scratch/out" "$scratch/expected"
}

expect 0 report
says 'There are no crash reports'
expect 0 --world "$world" --ticks 10
[[ -z $(ls "$crashes") ]] || fail 'a clean end leaves files'

# Every signal: report, recording, continue.
tick=10
for pair in segv:139:SIGSEGV abrt:134:SIGABRT bus:135:SIGBUS fpe:136:SIGFPE ill:132:SIGILL; do
    IFS=: read -r signal status name <<<"$pair"
    tick=$((tick + 70))
    rm -rf "$crashes"
    crash "$status" "$signal" "$tick"
    report=$(echo "$crashes"/*.report)
    recording=$(echo "$crashes"/*-a.cnr)
    [[ -s $report ]] || fail "there is no report of $name"
    if LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f-\xff]' "$report"; then
        fail 'the report has control characters'
    fi
    for fact in 'program: crafty-server' 'version: [0-9]' 'build: [0-9a-f]' 'cpu: .' 'gpu: none' 'world: Home' \
        "tick: $tick\$" "signal: $name " 'thread: [0-9]' '  0 0x[0-9a-f]* ' 'crafty-server 0x' 'end$' \
        'date: 2[0-9][0-9][0-9]-'; do
        grep -q "^$fact\|  [0-9]* 0x[0-9a-f]* $fact" "$report" || fail "the report of $name lacks $fact"
    done
    grep -qi 'hunter2\|CRAFTY_TEST' "$report" && fail 'the report contains the environment'
    expect 0 report
    says "$report"
    expect 0 report "$report"
    says "$name"
    says "$recording"
    says crafty_run_world # the stack has names
    expect 0 report --json "$report"
    python3 -c 'import json, sys; r = json.load(sys.stdin); assert r["tick"] == sys.argv[1] and r["stack"]' \
        "$tick" <"$scratch/out" || fail 'the report is not valid JSON'
    expect 0 --replay "$recording"
    says "tick $tick "
    expect 0 --world "$world" --ticks 0 --continue
    grep -q 'goes on from its last tick' "$scratch/err" || fail "continuing after $name is not reported"
    cp "$scratch/out" "$scratch/continued"
    hashes_at "$tick"
    # The process that continues and the server both print the hashes.
    [[ $(sort -u "$scratch/continued") == "$(cat "$scratch/expected")" ]] ||
        fail "the world does not go on from the tick of $name"
done
[[ -z $(ls "$crashes"/*.session 2>/dev/null) ]] || fail 'the session is offered again'

# kill -9: no report, but an offer; nothing but the last instants is lost.
rm -rf "$crashes"
crash 137 kill 1000
[[ -z $(find "$crashes" -name '*.report' -size +0) ]] || fail 'kill -9 leaves a report'
cp -r "$crashes" "$scratch/killed"
cp -r "$scratch/home" "$scratch/saved"
expect 0 --world "$world" --ticks 0
grep -q 'ended unexpectedly.*--continue' "$scratch/err" || fail 'there is no offer to continue'
restore
expect 0 --world "$world" --ticks 0 --continue
continued=$(sed -n 's/^tick \([0-9]*\) .*/\1/p' "$scratch/out" | tail -1)
((continued > 400 && continued <= 1000)) || fail "the world goes on from tick $continued"
sort -u "$scratch/out" >"$scratch/continued"
hashes_at "$continued"
cmp -s "$scratch/expected" "$scratch/continued" || fail 'a killed world goes on from another state'

# A recording that was torn is used as far as it goes; one that is damaged is not used at all.
for kind in torn damaged; do
    restore
    recording=$(echo "$crashes"/*-a.cnr)
    size=$(stat -c %s "$recording")
    if [[ $kind == torn ]]; then
        truncate -s $((size - 7)) "$recording"
    else
        printf '\x55\x55\x55' | dd of="$recording" bs=1 seek=$((size / 2)) conv=notrunc status=none
    fi
    expect 0 --world "$world" --ticks 0 --continue
    if [[ $kind == torn ]]; then
        grep -q 'goes on from its last tick' "$scratch/err" || fail 'a torn recording is not used'
    else
        grep -q 'goes on from its last save' "$scratch/err" || fail 'a damaged recording is not reported'
    fi
done

# A crash that repeats does not repeat forever: the world opens as it was saved.
restore
CRAFTY_TEST_CRASH=segv@1 expect 0 --world "$world" --ticks 0 --continue
grep -q 'crashes again; it goes on from its last save' "$scratch/err" || fail 'a crash that repeats is not reported'
restore
echo 'attempt: 2026-01-01 00:00:00 UTC' >>"$(echo "$crashes"/*.session)"
expect 0 --world "$world" --ticks 0 --continue
grep -q 'was tried before' "$scratch/err" || fail 'a second attempt is made'

# Bad files.
refuses 1 'none' report "$scratch/none"
refuses 1 'not a crash report' report "$0"
head -c 3000 /dev/urandom >"$scratch/noise"
refuses 1 'not a crash report' report "$scratch/noise"
refuses 2 'unknown argument' report --nonsense
refuses 1 'noise' recover noise
((failed == 0))
