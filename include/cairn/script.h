/*
 * cairn/script: Lua on objects (LuaJIT).
 *
 *     CnScriptDesc scripts = {.files = cn_vfs_files(vfs)};
 *     CnPlugin parts[] = {cn_script_plugin(&scripts)};
 */
#ifndef CAIRN_SCRIPT_H
#define CAIRN_SCRIPT_H

#include <cairn/script/script.h>

#endif
