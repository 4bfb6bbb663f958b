// File names in a pool directory: a name is read as just what it was made of, and none leads out of its
// folder.
#include "pool_protocol/names.hpp"

#include "fuzz.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <string>

namespace {

using fuzz::must;
using namespace pool_protocol;

constexpr FileKind kinds[] = {FileKind::ready, FileKind::task, FileKind::request, FileKind::response};

void must_be_harmless(std::string_view id) {
    must(!id.empty() && id.size() <= 200, "an id has 1 to 200 bytes");
    must(id.front() != '.' && id.front() != '-', "an id is no hidden file and no option");
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    must(id.find_first_not_of(allowed) == std::string_view::npos, "an id has no byte but the allowed ones");
}

void check_file_name(std::string_view input) {
    auto parsed = parse_file_name(input);
    if (!parsed) return;
    must(is_id(parsed->id), "what is found in a name is an id");
    must(std::string_view(file_name(parsed->id, parsed->kind)) == input,
         "a name is that of what was found in it");
    must(input.size() <= 255, "a name fits a directory");
}

void check_id(std::string_view input) {
    must(!is_pool_id(input) || is_id(input), "a pool's id could be an agent's");
    if (!is_id(input)) return;
    must_be_harmless(input);
    for (FileKind kind : kinds) {
        auto name = file_name(input, kind);
        auto parsed = parse_file_name(name);
        must(parsed && parsed->id == input && parsed->kind == kind,
             "the name of an id's file is read as that");
    }
}

void check_pool(const std::string& pool) {
    auto located = locate("/root", pool);
    must(located.has_value() == (pool.empty() || is_pool_id(pool)), "a pool has an id or is the default");
    if (located && !pool.empty()) must(located->path == "/root/pools/" + pool, "a pool is below its root");
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_file_name(input);
    check_id(input);
    check_pool(std::string(input));
}
