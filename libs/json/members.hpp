// Goes through an object's members without making a list of them; for text of which there is a lot.
#pragma once

#include "json/json.hpp"
#include "json/scanner.hpp"

#include <string_view>
#include <utility>

namespace json {

// Calls `visit(Member)` for each member, in order, until it returns false. `object` is checked text that
// begins with the object's brace; what comes after the object is of no concern.
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
