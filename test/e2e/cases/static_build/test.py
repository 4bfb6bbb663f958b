"""The programs without shared libraries: they need nothing of the machine that they run on but a shell for commands."""

import json
import os
import platform
import shutil
import sys
from pathlib import Path

from harness import Case, Pool, require
from harness.certificates import Certificate
from harness.clean_root import run
from harness.environment import SOURCE_DIR
from harness.process import MARKER
from harness.serve import Page

CASES = SOURCE_DIR / "test/e2e/cases"
EXAMPLE = SOURCE_DIR / "config-examples/quickstart"


class StaticBuild(Case):
    def setUp(self):
        super().setUp()
        build = os.environ.get("BARNUM_BUILD_DIR")
        require(build, "BARNUM_BUILD_DIR is not set: the build folder with the static programs")
        self.programs = {name: Path(build) / "static" / name for name in ("barnum", "troupe")}
        self.assertEqual([str(path) for path in self.programs.values() if not path.is_file()], [])

    def make_cage(self):
        """A root directory with the static programs and nothing else."""
        require(os.geteuid() == 0, "only root can change its root directory")
        self.cage = self.home / "cage"
        for folder in ("bin", "etc", "proc", "work"):
            (self.cage / folder).mkdir(parents=True)
        for program in self.programs.values():
            shutil.copy(program, self.cage / "bin")

    def in_cage(self, *command):
        return self.run_program("/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "--root", self.cage,
                                "--mount-proc", *command)

    def test_nothing_is_loaded_with_them(self):
        for program in self.programs.values():
            self.assertNotIn("INTERP", run("readelf", "-lW", program).stdout)
            dynamic = run("readelf", "-dW", program).stdout
            self.assertIn("PIE", dynamic)
            self.assertNotIn("NEEDED", dynamic)

    def test_they_run_where_nothing_else_is(self):
        self.make_cage()
        for name in self.programs:
            result = self.in_cage(f"/bin/{name}", "version", "--json")
            self.assert_exit(result, 0)
            self.assertTrue(result.json["version"])

    def test_users_have_the_names_that_their_file_gives_them_or_else_numbers(self):
        self.make_cage()
        os.chown(self.cage / "work", 4711, 4711)
        result = self.in_cage("/bin/troupe", "start", "--root", "/work")
        self.assertIn("belongs to uid 4711, not to uid 0", result.err)
        (self.cage / "etc/nsswitch.conf").write_text("passwd: directory\n")  # a module that glibc would load
        (self.cage / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\nsomebody:x:4711:4711::/:/bin/sh\n")
        result = self.in_cage("/bin/troupe", "start", "--root", "/work")
        self.assertIn("belongs to somebody, not to root", result.err)

    def test_the_quickstart_runs_with_them(self):
        require(shutil.which("jq"), "jq is not installed, and the example needs it")
        (self.work / "one.cpp").write_text("int one() { return 1; }\n")
        self.env = {MARKER: self.mark, "HOME": str(self.home), "PATH": f"{self.programs['barnum'].parent}:/usr/bin:/bin"}
        result = self.run_program(self.programs["barnum"], "run", "--config", EXAMPLE / "workflow.jsonc", "--agents", "3",
                                  "--agent-exec", EXAMPLE / "agent.sh", "--entrypoint-value",
                                  json.dumps({"directory": str(self.work)}), env={"REVIEW_DIR": self.home / "review"})
        self.assert_exit(result, 0)
        self.assertIn("one.cpp", (self.home / "review/review.txt").read_text())

    def test_a_task_goes_through_the_socket_and_in_a_sandbox_through_files(self):
        require(platform.machine() in ("x86_64", "aarch64"), f"no filter is written for {platform.machine()}")
        pool = Pool(self, program=self.programs["troupe"])
        pool.start("--no-heartbeat")
        denied = [sys.executable, CASES / "pool_sandbox/denied.py", "connect", "EPERM"]
        for before in [], denied:
            with self.subTest(denied=bool(before)):
                first, *others = [*before, self.programs["troupe"]]
                submitter = self.start(first, *others, "submit_task", "--root", self.root, "--data", "7")
                assignment = self.start(first, *others, "get_task", "--root", self.root).json()
                pool.answer(assignment, "[]")
                result = submitter.result()
                self.assert_exit(result, 0)
                self.assertEqual((assignment["content"], result.json["stdout"]), (7, "[]"))

    def test_it_speaks_tls(self):
        page = Page(self, program=self.programs["barnum"], certificate=Certificate(self.home))
        self.assertIn("version", page.json("/api/session"))
