"""Runs inside gdb: stops at lines of a program and writes what gdb says of the variables there.

The environment has the job, STOPS: JSON, a list of [file, line, [expression, ...]]; and the file for the answer, ANSWER: JSON,
"file:line" to a list of [expression, value, type], of the last time that the program stopped there (a value is null where gdb
has none, and the type is then the reason), and "end" to how the program ended.
"""

import json
import os

import gdb  # pylint: disable=import-error

STOPS = json.loads(os.environ["STOPS"])
answer: dict = {}


def read(expression: str) -> list:
    try:
        value = gdb.parse_and_eval(expression)
        text = value.format_string(repeat_threshold=0, max_elements=0)
        kind = gdb.execute(f"whatis {expression}", to_string=True).strip()
        return [expression, text, kind.removeprefix("type = ")]
    except (gdb.error, ValueError) as error:
        return [expression, None, str(error)]


class Stop(gdb.Breakpoint):
    """Reads each time and never stops."""

    def __init__(self, file: str, line: int, names: list):
        super().__init__(f"{file}:{line}", internal=True)
        self.names = names
        self.key = f"{file}:{line}"

    def stop(self) -> bool:
        function = gdb.selected_frame().name()
        answer[self.key] = [["()", function, ""]] + [read(name) for name in self.names]
        return False


def ended(event) -> None:
    answer["end"] = getattr(event, "exit_code", None)


gdb.execute("set pagination off")
gdb.execute("set width 0")
gdb.execute("set breakpoint pending on")
gdb.events.exited.connect(ended)
for stop in STOPS:
    Stop(*stop)
gdb.execute("run")
with open(os.environ["ANSWER"], "w", encoding="utf-8") as out:
    json.dump(answer, out)
