# The modules of the library, one row a line, lowest first. A module may include the public headers
# of any row below its own, never of its own row or above. This is the only place where the rows
# are written: the build takes its sources from here, and tools/check_arrows.py its rules.

set(CAIRN_MODULE_ROWS
    "base"
    "gpu store vfs"
    "ecs"
    "sim"
    "scene input"
    "voxel physics"
    "script"
    "plugin net audio render"
    "ui"
    "engine")

string(REPLACE " " ";" CAIRN_MODULES "${CAIRN_MODULE_ROWS}")
