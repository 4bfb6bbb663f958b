#include "config/resolved_text.hpp"

#include <algorithm>

namespace config {

std::string resolved_text(json::View root, std::vector<LinkContent> links) {
    std::string_view text = root.text();
    auto offset = [&](const LinkContent& each) {
        return static_cast<std::size_t>(each.link.text().data() - text.data());
    };
    std::ranges::sort(links, {}, offset);
    std::string spliced;
    std::size_t from = 0;  // start of the text that is not yet copied
    for (const LinkContent& each : links) {
        spliced.append(text.substr(from, offset(each) - from)).append(each.content);
        from = offset(each) + each.link.text().size();
    }
    spliced.append(text.substr(from));
    return json::compact(json::View::of(spliced));
}

}  // namespace config
