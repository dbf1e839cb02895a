# The fonts embedded in the library by src/render/text/font_embedded.c: DejaVu Sans and DejaVu Sans Mono, from
# Debian's fonts-dejavu-core.

find_path(CAIRN_DEJAVU DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu
    /usr/share/fonts/TTF NO_DEFAULT_PATH REQUIRED)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/render/text/font_embedded.c PROPERTIES
    COMPILE_DEFINITIONS CAIRN_DEJAVU="${CAIRN_DEJAVU}"
    OBJECT_DEPENDS "${CAIRN_DEJAVU}/DejaVuSans.ttf;${CAIRN_DEJAVU}/DejaVuSansMono.ttf")
