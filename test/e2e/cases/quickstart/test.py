"""The example workflow of config-examples/quickstart, from this repository, on a small tree."""

import json
from shutil import which

from harness import Case, require
from harness.environment import SOURCE_DIR

EXAMPLE = SOURCE_DIR / "config-examples/quickstart"
FINE = "int one() { return 1; }\n"
LONG = "int many() {\n" + "    call();\n" * 60 + "    return 1;\n}\n"
OPEN = "// TO" "DO: say why\nint two() { return 2; }\n"


class Quickstart(Case):
    def setUp(self):
        super().setUp()
        require(which("jq"), "jq is not installed, and the example needs it")

    def review(self, folder, agents=("--agents", "3", "--agent-exec", EXAMPLE / "agent.sh")):
        """Runs the example; returns the result of the run and the table."""
        value = json.dumps({"directory": str(folder)})
        result = self.run_program("barnum", "run", "--config", EXAMPLE / "workflow.jsonc", *agents,
                                  "--entrypoint-value", value, env={"REVIEW_DIR": self.work / "review"})
        table = self.work / "review/review.txt"
        return result, table.read_text() if table.exists() else ""

    def test_it_looks_at_each_file_and_prints_a_table(self):
        tree = self.home / "tree"
        (tree / "sub").mkdir(parents=True)
        files = {"fine.cpp": FINE, "sub/long.hpp": LONG, "open question.cpp": OPEN, "notes.txt": "no"}
        for name, text in files.items():
            (tree / name).write_text(text)
        result, table = self.review(tree)
        self.assert_exit(result, 0)
        self.assertEqual(result.out, "")
        rows = {name: line for line in table.splitlines() for name in files if line.startswith(name)}
        self.assertIn("fine", rows["fine.cpp"].removeprefix("fine.cpp"))
        self.assertIn("many", rows["sub/long.hpp"])
        self.assertIn("line 1", rows["open question.cpp"])
        self.assertNotIn("notes.txt", table)
        self.assertIn("3 files", table)
        self.assertIn(table.splitlines()[0], result.err)

    def test_an_empty_folder_is_no_mistake(self):
        (self.home / "empty").mkdir()
        result, table = self.review(self.home / "empty")
        self.assert_exit(result, 0)
        self.assertIn("0 files", table)

    def test_a_folder_that_is_not_there_is_told(self):
        result, _ = self.review(self.home / "nowhere")
        self.assert_exit(result, 1)
        self.assertIn("nowhere", result.err)

    def test_the_agents_may_be_bash_loops_of_one_s_own(self):
        (self.work / "one.cpp").write_text(FINE)
        loop = ("while true; do R=$(troupe get_task); [ \"$(jq -r .kind <<<\"$R\")\" = Task ] || continue;"
                f" jq -c .content <<<\"$R\" | '{EXAMPLE}/agent.sh' > \"$(jq -r .response_file <<<\"$R\")\"; done")
        agent = self.start("/bin/bash", "-c", loop)
        result, table = self.review(self.work, agents=[])
        self.assert_exit(result, 0)
        self.assertIn("1 file,", table)
        agent.kill()
