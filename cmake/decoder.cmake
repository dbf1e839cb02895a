# cairn-decode, the helper process that decodes files of foreign origin and compiles GLSL. The library
# starts it and looks for it beside the program, so it is built with the library.

pkg_check_modules(CAIRN_SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
# Linked statically with its dependencies: Debian's libshaderc.so lacks the symbols of glslang.
pkg_check_modules(CAIRN_SHADERC REQUIRED IMPORTED_TARGET shaderc_combined spirv)
set_property(TARGET PkgConfig::CAIRN_SHADERC APPEND PROPERTY INTERFACE_LINK_LIBRARIES stdc++)

file(GLOB decoder_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/decode_program/*.c)
function(cairn_decoder name faults)
    add_executable(${name} ${decoder_sources})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${name} PRIVATE CAIRN_DECODE_FAULTS=${faults})
    target_link_libraries(${name} PRIVATE cairn_static PkgConfig::CAIRN_JANSSON
        PkgConfig::CAIRN_SECCOMP PkgConfig::CAIRN_SHADERC)
endfunction()
cairn_decoder(cairn-decode 0)
install(TARGETS cairn-decode DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/cairn)
