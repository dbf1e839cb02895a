#!/usr/bin/env bash
# soak_samples.sh BIN [FRAMES]: every sample that draws, for many frames with changing sizes and then steadily. The
# validation layer must be silent, memory must not grow, steady frames make no heap call.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(realpath "$1")
frames=${2:-10000}
failed=0
for source in samples/[0-9][0-9]_*.c; do
    name=$(basename "$source" .c)
    grep -q cn_engine_main "$source" || continue
    options=(--headless --frames "$frames" --size 96x54 --check --validation)
    for more in '' '--resize-every 37'; do
        # shellcheck disable=SC2086
        if ! "$bin/$name" "${options[@]}" $more; then
            echo "$name ${options[*]} $more: failed"
            failed=1
        fi
    done
done
exit "$failed"
