# shellcheck shell=bash
# Sourced by tests of the tree that need more than every machine has. What could not run makes the test skipped, never
# passed.
#
#     have clang || continue            # notes that the command is not there
#     have_device build/release/bin     # a Vulkan device, asked through a sample
#     finish "$failed"                  # ends the test: failed, skipped when something was lacking, or passed

lacking=()

have() { # COMMAND
    command -v "$1" >/dev/null && return 0
    lacking+=("$1")
    return 1
}

have_device() { # BIN
    local said
    said=$("$1/17_hello_window" --headless --frames 1 --size 16x16 2>&1) && return 0
    # Any other failure is one of the programs, which the test is to find.
    [[ $said == *'Vulkan cannot be initialized'* || $said == *'no Vulkan device'* ]] || return 0
    lacking+=('a Vulkan device')
    return 1
}

finish() { # FAILED: 0 or not
    if (($1 != 0)); then
        exit 1
    fi
    if ((${#lacking[@]} > 0)); then
        printf 'skipped: without %s\n' "${lacking[@]}"
        exit 77
    fi
    exit 0
}
