#!/usr/bin/env python3
"""Conversations with `cufls debug`: host code, threads of kernels on the CPU, exceptions, and how sessions begin and end.

Usage: adapter.py [--cufc PATH] [--update] [NAME...]      CUFC in the environment is the default; NAMEs of the functions below choose among them.
--update writes the table of requests in docs/debugger.md.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77
sys.path.insert(0, str(HERE.parent))
from harness.dap_client import Broken  # noqa: E402  pylint: disable=wrong-import-position
from harness import tested_commands  # noqa: E402  pylint: disable=wrong-import-position
from harness.execution import run  # noqa: E402  pylint: disable=wrong-import-position
from debug import refusals  # noqa: E402  pylint: disable=wrong-import-position
from debug.sessions import Work, at_line, exit_of, expect, go, line_of, source, values  # noqa: E402  pylint: disable=wrong-import-position

# --- host code


def host_variables(work: Work) -> None:
    client = work.session("host", ["! stop here"])
    expect("a breakpoint", (client.breakpoints[0]["verified"], client.breakpoints[0]["line"]), (True, line_of("host", "! stop here")))
    stop = client.stop("breakpoint")
    expect("its number", stop["hitBreakpointIds"], [client.breakpoints[0]["id"]])
    expect("the calls", [frame["name"] for frame in client.frames()], ["shapes::look", "program main"])
    local = client.scope("Locals")
    shown = values(local)
    for name, value in {"n": "1000", "l": ".FALSE.", "word": "'hello'", "none": "<not allocated>", "z": "((1, 2) (3, 4) (5, 6))",
                        "c": "((1,2), (3,4))", "p": "(id = 4, at = (1, 2, 3), tag = 'it''s', on = .TRUE.)", "i": "9",
                        "words": "('one  ', 'two, ', '(th) ')", "a": "((3, 3) (3, 3) (3, 3))",
                        "x": "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...)"}.items():
        expect(name, shown[name], value)
    expect("types", (local["a"]["type"], local["z"]["type"], local["p"]["type"]), ("real, allocatable (2,-1:1)", "real (2,0:2)", "Type point"))
    page = client.variables(local["x"]["variablesReference"], filter="indexed", start=500, count=3)
    expect("a page", values(page), {"(501)": "501", "(502)": "502", "(503)": "503"})
    whole = client.variables(local["x"]["variablesReference"], filter="indexed", start=0, count=1000)
    expect("all of an array", (local["x"]["indexedVariables"], len(whole), whole["(1000)"]["value"]), (1000, 1000, "1000"))
    sections = client.variables(local["z"]["variablesReference"])
    expect("sections", values(sections), {"(:,0)": "(1, 2)", "(:,1)": "(3, 4)", "(:,2)": "(5, 6)"})
    expect("elements", values(client.variables(sections["(:,2)"]["variablesReference"])), {"(1,2)": "5", "(2,2)": "6"})
    parts = client.variables(local["p"]["variablesReference"])
    expect("components", list(parts), ["id", "at", "tag", "on"])
    expect("a component's elements", values(client.variables(parts["at"]["variablesReference"])), {"(1)": "1", "(2)": "2", "(3)": "3"})
    parent = client.variables(local["d"]["variablesReference"])["point"]
    expect("a parent", client.variables(parent["variablesReference"])["id"]["evaluateName"], "d%point%id")
    expect("a pointer", values(client.variables(local["ip"]["variablesReference"])), {"*ip": "9"})
    chain = client.variables(local["first"]["variablesReference"])["next"]
    further = client.variables(chain["variablesReference"])
    expect("a pointer to a structure", (further["count"]["value"], further["count"]["evaluateName"], further["next"]["variablesReference"]),
           ("2", "first%next%count", 0))
    expect("texts", values(client.variables(local["words"]["variablesReference"]))["(2)"], "'two, '")
    expect("the module", values(client.scope("Module shapes")), {"counter": "5"})
    caller = client.frames()[1]
    expect("the caller", values(client.scope("Locals", caller))["argument"], "'" + " " * 20 + "'")


def host_expressions(work: Work) -> None:
    client = work.session("host", ["! stop here"])
    client.stop()
    frame = client.frames()[0]
    for expression, value in {"p%id + 1": "5", "x(2:4)": "(2, 3, 4)", "word": "'hello'", "c(2)": "(3,4)", "shapes::counter": "5",
                              "z(2, 1)": "4", "n == 1000 .and. .not. l": ".TRUE.", "d%point%id": "7", "*ip": "9"}.items():
        for context in ("watch", "hover", "repl"):
            expect(f"{expression} ({context})", client.evaluate(expression, frame, context), value)
    problem = client.failure("evaluate", {"expression": "not_declared", "frameId": frame["id"], "context": "watch"})
    expect("an unknown name", problem, 'No symbol "not_declared" in current context.')
    reference = client.request("scopes", {"frameId": frame["id"]})["scopes"][0]["variablesReference"]
    local = client.variables(reference)
    for name, given, value in (("n", "12", "12"), ("l", ".true.", ".TRUE."), ("word", "'ab'", "'ab   '")):
        said = client.request("setVariable", {"variablesReference": reference, "name": name, "value": given})
        expect(f"{name} = {given}", said["value"], value)
    client.request("setVariable", {"variablesReference": local["x"]["variablesReference"], "name": "(1)", "value": "2.5"})
    client.request("setVariable", {"variablesReference": local["p"]["variablesReference"], "name": "id", "value": "42"})
    client.request("setExpression", {"expression": "z(1,0)", "value": "-1", "frameId": frame["id"]})
    client.failure("setVariable", {"variablesReference": reference, "name": "n", "value": "nonsense"})
    expect("the end", exit_of(client), 0)
    expect("what it prints then", " looked 2.5 -1. 42 T\n" in client.output["stdout"], True)


def stepping(work: Work) -> None:
    client = work.session("host", [], stopOnEntry=True)
    client.stop("entry")
    expect("the main program", client.frames()[0]["name"], "program main")
    client.request("setBreakpoints", {"source": {"path": str(source("host"))}, "breakpoints": [{"line": line_of("host", "twice(ip) +")}]})
    go(client, reason="breakpoint")
    go(client, "stepIn", "step")
    expect("in a function", client.frames()[0]["name"], "shapes::twice")
    go(client, "next", "step")
    at_line(client, "host", "twice = 2 * n")
    go(client, "stepOut", "step")
    at_line(client, "host", "twice(ip) +")
    go(client, "next", "step")
    at_line(client, "host", "print *, 'i ='")
    expect("the end", exit_of(client), 0)


def breakpoints(work: Work) -> None:
    stops = [{"at": "twice = 2 * n", "hitCondition": "== 2"}, {"at": "counter = counter + 1", "logMessage": "n is {n}, {2 * n}"}]
    client = work.session("host", stops, functions=[{"name": "shapes::look"}])
    client.stop("function breakpoint")
    go(client, reason="breakpoint")
    expect("the second time", client.scope("Module shapes")["counter"]["value"], "6")
    body = client.request("setBreakpoints", {"source": {"path": str(source("host"))}, "breakpoints": [
        {"line": line_of("host", "print *, 'i ='"), "condition": "i == 36"}, {"line": line_of("host", "status = 0"), "condition": "i == 1"},
        {"line": 1000}, {"line": line_of("host", "status = 0"), "condition": "i =="}]})
    expect("which are set", [point["verified"] for point in body["breakpoints"]], [True, True, False, False])
    go(client, reason="breakpoint")
    at_line(client, "host", "print *, 'i ='")
    frame = client.frames()[0]
    reference = client.request("scopes", {"frameId": frame["id"]})["scopes"][0]["variablesReference"]
    data = client.request("dataBreakpointInfo", {"variablesReference": reference, "name": "i"})
    expect("what is watched", data["description"], "i")
    expect("what cannot be", client.request("dataBreakpointInfo", {"variablesReference": reference, "name": "p"})["dataId"], None)
    expect("the end", exit_of(client), 0)
    expect("the log", client.output["console"], "n is 9, 18\n")


def ends(work: Work) -> None:
    client = work.session("host", [], args=["three"], env={"CUFC_DEBUG_TEST": "a 'b' $c"})
    status = client.wait("exited")
    client.wait("terminated")
    expect("the exit status", status["exitCode"], 3)
    expect("arguments and environment", " argument three variable a 'b' $c\n" in client.output["stdout"], True)
    expect("standard error", client.output["stderr"], " on stderr\n")
    expect("the adapter's status", client.end(), 0)
    client = work.client()
    client.request("initialize", {"adapterID": "cufls"})
    for arguments, text in (({}, "`program` is missing"), ({"program": "/nowhere"}, "is not a program")):
        if text not in (said := client.failure("launch", arguments)):
            raise Broken(f"{text} is not in {said}")
    client.failure("stackTrace", {"threadId": 1})
    client.failure("nonsense")
    expect("source", "not there" in client.failure("source", {"sourceReference": 1}), True)
    expect("attach", "Use `launch`" in client.failure("attach", {"pid": 1}), True)
    expect("the adapter's status", client.end(), 0)


def builds(work: Work) -> None:
    folder = work.folder / "built"
    folder.mkdir()
    shutil.copy(source("faults"), folder / "faults.cuf")
    client = work.client()
    client.begin({"program": str(folder / "faults.cuf"), "check": True, "args": ["race"]}, {})
    stop = client.stop("exception")
    expect("a finding", "writes element 5 of shared array 's'" in stop["text"], True)
    (folder / "wrong.cuf").write_text("program wrong\n  integer :: i\n  i = 'a'\nend program\n")
    client = work.client()
    client.request("initialize", {"adapterID": "cufls"})
    client.failure("launch", {"program": str(folder / "wrong.cuf")})
    expect("the compiler's message", "wrong.cuf:3" in client.output["console"], True)


def pause_and_terminate(work: Work) -> None:
    (work.folder / "endless.cuf").write_text("program endless\n  integer :: i\n  i = 0\n  print *, 'begun'\n  do\n    i = mod(i + 1, 1000)\n  end do\nend program\n")
    done = run([work.cufc, "-g", "-O0", "-gpu=host", "endless.cuf", "-o", "endless"], work.folder, 240)
    expect("compiling", done.code, 0)
    client = work.client()
    client.begin({"program": str(work.folder / "endless")}, {})
    client.failure("stackTrace", {"threadId": 1})
    while "begun" not in client.output["stdout"]:
        client.wait("output")
    client.request("pause", {"threadId": 1})
    client.stop("pause")
    expect("where", client.frames()[-1]["name"], "program endless")  # it may still be in the call that prints
    client.request("continue", {"threadId": 1})
    body = client.request("setBreakpoints", {"source": {"path": str(work.folder / "endless.cuf")}, "breakpoints": [{"line": 6}]})
    expect("a breakpoint while it runs", body["breakpoints"][0]["verified"], True)
    client.stop("breakpoint")
    client.request("setBreakpoints", {"source": {"path": str(work.folder / "endless.cuf")}, "breakpoints": []})
    client.request("continue", {"threadId": 1})
    client.request("terminate")
    client.wait("terminated")
    expect("the adapter's status", client.end(), 0)
    client = work.client()
    client.begin({"program": str(work.folder / "endless")}, {})
    expect("leaving while it runs", client.end(), 0)


# --- kernels on the CPU


def one_after_the_other(work: Work) -> None:
    client = work.session("blocks", [{"at": "x(i) = scaled", "condition": "threadIdx%x == 3 .and. blockIdx%x == 2"}])
    client.stop("breakpoint")
    launch = values(client.scope("Launch"))
    expect("the launch", launch, {"kernel": "kernels::loops", "threadIdx": "(3,1,1)", "blockIdx": "(2,1,1)", "blockDim": "(8,1,1)",
                                  "gridDim": "(8,1,1)"})
    expect("the block", values(client.scope("Block")), {"ended": "threads 1-2", "stopped here": "threads 3", "not begun": "threads 4-8"})
    expect("a thread's name", client.request("threads")["threads"][0]["name"], "kernels::loops, block (2,1,1), thread (3,1,1)")
    expect("one that has ended", "has ended" in client.failure("evaluate", {"expression": "thread 1", "context": "repl"}), True)
    client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
    go(client, "stepIn", "step")
    inner = client.frames()[0]
    expect("a device procedure", inner["name"], "kernels::scaled")
    expect("an index in it", client.evaluate("threadIdx%x + 1", inner, "watch"), "4")
    go(client, "next", "step")
    go(client, "stepOut", "step")
    frame = client.frames()[0]
    expect("the same thread", (frame["name"], client.evaluate("threadIdx%x", frame)), ("kernels::loops", "3"))
    go(client, "next", "step")
    at_line(client, "blocks", "x(i) = x(i) + 1")
    go(client, "stepOut", "step")
    expect("behind the launch", client.frames()[0]["name"], "program main")
    expect("the end", exit_of(client), 0)


def conditions_in_procedures(work: Work) -> None:
    client = work.session("blocks", [{"at": "scaled = v * factor", "condition": "threadIdx%x == 5 .and. blockIdx%x == 3"},
                                     {"at": "s(me) = v", "condition": "blockIdx%x == 2", "hitCondition": "8"}])
    client.stop("breakpoint")
    frames = client.frames()
    expect("the kernel around it", values(client.scope("Launch", frames[1]))["blockIdx"], "(3,1,1)")
    go(client, reason="breakpoint")
    expect("the eighth", client.scope("Launch")["threadIdx"]["value"], "(8,1,1)")
    expect("the end", exit_of(client), 0)


def taking_turns(work: Work) -> None:
    client = work.session("blocks", [{"at": "! third thread", "condition": "blockIdx%x == 2"}])
    client.stop("breakpoint")
    first, inside = line_of("blocks", "! first"), line_of("blocks", "! inside")
    expect("the block", values(client.scope("Block")), {f"waiting at a barrier, line {inside}": "threads 1-2", "stopped here": "threads 3",
                                                        f"behind a barrier, line {first}": "threads 4-8"})
    waiting = client.scope("Block")[f"behind a barrier, line {first}"]
    members = client.variables(waiting["variablesReference"], filter="indexed", start=1, count=2)
    expect("its threads", list(members), ["thread (5,1,1)", "thread (6,1,1)"])
    expect("one's variables", values(client.variables(members["thread (6,1,1)"]["variablesReference"]))["pair"], "(6, -6)")
    state = client.request("cufls/blockThreads", {"threadId": 1})
    expect("as the view has it", (state["kernel"], state["block"], state["thread"], state["groupOfThread"], state["groups"][1]["line"]),
           ("kernels::meet", [2, 1, 1], [3, 1, 1], [0, 0, 1, 2, 2, 2, 2, 2], line_of("blocks", "! third thread")))
    # Another thread in the place of this one.
    client.request("cufls/selectThread", {"threadId": 1, "thread": [7, 1, 1]})
    client.wait("invalidated")
    frame = at_line(client, "blocks", "! first")
    expect("its variables", (values(client.scope("Locals", frame))["mine"], client.evaluate("pair", frame)), ("207", "(7, -7)"))
    expect("its index", client.scope("Launch", frame)["threadIdx"]["value"], "(7,1,1)")
    expect("in a procedure", client.evaluate("thread 2"), "thread (2,1,1)")
    frames = client.frames()
    expect("its calls", [(frame["name"], frame["line"]) for frame in frames],
           [("kernels::exchange", inside), ("kernels::meet", line_of("blocks", "call exchange"))])
    expect("there", (client.scope("Locals", frames[0])["me"]["value"], client.scope("Locals", frames[1])["mine"]["value"]), ("2", "207"))
    client.request("setExpression", {"expression": "mine", "value": "-2", "frameId": frames[1]["id"]})
    client.evaluate("back")
    expect("back", client.scope("Locals", at_line(client, "blocks", "! third thread"))["mine"]["value"], "206")
    client.evaluate("thread 2")
    expect("what was set", client.evaluate("mine", client.frames()[1]), "-2")
    # It goes on while it is looked at: the others do as they would.
    go(client, "next", "step")
    frame = at_line(client, "blocks", "v = s(blockDim")
    expect("the same thread", client.scope("Launch", client.frames()[1])["threadIdx"]["value"], "(2,1,1)")
    client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
    expect("the end", exit_of(client), 0)
    expect("its results", " h = 208. 1206." in client.output["stdout"], True)


def barriers(work: Work) -> None:
    client = work.session("blocks", [{"at": "pair = [i, -i]", "condition": "threadIdx%x == 4"}])
    client.stop()
    client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
    for text in ("tile(i) = mine", "! first"):
        go(client, "next", "step")
        at_line(client, "blocks", text)
    go(client, "next", "step")  # over the barrier
    at_line(client, "blocks", "mine = tile(9 - i)")
    expect("the same thread", client.scope("Launch")["threadIdx"]["value"], "(4,1,1)")
    client.evaluate("barrier")
    client.stop("step")
    frames = client.frames()
    expect("behind the next one", (frames[0]["name"], frames[0]["line"]), ("kernels::exchange", line_of("blocks", "v = s(blockDim")))
    client.request("cufls/nextBarrier", {"threadId": 1})
    client.stop("step")
    at_line(client, "blocks", "x(i) = mine")
    expect("still", client.scope("Launch")["threadIdx"]["value"], "(4,1,1)")
    client.evaluate("barrier")  # there is none
    client.stop("step")
    expect("behind the launch", client.frames()[0]["name"], "program main")
    expect("no kernel", "not in a kernel" in client.evaluate("threads"), True)
    expect("the end", exit_of(client), 0)


def procedures_once(work: Work) -> None:
    """A breakpoint at a kernel's name stops for each thread once, though its function is called again behind barriers."""
    client = work.session("blocks", [], functions=[{"name": "kernels::meet", "condition": "blockidx%x == 2"}])
    seen = []
    for _ in range(8):
        client.stop("function breakpoint")
        seen.append(client.scope("Launch")["threadIdx"]["value"])
        client.request("continue", {"threadId": 1})
    expect("the threads", seen, [f"({i},1,1)" for i in range(1, 9)])
    expect("the end", client.wait("exited", "stopped")["event"], "exited")


def several_blocks(work: Work) -> None:
    client = work.session("blocks", [{"at": "! third thread"}], hostThreads=2)
    stop = client.stop("breakpoint")
    frame = at_line(client, "blocks", "! third thread", stop["threadId"])
    expect("the thread", client.scope("Launch", frame)["threadIdx"]["value"], "(3,1,1)")
    names = [thread["name"] for thread in client.request("threads")["threads"]]
    expect("its name", any("kernels::meet, block" in name for name in names), True)
    client.request("setBreakpoints", {"source": {"path": str(source("blocks"))}, "breakpoints": []})
    expect("the end", exit_of(client), 0)


# --- exceptions


def faults(work: Work) -> None:
    for what, text, said in (("far", "! fault", "an invalid address"), ("wild", "! outside of all", "an invalid address"),
                             ("divide", "! division", "an integer division by zero")):
        client = work.session("faults", [], args=[what])
        stop = client.stop("exception")
        thread = "(3,1,1)" if what == "divide" else "(5,1,1)"
        expect("the text", (said in stop["text"], f"block (1,1,1), thread {thread}" in stop["text"]), (True, True))
        expect("the description", client.request("exceptionInfo")["description"], stop["text"])
        at_line(client, "faults", text)
        expect("the thread", client.scope("Launch")["threadIdx"]["value"], thread)
        expect("the end", exit_of(client), 0)
    client = work.client()
    client.begin({"program": str(work.program("faults")), "args": ["far"]}, {}, filters=[])
    expect("without the filter", client.wait("exited", "stopped")["event"], "exited")
    client = work.session("host", [], args=["error"])
    client.stop("exception")
    at_line(client, "host", "error stop")
    expect("the end", exit_of(client), 1)


def findings(work: Work) -> None:
    for what, text, said in (("race", "s(i) = i", "and thread (4,1,1) reads it, without a barrier between"),
                             ("outside", "! subscript", "subscript 1 of array 'x' is 9, outside of 1:8")):
        client = work.session("faults", [], "-gpu=check", args=[what])
        stop = client.stop("exception")
        expect(what, said in stop["text"], True)
        expect("its name", client.request("exceptionInfo")["exceptionId"], "check")
        frame = at_line(client, "faults", text)
        expect("the thread", client.scope("Launch", frame)["threadIdx"]["value"], "(5,1,1)" if what == "race" else "(4,1,1)")
        if what == "race":
            expect("shared data", client.scope("Locals", frame)["s"]["value"], "(1, 2, 3, 4, 0, 0, 0, 0)")
            go(client, "next", "step")
            at_line(client, "faults", "! race")
        expect("the end", exit_of(client), 0)


def planted(work: Work) -> None:
    """Each program of the folder `planted` stops as an exception, in the line of its mistake or with a message that names it."""
    missed = []
    for program in sorted((HERE / "planted").glob("*.cuf")):
        lines = [number for number, text in enumerate(program.read_text().splitlines(), 1) if "! mistake" in text or "! its other place" in text]
        copy = Path(shutil.copy(program, work.folder))
        client = work.client()
        try:
            client.begin({"program": str(copy), "check": True}, {})
            stop = client.stop("exception")
            if not any(f"{program.name}:{line}:" in stop["text"] for line in lines):
                missed.append(f"{program.name}: {stop['text']}")
            client.request("terminate")
        except Broken as problem:
            missed.append(f"{program.name}: {problem}")
    expect("what stops elsewhere or not at all", missed, [])


def deadlock(work: Work) -> None:
    client = work.session("faults", [], args=["stuck"])
    stop = client.stop("exception")
    expect("the message", "cannot go on in block (1,1,1) of 8 threads" in stop["text"], True)
    frame = at_line(client, "faults", "! together")
    alone, together = line_of("faults", "! alone"), line_of("faults", "! together")
    expect("where they wait", values(client.scope("Block", frame)), {
        f"waiting at a barrier of the warp, line {together}": "threads 1-3, 5-8", f"waiting at a barrier, line {alone}": "threads 4"})
    client.evaluate("thread 4")
    expect("the other", client.scope("Locals", at_line(client, "faults", "! alone"))["i"]["value"], "4")
    expect("the end", exit_of(client), 0)


def speed(work: Work) -> None:
    """From the client's request to see a stop to its variables, with 1,024 threads in the block."""
    client = work.session("wide", ["! stop here"])
    times = []
    for _ in range(60):
        client.stop()
        start = time.monotonic()
        client.request("threads")
        frame = client.frames()[0]
        for name in ("Locals", "Launch", "Block"):
            client.scope(name, frame)
        client.request("cufls/blockThreads", {"threadId": 1})
        times.append(time.monotonic() - start)
        client.request("continue", {"threadId": 1})
    times.sort()
    p95 = times[int(0.95 * len(times))]
    print(f"a stop with 1024 threads: {1000 * times[len(times) // 2]:.0f} ms, p95 {1000 * p95:.0f} ms")
    if p95 > 0.2:
        raise Broken(f"stops are shown in {p95:.3f} s")


TESTS = [host_variables, host_expressions, stepping, breakpoints, ends, builds, pause_and_terminate, one_after_the_other,
         conditions_in_procedures, taking_turns, barriers, procedures_once, several_blocks, faults, findings, planted, deadlock, speed] + refusals.TESTS


def requests() -> "list[str]":
    """The adapter's list."""
    text = (ROOT / "lsp/debug/session.cpp").read_text()
    return re.findall(r'\{"([\w/]+)", &Session::', text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", "cufc"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not shutil.which("gdb"):
        print("gdb is not installed")
        return SKIPPED
    failures = []
    seen: "dict[str, list[str]]" = {}
    with tempfile.TemporaryDirectory() as folder:
        work = Work(arguments.cufc, Path(folder))
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        for test in TESTS:
            if arguments.names and test.__name__ not in arguments.names:
                continue
            try:
                test(work)
            except (Broken, KeyError, StopIteration, IndexError) as error:
                failures.append(f"{test.__name__}: {type(error).__name__}: {error}")
            for command in sorted(set().union(*(client.answered for client in work.open))):
                seen.setdefault(command, []).append(test.__name__)
            for client in work.open:
                client.process.stdin.close()
                client.process.wait(timeout=30)
            work.open = []
    if not arguments.names and not failures:
        seen.update({"attach": ["ends"], "source": ["ends"]})  # which sees them refused
        failures = tested_commands.problems(ROOT / "docs/debugger.md", "requests", "request", requests(), seen, update=arguments.update)
    print("\n".join(failures) or f"{len(arguments.names or TESTS)} conversations")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
