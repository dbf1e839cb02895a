#!/usr/bin/env bash
# The programs refuse files that once crashed them, hung them or gained trust, in one line.
# Usage: test_hostile.sh path/to/bin
set -uo pipefail

bin=$(realpath "$1")
program=$bin/cairn
viewer=$bin/21_gltf_viewer
. "$(dirname "$0")/lacking.sh"
. "$(dirname "$0")/program.sh"
unset CAIRN_LOG
cp -r "$(dirname "$0")/hostile" "$scratch/hostile"
cd "$scratch/hostile" || exit 1

not_trusted() { # COMMAND...: the script that needs trust did not run
    [[ ! -e PWNED ]] || fail "a recording gained trust: $*"
    rm -f PWNED
}

# ---- Recordings ----

refuses 1 'a recording of version 1' replay rel.cnr
refuses 1 'a recording of version 1' replay esc.cnr
expect 0 run trust_scene/scene.json --trust-scripts --ticks 3 --record rel3.cnr
[[ -e PWNED ]] || fail 'the script does not show that it is trusted'
rm -f PWNED
for option in '' --verify --hash '--seek 1' '--to 2' '--save x.sav' '--scene trust_scene/scene.json' \
    '--threads 2'; do
    # shellcheck disable=SC2086 # an option and its value
    refuses 1 'use --trust-scripts if you trust those of' replay rel3.cnr $option
    not_trusted replay "$option"
done
expect 0 replay rel3.cnr --info
not_trusted replay --info
expect 0 run trust_scene/scene.json --ticks 3
not_trusted run
expect 0 run --demo swarm --entities 100001 --ticks 1 --record large.cnr
refuses 1 'use --entities 100001 to allow them' replay large.cnr
expect 0 replay large.cnr --entities 100001 --verify

# ---- States ----

expect 0 run trust_scene/scene.json --ticks 2 --save world.json
for resource in CnRenderOut CniScriptContextRef CnPhysicsCache CnObjects CnCameras CnSceneLink; do
    python3 - "$resource" <<'PYTHON'
import json, sys
world = json.load(open("world.json"))
field = {"name": "address", "type": "u64", "count": 1}
world["components"].append({"name": sys.argv[1], "fields": [field]})
world["resources"].append({sys.argv[1]: {"address": "4702111234474983745"}})
json.dump(world, open("resource.json", "w"))
PYTHON
    refuses 1 "$resource belongs to the running program and is never part of a snapshot" \
        run trust_scene/scene.json --load resource.json --ticks 2
done
for state in res_*.sav; do
    refuses 1 'version 1; this build reads version' run trust_scene/scene.json --load "$state"
done

# ---- Terminal escapes ----

refuses 1 'bad\x1b[2J' check esc.json
grep -q $'\e' "$scratch/err" && fail 'escape sequences reach the terminal'

# ---- Models ----

if have_device "$bin"; then
    program=$viewer
    refuses_model() { # FILE WORDS
        expect 1 --headless --model "$1"
        grep -qF -- "$2" "$scratch/err" || fail "$1: \"$2\" is not said"
    }
    refuses_model plain_extrasdeep.gltf 'values are nested more than 512 deep'
    refuses_model plain_transform.gltf 'KHR_texture_transform.offset: must be a list of 2 numbers'
    refuses_model sig_3dsmaxasciiexport.gltf 'version 9.0 is not supported'
    refuses_model sig_AC3D.gltf 'version 9.0 is not supported'
    refuses_model sparse_oob_read.gltf 'duplicate object key'
    refuses_model v1_dup.gltf 'duplicate object key'
    refuses_model v1.glb 'only version 2 is supported'
    expect 0 --headless --model ex_24.gltf # valid: 24 levels of extras
    expect 0 --headless --model m1.obj
fi
finish "$failed"
