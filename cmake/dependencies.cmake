# Libraries from the distribution. Each becomes one imported target; a missing one is named with its Debian
# package.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(FATHOM_FUZZ)
    include(fuzz) # OpenMP::OpenMP_C of one thread
else()
    find_package(OpenMP REQUIRED COMPONENTS C)
endif()

function(fathom_find_pkgconfig target module package)
    pkg_check_modules(${target} IMPORTED_TARGET ${module})
    if(NOT ${target}_FOUND)
        message(FATAL_ERROR "${module} was not found: install ${package} (or run ./quickstart, which does)")
    endif()
endfunction()

fathom_find_pkgconfig(NETCDF netcdf libnetcdf-dev)
fathom_find_pkgconfig(CJSON libcjson libcjson-dev)
fathom_find_pkgconfig(XXHASH libxxhash libxxhash-dev)
fathom_find_pkgconfig(ZLIB zlib zlib1g-dev)
fathom_find_pkgconfig(PNG libpng libpng-dev)
fathom_find_pkgconfig(WEBP libwebp libwebp-dev)
fathom_find_pkgconfig(WEBPMUX libwebpmux libwebp-dev)
fathom_find_pkgconfig(CMOCKA cmocka libcmocka-dev)

find_path(UDUNITS2_INCLUDE_DIR udunits2.h PATH_SUFFIXES udunits2)
find_library(UDUNITS2_LIBRARY udunits2)
if(NOT UDUNITS2_INCLUDE_DIR OR NOT UDUNITS2_LIBRARY)
    message(FATAL_ERROR "udunits2 was not found: install libudunits2-dev (or run ./quickstart, which does)")
endif()
add_library(udunits2 INTERFACE)
target_include_directories(udunits2 SYSTEM INTERFACE ${UDUNITS2_INCLUDE_DIR})
target_link_libraries(udunits2 INTERFACE ${UDUNITS2_LIBRARY})

find_program(GNUPLOT_EXECUTABLE gnuplot)

set(FATHOM_HAVE_CUDA FALSE)
if(NOT FATHOM_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(FATHOM_HAVE_CUDA TRUE)
    elseif(FATHOM_CUDA STREQUAL "ON")
        message(FATAL_ERROR "FATHOM_CUDA=ON, but no CUDA compiler (nvcc) was found: install the CUDA "
            "Toolkit, or use AUTO or OFF")
    endif()
endif()
