// The entry that libFuzzer calls; its library has the main.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::target({static_cast<const char*>(static_cast<const void*>(data)), size});
    return 0;
}
