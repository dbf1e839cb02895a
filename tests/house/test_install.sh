#!/usr/bin/env bash
# Installs a build into a scratch folder, moves it, and builds and runs an outside project against
# it: with CMake and with pkg-config, shared and static; and the plugin template, for the installed
# program. Usage: test_install.sh BUILD_DIR
set -euo pipefail

source_dir=$PWD
build_dir=$1
outside=$PWD/tests/house/outside
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/moved

fail() {
    echo "FAILED: $*"
    exit 1
}
uses_shared() { readelf -d "$1" | grep -q 'NEEDED.*libcairn\.so\.0'; }

cmake --install "$build_dir" --prefix "$scratch/installed" >/dev/null
mv "$scratch/installed" "$prefix"
for place in "$source_dir" "$build_dir" "$scratch"; do
    # As an absolute path: the tree may be called /cairn, and .../cairn/ is in many right paths.
    if LC_ALL=C grep -raoP "(?<![\w.}/-])\Q$place\E/[[:print:]]*" "$prefix"; then
        fail "an installed file names $place"
    fi
done

cmake -S "$outside" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
cmake --build "$scratch/build" >/dev/null
[[ $(grep -c -- -ffp-contract=off "$scratch/build/compile_commands.json") == 5 ]] ||
    fail "floats of outside projects may be contracted"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -ra cflags < <(pkg-config --cflags cairn)
read -ra shared < <(pkg-config --libs cairn)
read -ra static < <(pkg-config --static --libs cairn)
# The linker takes a shared library where both are there, unless the file is named.
static=("${static[@]/#-lcairn/-l:libcairn.a}")
cc -std=c17 "${cflags[@]}" "$outside/main.c" -o "$scratch/pc_shared" "${shared[@]}"
cc -std=c17 "${cflags[@]}" "$outside/main.c" -o "$scratch/pc_static" "${static[@]}"

for program in "$scratch/build/with_shared" "$scratch/pc_shared"; do
    uses_shared "$program" || fail "$program does not use libcairn.so"
    LD_LIBRARY_PATH=$prefix/lib "$program" || fail "$program"
done
for program in "$scratch/build/with_static" "$scratch/pc_static"; do
    ! uses_shared "$program" || fail "$program uses libcairn.so"
    "$program" || fail "$program"
done

# The shared library finds the program that decodes foreign files.
printf '#include <cairn/vfs/decoder.h>\n#include <stdio.h>\nint main(void) { char path[4096]; CnError error = {0};
puts(cn_decoder_find(path, sizeof path, &error) ? path : error.message); }\n' >"$scratch/find.c"
cc -std=c17 "${cflags[@]}" "$scratch/find.c" -o "$scratch/find" "${shared[@]}"
found=$(LD_LIBRARY_PATH=$prefix/lib "$scratch/find")
[[ $(realpath "$found") == "$prefix/libexec/cairn/cairn-decode" ]] || fail "cairn-decode: $found"

# Shaders of programs include ours.
printf '#version 460\n#include "fog.pass.glsl"\n#include "render/core/full_screen_frag.glsl"\n' >"$scratch/fog.frag"
glslc --target-env=vulkan1.3 -I "$prefix/share/cairn/shaders" -I shaders/samples "$scratch/fog.frag" -o "$scratch/fog.spv" ||
    fail "a shader does not compile with what is installed"

# Servers need nothing of what shows and sounds.
read -ra headless < <(pkg-config --libs cairn-headless)
cc -std=c17 "${cflags[@]}" "$outside/server.c" -o "$scratch/pc_server" "${headless[@]}"
for program in "$scratch/build/server_with_shared" "$scratch/build/server_with_static" "$scratch/pc_server"; do
    LD_LIBRARY_PATH=$prefix/lib "$program" || fail "$program"
    needed=$(LD_LIBRARY_PATH=$prefix/lib ldd "$program" |
        grep -Eio 'lib(cairn\.|vulkan|SDL|X11|wayland|freetype|meshoptimizer|shaderc|spng|turbojpeg|webp|openal|vorbis)[^ ]*' || true)
    [[ -z $needed ]] || fail "$program needs $needed"
done
# libpq is for those that ask for it.
read -ra postgres < <(pkg-config --libs cairn-postgres)
cc -std=c17 "${cflags[@]}" "$outside/database_server.c" -o "$scratch/pc_database_server" "${postgres[@]}" "${headless[@]}"
for program in "$scratch/build/database_server" "$scratch/pc_database_server"; do
    LD_LIBRARY_PATH=$prefix/lib "$program" || fail "$program"
done
! readelf -d "$scratch/build/server_with_static" | grep -q 'NEEDED.*libpq' || fail "a server without a database needs libpq"
readelf -d "$scratch/build/server_with_shared" | grep -q 'NEEDED.*libcairn-headless\.so\.0' ||
    fail "the server does not use libcairn-headless.so"

# As the template says.
cc -std=c17 -O2 -shared -fPIC samples/template_plugin/plugin.c -o "$scratch/sheep.so" \
    "${cflags[@]}" "${shared[@]}"
"$prefix/bin/cairn" run --demo empty --plugin "$scratch/sheep.so" --ticks 60 --hash |
    grep -q '^tick 60 hash' || fail "the installed program does not run the plugin"
