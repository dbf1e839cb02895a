# Flags for every file in the tree. Results must be bit-identical with every compiler and optimisation
# level, so no flag may relax floating-point rules (-ffast-math) or permit contraction.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

add_compile_definitions(_GNU_SOURCE)
add_compile_options(
    -ffp-contract=off
    -fno-math-errno
    -fvisibility=hidden
    # Calls inside the library are direct and may be inlined, although it is position-independent.
    -fno-semantic-interposition
    # Makes __FILE__ relative to the root of the tree, so that messages are short and the same on all machines.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla)

# Uses ccache if it is installed; set the launcher to select another.
find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${CAIRN_CCACHE})
endif()

# Programs load only the libraries they use.
add_link_options(-Wl,--as-needed)
# There are hundreds of tests to link, and lld takes a third of the time.
find_program(CAIRN_LLD ld.lld)
if(CAIRN_LLD)
    add_link_options(-fuse-ld=lld)
endif()

if(CAIRN_WERROR)
    add_compile_options(-Werror)
endif()

if(CAIRN_SANITIZE)
    add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CAIRN_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL Clang)
        # Also reports NULL + 0, which empty arrays compute and all compilers define; gcc does not.
        add_compile_options(-fno-sanitize=pointer-overflow)
    endif()
endif()
