#include "nats/credentials.hpp"

#include "base/base64.hpp"
#include "base/line_splitter.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "base/utc_text.hpp"
#include "io/small_file.hpp"
#include "json/json.hpp"
#include "nats/error.hpp"
#include "nats/nkey.hpp"

#include <openssl/crypto.h>
#include <optional>

namespace nats {

namespace {

void overwrite(std::string& secret) {
    ::OPENSSL_cleanse(secret.data(), secret.size());
}

base::Result<Authenticate> password_login(const CredentialFiles& files) {
    std::string name = base::concat("the password file ", files.password_file);
    if (files.user.empty() || files.password_file.empty())
        return base::invalid("a user needs a password file, and a password file a user");
    auto password = io::read_secret_file(files.password_file, name);
    if (password.has_error()) return password.error();
    if (password->ends_with('\n')) password->pop_back();
    if (password->ends_with('\r')) password->pop_back();
    if (password->empty()) return base::invalid(base::concat(name, " is empty"));
    Login login{files.user, std::move(*password), {}, {}, {}};
    return Authenticate([login = std::move(login)](std::string_view) { return base::Result<Login>(login); });
}

// The time at which a JWT ends, if it has one. It is the server that checks the JWT.
std::optional<std::chrono::system_clock::time_point> end_of(std::string_view jwt) {
    std::size_t begin = jwt.find('.') + 1;
    auto claims = base::from_base64(jwt.substr(begin, jwt.find('.', begin) - begin));
    if (!claims) return std::nullopt;
    auto value = json::checked(*claims);
    if (!value) return std::nullopt;
    auto end = value->find("exp");
    if (!end || !end->is(json::Kind::number) || !end->integer() || *end->integer() <= 0) return std::nullopt;
    return std::chrono::system_clock::time_point(std::chrono::seconds(*end->integer()));
}

// With a JWT, the server takes the public key from it.
base::Result<Login> key_login(const KeyPair& key, const std::string& jwt, std::string_view nonce) {
    if (nonce.empty())
        return error(Errc::authorization,
                     "the server does not let users log in with a key: it has sent no nonce");
    std::string signature = base::to_base64_url(key.sign(nonce));
    return Login{{}, {}, jwt, jwt.empty() ? key.public_key() : std::string(), std::move(signature)};
}

base::Result<Authenticate> creds_login(const std::string& path, std::chrono::system_clock::time_point now) {
    std::string name = base::concat("the credentials ", path);
    auto text = io::read_secret_file(path, name);
    if (text.has_error()) return text.error();
    auto creds = parse_creds(*text, name);
    overwrite(*text);
    if (creds.has_error()) return creds.error();
    auto key = KeyPair::from_seed(creds->seed);
    overwrite(creds->seed);
    if (key.has_error()) return base::with_context(name, key.error());
    if (!key->is_user())
        return base::invalid(base::concat(name, " must contain a user's seed, which begins with SU"));
    if (auto end = end_of(creds->jwt); end && *end <= now)
        return error(
            Errc::authorization,
            base::concat(name, " expired at ", base::utc_text(std::chrono::floor<std::chrono::seconds>(*end)),
                         "; replace them"));
    return Authenticate([key = std::move(*key), jwt = std::move(creds->jwt)](std::string_view nonce) {
        return key_login(key, jwt, nonce);
    });
}

}  // namespace

base::Result<Creds> parse_creds(std::string_view text, std::string_view name) {
    Creds creds;
    bool is_in_jwt = false;
    base::LineSplitter lines;
    auto take = [&](std::string_view line) {
        line = base::trimmed(line);
        if (line.starts_with("---")) {
            is_in_jwt = line.find("BEGIN") != line.npos && line.find("JWT") != line.npos;
        } else if (is_in_jwt) {
            creds.jwt += line;
        } else if (is_like_seed(line) && creds.seed.empty()) {
            creds.seed = line;
        }
    };
    lines.add(text, take);
    std::string rest = lines.take_rest();
    take(rest);
    overwrite(rest);
    if (!creds.seed.empty()) return creds;
    return base::invalid(
        base::concat(name, " contain no seed: a line that begins with SU, as `nsc` writes it"));
}

base::Result<Authenticate> load_credentials(const CredentialFiles& files,
                                            std::chrono::system_clock::time_point now) {
    bool has_user = !files.user.empty() || !files.password_file.empty();
    if (has_user && !files.creds_file.empty())
        return base::invalid("use either a user with a password or a credentials file");
    if (has_user) return password_login(files);
    if (!files.creds_file.empty()) return creds_login(files.creds_file, now);
    return Authenticate([](std::string_view) { return base::Result<Login>(Login()); });
}

}  // namespace nats
