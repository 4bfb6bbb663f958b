#include "json/canonical.hpp"

#include "json/members.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <forward_list>
#include <utility>

namespace json {

namespace {

void append(std::string& out, View value);

// Text without a backslash is already as quote() writes it.
bool has_escape(View text) {
    return text.text().find('\\') != std::string_view::npos;
}

void append_string(std::string& out, View text) {
    if (has_escape(text))
        append_quoted(out, text.string());
    else
        out.append(text.text());
}

void append_array(std::string& out, View array) {
    char before = '[';
    for (View element : array.elements()) {
        out.push_back(std::exchange(before, ','));
        append(out, element);
    }
    out.append(before == '[' ? "[]" : "]");
}

struct Named {
    std::string_view name;  // in quotes
    View value;
};

using Members = boost::container::small_vector<Named, 16>;

// Members of the same name stay in their order.
void sort(Members& members) {
    std::ranges::sort(members, [](const Named& left, const Named& right) {
        int order = left.name.compare(right.name);
        return order == 0 ? left.value.text().data() < right.value.text().data() : order < 0;
    });
}

void append_object(std::string& out, View object) {
    std::forward_list<std::string> room;  // for names with escapes
    Members members;
    for_each_member(object, [&](const Member& member) {
        bool escaped = has_escape(member.key);
        if (escaped) room.push_front(quote(member.key.string()));
        members.push_back({escaped ? std::string_view(room.front()) : member.key.text(), member.value});
        return true;
    });
    sort(members);
    char before = '{';
    for (const Named& member : members) {
        out.push_back(std::exchange(before, ','));
        out.append(member.name);
        out.push_back(':');
        append(out, member.value);
    }
    out.append(before == '{' ? "{}" : "}");
}

void append(std::string& out, View value) {
    switch (value.kind()) {
        case Kind::string:
            return append_string(out, value);
        case Kind::array:
            return append_array(out, value);
        case Kind::object:
            return append_object(out, value);
        default:
            out.append(value.text());
    }
}

}  // namespace

std::string canonical(View value) {
    std::string text;
    text.reserve(value.text().size());
    append(text, value);
    return text;
}

}  // namespace json
