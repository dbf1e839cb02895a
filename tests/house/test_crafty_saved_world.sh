#!/usr/bin/env bash
# Crafty plays worlds in files without a window: it saves what was played, says what is wrong, and pictures change
# nothing.
# Usage: test_crafty_saved_world.sh path/to/crafty path/to/crafty-server
set -uo pipefail

program=$1 server=$2
. "$(dirname "$0")/program.sh"
. "$(dirname "$0")/lacking.sh"
have_device "$(dirname "$program")" || finish 0
worlds="$scratch/data/worlds"
small=(--headless --quality low --view-distance 2 --off all --size 48x27)
hashes() { # the tick, state and blocks of a world; it stays as it is
    "$server" --world "$1" --worlds "$worlds" --ticks 0
}

# A world is created, played and found again by the server: blocks, ticks and all.
expect 0 "${small[@]}" --world Home --worlds "$worlds" --seed 42 --camera -311.5,-26.4,22.5,170,-2 \
    --torches 8 --frames 20
first=$(hashes Home)
[[ $first =~ ^'tick 20 state '[0-9a-f]{16}' blocks '[0-9a-f]{16}$ ]] || fail "20 frames are not saved: $first"
[[ $first != *'blocks 0000000000000000' ]] || fail 'the placed torches are not saved'
expect 0 "${small[@]}" --world Home --worlds "$worlds" --frames 10
second=$(hashes Home)
[[ $second == 'tick 30 '* ]] || fail "a world that is opened again does not go on: $second"
[[ ${first##* } == "${second##* }" ]] || fail 'the blocks of a world that is opened again are others'

# A picture does not change the file, and shows the saved place. Options of the camera and time hold for it.
before=$(sha256sum <"$worlds/Home.crafty")
expect 0 "${small[@]}" --world Home --worlds "$worlds" --out "$scratch/a.png"
expect 0 "${small[@]}" --world Home --worlds "$worlds" --out "$scratch/b.png"
cmp -s "$scratch/a.png" "$scratch/b.png" || fail 'two pictures of a world are not the same'
expect 0 "${small[@]}" --world Home --worlds "$worlds" --camera 0,90,0,0,-30 --time 18:00 --out "$scratch/c.png"
cmp -s "$scratch/a.png" "$scratch/c.png" && fail '--camera and --time change nothing'
[[ $(sha256sum <"$worlds/Home.crafty") == "$before" && $(ls "$worlds") == Home.crafty ]] ||
    fail 'a picture changes the world'

# Without --world nothing is kept or read.
expect 0 "${small[@]}" --seed 42 --frames 2
[[ $(sha256sum <"$worlds/Home.crafty") == "$before" ]] || fail 'a run without --world changes a world'

refuses 1 'has the seed 42' "${small[@]}" --world Home --worlds "$worlds" --seed 9 --frames 1
refuses 1 'cannot be the name of a world' "${small[@]}" --world .hidden --worlds "$worlds" --frames 1
refuses 1 'there is no such file' "${small[@]}" --world None --worlds "$worlds" --out "$scratch/d.png"
[[ ! -e $worlds/None.crafty ]] || fail 'a picture creates a world'
head -c 9000 "$worlds/Home.crafty" >"$worlds/Half.crafty"
refuses 1 'it is damaged' "${small[@]}" --world Half --worlds "$worlds" --frames 1

# Signals end a run; the world is saved. While it runs, nobody else opens the world.
start_game() { # and waits until the world is open
    rm -f "$worlds/Signal.crafty"
    bash -c 'exec "$0" "$@"' "$program" "${small[@]}" --world Signal --worlds "$worlds" --frames 999999 \
        >"$scratch/running" 2>&1 &
    game=$!
    until [[ -s $worlds/Signal.crafty-wal ]] || ! kill -0 "$game"; do sleep 0.05; done
}
for signal in TERM INT HUP; do
    start_game
    refuses 1 'it is open in another program' "${small[@]}" --world Signal --worlds "$worlds" --frames 1
    kill -"$signal" "$game"
    wait "$game" || fail "SIG$signal ends the game with status $?"
    [[ ! -e $worlds/Signal.crafty-wal ]] || fail "SIG$signal leaves the world open"
    [[ $(hashes Signal) == 'tick '* ]] || fail "SIG$signal loses the world"
done

# It is saved while it is played, so a game that is killed loses seconds.
start_game
wal="$worlds/Signal.crafty-wal"
size=0 saves=0
while ((saves < 3)) && kill -0 "$game"; do # when it was opened, entered, and 5 s later
    sleep 0.1
    now=$(stat -c %s "$wal")
    ((saves += now > size))
    size=$now
done
kill -KILL "$game"
wait "$game" 2>/dev/null
[[ $(hashes Signal) == 'tick '[1-9]* ]] || fail 'a game that is killed loses everything'

# A disk that is full: the game goes on, and at its end says what is lost. What was saved before is still there.
cp "$worlds/Home.crafty" "$scratch/home"
(
    trap '' XFSZ
    ulimit -f 36
    expect 1 "${small[@]}" --world Home --worlds "$worlds" --frames 20
    grep -q 'what you did since [0-9:]* is not saved' "$scratch/err" || fail 'it is not said what is lost'
    ((failed == 0))
) || failed=1
[[ $(hashes Home) == "$second" ]] || fail 'a full disk damages the world'
((failed == 0))
