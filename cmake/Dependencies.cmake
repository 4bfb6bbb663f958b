# Each of these is a Debian package; docs/dependencies.md gives the reason for each.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json program_options filesystem)
find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)

# Headers of others: no warnings from them.
add_library(deps_boost INTERFACE)
target_link_libraries(deps_boost INTERFACE Boost::headers Boost::json)
target_compile_definitions(deps_boost INTERFACE BOOST_NO_CXX98_FUNCTION_BASE)

add_library(deps_asio INTERFACE)
target_link_libraries(deps_asio INTERFACE deps_boost Boost::filesystem Threads::Threads)
target_compile_definitions(deps_asio INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  BOOST_PROCESS_V2_SEPARATE_COMPILATION)

add_library(deps_valijson INTERFACE)
target_include_directories(deps_valijson SYSTEM INTERFACE ${VALIJSON_INCLUDE_DIR})
