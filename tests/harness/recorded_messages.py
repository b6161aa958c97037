"""Messages that our servers send, kept in the file that RECORD_MESSAGES names: tests/editors/schemas compares them."""

from __future__ import annotations

import json
import os


def record(protocol: str, message: dict, method: str = "") -> None:
    """`method` is that of the request that a response is to, where it does not say so itself."""
    if name := os.environ.get("RECORD_MESSAGES"):
        with open(name, "a", encoding="utf-8") as file:
            file.write(json.dumps({"protocol": protocol, "method": method, "message": message}) + "\n")
