# The version of a Debian package is that of the programs in it, not that of the commit that was configured.
file(READ ${CPACK_BARNUM_VERSION_SOURCE} source)
string(REGEX MATCH "program_version = \"([^\"]+)\"" found "${source}")
set(CPACK_DEBIAN_PACKAGE_VERSION ${CMAKE_MATCH_1})
