#!/usr/bin/env bash
# The program `cairn` does what its help promises, and refuses what is wrong in one line.
# Usage: test_cairn.sh path/to/cairn path/to/plugins
set -uo pipefail

program=$1
plugins=$2
. "$(dirname "$0")/program.sh"
unset CAIRN_LOG

hash_of() { # ARGUMENT...: of the final state
    expect 0 "$@" --hash
    grep -E '^tick [0-9]+ hash [0-9a-f]{16}$' "$scratch/out" || fail "cairn $* prints no hash"
}

same() { # WHAT HASH HASH
    [[ -n $2 && $2 == "$3" ]] || fail "$1: $2 and $3"
}

swarm=(run --demo swarm --entities 1000)

# ---- Help ----

commands=(run replay view check schema components annotations schedule map bench info)
expect 0 --help
for command in "${commands[@]}"; do
    says "  $command "
done
for command in "${commands[@]}"; do
    expect 0 "$command" --help
    says "usage: cairn $command"
done
expect 2
refuses 2 'unknown command dance' dance

# ---- Wrong options ----

for command in "${commands[@]}"; do
    refuses 2 'option --unknown' "$command" --unknown
done
refuses 2 'unexpected argument extra' info extra
refuses 2 '--demo needs a value: --demo NAME' run --demo
refuses 2 'no value is allowed in --hash=3' run --demo swarm --hash=3
for number in 0 -1 ' -1' x '' 4000001 99999999999999999999 1e3 5x; do
    refuses 2 '--entities needs a number from 1 to 4000000' run --demo swarm --entities "$number"
done
refuses 2 '--threads needs' run --demo swarm --threads 257
refuses 2 '--hz needs a number from 1 to 1000, not "0"' run --demo swarm --hz 0
refuses 1 "'/nowhere.cnr': No such file or directory" replay /nowhere.cnr
refuses 2 'give a scene file or --demo' run
refuses 2 'not both' run --demo swarm world.json
refuses 2 'not both' schedule --demo swarm world.json
refuses 2 'not both' schedule --dot --ambiguities
refuses 2 'apply only to scene files' run --demo swarm --trust-scripts
refuses 2 'apply only to scene files' run --demo swarm --strict
refuses 2 '--play applies only to --demo' run world.json --play 3
refuses 2 'unexpected argument b.json' run a.json b.json
refuses 2 'no files given' check
refuses 2 'cannot be combined with' run --demo swarm --real-time --heap
refuses 2 'requires --record' run --demo swarm --keyframes 10
refuses 2 '--demo needs swarm, boxes, fair or empty, not "waltz"' run --demo waltz
refuses 2 '--demo needs swarm, boxes, fair or empty, not "waltz"' schedule --demo waltz
refuses 2 'no file given' replay

# ---- Files that are missing, wrong or cannot be written ----

none=$scratch/no/such
echo 'no data' >"$scratch/text"
refuses 1 "$none" "${swarm[@]}" --load "$none"
refuses 1 "$scratch/text" "${swarm[@]}" --load "$scratch/text"
refuses 1 "$none" "${swarm[@]}" --ticks 2 --save "$none"
refuses 1 "$none" "${swarm[@]}" --ticks 2 --record "$none"
refuses 1 "$scratch" "${swarm[@]}" --ticks 2 --record "$scratch"
for command in "run --demo empty --ticks 1 --save" "run --demo empty --ticks 1 --record" "schema --out" \
    "annotations --out" "map --size 16 --kind height --out" "view scenes/boxes/main.json --headless --gpu null --out"; do
    # shellcheck disable=SC2086
    refuses 1 '--make-folders' $command "$scratch/missing/a.png"
    [[ ! -e $scratch/missing ]] || fail "cairn $command makes folders that nobody asked for"
    # shellcheck disable=SC2086
    expect 0 $command "$scratch/missing/b/a.png" --make-folders
    [[ -s $scratch/missing/b/a.png ]] || fail "cairn $command --make-folders writes nothing"
    rm -r "$scratch/missing"
done
mkfifo "$scratch/pipe"
refuses 1 'the pipe has no reader' run --demo empty --ticks 1 --save "$scratch/pipe"
refuses 1 'the pipe has no reader' run --demo empty --ticks 1 --record "$scratch/pipe"
[[ -p $scratch/pipe ]] || fail 'a pipe is replaced'
cat "$scratch/pipe" >"$scratch/piped" &
expect 0 run --demo empty --ticks 1 --save "$scratch/pipe"
wait $!
[[ -s $scratch/piped && -p $scratch/pipe ]] || fail 'a pipe is not written to'
touch "$scratch/real"
ln -s real "$scratch/link"
expect 0 run --demo empty --ticks 1 --save "$scratch/link"
[[ -L $scratch/link && -s $scratch/real ]] || fail 'a link is replaced'
if [[ -c /dev/full && -w /dev/full ]]; then
    refuses 1 'No space left' run --demo empty --ticks 1 --save /dev/full
    [[ -c /dev/full ]] || fail 'a device is replaced'
fi
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
[[ $one != "$other" ]] || fail 'what the hand does changes nothing'
other=$(hash_of "${swarm[@]}" --ticks 200 --play 5 --seed 2)
[[ $one != "$other" ]] || fail 'the seed changes nothing'

boxes=$(hash_of run --demo boxes --entities 100 --ticks 60)
same 'boxes with 4 threads' "$boxes" "$(hash_of run --demo boxes --entities 100 --ticks 60 --threads 4)"
says '100 boxes'
fair=(run --demo fair --entities 500 --ticks 60)
one_fair=$(hash_of "${fair[@]}" --play 5)
same 'fair with 4 threads' "$one_fair" "$(hash_of "${fair[@]}" --play 5 --threads 4)"
other=$(hash_of "${fair[@]}")
[[ $one_fair != "$other" ]] || fail 'what the hand does changes nothing at the fair'

# ---- Save and load ----

expect 0 "${swarm[@]}" --ticks 120 --play 5 --save "$scratch/state"
same 'saved and loaded' "$one" "$(hash_of "${swarm[@]}" --ticks 80 --play 5 --load "$scratch/state")"
expect 0 "${swarm[@]}" --ticks 120 --play 5 --save "$scratch/state.json"
same 'saved and loaded as JSON' "$one" "$(hash_of "${swarm[@]}" --ticks 80 --play 5 --load "$scratch/state.json")"
same 'loaded into a swarm of another size' "$one" \
    "$(hash_of run --demo swarm --entities 50 --ticks 80 --play 5 --load "$scratch/state")"
expect 0 run --demo empty --ticks 3 --save "$scratch/empty"
refuses 1 'state of a different world' "${swarm[@]}" --load "$scratch/empty"
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
says 'ticks 0 to 200, 5 keyframes'
expect 0 replay "$recording" --to 60
says 'played 60 ticks'
same 'rewound' "$(hash_of "${swarm[@]}" --ticks 133 --play 5)" \
    "$(hash_of replay "$recording" --seek 133 --save "$scratch/rewound")"
same 'rewound, saved and gone on' "$one" \
    "$(hash_of "${swarm[@]}" --ticks 67 --play 5 --load "$scratch/rewound")"
refuses 1 'tick 201 is outside of' replay "$recording" --seek 201
refuses 2 '--watch needs --real-time' "${swarm[@]}" --watch
refuses 2 '--watch cannot be combined with --record' "${swarm[@]}" --real-time --watch --record "$scratch/watched.cnr"

expect 1 replay "$recording" --verify --flip-bit 70:SwarmVelocity:123:9
entity=$(sed -n 's/^planted: bit 9 of SwarmVelocity of entity \([0-9:]*\) before tick 70$/\1/p' "$scratch/out")
says "before tick 70: entity ${entity:-that was planted} has a different SwarmVelocity"
expect 0 replay "$recording" --flip-bit 70:SwarmVelocity:123:9
refuses 2 'TICK:COMPONENT:ENTITY:BIT' replay "$recording" --flip-bit 70:SwarmVelocity
refuses 2 'TICK:COMPONENT:ENTITY:BIT' replay "$recording" --flip-bit 70:SwarmVelocity:1:2x
refuses 1 'bit 64' replay "$recording" --flip-bit 70:SwarmVelocity:123:64
refuses 1 'of Nothing' replay "$recording" --flip-bit 70:Nothing:0:0
refuses 1 'from 0 up to 200' replay "$recording" --flip-bit 200:SwarmVelocity:0:0
expect 1 replay "$recording" --verify --plugin "$plugins/template_plugin.so"
says 'different settings'

bytes=$(stat -c %s "$recording")
head -c $((bytes * 3 / 4)) "$recording" >"$scratch/cut.cnr"
expect 0 replay "$scratch/cut.cnr" --verify
says 'the recording is truncated there'
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

# ---- Scene files ----

rooms=scenes/rooms/main.json
machines=scenes/machines/main.json
boxes=scenes/boxes/main.json
menu=scenes/doors/menu.json
level=scenes/doors/level.json

expect 0 check "$rooms" "$machines" "$boxes" "$menu" "$level"
says "$rooms: valid scene, Main, with 7 objects"
says "$level: valid scene, Level, with 1 objects"
expect 0 check --prefabs scenes/rooms/assets/lamp.json scenes/boxes/assets/box.json
says 'box.json: valid prefab'

copy=$scratch/copy # scenes that are broken, here and there
mkdir -p "$copy/scripts"
printf '{"id": "Bad", "nodes": [\n  {"id": "A", "components": [\n    {"type": "NoComponent"}]}]}\n' >"$copy/type.json"
printf '{"id": "Bad", "nodes": [\n  {"id": "A"}\n' >"$copy/cut.json"
printf '{"id": "Bad", "nodes": [{"id": "A",\n  "prefab": "assets://../../secret.json"}]}\n' >"$copy/out.json"
refuses 1 "$copy/type.json:3:" check "$copy/type.json"
refuses 1 "$copy/cut.json:3:" check "$copy/cut.json"
refuses 1 "$copy/out.json:2:" check "$copy/out.json"
refuses 1 "$copy/type.json:3:" run "$copy/type.json"
script_at() { # PATH: a scene with this script
    printf '{"id": "Bad", "nodes": [\n  {"id": "A", "components": [{"type": "ScriptComponent",\n'
    printf '    "scriptName": "A", "scriptPath": "%s"}]}]}\n' "$1"
}
mesh_at() { # PATH: a scene with this mesh
    printf '{"id": "Bad", "nodes": [\n  {"id": "A", "components": [{"type": "RigidbodyComponent",\n'
    printf '    "rigidbodyType": "Static", "collisionShape": {"type": "Mesh",\n "meshPath": "%s"}}]}]}\n' "$1"
}
printf 'function on_init() error("it ran") end\nerror("it ran")\n' >"$copy/scripts/good.lua"
printf 'local a = 1\nlocal b = = 2\n' >"$copy/scripts/cut.lua"
printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n' >"$copy/good.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 0 nonsense\nf 1 2 3\n' >"$copy/cut.obj"
script_at scripts://good.lua >"$copy/script.json"
mesh_at assets://good.obj >"$copy/mesh.json"
expect 0 check "$copy/script.json" "$copy/mesh.json"
says "$copy/mesh.json: valid scene"
script_at scripts://none.lua >"$copy/script.json"
mesh_at assets://none.obj >"$copy/mesh.json"
refuses 1 "$copy/script.json:3:38: object 'A': cannot access 'scripts://none.lua'" check "$copy/script.json"
refuses 1 "$copy/mesh.json:4:14: object 'A': cannot access 'assets://none.obj'" check "$copy/mesh.json"
script_at scripts://cut.lua >"$copy/script.json"
mesh_at assets://cut.obj >"$copy/mesh.json"
refuses 1 "$copy/scripts/cut.lua:2:" check "$copy/script.json"
refuses 1 "$copy/cut.obj:3:" check "$copy/mesh.json"
look_of() { # MATERIAL: a scene with a pipeline and this material
    printf '{"id": "Bad", "nodes": [], "pipelines": [{"id": "Glow", "surface": "assets://glow.glsl"}],\n'
    printf '  "materials": [{"id": "A"},\n    %s]}\n' "$1"
}
printf 'void surface(inout Surface s)\n{\n    s.emission = vec3(1);\n}\n' >"$copy/glow.glsl"
look_of '{"id": "B", "pipeline": "Glow"}' >"$copy/look.json"
expect 0 check "$copy/look.json"
look_of '{"id": "B", "roughness": "high"}' >"$copy/look.json"
refuses 1 "$copy/look.json:3:17: \"roughness\" must be" check "$copy/look.json"
look_of '{"id": "B", "baseColorTexture": "assets://none.png"}' >"$copy/look.json"
refuses 1 "$copy/look.json:3:17: assets://none.png: cannot" check "$copy/look.json"
printf 'void surface(inout Surface s)\n{\n    s.nothing = 1;\n}\n' >"$copy/glow.glsl"
refuses 1 "$copy/look.json:" check "$copy/look.json"
look_of '{"id": "B"}' >"$copy/look.json"
refuses 1 "$copy/glow.glsl:3:" check "$copy/look.json"
printf '{"id": "Bad", "nodes": [{"id": "A", "prefab": "assets://part.json"}]}\n' >"$copy/with.json"
printf '{"id": "Part", "components": [{"type": "ScriptComponent",\n' >"$copy/part.json"
printf '  "scriptName": "A", "scriptPath": "scripts://none.lua"}]}\n' >>"$copy/part.json"
refuses 1 "$copy/with.json: object 'A': cannot" check "$copy/with.json"
refuses 1 "$copy/part.json:2:" check --prefabs "$copy/part.json"
refuses 1 "$copy/type.json:" check --prefabs "$copy/type.json"
refuses 1 'does not exist' run "$copy/none.json"
refuses 1 'No such' check "$none.json"
refuses 1 'it is a folder' run "$copy"
refuses 1 'it is a folder' check --prefabs "$copy"
refuses 1 'folder of the first scene' run "$menu" --also "$rooms"
expect 1 check "$rooms" "$copy/cut.json" "$menu"
says "$rooms: valid"
says "$menu: valid"

expect 0 run "$rooms" --ticks 10
says 'scene Main: 7 objects, 0 bodies (0 asleep), 0 scripts (0 failed)'
ln -s "$PWD/$rooms" "$scratch/link.json"
expect 0 run "$scratch/link.json" --ticks 10
says 'scene Main: 7 objects'
expect 0 run "$machines" --ticks 10
says 'scene Machines: 4 objects, 0 bodies (0 asleep), 3 scripts (1 failed)'
mkdir "$scratch/failing"
cat >"$scratch/failing/main.json" <<'SCENE'
{"id": "Forged", "nodes": [{"id": "a", "components": [{"type": "ScriptComponent", "scriptName": "a", "scriptPath":
"scripts://a.lua"}]}]}
SCENE
cat >"$scratch/failing/a.lua" <<'LUA'
function on_init()
    log("x\n[  9.999] error engine: the device was lost")
    this.name = "evil\27[2J"
    error("\27[31mred\n[  9.999] error gpu: forged")
end
LUA
expect 1 run "$scratch/failing/main.json" --ticks 2
grep -q 'all scripts have stopped: 1 failed' "$scratch/err" || fail 'that all scripts failed is not reported'
grep -q $'\e' "$scratch/err" && fail 'escape sequences of scripts reach the terminal'
grep -q '^\[  9.999' "$scratch/err" && fail 'a script forges messages'
grep -qF '\x1b[31mred\n[  9.999] error gpu: forged' "$scratch/err" || fail 'the error of a script is not escaped'
printf '{"id":"S","nodes":[{"id":"A\\u001b[31mred","bad\\u001b[2J":1}]}' >"$scratch/escape.json"
refuses 1 'bad\x1b[2J' check "$scratch/escape.json"
hostile=$scratch/$'a\e]0;owned\ab'
mkdir "$hostile"
echo '{"id": "S", "nodes": []}' >"$hostile/main.json"
expect 0 run "$hostile/main.json" --ticks 3 --record "$scratch/hostile.cnr"
expect 0 replay "$scratch/hostile.cnr" --info
says 'a\x1b]0;owned\x07b/main.json'
expect 0 replay "$scratch/hostile.cnr" --verify
expect 0 check "$hostile/main.json"
says 'a\x1b]0;owned\x07b/main.json: valid scene'
rm "$hostile/main.json"
refuses 1 'a\x1b]0;owned\x07b/main.json' replay "$scratch/hostile.cnr"
mkdir "$scratch/looks"
cat >"$scratch/looks/main.json" <<'SCENE'
{"id": "Looks", "materials": [{"id": "red"}], "nodes": [
{"id": "good", "components": [{"type": "MeshRendererComponent", "mesh": "shapes://cube", "material": "red"}]},
{"id": "bad", "components": [{"type": "MeshRendererComponent", "mesh": "assets://none.gltf", "material": "blue"}]}]}
SCENE
expect 1 check "$scratch/looks/main.json"
grep -q "main.json:3:.*object 'bad'.*none.gltf" "$scratch/err" || fail 'a mesh that does not exist is not reported of'
grep -q "main.json:3:.*object 'bad'.*there is no material named blue" "$scratch/err" || fail 'a material that does not exist is not reported of'
[[ $(wc -l <"$scratch/err") == 2 ]] || fail 'a good mesh or material is refused'
expect 0 info
says 'demos: swarm boxes fair empty'
expect 0 run scenes/machines/main.json --ticks 240 # a scene of which one script fails
grep -q 'scripts://broken.lua:10' "$scratch/err" || fail 'the failing script is not named'
expect 1 run scenes/machines/main.json --ticks 240 --strict
grep -q 'cairn: script errors: 1' "$scratch/err" || fail 'that --strict refuses a failing script is not reported'
expect 0 run scenes/bells/main.json --ticks 60 --strict # no script fails
expect 0 run "$menu" --also "$level" --ticks 60
says 'scene Level: 1 objects'
refuses 1 'switches to scene Level, but a recording covers one scene' \
    run "$menu" --also "$level" --ticks 60 --record "$scratch/menu.cnr"
expect 0 schedule "$boxes"
says 'PropagateTransforms'

for scene in "$rooms" "$machines" "$boxes"; do
    export CAIRN_LOG=off
    one=$(hash_of run "$scene" --ticks 240)
    same "$scene twice" "$one" "$(hash_of run "$scene" --ticks 240)"
    same "$scene with 4 threads" "$one" "$(hash_of run "$scene" --ticks 240 --threads 4)"
    same "$scene with trusted scripts" "$one" "$(hash_of run "$scene" --ticks 240 --trust-scripts)"
    same "$scene recorded" "$one" \
        "$(hash_of run "$scene" --ticks 240 --record "$recording" --keyframes 50)"
    same "$scene verified" "$one" "$(hash_of replay "$recording" --verify --threads 2)"
    expect 0 replay "$recording" --info
    says "scene=$PWD/$scene"
    unset CAIRN_LOG
done
for scene in "$machines" "$boxes"; do
    export CAIRN_LOG=off
    expect 0 run "$scene" --ticks 100 --save "$scratch/state"
    same "$scene saved and loaded" "$(hash_of run "$scene" --ticks 240)" \
        "$(hash_of run "$scene" --ticks 140 --load "$scratch/state")"
    expect 0 run "$scene" --ticks 120 --record "$recording" --keyframes 50
    same "$scene rewound" "$(hash_of run "$scene" --ticks 77)" \
        "$(hash_of replay "$recording" --seek 77)"
    unset CAIRN_LOG
done
export CAIRN_LOG=off
expect 0 run "$boxes" --ticks 60 --trust-scripts --record "$scratch/trust.cnr"
refuses 1 'use --trust-scripts if you trust those of' replay "$scratch/trust.cnr"
expect 0 replay "$scratch/trust.cnr" --verify --trust-scripts
mkdir "$scratch/trust"
cat >"$scratch/trust/main.json" <<'EOF'
{"id": "Trust", "nodes": [{"id": "A", "components": [
    {"type": "ScriptComponent", "scriptName": "A", "scriptPath": "project://a.lua"}]}]}
EOF
echo "function on_init() this.name = io and 'trusted' or 'sandboxed' end" >"$scratch/trust/a.lua"
expect 0 run "$scratch/trust/main.json" --ticks 3 --record "$scratch/trust.cnr"
expect 0 replay "$scratch/trust.cnr" --verify --trust-scripts # it stays in the sandbox, as recorded
unset CAIRN_LOG
cp -r scenes/boxes "$scratch/moved"
same 'a scene that was moved' "$(hash_of replay "$recording" --verify)" \
    "$(hash_of replay "$recording" --verify --scene "$scratch/moved/main.json")"

for scene in "$rooms" "$boxes"; do
    # With guards, what a collision passes to Lua is a heap call; none happens in the second half.
    expect 0 run "$scene" --ticks 4000 --heap
    says 'heap calls in the last 2000 ticks: 0'
done

# Components of a library can stand in files, and in the schema.
echo '{"id": "Farm", "nodes": [{"id": "Dolly", "components": [{"type": "Sheep", "x": 3, "speed": 2}]}]}' >"$copy/farm.json"
refuses 1 "$copy/farm.json:1:" run "$copy/farm.json"
expect 0 run "$copy/farm.json" --plugin "$plugins/template_plugin.so" --ticks 10
says 'scene Farm: 1 objects'
expect 0 check "$copy/farm.json" --plugin "$plugins/template_plugin.so"
expect 0 schema --plugin "$plugins/template_plugin.so"
says '"Sheep"'

# So can components of a Lua file with systems.
cat >"$copy/drift.lua" <<'END'
component("Drift", { x = "f32" })
system { name = "drift", reads = { "Drift" }, writes = { "TransformComponent" },
         run = function(batch, dt)
    local t, d = batch.TransformComponent, batch.Drift
    for i = 0, batch.count - 1 do t[i].position.x = t[i].position.x + d[i].x * dt end
end }
END
echo '{"id": "Sea", "nodes": [{"id": "Boat", "components": [{"type": "Drift", "x": 3}]}]}' >"$copy/sea.json"
refuses 1 "$copy/sea.json:1:" run "$copy/sea.json"
one=$(hash_of run "$copy/sea.json" --plugin "$copy/drift.lua" --ticks 10)
same 'systems in Lua with 4 threads' "$one" \
    "$(hash_of run "$copy/sea.json" --plugin "$copy/drift.lua" --ticks 10 --threads 4)"
expect 0 run "$copy/sea.json" --plugin "$copy/drift.lua" --ticks 10 --record "$scratch/sea.rec"
expect 0 replay "$scratch/sea.rec" --verify --plugin "$copy/drift.lua"
expect 0 schedule "$copy/sea.json" --plugin "$copy/drift.lua"
says 'drift'
echo 'system {' >"$copy/broken.lua"
refuses 1 'line 2' run "$copy/sea.json" --plugin "$copy/broken.lua"

# A script that is saved while it runs goes on with its new text.
cat >"$copy/live.json" <<'END'
{"id": "Live", "nodes": [{"id": "A", "components": [
  {"type": "ScriptComponent", "scriptName": "Live", "scriptPath": "scripts://live.lua"}]}]}
END
echo 'log("the old text")' >"$copy/scripts/live.lua"
(sleep 0.5; echo 'log("the new text")' >"$copy/scripts/live.lua") &
expect 0 run "$copy/live.json" --real-time --watch --ticks 120
wait
for words in 'the old text' 'the new text' '0 plugins and 1 scripts reloaded'; do
    grep -q "$words" "$scratch/err" || fail "a script that changes: no \"$words\""
done

# So does a scene that is saved while it runs, and a file that is wrong keeps the old one.
changed() { # changed X: writes the scene with another position
    cat >"$copy/live.json.new" <<END
{"id": "Live", "nodes": [{"id": "A", "components": [{"type": "TransformComponent", "position": [$1, 0, 0]}]}]}
END
    mv "$copy/live.json.new" "$copy/live.json"
}
changed 1
(sleep 0.4; changed 2; sleep 0.3; changed nonsense; sleep 0.3; changed 3) &
expect 0 run "$copy/live.json" --real-time --watch --ticks 120 --save "$scratch/live.state.json"
wait
for words in 'objects: 1 changed' 'live.json:1:'; do
    grep -q "$words" "$scratch/err" || fail "a scene that changes: no \"$words\""
done
grep -q '"position": \[3, 0, 0\]' "$scratch/live.state.json" || fail 'the last position is not in the state'

expect 0 schema
python3 -c 'import json, sys; assert "TransformComponent" in json.dumps(json.load(sys.stdin))' <"$scratch/out" ||
    fail 'cairn schema prints no JSON schema'
expect 0 schema --out "$scratch/schema.json"
[[ -s $scratch/schema.json ]] || fail 'cairn schema --out writes nothing'
refuses 1 "$none" schema --out "$none"
expect 0 components
says '## TransformComponent'
expect 0 components --out "$scratch/components.md"
[[ -s $scratch/components.md ]] || fail 'cairn components --out writes nothing'
expect 0 annotations
says '---@meta'
says 'gotoScene'
expect 0 annotations --out "$scratch/cairn.lua"
[[ -s $scratch/cairn.lua ]] || fail 'cairn annotations --out writes nothing'

# ---- Looking at scenes ----

refuses 2 'no scene file given' view --headless
refuses 2 'b.json' view a.json b.json
refuses 2 '--size needs' view a.json --size 10
refuses 2 '--preset needs forward, forward+ or deferred, not "fast"' view a.json --preset fast
refuses 1 'no such file' view "$scratch/nothing.json" --headless --gpu null
expect 0 view scenes/boxes/main.json --headless --gpu null --frames 3 --size 64x36 --out "$scratch/view.png"
[[ -s $scratch/view.png ]] || fail 'cairn view --out writes nothing'

# ---- Maps ----

expect 0 map --seed 7 --size 48 --x -1000 --z=2000 --out "$scratch/map.png"
says '160 x 104 pixels, seed 7, around -1000 2000'
[[ -s $scratch/map.png ]] || fail 'cairn map --out writes nothing'
for kind in surface biome height cave ore section; do
    expect 0 map --kind "$kind" --size 32 --out "$scratch/map.png"
    says '32 x 32 pixels'
done
refuses 2 '--out FILE.png' map
refuses 2 '--kind needs all, surface' map --kind roads --out "$scratch/map.png"
refuses 2 '--size needs' map --size 4 --out "$scratch/map.png"
refuses 2 '--x needs a number from -16000000' map --x west --out "$scratch/map.png"
refuses 1 'cannot write' map --size 16 --kind height --out "$scratch/nowhere/map.png"

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
for demo in swarm boxes fair empty; do
    expect 0 schedule --demo "$demo" --ambiguities
    [[ ! -s $scratch/out ]] || fail "systems of $demo have no declared order"
done
expect 0 info
for words in 'SIMD path' 'plugin interface' 'core plugins: CoreTiming' 'demos: swarm'; do
    says "$words"
done
expect 0 bench --entities 100 --ticks 3 --threads 2
says empty_tick_100
expect 0 bench --entities 100 --ticks 3 --threads 2 --json
python3 -c 'import json, sys; [json.loads(line)["ns"] for line in sys.stdin]' <"$scratch/out" ||
    fail 'bench --json prints something else'

((failed == 0))
