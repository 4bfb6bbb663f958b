#include "web/assets.hpp"

#include "web/report_page.hpp"

#include <catch2/catch.hpp>

#include <string>

TEST_CASE("the page's files are inside the program, also compressed") {
    for (std::string path : {"/", "/app.js", "/app.css", "/icon.svg"}) {
        INFO(path);
        const web::Asset* asset = web::find_asset(path);
        REQUIRE(asset != nullptr);
        CHECK_FALSE(asset->text.empty());
        CHECK_FALSE(asset->content_type.empty());
        CHECK(asset->gzip.starts_with("\x1f\x8b\x08"));
    }
    CHECK(web::find_asset("/")->text.starts_with("<!DOCTYPE html>"));
    CHECK(web::find_asset("/app.js/") == nullptr);
    CHECK(web::find_asset("") == nullptr);
}

TEST_CASE("a report has the script and the style sheet in it, and allows nothing else") {
    std::string head = web::report_head("a <b> & c");
    CHECK(head.find("<title>a &lt;b> &amp; c</title>") != std::string::npos);
    CHECK(head.find(std::string(web::find_asset("/app.css")->text)) != std::string::npos);
    CHECK(web::report_tail().find(std::string(web::find_asset("/app.js")->text)) != std::string::npos);
    CHECK(web::report_policy().starts_with("default-src 'none'; script-src 'sha256-"));
    CHECK(head.find(web::report_policy()) < head.find("<style>"));
}
