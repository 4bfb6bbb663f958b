# Programs without shared libraries: BARNUM_STATIC makes barnum and troupe such. For the tests there are two that are
# linked this way from the same objects, in static/ of the build folder.
add_library(static_replacements OBJECT
  ${PROJECT_SOURCE_DIR}/libs/io/static/name_service.cpp ${PROJECT_SOURCE_DIR}/libs/io/static/shared_libraries.cpp)

# `program` gets the static libraries of Dependencies.cmake and no others; it can still be loaded anywhere (PIE).
function(barnum_link_statically program)
  set_target_properties(${program} PROPERTIES BARNUM_STATIC ON)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:static_replacements>)
  target_link_options(${program} PRIVATE -static-pie -Wl,--wrap=dlopen)
endfunction()

function(barnum_static_twin program)
  get_target_property(libraries ${program} LINK_LIBRARIES)
  add_executable(${program}_static $<TARGET_OBJECTS:${program}>)
  set_target_properties(${program}_static PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/static)
  target_link_libraries(${program}_static PRIVATE ${libraries})
  barnum_link_statically(${program}_static)
endfunction()

if(BARNUM_STATIC)
  foreach(program barnum troupe troupe-edge)
    barnum_link_statically(${program})
  endforeach()
endif()
foreach(program barnum troupe)
  if(BARNUM_TESTS AND NOT BARNUM_SANITIZE)
    barnum_static_twin(${program})
  endif()
endforeach()
