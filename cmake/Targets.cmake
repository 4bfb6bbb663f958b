# barnum_library(NAME [LINKS target...]): the static library of the folder it is called in, all its .cpp files.
function(barnum_library name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/libs)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  barnum_precompile(${name} ${ARG_LINKS})
endfunction()

# What is optimised less, and compiles in two thirds of the time: the commands, tests, and rooms that mostly wait for others.
set(light_targets
  barnum_commands troupe_commands launch live_run displays people kept_output serve_shell run_tools report pool_tools agents edge_shell
  http mcp nats nats_engine tls inspect runs serve io_tests model_tests nats_tests)

# With a sanitizer all others are as well. In these, random tests and simulations spend their time. (g++ is left out: Options.cmake.)
set(busy_rooms base json json_schema agent_driver output config workflow pool edge statelog trace)

# Shares precompiled headers among all targets: that of `base`, and where Asio is used that of `asio_impl`, or in what is
# optimised less that of `http`; with a sanitizer also that of `cli`, in what uses no Asio: compilers want the options to be the same.
function(barnum_precompile name)
  set(owner base)
  foreach(room asio_impl io http tls web mcp nats nats_engine process statelog runner edge_shell pool_daemon pool_client agents)
    if(room IN_LIST ARGN)
      set(owner asio_impl)
    endif()
  endforeach()
  if(BARNUM_SANITIZE AND light_option AND NOT name IN_LIST busy_rooms)
    target_compile_options(${name} PRIVATE ${light_option})
    if(owner STREQUAL base)
      set(owner cli)
    endif()
  elseif(BARNUM_SANITIZE AND light_option)
    set(owner base)
  elseif(name IN_LIST light_targets AND light_option)
    target_compile_options(${name} PRIVATE ${light_option})
    set(owner http)
  endif()
  if(name STREQUAL owner)
    set(header_of_base ${PROJECT_SOURCE_DIR}/libs/base/precompiled.hpp)
    set(header_of_cli ${header_of_base})
    set(header_of_asio_impl ${PROJECT_SOURCE_DIR}/libs/io/impl/precompiled.hpp)
    set(header_of_http ${header_of_asio_impl})
    target_precompile_headers(${name} PRIVATE ${header_of_${name}})
  else()
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
endfunction()
