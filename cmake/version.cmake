# Reads CAIRN_VERSION from the public header, the single source of the version.

set(header ${CMAKE_CURRENT_SOURCE_DIR}/include/cairn/base/version.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})

set(numbers)
foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${header} line REGEX "^#define CN_VERSION_${part} [0-9]+$")
    string(REGEX REPLACE ".* " "" number "${line}")
    list(APPEND numbers ${number})
endforeach()
list(JOIN numbers . CAIRN_VERSION)
