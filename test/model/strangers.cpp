#include "strangers.hpp"

#include "pool_protocol/lease.hpp"
#include "pool_protocol/names.hpp"
#include "story.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace model {

using base::concat;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    must(file.good(), path, " is gone");
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Strangers::Strangers(const pool_protocol::PoolDirectory& directory) : directory_(directory) {
    for (const std::string& folder : {directory.agents(), directory.submissions()})
        for (const char* name : {"notes.txt", ".hidden.request.json", "-x.ready.json", "a b.response.json"}) {
            std::string path = concat(folder, "/", name);
            files_[path] = concat("text of ", name);
            std::ofstream(path) << files_[path];
        }
}

void Strangers::check_nothing_else_is_left() const {
    for (const auto& [path, text] : files_)
        must(text_of(path) == text, path, " was changed");
    check_folder(directory_.agents());
    check_folder(directory_.submissions());
    check_leases();
}

void Strangers::check_folder(const std::string& folder) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        must(files_.contains(entry.path().string()), entry.path().string(), " is left");
}

void Strangers::check_leases() const {
    std::string text = text_of(concat(directory_.path, "/", pool_protocol::leases_name));
    for (std::size_t at = 0; at < text.size(); at += pool_protocol::lease_size) {
        std::string line = text.substr(at, pool_protocol::lease_size);
        line.erase(line.find_last_not_of(" \n") + 1);
        must(!pool_protocol::parse_lease(line), "a lease is left: ", line);
    }
}

}  // namespace model
