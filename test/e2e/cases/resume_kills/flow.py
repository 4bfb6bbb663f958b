"""The workflow that is killed: 300 tasks and more, with every hook, fan-out, retries, and finallys that have finallys.

What each command does is in task.sh."""

from harness.workflow import command, step

WITH_FINALLY = {"Root", "Group", "Whole", "Tidy", "Sweep"}
BACKOFF = {"retry_backoff": {"initial": 0.02}}


def steps(drop):
    """With `drop`, some tasks and finallys are dropped in the end."""

    def hook(phase):
        return command(f"phase={phase} drop={drop:d}; . ./task.sh")

    def one(name, *next_, hooks=(), **options):
        more = {phase: hook(phase) for phase in hooks}
        if name in WITH_FINALLY:
            more["finally"] = hook("finally")
        return step(name, hook("action"), next_, options=options, **more)

    return [one("Root", "Group", "Tidy"),
            one("Group", "Plain", "Pre", "Post", "Whole", "Tidy"),
            one("Plain", "Leaf"),
            one("Pre", hooks=["pre"], **BACKOFF),
            one("Post", hooks=["post"]),
            one("Whole", "Leaf", "Sweep", hooks=["pre", "post"]),
            one("Leaf"),
            one("Tidy", "Sweep"),
            one("Sweep")]
