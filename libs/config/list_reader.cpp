#include "config/list_reader.hpp"

#include "base/text.hpp"
#include "config/fields.hpp"
#include "json_schema/pointer.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace config {

using json::Kind;
using json::View;

base::Labels read_labels(View value, ProblemList& problems) {
    std::vector<std::string> texts;
    for (View element : value.elements()) {
        if (!element.is(Kind::string)) {
            problems.add(element, base::concat("a label must be a string, not ", kind_name(element.kind())));
            continue;
        }
        std::string text = element.string();
        if (auto problem = base::label_problem(text))
            problems.add(element, std::move(*problem));
        else if (text == base::shell_label)
            problems.add(element, base::concat(element.text(), " is the label of agents of the kind shell; ",
                                               "they get the Commands that have \"on\": \"pool\""));
        else if (std::ranges::find(texts, text) != texts.end())
            problems.add(element, base::concat(element.text(), " occurs twice in \"labels\""));
        else
            texts.push_back(std::move(text));
    }
    auto labels = base::Labels::of(std::move(texts));
    if (labels.has_value()) return std::move(*labels);
    problems.add(value, labels.error().message);
    return {};
}

std::vector<std::string> read_texts(View value, std::string_view name, ProblemList& problems) {
    std::vector<std::string> texts;
    for (View element : value.elements()) {
        if (element.is(Kind::string))
            texts.push_back(element.string());
        else
            problems.add(element,
                         base::concat("\"", name, "\" must have strings, not ", kind_name(element.kind())));
    }
    return texts;
}

std::optional<ValuePlace> read_place(View value, std::string_view what, ProblemList& problems) {
    std::string pointer = value.string();
    auto tokens = json_schema::pointer_tokens(pointer);
    if (tokens) return ValuePlace{std::move(pointer), std::move(*tokens)};
    problems.add(value, base::concat(what,
                                     " must be a JSON pointer such as \"/file\" (every name after a /, "
                                     "with ~ as ~0 and / as ~1), not ",
                                     value.text()));
    return std::nullopt;
}

std::vector<std::string> read_variables(View value, std::string_view name, ProblemList& problems,
                                        Nulls nulls) {
    std::vector<std::string> texts;
    std::set<std::string> seen;
    for (const json::Member& member : value.members()) {
        std::string variable = member.key.string();
        if (variable.empty() || variable.find('=') != std::string::npos)
            problems.add(member.key, "the name of a variable must not be empty, nor have a '='");
        else if (!seen.insert(variable).second)
            problems.add(member.key, base::concat(member.key.text(), " occurs twice in \"", name, "\""));
        else if (member.value.is(Kind::null) && nulls == Nulls::are_names)
            texts.push_back(variable);
        else if (!member.value.is(Kind::string))
            problems.add(member.value,
                         base::concat("a variable must be a string, not ", kind_name(member.value.kind())));
        else
            texts.push_back(base::concat(variable, "=", member.value.string()));
    }
    return texts;
}

}  // namespace config
