# Each of these is a Debian package; docs/dependencies.md gives the reason for each.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json program_options filesystem url)

# boost_library(NAME [USED...]): deps_boost_NAME is Boost's static library and those that it uses in turn. Shared libraries
# of C++ take most of the time in which a program starts: their symbols are looked up by name.
function(boost_library name)
  add_library(deps_boost_${name} INTERFACE)
  foreach(library ${name} ${ARGN})
    find_library(BOOST_${library}_ARCHIVE libboost_${library}.a REQUIRED)
    target_link_libraries(deps_boost_${name} INTERFACE ${BOOST_${library}_ARCHIVE})
  endforeach()
endfunction()
boost_library(json container)
boost_library(program_options)
boost_library(filesystem atomic)
boost_library(url)

find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)

find_path(TOML11_INCLUDE_DIR toml.hpp REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)
find_library(PCRE2_ARCHIVE libpcre2-8.a REQUIRED)

find_path(OPENSSL_INCLUDE_DIR openssl/ssl.h REQUIRED)
foreach(library ssl crypto)
  find_library(OPENSSL_${library}_LIBRARY ${library} REQUIRED)
  find_library(OPENSSL_${library}_ARCHIVE lib${library}.a REQUIRED)
endforeach()

# Headers of others: no warnings from them.
add_library(deps_boost INTERFACE)
target_link_libraries(deps_boost INTERFACE Boost::headers deps_boost_json)
target_compile_definitions(deps_boost INTERFACE BOOST_NO_CXX98_FUNCTION_BASE)

add_library(deps_asio INTERFACE)
target_link_libraries(deps_asio INTERFACE deps_boost deps_boost_filesystem Threads::Threads)
target_compile_definitions(deps_asio INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  BOOST_PROCESS_V2_SEPARATE_COMPILATION)

add_library(deps_xxhash INTERFACE)
target_include_directories(deps_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})

add_library(deps_toml11 INTERFACE)
target_include_directories(deps_toml11 SYSTEM INTERFACE ${TOML11_INCLUDE_DIR})

add_library(deps_pcre2 INTERFACE)
target_include_directories(deps_pcre2 SYSTEM INTERFACE ${PCRE2_INCLUDE_DIR})
target_link_libraries(deps_pcre2 INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:BARNUM_STATIC>>,${PCRE2_ARCHIVE},${PCRE2_LIBRARY}>")

add_library(deps_openssl INTERFACE)
target_include_directories(deps_openssl SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIR})
target_link_libraries(deps_openssl INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:BARNUM_STATIC>>,${OPENSSL_ssl_ARCHIVE};${OPENSSL_crypto_ARCHIVE},${OPENSSL_ssl_LIBRARY};${OPENSSL_crypto_LIBRARY}>")

add_library(deps_valijson INTERFACE)
target_include_directories(deps_valijson SYSTEM INTERFACE ${VALIJSON_INCLUDE_DIR})
