"""What VS Code makes of an answer to a completion request: its filter and its order.

Items are compared by a fuzzy score of what was typed first and by `sortText` after that (filters.ts, completionModel.ts,
suggest.ts of VS Code 1.100). Not modelled: `editor.suggest.localityBonus` and what was chosen earlier, which are off
or empty at the start, and the tolerance for two letters in the wrong order.
"""

from __future__ import annotations

NONE = -(2 ** 31)
SEPARATORS = set("_-. '\"/\\:$<>()[]{}")


def separator(word: str, at: int) -> bool:
    return 0 <= at < len(word) and word[at] in SEPARATORS


def upper(word: str, low: str, at: int) -> bool:
    return word[at] != low[at]


def letter_score(pattern: str, pattern_at: int, word: str, low: str, at: int, new_match: bool) -> "tuple[int, bool]":
    """The score of one letter of the pattern at one of the word, and whether a match may begin there."""
    if pattern[pattern_at].lower() != low[at]:
        return NONE, False
    exact = 7 if pattern[pattern_at] == word[at] else 5
    score, gap = 1, False
    if at == pattern_at:
        score = exact
    elif upper(word, low, at) and (at == 0 or not upper(word, low, at - 1)):
        score, gap = exact, True
    elif separator(low, at) and not separator(low, at - 1):
        score = 5
    elif separator(low, at - 1):
        score, gap = 5, True
    strong = score > 1 and pattern_at == 0
    gap = gap or upper(word, low, at) or separator(low, at - 1)
    if pattern_at == 0:
        score -= (3 if gap else 5) if at > 0 else 0
    elif new_match:
        score += 2 if gap else 0
    else:
        score += 0 if gap else 1
    if at + 1 == len(word):
        score -= 3 if gap else 5
    return score, strong


def fuzzy_score(pattern: str, word: str) -> "int | None":
    """None if the pattern does not fit."""
    if not pattern:
        return 0
    low = word.lower()
    rest = 0
    for letter in pattern.lower():
        rest = low.find(letter, rest) + 1
        if not rest:
            return None
    strong = False
    table = [[0] * (len(word) + 1) for _ in range(len(pattern) + 1)]
    run = [[0] * (len(word) + 1) for _ in range(len(pattern) + 1)]
    for row in range(1, len(pattern) + 1):
        for column in range(1, len(word) + 1):
            score, begins = NONE, False
            if column >= row:
                score, begins = letter_score(pattern, row - 1, word, low, column - 1, run[row - 1][column - 1] == 0)
            strong |= begins
            diagonal = score + table[row - 1][column - 1] if score != NONE else NONE
            left = table[row][column - 1] + (-5 if run[row][column - 1] > 0 else 0) if column > row else NONE
            if diagonal != NONE and diagonal >= left:
                table[row][column], run[row][column] = diagonal, run[row - 1][column - 1] + 1
            else:
                table[row][column], run[row][column] = max(left, 0) if column <= row else left, 0
    if not strong:
        return None
    last = 0
    for letter in pattern.lower():
        last = low.find(letter, last) + 1
    return table[-1][-1] + (2 if len(pattern) == len(word) else 0) - (last - 1)


def shown(items: "list[dict]", typed: str) -> "list[dict]":
    """The items in the order in which the list has them when a word was typed so far."""
    found = []
    for number, item in enumerate(sorted(items, key=lambda item: (item.get("sortText") or item["label"]).lower())):
        score = fuzzy_score(typed, item.get("filterText") or item["label"])
        if score is not None:
            found.append((-score, number, item))
    return [item for _, _, item in sorted(found, key=lambda row: row[:2])]
