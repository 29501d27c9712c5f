from inspector.probe import jobs, looks, probes
from inspector.probe.runs import with_hooks
from inspector.turns import Event, Hooked, Prompted, Turn, Turns

CLIENT = "claude-code"


def test_the_first_look_is_the_smallest_probe_on_both_hosts_and_nothing_held_out() -> None:
    first = [*looks(CLIENT)]
    assert [(job.route, job.traffic) for job in first] == [
        ("base-url", "essential"),
        ("tls", "all"),
    ]
    assert not any(job.probe.held for job in first)
    assert not {job.probe.name for job in first} & {job.probe.name for job in jobs(CLIENT, ("",))}


def test_every_probe_runs_on_both_hosts_and_other_classes_of_models_in_one_process_each() -> None:
    planned = [*jobs(CLIENT, ("", "old"))]
    every = {probe.name for probe in probes(CLIENT)} - {"look"}
    for route in ("base-url", "tls"):
        assert {job.probe.name for job in planned if (job.route, job.model) == (route, "")} == every
    others = [(job.route, len(job.probe.steps)) for job in planned if job.model == "old"]
    assert others == [("base-url", 1), ("tls", 1)]


PROMPT = Prompted(text="hello")
HOOK = Hooked(event="SessionStart", name="SessionStart:startup", output="up", form="success")


def turns(*events: tuple[Event, ...]) -> Turns:
    found = tuple(Turn(events=some) for some in events)
    return Turns(client=CLIENT, version="2.1.88", turns=found)


def test_words_of_hooks_join_the_turns_they_were_sent_in() -> None:
    found = with_hooks(turns((PROMPT,), ()), turns((HOOK, PROMPT), ()))
    assert found == turns((PROMPT, HOOK), ())


def test_turns_that_do_not_pair_with_the_captured_ones_stay_as_they_are() -> None:
    assert with_hooks(turns((PROMPT,)), turns((HOOK,), ())) == turns((PROMPT,))
