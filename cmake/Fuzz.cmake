# With BARNUM_FUZZ all is compiled so that libFuzzer sees which way it goes. It needs clang's libFuzzer, and looks for what the
# address sanitizer reports.
if(NOT BARNUM_FUZZ)
  return()
endif()

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
check_cxx_source_compiles(
  "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" BARNUM_HAS_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT BARNUM_HAS_LIBFUZZER OR NOT BARNUM_SANITIZE STREQUAL "address")
  message(FATAL_ERROR "BARNUM_FUZZ needs BARNUM_SANITIZE=address, and a compiler with libFuzzer: clang++-19 with "
                      "libclang-rt-19-dev, say (CXX=clang++-19, in a new build folder)")
endif()
add_compile_options(-fsanitize=fuzzer-no-link)
