# Libraries with the names and versions of NVIDIA's, for what was linked with those: each is nothing but jumps into
# ours (README.md). They lie in the toolkit folder, to which LD_LIBRARY_PATH leads.

# gridspan_thin_library(SONAME OURS NAMES PATTERN [VERSION NODE] [LISTS LIST...]): NAMES' functions that PATTERN matches.
# OURS is the target that has them.
function(gridspan_thin_library soname ours names pattern)
  cmake_parse_arguments(PARSE_ARGV 4 thin "" "VERSION" "LISTS")
  set(folder ${CMAKE_BINARY_DIR}/src/names)
  set(archive ${folder}/${soname}.a)
  set(product ${CMAKE_BINARY_DIR}/lib/gridspan/toolkit/lib64/${soname})
  set(script ${CMAKE_SOURCE_DIR}/src/names/make_jumps.py)
  get_property(lists GLOBAL PROPERTY ${names}_LISTS)
  foreach(list IN LISTS thin_LISTS)
    list(APPEND lists ${CMAKE_SOURCE_DIR}/src/names/lists/${list}.txt)
  endforeach()
  set(version)
  if(thin_VERSION)
    file(WRITE ${folder}/${soname}.map "${thin_VERSION} { global: *; };\n")
    set(version -Wl,--version-script=${folder}/${soname}.map)
  endif()
  if(LLD)
    set(linker -fuse-ld=${LLD})
  endif()
  add_custom_command(OUTPUT ${product}
    COMMAND ${Python3_EXECUTABLE} ${script} ${CMAKE_AR} ${archive} shown ${pattern} ${lists}
    # A link that an earlier build left would be written through.
    COMMAND ${CMAKE_COMMAND} -E rm -f ${product}
    COMMAND ${CMAKE_CXX_COMPILER} ${linker} -shared -nostdlib -o ${product} -Wl,-soname,${soname} ${version}
      -Wl,-z,nodelete,-z,now,-z,defs -Wl,--whole-archive ${archive} -Wl,--no-whole-archive
      -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -l$<TARGET_PROPERTY:${ours},OUTPUT_NAME>
      "-Wl,-rpath,$ORIGIN/../../.."
    DEPENDS ${script} ${lists} ${ours}
    COMMENT "Names of ${soname}" VERBATIM)
  add_custom_target(thin_${soname} ALL DEPENDS ${product})
  set_property(GLOBAL APPEND PROPERTY gridspan_thin_libraries thin_${soname})
endfunction()

set_target_properties(gridspan_nvrtc PROPERTIES OUTPUT_NAME gridspan_nvrtc)
gridspan_thin_library(libcuda.so.1 gridspan gridspan_names "cu[A-Z]" LISTS libcuda)
gridspan_thin_library(libnvidia-ml.so.1 gridspan gridspan_names "nvml" VERSION libnvidia-ml.so.1)
foreach(major 11.0 12 13)
  gridspan_thin_library(libcudart.so.${major} gridspan gridspan_names "(__)?cuda[A-Z]"
    VERSION libcudart.so.${major} LISTS libcudart_${major})
endforeach()
foreach(major 11.2 12 13)
  gridspan_thin_library(libnvrtc.so.${major} gridspan_nvrtc gridspan_nvrtc_names "nvrtc" VERSION libnvrtc.so.${major})
endforeach()

# Target, names and file of CUDA's other libraries, and their majors in CUDA 11 to 13; of cuDNN 8 and 9.
foreach(one "blas cublas(?!Lt) cublas 11 12 13" "blas cublasLt cublasLt 11 12 13" "rand curand curand 10"
            "fft cufft cufft 10 11 12" "sparse cusparse cusparse 11 12" "solver cusolver(?!Mg) cusolver 11 12"
            "solver cusolverMg cusolverMg 11 12" "nccl nccl nccl 2" "dnn cudnn cudnn 8 9")
  separate_arguments(majors UNIX_COMMAND ${one})
  list(POP_FRONT majors ours pattern name)
  set_target_properties(gridspan_${ours} PROPERTIES OUTPUT_NAME gridspan_${ours})
  foreach(major IN LISTS majors)
    set(soname lib${name}.so.${major})
    set(version VERSION ${soname})
    if(name STREQUAL "nccl")
      set(version)
    endif()
    gridspan_thin_library(${soname} gridspan_${ours} gridspan_${ours}_names ${pattern} ${version})
  endforeach()
endforeach()
