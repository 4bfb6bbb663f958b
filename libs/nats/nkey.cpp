#include "nats/nkey.hpp"

#include <array>
#include <cstdint>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <optional>
#include <stdexcept>

namespace nats {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr unsigned seed_prefix = 18U << 3;  // 'S'
constexpr std::size_t key_size = 32;
constexpr std::size_t signature_size = 64;
constexpr std::size_t seed_size = 2 + key_size + 2;  // prefixes, key, checksum
constexpr std::size_t seed_digits = 58;

// Base32 without padding.
std::string to_base32(std::string_view bytes) {
    std::string text;
    std::uint32_t group = 0;
    int bits = 0;
    for (char c : bytes) {
        group = group << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 5; bits -= 5)
            text += digits[group >> (bits - 5) & 31];
    }
    if (bits > 0) text += digits[group << (5 - bits) & 31];
    return text;
}

std::optional<std::string> from_base32(std::string_view text) {
    std::string bytes;
    std::uint32_t group = 0;
    int bits = 0;
    for (char c : text) {
        std::size_t digit = digits.find(c);
        if (digit == digits.npos) return std::nullopt;
        group = group << 5 | static_cast<std::uint32_t>(digit);
        bits += 5;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xFF);
    }
    return bytes;
}

// CRC-16 of XMODEM.
std::uint16_t checksum(std::string_view bytes) {
    std::uint16_t sum = 0;
    for (char c : bytes) {
        sum = static_cast<std::uint16_t>(sum ^ static_cast<unsigned char>(c) << 8);
        for (int i = 0; i < 8; ++i)
            sum = static_cast<std::uint16_t>((sum & 0x8000U) != 0 ? sum << 1 ^ 0x1021 : sum << 1);
    }
    return sum;
}

std::string with_checksum(std::string bytes) {
    std::uint16_t sum = checksum(bytes);
    bytes += static_cast<char>(sum & 0xFF);
    bytes += static_cast<char>(sum >> 8);
    return to_base32(bytes);
}

// Overwrites what it holds.
struct Secret {
    ~Secret() { ::OPENSSL_cleanse(bytes.data(), bytes.size()); }
    std::string bytes;
};

const unsigned char* as_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

base::Error not_a_seed() {
    return base::invalid(
        "not a seed of NATS: it must be the 58 characters that `nk` or `nsc` has printed, and begin with S");
}

// The public key as a text of the kind that `prefix` says.
std::string public_key_text(EVP_PKEY& key, unsigned prefix) {
    std::array<unsigned char, key_size> raw{};
    std::size_t size = raw.size();
    if (::EVP_PKEY_get_raw_public_key(&key, raw.data(), &size) != 1)
        throw std::runtime_error("EVP_PKEY_get_raw_public_key");
    std::string bytes(1, static_cast<char>(prefix));
    bytes.append(raw.begin(), raw.end());
    return with_checksum(std::move(bytes));
}

}  // namespace

bool is_like_seed(std::string_view text) {
    return text.size() == seed_digits && text.starts_with('S') && text.find_first_not_of(digits) == text.npos;
}

base::Result<KeyPair> KeyPair::from_seed(std::string_view seed) {
    auto decoded = is_like_seed(seed) ? from_base32(seed) : std::nullopt;
    if (!decoded) return not_a_seed();
    Secret raw{std::move(*decoded)};
    std::string_view body = std::string_view(raw.bytes).substr(0, seed_size - 2);
    auto first = static_cast<unsigned char>(body[0]);
    auto second = static_cast<unsigned char>(body[1]);
    auto sum = static_cast<unsigned>(static_cast<unsigned char>(raw.bytes[seed_size - 2])) |
               static_cast<unsigned>(static_cast<unsigned char>(raw.bytes[seed_size - 1])) << 8;
    if ((first & 0xF8U) != seed_prefix || sum != checksum(body)) return not_a_seed();
    KeyPair pair;
    EVP_PKEY* key =
        ::EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, as_bytes(body.substr(2)), key_size);
    if (key == nullptr) return not_a_seed();
    pair.key_ = std::shared_ptr<EVP_PKEY>(key, ::EVP_PKEY_free);
    pair.public_key_ = public_key_text(*key, (first & 7U) << 5 | second >> 3);
    return pair;
}

std::string KeyPair::sign(std::string_view text) const {
    std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(), ::EVP_MD_CTX_free);
    std::array<unsigned char, signature_size> signature{};
    std::size_t size = signature.size();
    bool is_signed =
        context && ::EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
        ::EVP_DigestSign(context.get(), signature.data(), &size, as_bytes(text), text.size()) == 1;
    if (!is_signed) throw std::runtime_error("EVP_DigestSign");
    return {signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace nats
