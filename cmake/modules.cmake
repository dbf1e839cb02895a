# The modules of the library, one row per line, lowest first. A module may include the public headers of
# modules in rows below its own, but not of its own row or above. This list is the single source for the
# build and for tools/check_arrows.py.

set(CAIRN_MODULE_ROWS
    "base"
    "gpu store vfs"
    "ecs postgres"
    "sim"
    "input"
    "scene"
    "voxel physics"
    "script"
    "plugin net audio render"
    "ui"
    "engine")

string(REPLACE " " ";" CAIRN_MODULES "${CAIRN_MODULE_ROWS}")
# Not in the libraries cairn and cairn-headless, but in one of its own: see library.cmake.
list(REMOVE_ITEM CAIRN_MODULES postgres)
