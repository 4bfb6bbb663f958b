#include "json_schema/unchecked.hpp"

#include "base/text.hpp"
#include "json_schema/formats.hpp"
#include "json_schema/outline.hpp"
#include "json_schema/pointer.hpp"

namespace json_schema {

namespace {

constexpr std::string_view content_keywords[] = {"contentEncoding", "contentMediaType", "contentSchema"};

void add_unchecked(const Subschema& schema, std::vector<std::string>& out) {
    if (auto format = schema.view.find("format"); format && !find_format(format->string()))
        out.push_back(base::concat(extend_pointer(schema.pointer, "format"), " is ", format->text(),
                                   ", which is not checked; use a \"pattern\" to check it"));
    for (std::string_view keyword : content_keywords)
        if (schema.view.find(keyword))
            out.push_back(base::concat(extend_pointer(schema.pointer, keyword), " is not checked"));
}

}  // namespace

std::vector<std::string> unchecked(const Schema& schema) {
    std::vector<std::string> out;
    for (const Subschema& each : outline(json::View::of(schema.text())).subschemas)
        add_unchecked(each, out);
    return out;
}

}  // namespace json_schema
