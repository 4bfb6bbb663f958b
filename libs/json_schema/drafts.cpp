#include "json_schema/drafts.hpp"

#include <algorithm>

namespace json_schema {

namespace {

struct Entry {
    Draft draft;
    std::string_view name;
    std::string_view uri;
};

constexpr Entry entries[] = {
    {Draft::draft4, "draft-04", "http://json-schema.org/draft-04/schema"},
    {Draft::draft6, "draft-06", "http://json-schema.org/draft-06/schema"},
    {Draft::draft7, "draft-07", "http://json-schema.org/draft-07/schema"},
    {Draft::draft2019, "2019-09", "https://json-schema.org/draft/2019-09/schema"},
    {Draft::draft2020, "2020-12", "https://json-schema.org/draft/2020-12/schema"},
};

std::string_view without_scheme(std::string_view uri) {
    for (std::string_view scheme : {"http://", "https://"})
        if (uri.starts_with(scheme)) return uri.substr(scheme.size());
    return uri;
}

}  // namespace

std::string_view name_of(Draft draft) {
    auto found = std::ranges::find(entries, draft, &Entry::draft);
    return found == std::end(entries) ? "any draft" : found->name;
}

std::string_view uri_of(Draft draft) {
    return std::ranges::find(entries, draft, &Entry::draft)->uri;
}

std::optional<Draft> find_draft(std::string_view uri) {
    if (uri.ends_with('#')) uri.remove_suffix(1);
    bool is_web = uri.starts_with("http://") || uri.starts_with("https://");
    auto found = std::ranges::find_if(
        entries, [&](const Entry& each) { return without_scheme(each.uri) == without_scheme(uri); });
    if (!is_web || found == std::end(entries)) return std::nullopt;
    return found->draft;
}

std::string draft_names() {
    std::string names;
    for (const Entry& each : entries) {
        bool is_last = &each == std::end(entries) - 1;
        names.append(names.empty() ? "" : is_last ? " and " : ", ").append(each.name);
    }
    return names;
}

bool ignores_siblings_of_reference(Draft draft) {
    return draft == Draft::draft4 || draft == Draft::draft6 || draft == Draft::draft7;
}

}  // namespace json_schema
