// Certificates and private keys for tests, as PEM files.
#pragma once

#include <catch2/catch.hpp>

#include <cstdio>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>
#include <sys/stat.h>

namespace test {

template<auto free>
struct Free {
    void operator()(auto* object) const { free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using File = std::unique_ptr<std::FILE, Free<std::fclose>>;

inline Key make_key() {
    return Key(EVP_EC_gen("P-256"));
}

inline Key make_rsa_key(unsigned bits) {
    return Key(EVP_RSA_gen(bits));
}

// Who signs a certificate; otherwise it signs itself.
struct Authority {
    X509* certificate = nullptr;
    EVP_PKEY* key = nullptr;
};

inline void add_extension(X509& certificate, int nid, const char* value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value);
    REQUIRE(extension != nullptr);
    X509_add_ext(&certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

// Valid from `begin` to `end`, in seconds from now.
inline Certificate make_certificate(EVP_PKEY& key, long begin = -3600, long end = 3600,
                                    const char* names = "DNS:localhost", Authority by = {},
                                    std::string common_name = "localhost") {
    Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), begin);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), end);
    X509_set_pubkey(certificate.get(), &key);
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), by.certificate ? X509_get_subject_name(by.certificate) : name);
    add_extension(*certificate, NID_subject_alt_name, names);
    if (common_name == "authority") add_extension(*certificate, NID_basic_constraints, "critical,CA:TRUE");
    REQUIRE(X509_sign(certificate.get(), by.key ? by.key : &key, EVP_sha256()) != 0);
    return certificate;
}

inline Certificate make_authority(EVP_PKEY& key) {
    return make_certificate(key, -3600, 3600, "DNS:authority", {}, "authority");
}

inline void write_certificate(const std::string& path, X509& certificate) {
    File file(std::fopen(path.c_str(), "w"));
    REQUIRE(PEM_write_X509(file.get(), &certificate) == 1);
}

// Encrypted, if there is a password.
inline void write_key(const std::string& path, EVP_PKEY& key, std::string password = {}) {
    File file(std::fopen(path.c_str(), "w"));
    REQUIRE(::fchmod(::fileno(file.get()), 0600) == 0);
    const EVP_CIPHER* cipher = password.empty() ? nullptr : EVP_aes_256_cbc();
    REQUIRE(PEM_write_PKCS8PrivateKey(file.get(), &key, cipher, password.data(),
                                      static_cast<int>(password.size()), nullptr, nullptr) == 1);
}

}  // namespace test
