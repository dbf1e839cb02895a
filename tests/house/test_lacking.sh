#!/usr/bin/env bash
# test_lacking.sh BIN: tests of the tree that lack something of the machine are skipped, not passed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
failed=0

expect() { # STATUS WHAT SCRIPT
    local status=0
    bash -c ". tests/house/lacking.sh; $3" >/dev/null 2>&1 || status=$?
    if [[ $status != "$1" ]]; then
        echo "FAILED: $2: status $status, expected $1"
        failed=1
    fi
}

expect 0 'a test that lacks nothing passes' 'have bash; finish 0'
expect 77 'a test that lacks a command is skipped' 'have no-such-command; finish 0'
expect 1 'a test that lacks a command and fails has failed' 'have no-such-command; finish 1'
expect 1 'a test that fails has failed' 'finish 1'
VK_ICD_FILENAMES=/none VK_DRIVER_FILES=/none expect 77 'a test that lacks a device is skipped' "have_device '$1'; finish 0"

if silent=$(grep -nE 'command -v [^|]*(\|\| *(continue|exit 0|return)|; then)' tests/house/test_*.sh tools/check_headers |
    grep -v "^${0#"$PWD/"}:" | grep -v test_lacking); then
    echo 'FAILED: these leave something out and pass:'
    echo "$silent"
    failed=1
fi
exit "$failed"
