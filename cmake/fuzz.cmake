# FATHOM_FUZZ=ON: what the harnesses of tests/fuzz are compiled with, the program's own files as well. No
# warnings: gcc gives them, and clang has others. No OpenMP: what is fuzzed runs on one thread, and clang
# brings no omp.h of its own.
if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FATHOM_FUZZ=ON needs clang with libFuzzer: -DCMAKE_C_COMPILER=clang")
endif()
set(FATHOM_FUZZ_OPTIMIZE -O1 CACHE STRING "-O1 runs faster; -O0 compiles in a quarter of the time")
set(CMAKE_C_FLAGS_RELEASE "-gline-tables-only ${FATHOM_FUZZ_OPTIMIZE}") # assertions stay
# Of a Makefile each line on a file is a process of its own: nearly a tenth of what -O0 takes.
set_property(GLOBAL PROPERTY RULE_MESSAGES OFF)
add_library(fathom_fuzz_options INTERFACE)
target_compile_options(fathom_fuzz_options INTERFACE
    -w -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
target_link_options(fathom_fuzz_options INTERFACE -fsanitize=address,undefined)

add_library(fathom_one_thread INTERFACE)
target_include_directories(fathom_one_thread INTERFACE ${PROJECT_SOURCE_DIR}/tests/fuzz/clang)
add_library(OpenMP::OpenMP_C ALIAS fathom_one_thread)
