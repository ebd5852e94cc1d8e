get_directory_property(GRIDSPAN_LINK_NAMES DIRECTORY ${CMAKE_SOURCE_DIR}/src/driver DEFINITION GRIDSPAN_LINK_NAMES)
# A folder with the layout of a CUDA toolkit, for build systems that look for one: the build tree's
# and the installed one, lib/gridspan/toolkit. All of it leads to Gridspan's own files by relative
# links, so that the tree can be moved.
#
# libcudart.so is a linker script that names libgridspan.so beside it. A linker writes such a
# library's whole path into the program, since ours has no SONAME: programs linked by any compiler
# find it without -rpath. Both names are one file, which the loader loads once.
set(toolkit ${CMAKE_BINARY_DIR}/lib/gridspan/toolkit)
file(MAKE_DIRECTORY ${toolkit}/bin ${toolkit}/lib64)
file(CREATE_LINK ../../../../bin/gridcc ${toolkit}/bin/nvcc SYMBOLIC)
include(${CMAKE_CURRENT_LIST_DIR}/toolkit_include.cmake)
make_toolkit_include(${toolkit} ${CMAKE_BINARY_DIR}/include/gridspan/cuda ${CMAKE_SOURCE_DIR}/cuda_headers)
# The same by the name of the platform, as NVIDIA's toolkits have it; Makefiles write it out.
set(platform ${CMAKE_SYSTEM_PROCESSOR}-linux)
if(platform STREQUAL "aarch64-linux")
  set(platform sbsa-linux)
endif()
file(MAKE_DIRECTORY ${toolkit}/targets/${platform})
file(CREATE_LINK ../../include ${toolkit}/targets/${platform}/include SYMBOLIC)
file(CREATE_LINK ../../lib64 ${toolkit}/targets/${platform}/lib SYMBOLIC)
file(CREATE_LINK ../../../libgridspan.so ${toolkit}/lib64/libgridspan.so SYMBOLIC)
file(CREATE_LINK ../../../libgridspan_names.a ${toolkit}/lib64/libgridspan_names.a SYMBOLIC)
# Programs that look for the libraries when they run: LD_LIBRARY_PATH leads them here.
include(${CMAKE_SOURCE_DIR}/src/names/thin_libraries.cmake)
file(MAKE_DIRECTORY ${toolkit}/lib64/stubs)
foreach(name libcuda.so libnvidia-ml.so)
  file(CREATE_LINK ../${name} ${toolkit}/lib64/stubs/${name} SYMBOLIC)
endforeach()
foreach(name libcudart.so libcudart_static.a libcuda.so libnvidia-ml.so libnvToolsExt.so)
  file(WRITE ${toolkit}/lib64/${name} "/* The CUDA run time is Gridspan's. */\nINPUT(libgridspan_names.a libgridspan.so)\n")
endforeach()
# The others, by the names of link_names.txt. A program depends on those that it calls.
foreach(list IN LISTS GRIDSPAN_LINK_NAMES)
  string(REGEX MATCHALL "[A-Za-z_]+" names ${list})
  list(POP_FRONT names ours)
  if(NOT ours STREQUAL "empty")
    foreach(file libgridspan_${ours}.so libgridspan_${ours}_names.a)
      file(CREATE_LINK ../../../${file} ${toolkit}/lib64/${file} SYMBOLIC)
    endforeach()
  endif()
  foreach(name IN LISTS names)
    if(ours STREQUAL "empty")  # what is in NVIDIA's is in our run time, or only NVIDIA's other libraries need it
      file(WRITE ${toolkit}/lib64/lib${name}.a "!<arch>\n")
    elseif(name MATCHES "_static")
      file(WRITE ${toolkit}/lib64/lib${name}.a
        "/* This library is Gridspan's. */\nINPUT(libgridspan_${ours}_names.a AS_NEEDED(libgridspan_${ours}.so))\n")
    else()
      file(WRITE ${toolkit}/lib64/lib${name}.so
        "/* This library is Gridspan's. */\nINPUT(libgridspan_${ours}_names.a AS_NEEDED(libgridspan_${ours}.so))\n")
    endif()
  endforeach()
endforeach()
file(WRITE ${toolkit}/nvvm/libdevice/README
  "Device math is lib/gridspan/device_library_cpu.bc; this folder is what CMake looks for.\n")
file(WRITE ${toolkit}/version.json
  "{\n  \"cuda\": {\n    \"name\": \"Gridspan\",\n    \"version\": \"12.5.82\"\n  }\n}\n")
# The older form, which Meson reads.
file(WRITE ${toolkit}/version.txt "CUDA Version 12.5.82\n")
install(DIRECTORY ${toolkit} DESTINATION lib/gridspan PATTERN toolkit/include EXCLUDE)
install(CODE "
  include(${CMAKE_CURRENT_LIST_DIR}/toolkit_include.cmake)
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  make_toolkit_include(\${prefix}/lib/gridspan/toolkit \${prefix}/include/gridspan/cuda ${CMAKE_SOURCE_DIR}/cuda_headers)")
# Build systems that look for a toolkit before they know the compiler look for `nvcc` in PATH. Not in the build tree: tests
# that compare with NVIDIA's look there, too.
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK gridcc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/nvcc\" SYMBOLIC)")

# find_package(Gridspan)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/Gridspan/GridspanConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/GridspanConfig.cmake
  ${CMAKE_BINARY_DIR}/lib/cmake/Gridspan/GridspanConfig.cmake COPYONLY)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/cmake/Gridspan DESTINATION lib/cmake)
