// The folder of this repository, for tests that read its documents, examples and recorded data.
#pragma once

#include <filesystem>

std::filesystem::path source_dir();
