"""Certificates and their private keys, as PEM files, made by the program `openssl`."""

import shutil
import ssl
import subprocess
import uuid

from harness.case import require


class Certificate:
    """In a directory: for `localhost`, 127.0.0.1 and other names. `days` may be negative: it has expired. Signed by itself, or
    by the authority, another Certificate."""

    def __init__(self, directory, name="server", names=(), days=1, authority=None):
        require(shutil.which("openssl"), "openssl is missing: scripts/install-deps --tests")
        self.path, self.key = directory / f"{name}-cert.pem", directory / f"{name}-key.pem"
        request, extensions = directory / f"{name}.csr", directory / f"{name}.ext"
        alternatives = ",".join(["DNS:localhost", "IP:127.0.0.1", *(f"DNS:{n}" for n in names)])
        can_sign = "FALSE" if authority else "TRUE"
        extensions.write_text(f"subjectAltName={alternatives}\nbasicConstraints=critical,CA:{can_sign}\n")
        self._openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                      "-subj", f"/CN={'localhost' if name == 'server' else name}", "-keyout", self.key,
                      "-out", request)
        signer = ("-CA", authority.path, "-CAkey", authority.key) if authority else ("-signkey", self.key)
        self._openssl("x509", "-req", "-in", request, *signer, "-set_serial", uuid.uuid4().int >> 1, "-days", days,
                      "-extfile", extensions, "-out", self.path)
        self.key.chmod(0o600)

    @property
    def options(self):
        """For `barnum serve`."""
        return "--tls-cert", str(self.path), "--tls-key", str(self.key)

    @property
    def client(self):
        """What a client needs that trusts this certificate, and no other."""
        return ssl.create_default_context(cafile=self.path)

    def _openssl(self, *args):
        done = subprocess.run(["openssl", *map(str, args)], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"openssl {args[0]} failed: {done.stderr}")
