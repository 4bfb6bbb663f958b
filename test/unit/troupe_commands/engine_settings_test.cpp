#include "engine_settings.hpp"

#include <boost/program_options/value_semantic.hpp>
#include <catch2/catch.hpp>

#include <cstdlib>

namespace {

// What the options of the engine are, as if they had been given.
cli::Options given(const std::vector<std::pair<std::string, std::string>>& values) {
    cli::Options options;
    for (const auto& [name, text] : values)
        options.insert({name, boost::program_options::variable_value(text, false)});
    return options;
}

struct Variable {
    Variable(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(name); }
    const char* name;
};

std::string problem(const std::vector<std::pair<std::string, std::string>>& values) {
    auto settings = troupe::engine_settings(given(values));
    return settings.has_error() ? settings.error().message : "";
}

}  // namespace

TEST_CASE("without an engine there are no servers") {
    auto settings = troupe::engine_settings({});
    REQUIRE(settings.has_value());
    CHECK(settings->servers.empty());
}

TEST_CASE("options go before the environment") {
    Variable servers("TROUPE_ENGINE", "nats://a");
    Variable authorities("TROUPE_ENGINE_CA", "ca.pem");
    auto settings = troupe::engine_settings(given({{"engine", "tls://b"}}));
    REQUIRE(settings.has_value());
    CHECK(settings->servers == "tls://b");
    CHECK(settings->authorities == "ca.pem");
}

TEST_CASE("a value of the environment is checked as that of an option is") {
    Variable servers("TROUPE_ENGINE", "nats://a");
    Variable lease("TROUPE_LEASE_SECS", "soon");
    CHECK(problem({}).find("TROUPE_LEASE_SECS: 'soon' is not") == 0);
}

TEST_CASE("options that need others say so") {
    CHECK(problem({{"engine-ca", "ca.pem"}}).find("--engine, which") != std::string::npos);
    CHECK(problem({{"engine", "nats://a"}, {"engine-user", "u"}}).find("need each other") !=
          std::string::npos);
    CHECK(problem({{"engine", "nats://a"}, {"engine-key", "k"}}).find("need each other") !=
          std::string::npos);
    CHECK(problem({{"engine", "nats://a"},
                   {"engine-user", "u"},
                   {"engine-password-file", "p"},
                   {"engine-creds", "c"}})
              .find("not both") != std::string::npos);
}
