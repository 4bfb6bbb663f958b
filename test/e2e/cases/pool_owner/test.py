"""Roots and pools of somebody else (R2). Needs root, to make files of another user."""

import os
import pwd
import stat

from harness import Case, Pool, require

NOBODY = "nobody"


class Owner(Case):
    def setUp(self):
        super().setUp()
        require(os.geteuid() == 0, "only root can make a directory that belongs to another user")
        self.pool = Pool(self)

    def give_away(self, path):
        path.mkdir(mode=0o755, parents=True)
        os.chown(path, pwd.getpwnam(NOBODY).pw_uid, -1)

    def assert_refused(self, path, command, *args):
        result = self.pool.command(command, *args).result()
        self.assertNotEqual(result.code, 0)
        self.assertEqual(result.out, "")
        for word in (NOBODY, "--root", "TROUPE_ROOT"):
            self.assertIn(word, result.err)
        self.assertEqual((list(path.iterdir()), stat.S_IMODE(path.stat().st_mode), path.owner()), ([], 0o755, NOBODY))

    def test_a_root_of_another_user_is_refused_and_left_alone(self):
        self.give_away(self.root)
        self.assert_refused(self.root, "start")

    def test_a_pool_of_another_user_is_refused_and_left_alone(self):
        (self.root / "pools").mkdir(parents=True, mode=0o700)
        self.root.chmod(0o700)
        self.give_away(self.pool.path)
        self.assert_refused(self.pool.path, "start")
