"""Results of the language server that decorate the text, for tests/ide: readable with the text they are about."""

from __future__ import annotations

import re


LINE_END = re.compile(r"\r\n|\r|\n")


def line_starts(text: str) -> "list[int]":
    """Offsets of lines as the protocol has them."""
    return [0, *(found.end() for found in LINE_END.finditer(text))]


def lines_of(text: str) -> "list[str]":
    return LINE_END.split(text)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def apply(text: str, change: dict) -> str:
    """The text after a change with a range in UTF-16 units."""
    lines, starts = lines_of(text), line_starts(text)

    def offset(position: dict) -> int:
        before = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
        return starts[position["line"]] + len(before.decode("utf-16-le"))

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
    lines = lines_of(text)
    last = (0, 0)
    for line, begin, end, _, _ in decoded(data):
        assert (line, begin) >= last and begin < end, f"token {line + 1}:{begin + 1} overlaps or is empty"
        assert line < len(lines) and end <= units(lines[line]), f"token beyond line {line + 1}"
        last = (line, end)


def tokens(results, value) -> str:
    """A line for each line of text: its words with what they are."""
    text, legend = results.session.text, Legend(results.session.client.capabilities)
    check(text, value["data"])
    lines: "dict[int, list[str]]" = {}
    for line, begin, end, number, bits in decoded(value["data"]):
        word = lines_of(text)[line].encode("utf-16-le")[2 * begin:2 * end]
        lines.setdefault(line, []).append(f"{word.decode('utf-16-le')} {legend.name(number, bits)}")
    return "\n".join(f"{line + 1}: " + "; ".join(words) for line, words in lines.items()) or "none"


def folds(results, value) -> str:
    """Ranges with their kinds."""
    return "\n".join(f"{fold['startLine'] + 1}:{fold['startCharacter'] + 1}-{fold['endLine'] + 1}:"
                     f"{fold['endCharacter'] + 1} {fold.get('kind', '')}".rstrip() for fold in value) or "none"


def selections(results, value) -> str:
    """A line for each position: its ranges from inner to outer, those within a line with their text."""
    lines = lines_of(results.session.text)
    chains = []
    for chain in value:
        texts = []
        while chain:
            start, end = chain["range"]["start"], chain["range"]["end"]
            text = lines[start["line"]][start["character"]:end["character"]] if start["line"] == end["line"] else ""
            texts.append(f"{text} {results.range(chain['range'])}".strip())
            chain = chain.get("parent")
        chains.append("\n".join(texts))
    return "\n--\n".join(chains)


def linked(results, value) -> str:
    return " ".join(results.range(item) for item in value["ranges"]) if value else "none"


def hints(results, value) -> str:
    """Places, labels as padded, tooltips."""
    def line(hint):
        label = f"{'_' * hint['paddingLeft']}{hint['label']}{'_' * hint['paddingRight']}"
        place = f"{hint['position']['line'] + 1}:{hint['position']['character'] + 1}"
        return f"{place} {label}" + (f" ({hint['tooltip']})" if "tooltip" in hint else "")
    return "\n".join(map(line, value)) or "none"


def lens(results, value) -> str:
    """A lens; one that is not resolved with its data."""
    place = results.range(value["range"])
    if "command" not in value:
        return f"{place} unresolved, launches {value['data']['launches']}"
    command = value["command"]
    return f"{place} {command['title']}: {command['command']} {results.simple(command['arguments'])}"


def lenses(results, value) -> str:
    return "\n".join(lens(results, item) for item in value) or "none"


RENDER = {
    "textDocument/semanticTokens/full": tokens,
    "textDocument/semanticTokens/range": tokens,
    "foldingRange": folds,
    "selectionRange": selections,
    "linkedEditingRange": linked,
    "inlayHint": hints,
    "codeLens": lenses,
    "codeLens/resolve": lens,
}
