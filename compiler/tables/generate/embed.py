#!/usr/bin/env python3
"""Writes binary files as C++: an array of bytes each, and `embeddedFiles`, their names and arrays.

Usage: embed.py OUTPUT FILE..."""

import os
import sys


def main():
    output, files = sys.argv[1], sys.argv[2:]
    names = [os.path.splitext(os.path.basename(path))[0] for path in files]
    with open(output, "w", encoding="utf-8") as text:
        for name, path in zip(names, files):
            with open(path, "rb") as file:
                data = file.read()
            text.write(f"constexpr unsigned char {name}[] = {{")
            for i, byte in enumerate(data):
                text.write(f"{byte}," if i % 32 else f"\n{byte},")
            text.write("};\n")
        text.write("constexpr EmbeddedFile embeddedFiles[] = {\n")
        for name in names:
            text.write(f'    {{"{name}", {name}, sizeof {name}}},\n')
        text.write("};\n")


if __name__ == "__main__":
    main()
