# Flags of every file in the tree. Results must be the same bits with every compiler and at every
# level of optimisation, so nothing here may relax floating point (-ffast-math) or contract it.

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
    # Calls inside the library are direct, and may be inlined, though it is position-independent.
    -fno-semantic-interposition
    # __FILE__ is relative to the root of the tree: messages are short and equal on all machines.
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla)

# What was compiled before is not compiled again, where ccache is installed; set the launcher to choose another.
find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${CAIRN_CCACHE})
endif()

# Programs load only the libraries that they use.
add_link_options(-Wl,--as-needed)
# There are hundreds of tests to link, and LLVM's linker takes a third of the time.
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
endif()
