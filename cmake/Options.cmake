# Language level, warnings and sanitizers for everything that is ours.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

# As Debian builds its packages. -O3 takes a sixth longer to compile; what it gains is within the noise of the benchmarks.
string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# __FILE__ without the clone's path, so that other clones compile the same.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_compile_options(
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  -Wconversion -Wold-style-cast -Wunused -Wnull-dereference -Wformat=2)

# A unity build compiles the files of a library as one and takes less than half the time, since each template is compiled
# once; a change of one file then compiles all of them again. Two files of a library have no local names in common.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 60)
if(CMAKE_UNITY_BUILD)
  # The local names of one file look global to the next, and g++ takes them for names of a header.
  add_compile_options(-Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ collects garbage only when it has half a gigabyte in use, instead of an eighth: that takes a twentieth less time.
  add_compile_options("SHELL:--param ggc-min-heapsize=524288")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these falsely in inlined standard and Boost code at -O2. The last one: it inlines Asio's operator new of a
  # coroutine, but not its operator delete.
  add_compile_options(-Wno-maybe-uninitialized -Wno-null-dereference -Wno-restrict
                      -Wno-dangling-pointer -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-mismatched-new-delete)
endif()

# light_option: that of tests and of what is not worth optimising (barnum_precompile). Sanitizers take most of the time that
# clang needs for optimised code: without -O a test compiles in a third of it.
set(light_option "")
if(NOT BARNUM_SANITIZE)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(light_option -O1)
  endif()
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # g++ 12 has false warnings with less than -O2.
  add_compile_options(-O1)
  set(light_option -O0)
endif()
if(NOT BARNUM_SANITIZE)
  # For the same reason as Boost's static libraries (Dependencies.cmake). With -static-pie it is so anyway.
  add_link_options("$<$<NOT:$<BOOL:$<TARGET_PROPERTY:BARNUM_STATIC>>>:-static-libstdc++;-static-libgcc>")
endif()
if(BARNUM_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
elseif(BARNUM_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio uses a fence that g++'s TSan does not model; the io_context here has one thread.
    add_compile_options(-Wno-tsan)
  endif()
elseif(BARNUM_SANITIZE)
  message(FATAL_ERROR "BARNUM_SANITIZE is '${BARNUM_SANITIZE}'; use 'address', 'thread' or nothing")
endif()
