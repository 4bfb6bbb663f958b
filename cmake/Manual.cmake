# The manual, in <build>/man: a page of each program and each command from the program's own table, and those that are
# documents of docs/ as well. Not for the sanitizers, whose builds nobody installs, nor where the programs can't be run.
if(BARNUM_SANITIZE OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(man_dir ${CMAKE_BINARY_DIR}/man)
set(man_stamps)

# barnum_manual(PROGRAM): all its pages, of section 1.
function(barnum_manual program)
  set(stamp ${CMAKE_BINARY_DIR}/man-${program}.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/manual-pages $<TARGET_FILE:${program}> ${man_dir}/man1
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${program} ${PROJECT_SOURCE_DIR}/scripts/manual-pages
    COMMENT "Manual of ${program}" VERBATIM)
  set(man_stamps ${man_stamps} ${stamp} PARENT_SCOPE)
endfunction()

# barnum_manual_page(DOCUMENT NAME SECTION [PAGE...]): a document of docs/ as a page; PAGE...: what it refers to.
function(barnum_manual_page document name section)
  set(tools ${PROJECT_SOURCE_DIR}/scripts/manual-page ${PROJECT_SOURCE_DIR}/scripts/manual-page.awk)
  set(source ${PROJECT_SOURCE_DIR}/docs/${document})
  set(page ${man_dir}/man${section}/${name}.${section})
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${CMAKE_COMMAND} -E make_directory ${man_dir}/man${section}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/manual-page ${source} ${name} ${section} ${PROJECT_VERSION} ${ARGN} > ${page}
    COMMAND gzip -9nf ${page}
    DEPENDS ${source} ${tools}
    COMMENT "Manual page ${name}(${section})" VERBATIM)
  set(man_stamps ${man_stamps} ${page}.gz PARENT_SCOPE)
endfunction()

barnum_manual(barnum)
barnum_manual(troupe)

find_program(LOWDOWN lowdown)
if(LOWDOWN)
  barnum_manual_page(config.md barnum-config 5 "barnum(1)" "barnum-config(1)" "barnum-run(1)")
  barnum_manual_page(troupe-protocol.md troupe-protocol 7 "troupe(1)" "troupe-protocol(1)" "barnum(1)")
else()
  message(STATUS "lowdown is not installed: the manual is built without barnum-config(5) and troupe-protocol(7)")
endif()

add_custom_target(manual ALL DEPENDS ${man_stamps})
install(DIRECTORY ${man_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)  # not there where only the programs were built
