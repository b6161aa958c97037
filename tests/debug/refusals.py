"""Conversations with `cufls debug` about what gdb or the machine refuses: the client is told, or gets it in another way."""

from __future__ import annotations

from debug.sessions import Work, exit_of, expect, go, line_of, source
from harness.dap_client import DapClient
from harness.execution import run


def _in_tile(work: Work, **launch: object) -> DapClient:
    """Stopped before the first thread of a block stores to shared data."""
    client = work.session("blocks", [{"at": "tile(i) = mine", "condition": "threadIdx%x == 1 .and. blockIdx%x == 1"}], **launch)
    client.stop()
    return client


def _data(client: DapClient, *names: str) -> "list[dict]":
    tile = client.scope("Locals")["tile"]["variablesReference"]
    return [client.request("dataBreakpointInfo", {"variablesReference": tile, "name": name}) for name in names]


def _watch(client: DapClient, *asked: dict) -> "list[dict]":
    return client.request("setDataBreakpoints", {"breakpoints": list(asked)})["breakpoints"]


def data_breakpoints(work: Work) -> None:
    """With debug registers of the CPU where they work, and without them."""
    for launch in ({}, {"hardwareWatchpoints": False}):
        client = _in_tile(work, **launch)
        [data] = _data(client, "(5)")
        expect("by its whole name", _data(client, "tile(5)"), [data])
        [point] = _watch(client, {"dataId": data["dataId"], "accessType": "write"})
        expect("it is watched", (point["verified"], point.get("message")), (True, None))
        client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
        stop = go(client, reason="data breakpoint")
        expect("the value", stop["text"].endswith("is 105"), True)
        expect("the thread that writes", client.scope("Launch")["threadIdx"]["value"], "(5,1,1)")
        _watch(client)
        said = "one instruction at a time" in client.output["console"]
        expect("the user is told", (said, said or not launch), ("write" == "".join(data["accessTypes"]), True))
        expect("the end", exit_of(client), 0)


def data_refused(work: Work) -> None:
    client = _in_tile(work, hardwareWatchpoints=False)
    [data] = _data(client, "(5)")
    expect("what is offered", data["accessTypes"], ["write"])
    read, count, right = _watch(client, {"dataId": data["dataId"], "accessType": "read"}, {"dataId": data["dataId"], "hitCondition": "often"},
                                {"dataId": data["dataId"]})
    expect("which are set", (read["verified"], count["verified"], right["verified"]), (False, False, True))
    expect("why not", ("not a read" in read["message"], "`often`" in count["message"]), (True, True))
    _watch(client, {"dataId": data["dataId"]})
    expect("it is said once", client.output["console"].count("one instruction at a time"), 1)
    client = _in_tile(work, hardwareWatchpoints=False, hostThreads=2)
    [point] = _watch(client, {"dataId": _data(client, "(5)")[0]["dataId"]})
    expect("several threads", (point["verified"], "hostThreads 1" in point["message"]), (False, True))
    # The CPU has four registers at most, or none that gdb may set.
    client = _in_tile(work, hardwareWatchpoints=True)
    points = _watch(client, *({"dataId": data["dataId"]} for data in _data(client, "(1)", "(2)", "(3)", "(4)", "(5)", "(6)")))
    expect("more than there are registers", (points[-1]["verified"], bool(points[-1]["message"])), (False, True))
    _watch(client)
    client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
    expect("the end", exit_of(client), 0)


def conditions_refused(work: Work) -> None:
    null = "first%next%next%count == 3"
    client = work.session("host", [{"at": "twice = 2 * n", "condition": "not_declared == 1"}, {"at": "counter = counter + 1", "hitCondition": "== x"},
                                   {"at": "i = twice(ip)", "condition": null}])
    count = client.breakpoints[1]
    expect("a hit count", (count["verified"], "`== x`" in count["message"]), (False, True))
    client.stop("breakpoint")
    expect("a null pointer", "Cannot access memory" in client.output["console"], True)
    go(client, reason="breakpoint")
    expect("an unknown name", 'The condition not_declared == 1 was not decided: No symbol "not_declared"' in client.output["console"], True)
    client.request("setBreakpoints", {"source": {"path": str(source("host"))}, "breakpoints": []})
    expect("the end", exit_of(client), 0)


def does_not_go_on(work: Work) -> None:
    """gdb says that the program runs, and then that a breakpoint cannot be put in place."""
    client = work.session("host", ["! stop here"])
    client.stop("breakpoint")
    client.evaluate("gdb break *1")
    client.request("continue", {"threadId": 1})
    stop = client.stop("pause")
    expect("why", ("Cannot insert breakpoint" in stop["text"], "Cannot insert breakpoint" in client.output["console"]), (True, True))
    client.evaluate("gdb delete $bpnum")
    expect("the end", exit_of(client), 0)


def other_programs(work: Work) -> None:
    """One in C, in which there is nothing of Fortran's to stop at."""
    two = "int one(int k) { return k; } int two(int m) { return m; }"
    (work.folder / "other.c").write_text(f"{two}\nint main(void) {{\n  return one(1) + two(2) + 1;\n}}\n")
    expect("compiling", run(["cc", "-g", "-O0", "other.c", "-o", "other"], work.folder, 60).code, 0)
    client = work.client()
    [point] = client.begin({"program": str(work.folder / "other"), "stopOnEntry": True},
                           {work.folder / "other.c": [{"line": 1, "condition": "m == 2"}]})
    expect("two places in a line", point["verified"], True)
    client.stop("entry")
    points = client.request("setExceptionBreakpoints", {"filters": ["check", "fault", "error", "other"]})["breakpoints"]
    expect("exceptions", [point["verified"] for point in points], [False, True, False, False])
    expect("the reasons", ("cufrt_debugger_stop" in points[0]["message"], "_FortranAStopStatement" in points[2]["message"]), (True, True))
    go(client, reason="breakpoint")
    expect("where the condition has no meaning", client.frames()[0]["name"], "one")
    expect("the user is told", 'The condition m == 2 was not decided: No symbol "m"' in client.output["console"], True)
    go(client, reason="breakpoint")
    expect("where it holds", client.frames()[0]["name"], "two")
    expect("the end", exit_of(client), 4)


TESTS = [data_breakpoints, data_refused, conditions_refused, does_not_go_on, other_programs]
