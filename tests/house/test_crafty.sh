#!/usr/bin/env bash
# Crafty draws what its options say, and refuses what is wrong in one line.
# Usage: test_crafty.sh path/to/crafty
set -uo pipefail

program=$1
. "$(dirname "$0")/program.sh"
. "$(dirname "$0")/lacking.sh"
have_device "$(dirname "$program")" || finish 0 # nearly all of it draws
small=(--headless --quality low --view-distance 2 --off far --size 96x54)

expect 0 --help
for option in --headless --seed --camera --time --weather --quality --size --view-distance --frames --out --tour \
    --print-stats --on --off --mode --walk --screenshots --torches --record --replay --verify --continue --bindings --settings --world --worlds; do
    [[ $(grep -c -- "^  $option\b" "$scratch/out") == 1 ]] || fail "--help does not list $option once"
done

refuses 2 '--camera needs five numbers' --camera 1,2,3
refuses 2 '--time needs a time of day' --time 25:00
refuses 2 '--weather needs clear' --weather hail
refuses 2 '--quality needs low' --quality best
refuses 2 '--tour needs' --tour nowhere
refuses 2 '--view-distance needs a number from 2 to 40' --view-distance 100
refuses 2 'unknown effect "magic"' --off magic
refuses 2 'unknown option --nonsense' --nonsense

refuses 2 '--screenshots requires --tour' --screenshots out
refuses 2 '--settings and --headless cannot be combined' --headless --settings a.json
refuses 2 '--tour and --camera cannot be combined' --tour day --camera 0,60,0,0,0
refuses 2 '--world and --tour cannot be combined' --world Home --tour day
refuses 2 '--replay and --world cannot be combined' --replay a --world Home
refuses 2 '--replay and --record cannot be combined' --replay a --record b
refuses 2 '--verify requires --replay' --verify
refuses 2 '--continue requires --world' --headless --continue
refuses 1 "$scratch/none" --replay "$scratch/none" --verify
refuses 2 '--seed needs a number or a text' --seed ''

printf '{"version": 1,\n "actions": {"jumb": ["Space"]}}' >"$scratch/bindings.json"
expect 1 "${small[@]}" --frames 1 --bindings "$scratch/bindings.json"
grep -q "bindings.json:2:.*jump.*delete the file" "$scratch/err" || fail 'wrong bindings are not explained'
expect 1 "${small[@]}" --frames 1 --bindings "$scratch/none.json"
grep -q "^cannot access '.*none.json': No such file or directory" "$scratch/err" || fail 'missing bindings are not explained'

# STATUS 1: what is asked for is right, but the machine cannot do it. Said in one line, before frames are drawn.
cannot() {
    local words=$1
    shift
    expect 1 "$@"
    grep -qiF -- "$words" "$scratch/err" || fail "crafty $* does not say \"$words\""
}
cannot '/proc/none' "${small[@]}" --frames 9999 --out /proc/none/a.png
cannot '/proc/none' "${small[@]}" --tour day --screenshots /proc/none
VK_ICD_FILENAMES=$scratch/none VK_DRIVER_FILES=$scratch/none cannot 'Vulkan' "${small[@]}" --frames 1
SDL_VIDEODRIVER=dummy cannot 'use --headless' --quality low --view-distance 2 --off all --size 96x54 --frames 1
"$program" "${small[@]}" --frames 1 --print-stats >/dev/full 2>"$scratch/err" && fail 'lost statistics are not reported'
CAIRN_GPU=nonsense cannot "there is no GPU 'nonsense'" "${small[@]}" --frames 1

expect 0 "${small[@]}" --camera 0,60,0,20,-30 --time 12:00 --frames 12 --validation --out "$scratch/a.png" --print-stats
[[ $(head -c 4 "$scratch/a.png" | tail -c 3) == PNG ]] || fail 'there is no image'
python3 - "$scratch/out" <<'PY' || fail 'the statistics are not what they should be'
import json, sys
stats = json.load(open(sys.argv[1]))
assert stats["width"] == 96 and stats["height"] == 54 and stats["view_distance"] == 2
assert stats["quality"] == "low" and stats["frames"] == 12
assert stats["chunks"] > 0 and stats["quads"] > 0 and stats["gpu_bytes"] > 0
assert 0 < stats["drawn_chunks"] <= stats["chunks"] and 0 < stats["drawn_quads"] <= stats["quads"]
assert 0 < stats["gpu_draws"] <= stats["drawn_quads"] and 0 < stats["draw_calls"] < 1000
assert stats["validation_messages"] == 0 and stats["refused_meshes"] == 0 and stats["waiting_bytes"] == 0
assert 0 < stats["frame_ms"]["p50"] <= stats["frame_ms"]["p99"] <= stats["frame_ms"]["max"]
assert 0 < stats["start_ms"] < stats["first_frame_ms"]
assert {"lit blocks", "light, sky and water", "tone map"} <= stats["pass_us"].keys()
PY

# Each option changes the image; without a change it is the same one.
plain=(--headless --quality low --off all --frames 2)
base=(--seed 42 --camera 0,60,0,20,-30 --time 12:00 --weather clear --view-distance 2 --size 48x27)
expect 0 "${plain[@]}" "${base[@]}" --out "$scratch/base.png"
expect 0 "${plain[@]}" "${base[@]}" --out "$scratch/again.png"
cmp -s "$scratch/base.png" "$scratch/again.png" || fail 'two images of the same are not the same'
for change in '--seed 7' '--camera 8,60,0,20,-30' '--time 19:00' '--weather overcast'; do
    # shellcheck disable=SC2086
    expect 0 "${plain[@]}" "${base[@]}" $change --out "$scratch/other.png"
    ! cmp -s "$scratch/base.png" "$scratch/other.png" || fail "$change changes nothing"
done

# What is hidden is left out, and nobody sees it; without far terrain there is another horizon.
valley=(--headless --quality low --seed 42 --camera 0,40,0,20,-5 --time 12:00 --weather clear --view-distance 3 --size 96x54
    --frames 8 --print-stats)
for off in clouds clouds,far clouds,far,occlusion; do
    expect 0 "${valley[@]}" --off "particles,$off" --out "$scratch/$off.png"
    cp "$scratch/out" "$scratch/$off.json"
done
cmp -s "$scratch/clouds,far.png" "$scratch/clouds,far,occlusion.png" || fail '--off occlusion changes the image'
! cmp -s "$scratch/clouds.png" "$scratch/clouds,far.png" || fail '--off far changes nothing'
python3 - "$scratch" <<'PY' || fail '--off occlusion and --off far are not what they should be'
import json, sys
usual, near, plain = (json.load(open(f"{sys.argv[1]}/{off}.json"))
                      for off in ("clouds", "clouds,far", "clouds,far,occlusion"))
assert near["drawn_quads"] < plain["drawn_quads"] * 0.8, (near["drawn_quads"], plain["drawn_quads"])
assert usual["far_tiles"] > 0 and near["far_tiles"] == 0 and near["quads"] < usual["quads"]
PY

# What is on stays when all is off.
expect 0 "${valley[@]}" --off all --on far
grep -q '"far_tiles": [1-9]' "$scratch/out" || fail '--off all takes what is on'
! grep -q '"lit clouds"' "$scratch/out" || fail '--off all leaves clouds'

# A cache that is damaged or cannot be used costs the cache alone, and the log says so once.
with_cache() { # XDG_CACHE_HOME HOME WORDS: the log has WORDS in one line, or nothing about a cache
    XDG_CACHE_HOME=$1 HOME=$2 expect 0 "${plain[@]}" "${base[@]}" --cache --out "$scratch/other.png"
    cmp -s "$scratch/base.png" "$scratch/other.png" || fail "--cache in $1 changes the image"
    [[ $(grep -cE '\] (warning|error) .*cache' "$scratch/err") == $([[ -n $3 ]] && echo 1 || echo 0) ]] || fail "a cache in $1: the log"
    grep -qF -- "$3" "$scratch/err" || fail "a cache in $1: the log does not say $3"
}
mkdir -m 700 "$scratch/damaged" "$scratch/damaged/cairn" "$scratch/open" "$scratch/full"
mkdir -m 777 "$scratch/open/cairn"
mkdir -p "$scratch/full/cairn/pipelines"
head -c 4096 /dev/urandom >"$scratch/damaged/cairn/pipelines"
chmod 600 "$scratch/damaged/cairn/pipelines"
with_cache "$scratch/new" / ''
[[ -s $scratch/new/cairn/pipelines ]] || fail 'nothing is cached'
with_cache "$scratch/new" / ''
with_cache "$scratch/damaged" / 'pipelines is ignored: it is not an entry'
with_cache "$scratch/damaged" / ''
with_cache "$scratch/open" / 'running without a cache'
with_cache /proc / 'running without a cache'
with_cache '' '' 'running without a cache: neither XDG_CACHE_HOME nor HOME is an absolute path'
XDG_CACHE_HOME=$scratch/full expect 0 "${plain[@]}" "${base[@]}" --cache --out "$scratch/other.png"
cmp -s "$scratch/base.png" "$scratch/other.png" || fail 'a folder in place of the pipelines changes the image'

# A tour says how far it is, and takes images at its stops.
expect 0 "${plain[@]}" --view-distance 2 --size 48x27 --tour day --fps 2 --frames 7 --screenshots "$scratch/day" \
    --validation
grep -q '^day: day_06 ' "$scratch/err" || fail 'a tour does not say where it is'
[[ -s $scratch/day/day_06.png ]] || fail 'a tour takes no image'

# What a client records has the same states in a server, which draws nothing.
for session in '--tour views --fps 2 --frames 6' '--walk --weather rain --frames 30'; do
    # shellcheck disable=SC2086
    expect 0 "${plain[@]}" --view-distance 2 --size 48x27 $session --record "$scratch/session"
    for threads in 1 2 4; do
        "$(dirname "$program")/crafty-server" --replay "$scratch/session" --threads $threads >"$scratch/out" \
            2>"$scratch/err" || fail "a server with $threads threads does not play what $session records"
    done
done
cannot '/proc/none' "${small[@]}" --frames 1 --record /proc/none/session

# The recording of a saved world plays after the world has moved on: verified, as an image and as a video.
expect 0 "${small[@]}" --world "$scratch/Home.crafty" --walk --frames 40
expect 0 "${small[@]}" --world "$scratch/Home.crafty" --frames 40 --record "$scratch/home.cnr"
expect 0 "${small[@]}" --world "$scratch/Home.crafty" --frames 20
expect 0 --replay "$scratch/home.cnr" --verify
cp "$scratch/out" "$scratch/verified"
"$(dirname "$program")/crafty-server" --replay "$scratch/home.cnr" --threads 4 >"$scratch/out" 2>"$scratch/err"
cmp -s "$scratch/verified" "$scratch/out" || fail 'client and server verify different states'
expect 0 --replay "$scratch/home.cnr" --quality low --view-distance 2 --size 96x54 --out "$scratch/replay.png"
[[ -s $scratch/replay.png ]] || fail 'a replay draws no image'
if have ffmpeg; then
    expect 0 --replay "$scratch/home.cnr" --quality low --view-distance 2 --size 96x54 --fps 30 --video "$scratch/a.mp4"
    [[ -s $scratch/a.mp4 ]] || fail 'a replay makes no video'
fi
head -c 3000 "$scratch/home.cnr" >"$scratch/short.cnr"
refuses 1 'ends before the initial state' --replay "$scratch/short.cnr" --verify

# A crash is reported, with the device, and --continue goes on from its tick.
(ulimit -c 0 && CRAFTY_TEST_CRASH=segv@110 "$program" "${small[@]}" --world "$scratch/Home.crafty" --frames 60) \
    >"$scratch/out" 2>"$scratch/err" && fail 'the test crash does not happen'
report=$(echo "$XDG_STATE_HOME"/crafty/crashes/*.report)
expect 0 report "$report"
says SIGSEGV
grep -q '^gpu *.*[a-z]' "$scratch/out" || fail 'the report lacks the device'
expect 0 "${small[@]}" --world "$scratch/Home.crafty" --frames 1 --continue
grep -q '^tick 11[0-9] ' "$scratch/out" || fail 'the world does not go on from the tick of the crash'

# Nobody uses Vulkan wrongly on one, with all effects; frames of one in which nothing jumps call no heap.
expect 0 "${small[@]}" --on all --tour views --fps 2 --frames 6 --validation --print-stats
grep -q '"validation_messages": 0,' "$scratch/out" || fail 'the tour of views is not as Vulkan wants it'
expect 0 "${small[@]}" --on all --off far --tour day --fps 2 --frames 6 --validation --check

# In a window it says that it loads, then shows the world.
if have xvfb-run; then
    mkdir "$scratch/frames"
    xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$program" "${small[@]:1}" --seed 42 --frames 40 --validation --print-stats --out "$scratch/frames/" \
        >"$scratch/out" 2>"$scratch/err" </dev/null || fail 'there is no world in a window'
    grep -q '"validation_messages": 0,' "$scratch/out" || fail 'a window is not drawn as Vulkan wants it'
    cmp -s "$scratch/frames/0000.png" "$scratch/frames/0039.png" && fail 'a window goes on loading'

    # Without a world it shows the title, which allocates nothing; wrong settings are named, and the rest is kept.
    printf '{"version": 1,\n "fieldOfView": 9,\n "viewDistance": 3,\n "titleLandscape": false}' >"$scratch/settings.json"
    cp "$scratch/settings.json" "$scratch/before.json"
    xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$program" --size 640x360 --worlds "$scratch/none" \
        --settings "$scratch/settings.json" --frames 60 --validation --check --print-stats >"$scratch/out" 2>"$scratch/err" \
        </dev/null || fail 'there is no list of worlds in a window'
    grep -q 'settings.json:2:2: "fieldOfView" must be' "$scratch/err" || fail 'wrong settings are not named'
    grep -q '"view_distance": 3,' "$scratch/out" || fail 'the rest of the settings is not kept'
    cmp -s "$scratch/settings.json" "$scratch/before.json" || fail 'wrong settings are replaced without a change'
fi

"$(dirname "$0")/soak_crafty.sh" "$program" 24 >"$scratch/out" 2>"$scratch/err" || fail 'a short flight does not run steadily'
finish "$failed"
