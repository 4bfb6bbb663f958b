#include "base/long_text.hpp"

#include <catch2/catch.hpp>

using base::LongText;

TEST_CASE("a long text is its pieces, one after the other") {
    auto value = std::make_shared<const std::string>("value");
    for (const auto& [text, whole] :
         {std::pair(LongText("before ", value, " after"), "before value after"),
          std::pair(LongText("", value, ""), "value"), std::pair(LongText("alone"), "alone"),
          std::pair(LongText(std::string("alone")), "alone"),
          std::pair(LongText("before", nullptr, " after"), "before after"), std::pair(LongText(), "")}) {
        CHECK(text.text() == whole);
        CHECK(text.size() == text.text().size());
        std::string joined;
        for (std::string_view piece : text.pieces())
            joined += piece;
        CHECK(joined == whole);
    }
}
