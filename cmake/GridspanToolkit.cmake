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
file(CREATE_LINK ../../../include/gridspan/cuda ${toolkit}/include SYMBOLIC)
file(CREATE_LINK ../../../libgridspan.so ${toolkit}/lib64/libgridspan.so SYMBOLIC)
file(CREATE_LINK ../../../libgridspan_nvrtc.so ${toolkit}/lib64/libgridspan_nvrtc.so SYMBOLIC)
foreach(name libgridspan_names.a libgridspan_nvrtc_names.a)
  file(CREATE_LINK ../../../${name} ${toolkit}/lib64/${name} SYMBOLIC)
endforeach()
# Programs that look for the libraries when they run: LD_LIBRARY_PATH leads them here.
include(${CMAKE_SOURCE_DIR}/src/names/thin_libraries.cmake)
file(MAKE_DIRECTORY ${toolkit}/lib64/stubs)
foreach(name libcuda.so libnvidia-ml.so)
  file(CREATE_LINK ../${name} ${toolkit}/lib64/stubs/${name} SYMBOLIC)
endforeach()
foreach(name libcudart.so libcudart_static.a libcuda.so libnvidia-ml.so libnvToolsExt.so)
  file(WRITE ${toolkit}/lib64/${name} "/* The CUDA run time is Gridspan's. */\nINPUT(libgridspan_names.a libgridspan.so)\n")
endforeach()
foreach(name libnvrtc.so libnvrtc_static.a)
  file(WRITE ${toolkit}/lib64/${name} "/* Run-time compilation is Gridspan's. */\nINPUT(libgridspan_nvrtc_names.a libgridspan_nvrtc.so)\n")
endforeach()
# Empty archives: what is in NVIDIA's is in our run time, or only NVIDIA's other libraries need it.
foreach(name libcudadevrt.a libculibos.a)
  file(WRITE ${toolkit}/lib64/${name} "!<arch>\n")
endforeach()
file(WRITE ${toolkit}/nvvm/libdevice/README
  "Device math is lib/gridspan/device_library_cpu.bc; this folder is what CMake looks for.\n")
file(WRITE ${toolkit}/version.json
  "{\n  \"cuda\": {\n    \"name\": \"Gridspan\",\n    \"version\": \"12.5.82\"\n  }\n}\n")
# The older form, which Meson reads.
file(WRITE ${toolkit}/version.txt "CUDA Version 12.5.82\n")
install(DIRECTORY ${toolkit} DESTINATION lib/gridspan)
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
