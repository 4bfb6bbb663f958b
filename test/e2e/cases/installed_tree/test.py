"""What `cmake --install` puts somewhere works there, without the build tree and the sources."""

import json
import os
from shutil import which

from harness import Case, is_sanitized, require
from harness.markdown import dangling_links, relative_links


class InstalledTree(Case):
    def setUp(self):
        super().setUp()
        build = os.environ.get("BARNUM_BUILD_DIR")
        require(build, "BARNUM_BUILD_DIR is not set: the build folder to install from")
        self.prefix = self.home / "prefix"
        cmake = os.environ.get("BARNUM_CMAKE", "cmake")
        self.assert_exit(self.run_program(cmake, "--install", build, "--prefix", self.prefix), 0)
        self.env["PATH"] = f"{self.prefix}/bin:/usr/bin:/bin"

    def test_the_programs_run_from_their_new_place(self):
        for program in ("troupe", "barnum"):
            result = self.run_program(self.prefix / "bin" / program, "version", "--json")
            self.assert_exit(result, 0)
            self.assertTrue(result.json["version"])

    def test_the_example_runs_from_its_new_place(self):
        require(which("jq"), "jq is not installed, and the example needs it")
        example = self.prefix / "share/barnum/config-examples/quickstart"
        (self.work / "one.cpp").write_text("int one() { return 1; }\n")
        result = self.run_program(self.prefix / "bin/barnum", "run", "--config", example / "workflow.jsonc", "--agents",
                                  "3", "--agent-exec", example / "agent.sh", "--entrypoint-value",
                                  json.dumps({"directory": str(self.work)}), env={"REVIEW_DIR": self.home / "review"})
        self.assert_exit(result, 0)
        self.assertIn("one.cpp", (self.home / "review/review.txt").read_text())

    def test_completions_are_where_the_shells_look_for_them(self):
        if is_sanitized():
            return  # an instrumented program isn't run by the build
        for program in ("troupe", "barnum"):
            for shell, name in (("bash", f"bash-completion/completions/{program}"), ("zsh", f"zsh/site-functions/_{program}"),
                                ("fish", f"fish/vendor_completions.d/{program}.fish")):
                printed = self.run_program(self.prefix / "bin" / program, "completion", shell).out
                self.assertEqual((self.prefix / "share" / name).read_text(), printed)

    def test_units_name_the_programs_in_their_new_place(self):
        units = self.prefix / "share/systemd/user"
        self.assertIn(f"ExecStart={self.prefix}/bin/barnum prune --quiet ", (units / "barnum-prune.service").read_text())
        self.assertTrue((units / "barnum-prune.timer").is_file())
        for name in units / "troupe@.service", self.prefix / "lib/systemd/system/troupe@.service":
            self.assertIn(f"ExecStart={self.prefix}/bin/troupe start ", name.read_text())

    def test_licence_and_documents_are_there(self):
        documents = self.prefix / "share/doc/barnum"
        for name in ("LICENSE", "README.md", "docs/architecture.md"):
            self.assertTrue((documents / name).is_file(), name)

    def test_the_links_of_the_documents_lead_somewhere(self):
        documents = self.prefix / "share/doc/barnum"
        self.assertIn("config-examples/README.md", relative_links(documents / "README.md"))
        self.assertEqual(dangling_links(documents), [])
        self.assertEqual(dangling_links(self.prefix / "share/barnum"), [])
