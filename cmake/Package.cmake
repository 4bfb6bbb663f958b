# `cpack -G DEB` in the build folder makes a Debian package of what is installed. What only Debian wants of it (changelog,
# copyright, maintainer scripts) is in cmake/debian/, and put in its place by stage.cmake.
set(debian ${CMAKE_CURRENT_LIST_DIR}/debian)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${debian}/changelog)
file(STRINGS ${debian}/changelog newest LIMIT_COUNT 1)
if(NOT newest MATCHES "^barnum \\(${PROJECT_VERSION}\\) ")
  message(FATAL_ERROR "The first entry of cmake/debian/changelog is not of version ${PROJECT_VERSION}: ${newest}")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PROJECT_CONFIG_FILE ${debian}/version.cmake)
set(CPACK_BARNUM_VERSION ${PROJECT_VERSION})
set(CPACK_BARNUM_VERSION_SOURCE ${PROJECT_BINARY_DIR}/libs/version/program_version.cpp)
set(CPACK_PACKAGE_NAME barnum)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workflow engine for shell commands and pools of agents")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Barnum runs workflows whose steps are shell commands and agents. A step prints
the tasks that come next, as a JSON array; Barnum checks each one against the
step's JSON Schema, starts what is ready, tries again what failed, and goes on
where it was when it has been killed.
.
Agents can be anything that reads a task and writes an answer: a script, a
program, a language model behind a command line. They wait in a pool, which is
a directory and a socket, and which the program troupe looks after, also as a
service of systemd.")
set(CPACK_PACKAGE_CONTACT "The Barnum authors <authors@barnum.example>")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS jq)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS graphviz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm ${debian}/postrm)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${debian}/stage.cmake)
set(CPACK_BARNUM_DEBIAN_DIR ${debian})

include(CPack)
