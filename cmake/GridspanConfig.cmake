# find_package(Gridspan): CUDA for CPUs in a CMake project.
#
#   list(APPEND CMAKE_PREFIX_PATH /where/gridspan/is)
#   find_package(Gridspan REQUIRED)      # before CUDA is enabled: it then means gridcc
#   enable_language(CUDA)
#
# Without find_package, -DCMAKE_CUDA_COMPILER=.../bin/gridcc does the same for any project.
#
#   Gridspan::gridcc      the compiler driver, an executable
#   Gridspan::gridspan    explain, devices, record, replay
#   Gridspan::runtime     the CUDA run time with its headers, for C and C++ that call it
#   Gridspan_TOOLKIT_ROOT a folder that looks like a CUDA toolkit (CUDAToolkit_ROOT, CUDA_PATH)
get_filename_component(Gridspan_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Gridspan_TOOLKIT_ROOT "${Gridspan_PREFIX}/lib/gridspan/toolkit")

foreach(program gridcc gridspan)
  if(NOT TARGET Gridspan::${program})
    add_executable(Gridspan::${program} IMPORTED)
    set_target_properties(Gridspan::${program} PROPERTIES
      IMPORTED_LOCATION "${Gridspan_PREFIX}/bin/${program}")
  endif()
endforeach()
if(NOT TARGET Gridspan::runtime)
  add_library(Gridspan::runtime SHARED IMPORTED)
  set_target_properties(Gridspan::runtime PROPERTIES
    IMPORTED_LOCATION "${Gridspan_PREFIX}/lib/libgridspan.so"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${Gridspan_PREFIX}/include/gridspan/cuda")
endif()

if(NOT CMAKE_CUDA_COMPILER AND NOT CMAKE_CUDA_COMPILER_LOADED AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER "${Gridspan_PREFIX}/bin/gridcc" CACHE FILEPATH "CUDA compiler")
endif()
# Libraries that Gridspan does not have have no target, even where CMake would find an SDK's: FindCUDAToolkit does not look
# for what is known, and makes no target of nothing.
foreach(library cudla cufftw cuFile cuFile_rdma cupti nppc nppial
    nppicc nppicom nppidei nppif nppig nppim nppist nppisu nppitc npps nvgraph nvJitLink nvjpeg nvfatbin nvptxcompiler
    nvperf_host nvperf_target pcsamplingutil)
  foreach(kind ${library} ${library}_static)
    if(NOT DEFINED CUDA_${kind}_LIBRARY)
      set(CUDA_${kind}_LIBRARY "" CACHE FILEPATH "Gridspan does not have this library")
      mark_as_advanced(CUDA_${kind}_LIBRARY)
    endif()
  endforeach()
endforeach()

if(NOT CUDAToolkit_ROOT AND NOT DEFINED ENV{CUDAToolkit_ROOT})
  set(CUDAToolkit_ROOT "${Gridspan_TOOLKIT_ROOT}" CACHE PATH "CUDA toolkit")
endif()
