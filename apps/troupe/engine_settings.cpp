#include "engine_settings.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace troupe {

namespace {

const cli::OptionTable<EngineSettings>& engine_settings_table() {
    using cli::into;
    static const cli::OptionTable<EngineSettings> table{
        {{"engine",
          cli::text("SERVERS", "addresses of NATS servers between commas (for example nats://h1:4222)"),
          "make the pool a part of one over many hosts, which NATS servers with JetStream connect: "
          "nats://HOST:PORT or, with TLS, tls://HOST:PORT, several between commas (see docs/hosts.md)"},
         into(&EngineSettings::servers)},
        {{"engine-ca", cli::file("FILE", "a file with certificates"),
          "the certificates of the authorities to trust, in PEM, instead of those of the system"},
         into(&EngineSettings::authorities)},
        {{"engine-cert", cli::file("FILE", "a file with a certificate"),
          "the certificate of this host for the servers, in PEM"},
         into(&EngineSettings::certificate)},
        {{"engine-key", cli::file("FILE", "a file with a key"), "the key of that certificate, in PEM"},
         into(&EngineSettings::key)},
        {{"engine-creds", cli::file("FILE", "a file as `nsc` writes it"),
          "log in with the key, and the token if there is one, in this file"},
         into(&EngineSettings::creds)},
        {{"engine-user", cli::text("NAME", "the name of a user"),
          "log in as this user, with --engine-password-file"},
         into(&EngineSettings::user)},
        {{"engine-password-file", cli::file("FILE", "a file with a password"),
          "the password of that user, in a file that others may not read"},
         into(&EngineSettings::password_file)},
        {{"engine-replicas", cli::whole_number("N", 1, 5).with_default("1"),
          "on how many servers of a cluster the engine keeps the pool's data, when it is created: 1, 3 or 5"},
         into(&EngineSettings::replicas)},
        {{"lease-secs", cli::seconds("N", cli::Zero::refused).with_default("30"),
          "after this time without a sign of life, another host may find that this one is lost, which its "
          "tasks' submitters are told; the same on all hosts"},
         into(&EngineSettings::lease)}};
    return table;
}

// "engine-ca" is TROUPE_ENGINE_CA.
std::string variable_of(const cli::Option& option) {
    std::string name = "TROUPE_" + option.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
        return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    return name;
}

base::Result<void> read_environment(const cli::Options& given, EngineSettings& settings) {
    for (const auto& row : engine_settings_table()) {
        if (cli::is_given(row.option, given)) continue;
        std::string variable = variable_of(row.option);
        const char* value = std::getenv(variable.c_str());
        if (value == nullptr || *value == '\0') continue;
        if (!cli::accepts(row.option.value, value))
            return base::invalid(base::concat(variable, ": '", std::string_view(value), "' is not ",
                                              cli::expected(row.option.value)));
        row.set(settings, value);
    }
    return {};
}

base::Result<void> check(const EngineSettings& settings) {
    const EngineSettings usual;
    const bool has_login = !settings.user.empty() || !settings.password_file.empty();
    const bool has_more = has_login || !settings.creds.empty() || !settings.authorities.empty() ||
                          !settings.certificate.empty() || !settings.key.empty() ||
                          settings.replicas != usual.replicas || settings.lease != usual.lease;
    if (settings.replicas % 2 == 0)
        return base::invalid("--engine-replicas: give 1, 3 or 5; an even number survives no more failures");
    if (settings.lease < std::chrono::seconds(1) || settings.lease > std::chrono::hours(1))
        return base::invalid("--lease-secs: give 1 to 3600 seconds");
    if (settings.servers.empty() && has_more)
        return base::invalid(
            "the options of the engine need --engine, which says where its servers are, for example "
            "--engine nats://h1:4222");
    if (settings.user.empty() != settings.password_file.empty())
        return base::invalid("--engine-user and --engine-password-file need each other: give both or none");
    if (has_login && !settings.creds.empty())
        return base::invalid("give either --engine-creds or --engine-user, not both");
    if (settings.certificate.empty() != settings.key.empty())
        return base::invalid("--engine-cert and --engine-key need each other: give both or none");
    return {};
}

}  // namespace

std::vector<cli::Option> engine_options() {
    return cli::options_of(engine_settings_table());
}

base::Result<EngineSettings> engine_settings(const cli::Options& given) {
    EngineSettings settings = cli::read(engine_settings_table(), given);
    if (auto read = read_environment(given, settings); read.has_error()) return read.error();
    if (auto checked = check(settings); checked.has_error()) return checked.error();
    return settings;
}

}  // namespace troupe
