#include "source_dir.hpp"

std::filesystem::path source_dir() {
    return BARNUM_SOURCE_DIR;
}
