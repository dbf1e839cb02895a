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

# Writes recordings of the current version: rel3.cnr with other texts of the same size in its header.
python3 - <<'PYTHON' || fail 'recordings with terminal escapes cannot be made'
import ctypes, struct
hash_bytes = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
hash_bytes.restype = ctypes.c_uint64
hash_bytes.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
recording = open("rel3.cnr", "rb").read()
begin = 12  # the header is the first block, behind magic and version
end = begin + 9 + struct.unpack_from("<I", recording, begin + 1)[0]
build_at = begin + 9 + 22
build = recording[build_at:build_at + recording[build_at - 1]]
settings_at = build_at + len(build) + 4
settings = recording[settings_at:end]
assert b"trust_scene/scene.json" in settings

def write(name, build, settings):
    block = recording[begin:build_at] + build + recording[build_at + len(build):settings_at] + settings
    assert len(block) == end - begin
    checksum = hash_bytes(block, len(block), begin) & 0xFFFFFFFF
    with open(name, "wb") as file:
        file.write(recording[:begin] + block + struct.pack("<I", checksum) + recording[end + 4:])

escapes = "\x1b[2J\x1b]0;x\x07\r\x9b\u202e".encode()
write("esc3_path.cnr", build, settings.replace(b"trust_scene/scene.json", escapes.ljust(22, b"x")))
write("esc3_settings.cnr", build, escapes.ljust(len(settings), b"x"))
write("esc3_build.cnr", (b"\x1b[2J" * len(build))[:len(build)], settings)
write("esc3_none.cnr", build, settings)
PYTHON
cmp rel3.cnr esc3_none.cnr || fail 'the header of a recording is not written as it was'
for text in path settings; do
    expect 0 replay "esc3_$text.cnr" --info
    says '\x1b[2J\x1b]0;x\x07\r\u{9b}\u{202e}'
done
expect 0 replay esc3_build.cnr --info
says 'recorded by \x1b[2J'
refuses 1 'was recorded by another program: \x1b[2J\x1b]0;x\x07\r' replay esc3_settings.cnr
for option in '' --trust-scripts '--verify --trust-scripts' '--trust-scripts --save x.sav'; do
    # shellcheck disable=SC2086 # options and their values
    refuses 1 '\x1b[2J\x1b]0;x\x07\r' replay esc3_path.cnr $option
done
refuses 1 'use --trust-scripts if you trust those of' replay esc3_build.cnr
not_trusted replay esc3_build.cnr
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
