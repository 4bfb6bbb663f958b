#include "json_schema/formats.hpp"

#include "schema_helper.hpp"

#include <vector>

using namespace json_schema_test;

namespace {

struct Table {
    const char* format;
    std::vector<std::string> valid;
    std::vector<std::string> invalid;
};

const std::string longest_label(63, 'a');

const Table tables[] = {
    {"date",
     {"1963-06-19", "2024-02-29", "0000-01-01"},
     {"2023-02-29", "1900-02-29", "1990-13-31", "1990-06-31", "06/19/1963", "1963-6-19", "1963-06-19Z", ""}},
    {"time",
     {"08:30:06Z", "23:59:60Z", "12:00:00.52z", "23:20:50+00:00", "08:30:06-08:00"},
     {"08:30:06", "24:00:00Z", "00:60:00Z", "00:00:61Z", "08:30:06 PST", "01:02:03.Z", "01:02:03+24:00",
      "1:02:03Z"}},
    {"date-time",
     {"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z",
      "1963-06-19t08:30:06.283185z"},
     {"1990-02-31T15:59:59Z", "2013-350T01:01:01", "1963-06-19 08:30:06Z", "1963-06-19T08:30:06",
      "1963-06-19"}},
    {"duration",
     {"P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W", "P1Y2M3DT4H5M6S"},
     {"", "PT1D", "P", "P1YT", "PT", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P1", "4DT12H30M5S", "P1Y1D", "PT1H1S",
      "PT1.5S", "P-1D", "p1d", "P1W1W", "PT1M1M"}},
    {"email",
     {"joe.bloggs@example.com", "te~st@example.com", "~test~@example.com", "te.s.t@example.com",
      "user@localhost", "\"joe bloggs\"@example.com", R"("joe\"@\\bloggs"@example.com)", "joe@[127.0.0.1]",
      "joe@[IPv6:::1]", "a+b@x-y.example"},
     {"", "2962", "@example.com", "joe@", ".test@example.com", "test.@example.com", "te..st@example.com",
      "joe bloggs@example.com", "joe@invalid=domain.com", "joe@[127.0.0.300]", "joe@-x.org", "a@b@c.org",
      "\"joe\"bloggs\"@example.com", R"("joe\"@example.com)", "j\xC3\xB6@example.com", "joe@example.com.",
      longest_label + "ab@example.com"}},
    {"hostname",
     {"www.example.com", "localhost", "xn--4gbwdl.xn--wgbh1c", "a-b.c0", "1host", longest_label + ".org"},
     {"", ".", "-a-host-name", "a-host-name-", "not_a_valid_host_name", "a..b", "example.com.",
      longest_label + "a.org", "a b", "ex\xC3\xA4mple",
      longest_label + "." + longest_label + "." + longest_label + "." + longest_label}},
    {"ipv4",
     {"192.168.0.1", "0.0.0.0", "255.255.255.255"},
     {"", "127.0.0.0.1", "256.256.256.256", "127.0", "0x7f000001", "087.10.0.1", "2130706433", "1.2.3.4/24",
      " 1.2.3.4", "1.2.3."}},
    {"ipv6",
     {"::1", "::", "::abcd", "1:2:3:4:5:6:7:8", "2001:DB8::1", "::ffff:192.168.0.1", "1::d6:192.168.0.1",
      "1:d6::42"},
     {"", "12345::", "::abcef2", "1:1:1:1:1:1:1:1:1", "::laptop", "2:3:4:5:6:7:8", ":1::2", "1::2::3",
      "fe80::a%eth1", "::1/64", "1:2:3:4:5:::8", "1.2.3.4", "::ffff:1.2.3", "[::1]"}},
    {"uri",
     {"http://foo.bar/?baz=qux#quux", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
      "tel:+1-816-555-1212", "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com",
      "file:///etc/hosts", "http://user:pw@h:8080/a%20b", "ftp://ftp.is.co.za/rfc/rfc1808.txt"},
     {"", "//foo.bar/?baz=qux#quux", "/abc", "abc", "\\\\WINDOWS\\fileshare", "http:// shouldfail.com",
      ":// should fail", "bar,baz:foo", "http://a/b c", "http://a/%zz", "http://ex\xC3\xA4mple/",
      "https://[@x.org/>", "1http://x"}},
    {"uri-reference",
     {"http://foo.bar/?baz=qux#quux", "//foo.bar/?baz", "/abc", "abc", "#fragment", "", "../x?y", "a/b:c"},
     {"\\\\WINDOWS\\fileshare", "#frag\\ment", "a b", "%2", "1:x"}},
    {"uuid",
     {"2EB8AA08-aa98-11ea-B4Aa-73B441D16380", "00000000-0000-0000-0000-000000000000",
      "98d80576-482e-427f-8434-7f86890ab222"},
     {"", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-73b441d16380",
      "2eb8aa08-aa98-11ea-b4ga-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380----",
      "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}", "2eb8aa08-aa98-11ea-b4aa-73b441d163800"}},
    {"json-pointer",
     {"", "/", "/foo/bar~0/baz~1/%a", "/foo//bar", "/a b", "/~01"},
     {"a", "0", "#/a", "/foo/bar~", "/~2", "/~~", "~0"}},
    {"regex", {"([abc])+\\s+$", "", "^(?=a).*$"}, {"^(abc]", "a{2,1}", "*", "[z-a]", "("}},
};

bool fits_format(const std::string& format, const std::string& text) {
    return fits("{\"format\":" + json::quote(format) + "}", json::quote(text));
}

}  // namespace

TEST_CASE("each format takes what its RFC allows, and nothing else") {
    for (const Table& table : tables) {
        for (const std::string& text : table.valid) {
            INFO(table.format << ": " << text);
            CHECK(fits_format(table.format, text));
        }
        for (const std::string& text : table.invalid) {
            INFO(table.format << ": " << text);
            CHECK_FALSE(fits_format(table.format, text));
        }
    }
}

TEST_CASE("a format is about strings alone") {
    for (const Table& table : tables)
        for (auto value : {"1", "null", "[]", "{}", "true"})
            CHECK(fits(std::string("{\"format\":\"") + table.format + "\"}", value));
}

TEST_CASE("a violation of a format says what was expected, and where that is asked") {
    CHECK(violation(R"({"format": "date"})", "\"2023-02-29\"") == "expected a date as in RFC 3339");
    CHECK(violation(R"({"format": "email"})", "\"joe\"") == "expected an email address");
    auto found = compiled(R"({"properties": {"a": {"format": "uri"}}})")->violation(view(R"({"a": "x"})"));
    REQUIRE(found);
    CHECK(json_schema::to_string(*found) ==
          "at /a: expected a URI, with its scheme (schema: /properties/a/format)");
}

TEST_CASE("a format that is not known is an annotation") {
    CHECK(fits(R"({"type": "string", "format": "phone"})", "\"?\""));
    CHECK(violation(R"({"type": "string", "format": "phone", "minLength": 2})", "\"?\"") ==
          "expected at least 2 characters, found 1");
    CHECK(problems(R"({"format": 5})") == "/format must be a string\n");
    CHECK(json_schema::find_format("phone") == nullptr);
}
