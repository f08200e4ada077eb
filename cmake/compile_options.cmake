# Warnings, sanitizers and arithmetic, for every target alike.
# Arithmetic is pinned: no contraction of a*b+c unless the source says fma, so that results do not depend on
# what the compiler happens to fuse.
add_library(fathom_options INTERFACE)
target_compile_options(fathom_options INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    -ffp-contract=off -fno-math-errno -fno-trapping-math>)
target_compile_definitions(fathom_options INTERFACE _GNU_SOURCE)
target_include_directories(fathom_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
# clang: & between conditions is meant, because && in a loop that is to be vectorized is a branch; and a loop
# that clang does not vectorize is only slower. gcc checks the signs of conversions; clang differs from it in
# those of enumerations.
target_compile_options(fathom_options INTERFACE $<$<COMPILE_LANG_AND_ID:C,Clang>:-Wno-unknown-warning-option
    -Wno-bitwise-instead-of-logical -Wno-bitwise-conditional-parentheses -Wno-pass-failed -Wno-sign-conversion
    -Wno-string-concatenation>)
if(FATHOM_WERROR)
    target_compile_options(fathom_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
if(FATHOM_FUZZ)
    target_link_libraries(fathom_options INTERFACE fathom_fuzz_options)
endif()
if(FATHOM_SANITIZE)
    target_compile_options(fathom_options INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-fsanitize=${FATHOM_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all>)
    target_link_options(fathom_options INTERFACE -fsanitize=${FATHOM_SANITIZE})
endif()
target_link_libraries(fathom_options INTERFACE Threads::Threads)

# Adds SOURCES compiled once per x86-64 level to TARGET, with -DISA=<level>, so that the program can choose at
# run time; may be called several times for one target. On other processors there is one build, ISA=generic.
# Functions begin on a cache line: where the linker puts a short loop changes its time by up to a third, so
# any change elsewhere in the program would.
function(fathom_add_isa_variants target)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64" AND NOT FATHOM_FUZZ)
        set(variants generic:x86-64 avx2:x86-64-v3 avx512:x86-64-v4)
    else()
        set(variants generic:)
    endif()
    foreach(variant IN LISTS variants)
        string(REPLACE ":" ";" parts ${variant})
        list(GET parts 0 isa)
        list(LENGTH parts count)
        if(TARGET ${target}_${isa}) # of an earlier call
            target_sources(${target}_${isa} PRIVATE ${ARGN})
            continue()
        endif()
        add_library(${target}_${isa} OBJECT ${ARGN})
        target_link_libraries(${target}_${isa} PRIVATE fathom_options OpenMP::OpenMP_C)
        target_compile_definitions(${target}_${isa} PRIVATE ISA=${isa} ISA_${isa}=1)
        target_compile_options(${target}_${isa} PRIVATE -falign-functions=64)
        if(NOT isa STREQUAL "generic")
            list(GET parts 1 march)
            target_compile_options(${target}_${isa} PRIVATE -march=${march})
        endif()
        if(isa STREQUAL "avx512")
            target_compile_options(${target}_${isa} PRIVATE -mprefer-vector-width=512)
        endif()
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
        target_compile_definitions(${target} PRIVATE HAVE_ISA_${isa}=1)
    endforeach()
endfunction()
