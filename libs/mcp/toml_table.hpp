// Adds a table to a text in TOML, of which every byte stays as it is. Pure.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mcp {

// The table PARENT.NAME.
struct TomlTable {
    std::string parent;              // letters, digits, '_' and '-'
    std::string name;                // of the same
    std::vector<std::string> pairs;  // such as `command = "x"`
};

// The table as lines of a file, under the header [PARENT.NAME].
std::string section_of(const TomlTable& table);

// The text with the table at its end; the same text if it has this table already, however that is written.
// Nothing if it has another of this name. Errors: the text is not valid TOML, or nothing can be appended to
// it that means this and nothing else; then the message says what to add by hand. `path` is for messages.
base::Result<std::optional<std::string>> with_table(const TomlTable& table, std::string_view text,
                                                    std::string_view path);

}  // namespace mcp
