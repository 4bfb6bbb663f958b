#include "json_schema/schema.hpp"
#include "load_helper.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace config_test;

}  // namespace

TEST_CASE("links are read relative to the config's directory") {
    TempDirectory directory;
    directory.write("do.md", "Do it.\n");
    directory.write("s.json", "// any string\n{ \"type\": \"string\", }\n");
    std::string path =
        directory.write("w.jsonc", R"({"steps": [{"name": "A", "value_schema": {"link": "s.json"},
  "action": {"kind": "Pool", "instructions": {"link": "do.md"}}}]})");
    auto result = config::load(path);
    INFO(problems(result));
    REQUIRE(result.config.has_value());
    CHECK(result.config->directory == directory.path());
    const auto& step = result.config->steps[0];
    CHECK(std::get<config::PoolAction>(step.action).instructions == "Do it.\n");
    CHECK(step.value_schema->text() == R"({"type":"string"})");
}

TEST_CASE("a linked file is read without its byte order mark") {
    TempDirectory directory;
    directory.write("do.md",
                    "\xEF\xBB\xBF"
                    "Do it.\n");
    std::string path = directory.write(
        "w.jsonc",
        R"({"steps": [{"name": "A", "action": {"kind": "Pool", "instructions": {"link": "do.md"}}}]})");
    auto result = config::load(path);
    REQUIRE(result.config.has_value());
    CHECK(std::get<config::PoolAction>(result.config->steps[0].action).instructions == "Do it.\n");
}

TEST_CASE("a link that cannot be read is a mistake that gives the path tried") {
    TempDirectory directory;
    std::string path =
        directory.write("w.jsonc", R"({"steps": [{"name": "A", "value_schema": {"link": "no.json"},
  "action": {"kind": "Pool", "instructions": {"link": "sub/../"}}}]})");
    CHECK(problems(config::load(path)) == path + ":1:51: error: the linked file " + directory.path() +
                                              "/no.json cannot be read: No such file or directory\n" + path +
                                              ":2:55: error: the linked file " + directory.path() +
                                              "/ cannot be read: Is a directory\n");
}

TEST_CASE("mistakes in a linked file are reported at their place in that file") {
    TempDirectory directory;
    std::string bad = directory.write("bad.json", "{\n  \"type\": \"sting\",\n  \"nme\": \"x\"\n}");
    std::string torn = directory.write("torn.json", "{\n");
    std::string latin = directory.write("latin.md", "a\n\xE9");
    std::string path = directory.write("w.jsonc", R"({"steps": [
  {"name": "A", "value_schema": {"link": "bad.json"},
   "action": {"kind": "Pool", "instructions": {"link": "latin.md"}}},
  {"name": "B", "value_schema": {"link": "torn.json"}, "action": {"kind": "Pool"}, "x": 1}]})");
    auto text = problems(config::load(path));
    CHECK_THAT(text, Catch::StartsWith(bad + ":2:11: error: /type is \"sting\""));
    CHECK_THAT(text, Catch::Contains(bad + ":3:3: error: unknown keyword \"nme\""));
    CHECK_THAT(text, Catch::Contains(latin + ":2:1: error: not valid UTF-8\n"));
    CHECK_THAT(text,
               Catch::Contains(
                   torn + ":2:1: error: expected a name in double quotes or '}', but the text ends here\n"));
    CHECK_THAT(text, Catch::EndsWith(
                         path + ":4:84: error: unknown field \"x\" in a step; a step has: name, "
                                "value_schema, pre, action, post, finally, gather, next, options, env\n"));
}

TEST_CASE("the config is a path or the config itself") {
    auto inline_config =
        config::load(" \n// mine\n{\"steps\": [{\"name\": \"A\", " + std::string(command) + "}]}");
    REQUIRE(inline_config.config.has_value());
    CHECK(inline_config.config->directory == std::filesystem::current_path());
    CHECK(problems(config::load("{}")) == "<inline>:1:1: error: \"steps\" is missing in the config\n");
    CHECK(problems(config::load("/*x*/ 5")) ==
          "<inline>:1:7: error: the config must be an object, not a number\n");
    CHECK(problems(config::load("/no/such.jsonc")) ==
          "/no/such.jsonc: error: cannot be read: No such file or directory\n");
    CHECK(problems(config::load("//no/such.jsonc")) ==
          "//no/such.jsonc: error: cannot be read: No such file or directory\n");
    CHECK(problems(config::load("/")) == "/: error: cannot be read: Is a directory\n");
}

TEST_CASE("a link to anything but a regular file is a mistake, and nothing is waited for") {
    TempDirectory directory;
    std::string fifo = directory.path() + "/fifo";
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    std::filesystem::create_symlink("/dev/zero", directory.path() + "/zero");
    auto with = [&](const std::string& path) {
        return problems(config::load_text("{\"steps\": [{\"name\": \"A\", \"value_schema\": {\"link\": \"" +
                                              path + "\"}, \"action\": {\"kind\": \"Pool\"}}]}",
                                          "w.jsonc", directory.path()));
    };
    auto refused = [](const std::string& path) {
        return "w.jsonc:1:51: error: the linked file " + path +
               " cannot be read: it is not a regular file; only regular files can be linked\n";
    };
    CHECK(with("fifo") == refused(fifo));
    CHECK(with("zero") == refused(directory.path() + "/zero"));
    CHECK(with("/dev/zero") == refused("/dev/zero"));
}

TEST_CASE("files of 64 MiB are read, larger ones refused") {
    constexpr std::size_t limit = 64 * 1024 * 1024;
    TempDirectory directory;
    std::string text = "{\"steps\": [{\"name\": \"A\", \"value_schema\": {\"link\": \"s.json\"}, " +
                       std::string(command) + "}]}";
    std::string path = directory.write("w.jsonc", text);
    std::string linked = directory.write("s.json", "{}");
    std::filesystem::resize_file(linked, limit + 1);
    CHECK(problems(config::load(path)) == path + ":1:51: error: the linked file " + linked +
                                              " is larger than 64 MiB, the limit for a file\n");
    std::filesystem::resize_file(linked, limit);
    CHECK_THAT(problems(config::load(path)),
               Catch::StartsWith(linked + ":1:3: error:"));  // it is full of NULs
    std::filesystem::resize_file(path, limit + 1);
    CHECK(problems(config::load(path)) == path + ": error: is larger than 64 MiB, the limit for a file\n");
}

TEST_CASE("a config that is no file has the working directory") {
    TempDirectory directory;
    std::string text = "{\"steps\": [{\"name\": \"A\", " + std::string(command) + "}]}";
    std::string path = directory.write("w.jsonc", text);
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    auto by_descriptor = good(config::load("/dev/fd/" + std::to_string(fd)));
    ::close(fd);
    CHECK(by_descriptor.directory == std::filesystem::current_path());

    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    auto by_pipe = good(config::load("/dev/fd/" + std::to_string(ends[0])));
    ::close(ends[0]);
    CHECK(by_pipe.directory == std::filesystem::current_path());
}
