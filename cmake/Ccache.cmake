# Compiles with ccache where it is installed: what a build in this or in another clone has compiled is not compiled again.
# The settings are what that needs with precompiled headers: paths are taken as relative to the clone, and the times of
# files do not count.
option(BARNUM_CCACHE "Compile with ccache if it is installed" ON)
find_program(CCACHE ccache)
if(NOT BARNUM_CCACHE OR NOT CCACHE OR CMAKE_CXX_COMPILER_LAUNCHER)
  return()
endif()
set(CMAKE_CXX_COMPILER_LAUNCHER
  env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
  CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PROJECT_SOURCE_DIR}/cmake/ccache-with-sums)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
else()
  # Clang takes the precompiled header that lies beside this one. CMake would give it by an option whose path ccache leaves absolute.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
endif()
