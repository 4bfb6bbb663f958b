# The version of what is built: VERSION, which grows with releases, and the time and hash of the commit, so that it grows with
# every commit. The commit is that of the clone in SOURCE_DIR, or that of which `git archive` has made it; otherwise there is
# only VERSION. As a script, with -D VERSION=… -D SOURCE_DIR=… -D OUTPUT=FILE, it writes the source of libs/version.

# "1764167100 4f1c2ab39…": seconds since 1970, and the hash.
function(commit_of source result)
  file(STRINGS ${source}/cmake/commit.txt commit LIMIT_COUNT 1)
  find_program(GIT git)
  if(GIT AND EXISTS ${source}/.git)
    execute_process(COMMAND ${GIT} -C ${source} log -1 --format=%ct\ %H OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE
                    ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(commit "${told}")
    endif()
  endif()
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()

function(version_of source version result)
  commit_of(${source} commit)
  if(commit MATCHES "^([0-9]+) ([0-9a-f]+)$")
    set(ENV{SOURCE_DATE_EPOCH} ${CMAKE_MATCH_1})
    string(SUBSTRING ${CMAKE_MATCH_2} 0 9 hash)
    string(TIMESTAMP time "%Y%m%d.%H%M%S" UTC)
    set(version ${version}+${time}.${hash})
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

if(OUTPUT)
  cmake_minimum_required(VERSION 3.22)
  version_of(${SOURCE_DIR} ${VERSION} version)
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "#include \"version/program_version.hpp\"

namespace version {

const char* const program_version = \"@version@\";

}  // namespace version
")
endif()
