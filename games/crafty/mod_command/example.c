/* The example mod that `crafty mod new` writes. */
#include "example.h"

#include <stddef.h>

static const char manifest[] =
    "{\n"
    "    \"name\": \"NAME\",\n"
    "    \"title\": \"TITLE\",\n"
    "    \"version\": \"0.1.0\",\n"
    "    \"description\": \"A lamp that shines in blue, and how to craft it.\",\n"
    "    \"game\": \"^1.0\",\n"
    "    \"permissions\": []\n"
    "}\n";

static const char main_lua[] =
    "-- TITLE. The file is run once when a world is opened: it registers content.\n"
    "-- Check it with `crafty mod check NAME`, and play it with `crafty --mods NAME`.\n"
    "\n"
    "-- A helper of your own, from lib/colors.lua.\n"
    "local colors = require(\"lib.colors\")\n"
    "\n"
    "-- A block. Its full name is \"NAME:lamp\"; it has an item of the same name.\n"
    "block {\n"
    "    name = \"lamp\",\n"
    "    title = \"Blue Lamp\",\n"
    "    like = \"glass\",           -- looks and sounds like glass ...\n"
    "    tint = colors.blue,       -- ... in another color\n"
    "    light = 14,               -- 0 to 15\n"
    "    hardness = 0.5,           -- breaking takes 1.5 seconds times this\n"
    "    drops = \"self\",           -- glass drops nothing; the lamp drops itself\n"
    "}\n"
    "\n"
    "-- An item that places nothing.\n"
    "item {\n"
    "    name = \"dust\",\n"
    "    title = \"Blue Dust\",\n"
    "    tile = \"item_lapis\", -- the picture of a standard item\n"
    "    stack = 64,\n"
    "}\n"
    "\n"
    "-- Two recipes. Names of your own content need the name of the mod.\n"
    "recipe { shapeless = { \"coal\", \"sand\" }, result = \"NAME:dust\", count = 2 }\n"
    "recipe {\n"
    "    shape = { \" d \", \"dgd\", \" d \" },\n"
    "    keys = { d = \"NAME:dust\", g = \"glass\" },\n"
    "    result = \"NAME:lamp\",\n"
    "}\n";

static const char colors_lua[] = "-- Colors for `tint`: red, green, blue, 0 to 255.\n"
                                 "return {\n"
                                 "    blue = { 90, 140, 255 },\n"
                                 "}\n";

/* Where editors with a Lua language server find the annotations. */
static const char luarc[] = "{\n"
                            "    \"runtime.version\": \"LuaJIT\",\n"
                            "    \"workspace.library\": [\".annotations\"]\n"
                            "}\n";

const CraftyModExample *crafty_mod_example(void)
{
    static const CraftyModExample files[] = {{"mod.json", manifest},
                                             {"main.lua", main_lua},
                                             {"lib/colors.lua", colors_lua},
                                             {".luarc.json", luarc},
                                             {NULL, NULL}};
    return files;
}
