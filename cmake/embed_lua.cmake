# Usage: cmake -DINPUT=... -DOUTPUT=... -P embed_lua.cmake
# Writes a source file with the bytes of a Lua file as cni_script_prelude.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)"
    "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"script/system/plugin_code.h\"
const unsigned char cni_script_prelude[] = {
${bytes}0};
const size_t cni_script_prelude_size = sizeof cni_script_prelude - 1;
")
