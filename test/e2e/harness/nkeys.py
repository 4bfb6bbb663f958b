"""Keys of NATS users: a pair is made of 32 bytes, by the program `openssl`."""

import base64
import binascii
import shutil
import subprocess

from harness.case import require

SEED, USER = 18 << 3, 20 << 3  # the first bytes, which become the letters S and U
PKCS8_OF_ED25519 = bytes.fromhex("302e020100300506032b657004220420")


def user_key(secret):
    """(seed, public key) as NATS writes them."""
    require(shutil.which("openssl"), "openssl is missing: scripts/install-deps --tests")
    public = subprocess.run(["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input=PKCS8_OF_ED25519 + secret,
                            capture_output=True, check=True, timeout=60).stdout[-32:]
    return _text(bytes([SEED | USER >> 5, (USER & 31) << 3]) + secret), _text(bytes([USER]) + public)


def _text(data):
    checksum = binascii.crc_hqx(data, 0)  # CRC-16/XMODEM, which NATS appends
    return base64.b32encode(data + checksum.to_bytes(2, "little")).decode().rstrip("=")
