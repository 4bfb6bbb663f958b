# Whether the tests fuzz: BARNUM_FUZZ is true or false behind this. If true, all is compiled so that libFuzzer sees which
# way it goes; it needs clang's libFuzzer, and looks for what the address sanitizer reports.
include(CheckCXXSourceCompiles)

if(BARNUM_FUZZ)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  check_cxx_source_compiles(
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" BARNUM_HAS_LIBFUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  set(can_fuzz FALSE)
  if(BARNUM_HAS_LIBFUZZER AND BARNUM_SANITIZE STREQUAL "address")
    set(can_fuzz TRUE)
  endif()
  if(NOT can_fuzz AND NOT BARNUM_FUZZ STREQUAL "AUTO")
    message(FATAL_ERROR "BARNUM_FUZZ needs BARNUM_SANITIZE=address, and a compiler with libFuzzer: clang++-19 with "
                        "libclang-rt-19-dev, say (CXX=clang++-19, in a new build folder)")
  endif()
  if(NOT can_fuzz)
    message(STATUS "The fuzzers are left out: ${CMAKE_CXX_COMPILER} has no libFuzzer; their corpus is replayed")
  endif()
  set(BARNUM_FUZZ ${can_fuzz})
endif()

if(BARNUM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
