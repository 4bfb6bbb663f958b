#include "edge_shell/edge_id.hpp"

#include "base/hex.hpp"
#include "base/text.hpp"
#include "io/host_name.hpp"

#include <algorithm>
#include <random>

namespace edge_shell {

namespace {

constexpr std::size_t longest_id = 48;
constexpr std::size_t longest_host_name = 32;
constexpr std::size_t longest_file = 4096;  // bytes

bool is_id_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// A dot would separate the words of a subject.
std::string reduced(std::string_view host_name) {
    std::string name(host_name);
    std::ranges::replace(name, '.', '-');
    std::erase_if(name, [](char c) { return !is_id_character(c); });
    return name.substr(0, longest_host_name);
}

base::Error no_id_in(const std::string& path) {
    return base::invalid(base::concat(
        path, " does not contain the id of this host's edge, 1 to ", longest_id,
        " letters, digits, '-' and '_', on one line. If you know the id that it had, write it there again. ",
        "Otherwise remove the file: the edge gets a new id, and the tasks that its agents have at the "
        "moment ",
        "end as lost. Do not copy the file of another host: two edges with one id take each other's tasks"));
}

}  // namespace

bool is_edge_id(std::string_view id) {
    return !id.empty() && id.size() <= longest_id && std::ranges::all_of(id, is_id_character);
}

edge::EdgeId new_edge_id(std::string_view host_name, std::uint32_t random) {
    std::string bytes;
    for (int shift : {24, 16, 8, 0})
        bytes.push_back(static_cast<char>(random >> shift & 0xFF));
    const std::string name = reduced(host_name);
    return base::concat(name.empty() ? "host" : name, "-", base::to_hex(bytes));
}

base::Result<edge::EdgeId> own_edge_id(const io::Directory& pool, const io::Directory& scratch) {
    namespace errc = boost::system::errc;
    auto text = pool.read(edge_id_name, longest_file);
    if (text.has_value()) {
        std::string_view id = *text;
        if (id.ends_with('\n')) id.remove_suffix(1);
        if (!is_edge_id(id)) return no_id_in(pool.path_of(edge_id_name));
        return edge::EdgeId(id);
    }
    if (text.error().code == errc::file_too_large) return no_id_in(pool.path_of(edge_id_name));
    if (text.error().code != errc::no_such_file_or_directory) return text.error();
    edge::EdgeId id = new_edge_id(io::host_name(), std::random_device()());
    auto written = pool.write(scratch, edge_id_name, id.text() + "\n");
    if (written.has_error()) return written.error();
    return id;
}

}  // namespace edge_shell
