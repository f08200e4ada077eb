# CMAKE_CUDA_ARCHITECTURES, unless it is given: the GPUs of this machine; where none is seen (a login node, a
# container), code for Hopper and the PTX of the oldest supported architecture, 8.0, which the driver compiles
# at the first start on any other.
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
elseif(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 80-virtual)
endif()
message(STATUS "CUDA code for ${CMAKE_CUDA_ARCHITECTURES}")
