# Usage: cmake -DROOT=... -DOUTPUT=... -DFILES="a b" -P embed.cmake
# Writes a header with the contents of the files, named by their paths below ROOT, as the array `sources`
# of CniRenderShaderSource.
separate_arguments(FILES)
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS FILES)
    file(READ ${ROOT}/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)"
        "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const unsigned char source_${number}[] = {${bytes}0};\n")
    string(APPEND entries "    {\"${file}\", (const char *)source_${number}, sizeof source_${number} - 1},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "${arrays}static const CniRenderShaderSource sources[] = {\n${entries}};\n")
