"""Which version runs: that of the commit, in all that tells one; and that a daemon's program was replaced."""

import os
import re
import shutil
import subprocess

from harness import Case, Pool, require
from harness.environment import SOURCE_DIR, binary

COMMAND = '{ "entrypoint": "A", "steps": [{ "name": "A", "action": { "kind": "Command", "script": "echo []" }, "next": [] }] }'


class Versions(Case):
    def test_programs_runs_and_daemons_tell_the_same_version(self):
        version = self.run_program("troupe", "version", "--json").json["version"]
        self.assertRegex(version, r"^\d+\.\d+\.\d+(\+\d{8}\.\d{6}\.[0-9a-f]{9})?$")
        self.assertEqual(self.run_program("barnum", "version", "--json").json["version"], version)
        pool = Pool(self)
        pool.start()
        self.assertEqual(pool.status()["version"], version)
        self.assert_exit(self.run_program("barnum", "run", "--config", COMMAND), 0)
        self.assertEqual(self.run_program("barnum", "ps", "-a", "--json").json[0]["version"], version)

    def test_the_status_tells_that_the_daemons_program_was_replaced(self):
        program = self.home / "troupe"
        shutil.copy(binary("troupe"), program)
        pool = Pool(self)
        pool.start(program=program)
        self.assertFalse(pool.status()["program_replaced"])
        program.unlink()
        shutil.copy(binary("troupe"), program)
        self.assertTrue(pool.status()["program_replaced"])
        self.assertIn("whose program was removed or replaced: restart the daemon", pool.command("status").result().out)


class Commits(Case):
    """The version that a build makes of a source."""

    def setUp(self):
        super().setUp()
        require(shutil.which("git"), "git is not installed")
        self.source = self.work / "source"
        (self.source / "cmake").mkdir(parents=True)
        for name in ".gitattributes", "cmake/commit.txt":
            shutil.copy(SOURCE_DIR / name, self.source / name)

    def git(self, *words, **env):
        given = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | env
        return subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", self.source, *words], env=given,
                              check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, time):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=x", GIT_COMMITTER_DATE=f"{time} +0000")

    def version(self, source=None):
        file = self.work / "version.cpp"
        self.assert_exit(self.run_program(
            os.environ.get("BARNUM_CMAKE", "cmake"), "-D", "VERSION=1.2.3", "-D", f"SOURCE_DIR={source or self.source}",
            "-D", f"OUTPUT={file}", "-P", SOURCE_DIR / "cmake/Version.cmake"), 0)
        return re.search(r'program_version = "(.*)"', file.read_text())[1]

    def test_it_grows_with_each_commit_and_is_the_same_in_an_archive(self):
        self.assertEqual(self.version(), "1.2.3")
        self.git("init", "--quiet")
        versions = ["1.2.3"]
        for time in 999_999_999, 1_000_000_000, 1_764_167_100:
            self.commit(time)
            versions.append(self.version())
        self.assertEqual(versions[-1], f"1.2.3+20251126.142500.{self.git('rev-parse', 'HEAD')[:9]}")
        for earlier, later in zip(versions, versions[1:]):
            require(shutil.which("dpkg"), "dpkg is not installed")
            self.assert_exit(self.run_program("/usr/bin/dpkg", "--compare-versions", earlier, "lt", later), 0)
        unpacked = self.work / "unpacked"
        unpacked.mkdir()
        archive = self.work / "source.tar"
        self.git("archive", f"--output={archive}", "HEAD")
        self.assert_exit(self.run_program("/usr/bin/tar", "-xf", archive, "-C", unpacked), 0)
        self.assertEqual(self.version(unpacked), versions[-1])
