# barnum_library(NAME [LINKS target...]): the static library of the folder it is called in, all its .cpp files.
function(barnum_library name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/libs)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  barnum_precompile(${name} ${ARG_LINKS})
endfunction()

# Shares one precompiled header among the targets that use Asio. Its owner is the object library `asio_impl`.
function(barnum_precompile name)
  if("io" IN_LIST ARGN OR "asio_impl" IN_LIST ARGN OR "runner" IN_LIST ARGN OR "pool_daemon" IN_LIST ARGN
     OR "pool_client" IN_LIST ARGN)
    target_precompile_headers(${name} REUSE_FROM asio_impl)
  endif()
endfunction()
