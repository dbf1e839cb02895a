#!/usr/bin/env bash
# test_samples.sh BIN: checks the output of every numbered sample, and that samples that render write an image.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
. tests/house/lacking.sh
images=(swarm boxes voxels)
device=yes
have_device "$bin" || device=no
ln -s "$PWD/scenes" "$PWD/samples" "$scratch" # where they look for their files
for source in samples/[0-9][0-9]_*.c; do
    name=$(basename "$source" .c)
    if [[ $name == 00_show ]]; then # it prints times
        continue
    fi
    if grep -q cn_engine_main "$source"; then # it renders, in a window if there is one
        [[ $device == yes ]] || continue
        if ! (cd "$scratch" && "$bin/$name" --headless --frames 2 --size 160x90 --out "out/$name.png" --make-folders) >/dev/null; then
            echo "$name fails"
            failed=1
        fi
        images+=("$name")
        "$bin/$name" --help | grep -q -- --headless
        if "$bin/$name" --size nonsense 2>/dev/null; then
            echo "$name accepts an invalid size"
            failed=1
        fi
        continue
    fi
    if ! (cd "$scratch" && "$bin/$name") | diff "tests/golden/samples/$name.txt" - ; then
        echo "$name prints different output"
        failed=1
    fi
done
for image in "${images[@]}"; do
    [[ $(head -c 4 "$scratch/out/$image.png" | tail -c 3) == PNG ]] || { echo "no PNG file: $image"; failed=1; }
done
lines=$(wc -l <samples/01_entities.c)
if ((lines >= 40)); then
    echo "01_entities.c has $lines lines: the shortest complete program has less than 40"
    failed=1
fi
[[ $device == no ]] || grep -q '<svg' "$scratch/out/render_graph.svg" || { echo 'no SVG file of the render graph'; failed=1; }
lines=$(grep -cvE '^ *(/\*.*\*/)?$' samples/17_hello_window.c)
if ((lines > 24)); then
    echo "17_hello_window.c has $lines lines: the hello world has about twenty"
    failed=1
fi
"$bin/00_show" --help | grep -q usage
if "$bin/00_show" --nonsense 2>"$scratch/error"; then
    echo '00_show accepts an unknown option'
    failed=1
fi
grep -q nonsense "$scratch/error"
"$bin/00_show" --ticks 10 --out "$scratch/show.png" >/dev/null
[[ $(head -c 4 "$scratch/show.png" | tail -c 3) == PNG ]] || { echo '00_show wrote no PNG'; failed=1; }
if "$bin/00_show" --ticks 1 --out "$scratch/no/such/folder.png" >/dev/null 2>"$scratch/error"; then
    echo '00_show does not report that it could not write'
    failed=1
fi
grep -q 'cannot write' "$scratch/error"
finish "$failed"
