"""The Debian package: what lintian says of it, and that it works in a system with nothing but the base."""

import json
import os
import shutil
from pathlib import Path

from harness import require
from harness.clean_root import CleanRoot
from harness.debian_package import PackageCase
from harness.markdown import dangling_links

EXAMPLE = "/usr/share/barnum/config-examples/quickstart"
UNITS = ("lib/systemd/system/troupe@.service", "lib/systemd/system/troupe@.socket",
         "lib/systemd/system/troupe-agent@.service", "share/systemd/user/troupe@.service",
         "share/systemd/user/troupe@.socket", "share/systemd/user/troupe-agent@.service", "lib/sysusers.d/troupe.conf")
MANUAL = ("man1/barnum.1.gz", "man1/troupe.1.gz", "man1/barnum-run.1.gz", "man5/barnum-config.5.gz",
          "man7/troupe-protocol.7.gz")
COMPLETIONS = ("bash-completion/completions/barnum", "bash-completion/completions/troupe",
               "zsh/vendor-completions/_barnum", "zsh/vendor-completions/_troupe",
               "fish/vendor_completions.d/barnum.fish", "fish/vendor_completions.d/troupe.fish")


class Package(PackageCase):
    def test_lintian_finds_nothing(self):
        require(shutil.which("lintian"), "lintian is not installed")
        result = self.run_program("/usr/bin/lintian", "--allow-root", "--fail-on", "error,warning", self.package,
                                  deadline=600)
        self.assertEqual((result.code, result.out), (0, ""), str(result))

    def test_it_depends_on_what_it_links_to_and_recommends_what_examples_need(self):
        depends = sorted(part.split()[0] for part in self.control("Depends").split(","))
        self.assertEqual(depends, ["libc6", "libpcre2-8-0", "libssl3"])
        self.assertEqual((self.control("Recommends"), self.control("Suggests")), ("jq", "graphviz"))

    def extracted(self):
        tree = self.home / "tree"
        self.assert_exit(self.run_program("/usr/bin/dpkg-deb", "--extract", self.package, tree), 0)
        return [path for path in tree.rglob("*") if not path.is_symlink()]

    def test_no_file_names_the_folder_that_it_was_built_in(self):
        folders = [str(self.package.parent).encode(), os.environ["BARNUM_BUILD_DIR"].encode()]
        found = [str(path) for path in self.extracted() if path.is_file() and path.parent.name != "bin"
                 and any(folder in path.read_bytes() for folder in folders)]
        self.assertEqual(found, [])

    def test_nobody_else_may_write_to_its_files(self):
        self.assertEqual([str(path) for path in self.extracted() if path.stat().st_mode & 0o022], [])

    def test_it_works_in_a_bare_system_and_leaves_nothing_behind(self):
        root = CleanRoot(self, self.home / "system", include=["systemd-standalone-sysusers"])
        shutil.copy(self.package, root.path / "tmp/package.deb")
        update = root.run("apt-get", "-q", "update", "--error-on=any")
        require(update.code == 0, f"this machine's package sources can't be reached: {update.err[-500:]}")
        self.assert_exit(root.run("apt-get", "-q", "install", "-y", "/tmp/package.deb"), 0)
        self.check_programs(root)
        self.check_files(root)
        self.check_quickstart(root)
        self.check_removal(root)

    def check_programs(self, root):
        for program in ("barnum", "troupe"):
            result = root.run_as_user(f"{program} version --json")
            self.assert_exit(result, 0)
            self.assertEqual(result.json["version"], self.control("Version"))

    def check_files(self, root):
        share = root.path / "usr/share"
        expected = [*(root.path / "usr" / unit for unit in UNITS), *(share / "man" / page for page in MANUAL),
                    *(share / completion for completion in COMPLETIONS), share / "doc/barnum/copyright"]
        self.assertEqual([str(path) for path in expected if not path.is_file()], [])
        for unit in UNITS[0], UNITS[2], UNITS[3]:
            self.assertRegex((root.path / "usr" / unit).read_text(), "ExecStart=.*/usr/bin/troupe ")
        self.assertEqual(dangling_links(share / "doc/barnum"), [])
        self.assertIn("troupe:x:", (root.path / "etc/passwd").read_text())
        self.assertTrue((root.path / "etc/troupe").is_dir())

    def check_quickstart(self, root):
        (root.home / "tree").mkdir(mode=0o755)
        (root.home / "tree/one.cpp").write_text("int one() { return 1; }\n")
        value = json.dumps({"directory": f"{Path('/home') / root.home.name}/tree"})
        result = root.run_as_user(f"REVIEW_DIR=$HOME/review barnum run --root $HOME/pools --agents 3"
                                  f" --config {EXAMPLE}/workflow.jsonc --agent-exec {EXAMPLE}/agent.sh"
                                  f" --entrypoint-value '{value}'")
        self.assert_exit(result, 0)
        self.assertIn("one.cpp", (root.home / "review/review.txt").read_text())

    def check_removal(self, root):
        pools, settings = root.path / "var/lib/troupe/pools/default", root.path / "etc/troupe/agent-default.conf"
        pools.mkdir(parents=True)
        settings.write_text("AGENTS=2\n")
        self.assert_exit(root.run("dpkg", "--remove", "barnum"), 0)
        self.assertTrue(pools.is_dir() and settings.is_file(), "to remove is not to purge")
        self.assertEqual([path for path in root.find("barnum", "troupe") if path.startswith("/usr/")], [])
        self.assert_exit(root.run("dpkg", "--purge", "barnum"), 0)
        shutil.rmtree(root.home)  # state logs and pools of users are theirs
        self.assertEqual(root.find("barnum", "troupe"), [])
