# make_toolkit_include(TOOLKIT HEADERS SOURCE): the folder TOOLKIT/include, for build systems. It has what a CUDA toolkit
# has: our headers (each a link into HEADERS; SOURCE says which there are), and Thrust, CUB and libcu++, which CMake files
# look for in this folder alone. The latter are links to the copy that gridcc takes by itself (src/driver/cccl.cpp):
# cccl/ among our headers, else Debian's, which may be installed later.
#
# gridcc does not search this folder, even if -I names it: --cccl=DIR and a user's -I of another CCCL have the effect they
# always have. Other compilers do.
function(make_toolkit_include toolkit headers source)
  set(folder ${toolkit}/include)
  if(IS_SYMLINK ${folder})  # of an earlier version, to our headers
    file(REMOVE ${folder})
  endif()
  file(MAKE_DIRECTORY ${folder})
  set(cccl /usr/include)
  set(cccl_link /usr/include)
  file(RELATIVE_PATH headers_link ${folder} ${headers})
  if(EXISTS ${headers}/cccl/thrust/version.h)
    set(cccl ${headers}/cccl)
    set(cccl_link ${headers_link}/cccl)
  endif()
  # CCCL's cuda/ has what ours has, and more. Old versions have none.
  set(parts thrust cub)
  foreach(part cuda nv)
    if(EXISTS ${cccl}/${part}/std OR EXISTS ${cccl}/${part}/target)
      list(APPEND parts ${part})
    endif()
  endforeach()
  file(GLOB names RELATIVE ${source} ${source}/*)
  list(REMOVE_ITEM names CMakeLists.txt cccl ${parts})
  file(GLOB old RELATIVE ${folder} ${folder}/*)
  list(REMOVE_ITEM old ${names} ${parts})
  foreach(name IN LISTS old)
    file(REMOVE ${folder}/${name})
  endforeach()
  foreach(name IN LISTS names)
    file(CREATE_LINK ${headers_link}/${name} ${folder}/${name} SYMBOLIC)
  endforeach()
  foreach(name IN LISTS parts)
    file(CREATE_LINK ${cccl_link}/${name} ${folder}/${name} SYMBOLIC)
  endforeach()
endfunction()
