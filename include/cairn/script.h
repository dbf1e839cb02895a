/*
 * cairn/script: Lua scripts on objects, executed by LuaJIT.
 *
 *     CnScriptDesc scripts = {.files = cn_native_files()};
 *     CnPlugin plugins[] = {cn_script_plugin(&scripts)};
 */
#ifndef CAIRN_SCRIPT_H
#define CAIRN_SCRIPT_H

#include <cairn/script/game.h>
#include <cairn/script/sandbox.h>
#include <cairn/script/script.h>
#include <cairn/script/system_plugin.h>
#include <cairn/script/ui.h>

#endif
