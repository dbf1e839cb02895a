#!/usr/bin/env bash
# soak_crafty.sh CRAFTY [FRAMES]: a flight back and forth, 20 blocks a second, chunks coming and going. The validation layer
# must be silent, memory of the process, of the land and on the GPU must not grow, steady frames make no heap call of the engine.
set -euo pipefail
crafty=$1
frames=${2:-20000}
stats=$(mktemp)
trap 'rm -f "$stats"' EXIT
# Four times as fast as in the game, so that few frames leave many chunks behind.
"$crafty" --headless --quality low --view-distance 2 --size 48x27 --off far --tour flight --fps 15 --frames "$frames" --check \
    --validation --print-stats >"$stats"
python3 - "$stats" "$frames" <<'PY'
import json, sys
stats, frames = json.load(open(sys.argv[1])), int(sys.argv[2])
assert stats["frames"] == frames, stats["frames"]
assert stats["validation_messages"] == 0 and stats["refused_meshes"] == 0
for what in ("terrain_peak_bytes", "gpu_peak_bytes", "process_peak_bytes"):
    first, second = stats[what]["first_half"], stats[what]["second_half"]
    print(f"{what}: {first >> 10} KiB in the first half of {frames} frames, {second >> 10} KiB in the second")
    assert 0 < second <= first * 1.1 + (8 << 20), "memory grows"
PY
