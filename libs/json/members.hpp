// Iterates over the members of an object without building a list.
#pragma once

#include "json/json.hpp"
#include "json/scanner.hpp"

#include <string_view>
#include <utility>

namespace json {

// Calls `visit(Member)` for each member in order, until it returns false. `object` is checked text that
// begins with the object's brace; text after the object is ignored.
template<class Visit>
void for_each_member(std::string_view object, Visit visit) {
    Scanner scanner(object, 1);
    while (scanner.peek() == '"') {
        View key = scanner.value();
        scanner.skip(':');
        if (!visit(Member{key, scanner.value()})) return;
        scanner.skip(',');
    }
}

template<class Visit>
void for_each_member(View object, Visit visit) {
    for_each_member(object.text(), std::move(visit));
}

}  // namespace json
