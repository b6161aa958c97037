"""Colours of code in the site: Pygments' Fortran with what CUDA adds, for blocks that say cuf or fortran.

MkDocs loads it as a hook before it reads the first page.
"""

import sys
from pathlib import Path

from pygments import lexers
from pygments.lexer import bygroups, inherit, words
from pygments.lexers.fortran import FortranLexer
from pygments.token import Keyword, Name, Operator, Punctuation, String, Text

__all__ = ["CudaFortranLexer"]  # Pygments asks for it
SPACES = ("device", "managed", "shared", "constant", "pinned", "texture", "unified")
BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim", "warpsize")


class CudaFortranLexer(FortranLexer):
    """Launches, attributes, directives and the names that kernels have."""

    name = "CUDA Fortran"
    aliases = ["cuf", "cuda-fortran", "fortran"]
    tokens = {
        "root": [
            (r"(?i)^\s*[!cC*]\$cuf\b.*$", Keyword.Pseudo),
            (r"(?i)[!cC*]@cuf\b", Keyword.Pseudo),
            inherit,
        ],
        "core": [
            (r"<<<|>>>", Punctuation.Marker),
            (r"(?i)\b(attributes)(\s*)(\()(\s*)(global|grid_global|device|host)\b",
             bygroups(Keyword.Declaration, Text, Punctuation, Text, Keyword.Declaration)),
            (r"(?i)\b(?:" + "|".join(SPACES) + r")\b(?=\s*(?:,|::))", Keyword.Declaration),
            (words(BUILT_IN, prefix=r"(?i)\b", suffix=r"\b"), Name.Builtin),
            (r"%", Operator),
            inherit,
        ],
        "strings": [(r"'(?:[^'\n]|'')*'", String.Single), inherit],
    }


def on_config(config):
    """Pygments finds lexers in a table; what it has for Fortran gives way."""
    sys.path.insert(0, str(Path(__file__).parent))
    lexers.LEXERS.pop("FortranLexer", None)
    lexers.LEXERS["CudaFortranLexer"] = (Path(__file__).stem, CudaFortranLexer.name, tuple(CudaFortranLexer.aliases), (), ())
    return config
