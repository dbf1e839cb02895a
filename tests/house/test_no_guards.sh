#!/usr/bin/env bash
# test_no_guards.sh LIBRARY: guards cost nothing in release, because nothing of them is there.
set -euo pipefail
if users=$(nm -A -u "$1" 2>/dev/null | grep cn_assert_fail); then
    echo "guards are compiled into $1:"
    echo "$users"
    exit 1
fi
echo 'no guard is compiled in'
