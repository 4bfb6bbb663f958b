"""Debian packages of builds: of the one that is tested, made once for all tests of a case, and of others."""

import os
import re
import shutil
import tempfile
from pathlib import Path

from harness.case import Case, require
from harness.clean_root import run


def make_package(case, build):
    """The package of that build folder, which is there until the case's tests are done."""
    folder = Path(tempfile.mkdtemp(prefix="be2e-package-"))
    case.addClassCleanup(shutil.rmtree, folder)
    cpack = Path(os.environ.get("BARNUM_CMAKE", shutil.which("cmake"))).with_name("cpack")
    result = case.run_program(cpack, "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder, umask=0o002,
                              deadline=600)  # group-writable where it is made, which it must not be in the end
    case.assert_exit(result, 0)
    return next(folder.glob("barnum_*.deb"))


class PackageCase(Case):
    limit = 900  # where the base system is not in the cache

    package = None

    def setUp(self):
        super().setUp()
        build = os.environ.get("BARNUM_BUILD_DIR")
        require(build, "BARNUM_BUILD_DIR is not set: the build folder to make the package from")
        if not self.package:
            type(self).package = make_package(self, Path(build))

    def control(self, field, package=None):
        return run("dpkg-deb", "--field", package or self.package, field).stdout.strip()

    def dependencies(self, package=None):
        """The names of the packages that it depends on, or another version of it."""
        return [re.split(r"[ :(|]", part.strip())[0] for part in self.control("Depends", package).split(",")]
