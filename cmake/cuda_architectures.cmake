# CMAKE_CUDA_ARCHITECTURES, unless it is given: the GPUs of this machine; where none is seen (a login node, a
# container), code for Hopper and the PTX of the oldest supported architecture, 8.0, which the driver compiles
# at the first start on any other.
# Hopper's code of `target` is made from the PTX of 8.0, so that the compiler's front end runs once a file.
# It is the same machine code as from the PTX of 9.0, except in the files ARGN, of which 9.0 has another PTX.
function(fathom_compile_in_one_pass target)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES OFF)
    get_target_property(files ${target} SOURCES)
    list(FILTER files INCLUDE REGEX "\\.cu$")
    foreach(file IN LISTS files)
        set(from 80)
        if(file IN_LIST ARGN)
            set(from 90)
        endif()
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS
            "--generate-code=arch=compute_${from},code=sm_90"
            "--generate-code=arch=compute_80,code=compute_80")
    endforeach()
endfunction()

if(CMAKE_CUDA_ARCHITECTURES)
    return()
endif()
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE seen
    ERROR_QUIET
    RESULT_VARIABLE result)
if(result EQUAL 0)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" seen "${seen}")
    list(REMOVE_DUPLICATES seen)
    foreach(capability IN LISTS seen)
        string(REPLACE "." "" architecture ${capability})
        if(architecture GREATER_EQUAL 80 AND known MATCHES "sm_${architecture}[^0-9]")
            list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture}-real)
        endif()
    endforeach()
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES AND known MATCHES "sm_90")
    set(CMAKE_CUDA_ARCHITECTURES 90-real 80-virtual)
    set(FATHOM_CUDA_IS_ONE_PASS TRUE) # fathom_compile_in_one_pass
elseif(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 80-virtual)
endif()
message(STATUS "CUDA code for ${CMAKE_CUDA_ARCHITECTURES}")
