"""Results of the language server that decorate the text, for tests/ide: readable with the text they are about."""

from __future__ import annotations


def apply(text: str, change: dict) -> str:
    """The text after a change with a range in UTF-16 units."""
    lines = text.split("\n")

    def offset(position: dict) -> int:
        line = lines[position["line"]] if position["line"] < len(lines) else ""
        units = line.encode("utf-16-le")[:2 * position["character"]]
        return sum(len(before) + 1 for before in lines[:position["line"]]) + len(units.decode("utf-16-le"))

    begin, end = offset(change["range"]["start"]), offset(change["range"]["end"])
    return text[:begin] + change["text"] + text[end:]


class Legend:
    """What the numbers of semantic tokens mean."""

    def __init__(self, capabilities: dict):
        legend = capabilities["semanticTokensProvider"]["legend"]
        self.types, self.modifiers = legend["tokenTypes"], legend["tokenModifiers"]

    def name(self, number: int, bits: int) -> str:
        return ".".join([self.types[number], *(word for i, word in enumerate(self.modifiers) if bits >> i & 1)])


def decoded(data: "list[int]"):
    """(line, begin, end, type, modifiers) of each token, from 0."""
    line = begin = 0
    for down, right, length, number, bits in zip(*(iter(data),) * 5):
        line, begin = line + down, right if down else begin + right
        yield line, begin, begin + length, number, bits


def check(text: str, data: "list[int]") -> None:
    """Tokens lie in their lines, are sorted and do not overlap."""
    lines = text.split("\n")
    last = (0, 0)
    for line, begin, end, _, _ in decoded(data):
        assert (line, begin) >= last and begin < end, f"token {line + 1}:{begin + 1} overlaps or is empty"
        assert line < len(lines) and end <= len(lines[line].encode("utf-16-le")) // 2, f"token beyond line {line + 1}"
        last = (line, end)


def tokens(results, value) -> str:
    """A line for each line of text: its words with what they are."""
    text, legend = results.session.text, Legend(results.session.client.capabilities)
    check(text, value["data"])
    lines: "dict[int, list[str]]" = {}
    for line, begin, end, number, bits in decoded(value["data"]):
        units = text.split("\n")[line].encode("utf-16-le")[2 * begin:2 * end]
        lines.setdefault(line, []).append(f"{units.decode('utf-16-le')} {legend.name(number, bits)}")
    return "\n".join(f"{line + 1}: " + "; ".join(words) for line, words in lines.items()) or "none"
