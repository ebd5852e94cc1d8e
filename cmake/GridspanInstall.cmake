# What users need, as one target; `ninja gridspan_product` leaves tests and benchmarks out.
add_custom_target(gridspan_product DEPENDS gridspan gridspan_static gridspan_nvrtc gridspan_specialise gridspan_tool)
if(GRIDSPAN_BUILD_COMPILER)
  add_dependencies(gridspan_product gridcc gridspan_device_library)
endif()

# What `make install` puts down besides programs and headers, whose folders say so themselves. The tree
# has the layout of the build tree and can be moved: programs find their files relative to themselves.

get_property(libraries GLOBAL PROPERTY gridspan_libraries)
if(libraries)
  add_dependencies(gridspan_product ${libraries})
endif()
install(TARGETS gridspan gridspan_static gridspan_nvrtc gridspan_specialise ${libraries}
  LIBRARY DESTINATION lib
  ARCHIVE DESTINATION lib)
if(GRIDSPAN_BUILD_COMPILER)
  # Device math as bitcode, for the device compiler.
  install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/gridspan DESTINATION lib FILES_MATCHING PATTERN *.bc)
endif()
if(GRIDSPAN_BUILD_COMPILER)
  include(GridspanToolkit)
endif()
get_property(thin GLOBAL PROPERTY gridspan_thin_libraries)
if(thin)
  add_dependencies(gridspan_product ${thin})
endif()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION share/doc/gridspan)
