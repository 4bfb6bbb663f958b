// Keys of NATS: Ed25519 keys that are written in Base32, with a letter for what they are and a checksum. A
// user's seed begins with SU, its public key with U. Pure.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <openssl/types.h>
#include <string>
#include <string_view>

namespace nats {

// Whether the text looks like a seed, with or without mistakes.
bool is_like_seed(std::string_view text);

class KeyPair {
  public:
    // An error doesn't contain the seed.
    static base::Result<KeyPair> from_seed(std::string_view seed);

    const std::string& public_key() const { return public_key_; }
    bool is_user() const { return public_key_.starts_with('U'); }

    // The signature, 64 bytes.
    std::string sign(std::string_view text) const;

  private:
    KeyPair() = default;

    std::shared_ptr<EVP_PKEY> key_;
    std::string public_key_;
};

}  // namespace nats
