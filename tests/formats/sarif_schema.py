"""The rules of the SARIF 2.1.0 schema for what cufls writes, in our own words, and their check.

The schema itself is at https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/ (the file
sarif-schema-2.1.0.json); it is not part of this tree. Each object lists the properties that the
schema knows of those that we write, with their types; as in the schema, no object has others.
"""

from __future__ import annotations

import re
from urllib.parse import urlparse

LEVEL = {"enum": ["none", "note", "warning", "error"]}
TEXT = {"type": "string"}
INDEX = {"type": "integer", "minimum": -1}
POSITION = {"type": "integer", "minimum": 1}
URI = {"type": "string", "format": "uri"}
REFERENCE = {"type": "string", "format": "uri-reference"}


def table(required, **properties):
    """An object with these properties and no others; a name ending in "_" gets it stripped."""
    return {"type": "object", "required": required.split(), "properties": properties}


def many(items, unique=False):
    return {"type": "array", "items": items, "uniqueItems": unique}


MESSAGE = table("text", text=TEXT, markdown=TEXT, id=TEXT)
MULTIFORMAT = table("text", text=TEXT, markdown=TEXT)
LOCATION_OF_ARTIFACT = table("", uri=REFERENCE, uriBaseId=TEXT, index=INDEX)
CONTENT = table("", text=TEXT, binary=TEXT)
REGION = table("", startLine=POSITION, startColumn=POSITION, endLine=POSITION, endColumn=POSITION)
PHYSICAL = table("", artifactLocation=LOCATION_OF_ARTIFACT, region=REGION)
LOCATION = table("", id={"type": "integer", "minimum": -1}, physicalLocation=PHYSICAL, message=MESSAGE)
REPLACEMENT = table("deletedRegion", deletedRegion=REGION, insertedContent=CONTENT)
CHANGE = table(
    "artifactLocation replacements",
    artifactLocation=LOCATION_OF_ARTIFACT,
    replacements={**many(REPLACEMENT), "minItems": 1},
)
FIX = table(
    "artifactChanges", description=MESSAGE, artifactChanges={**many(CHANGE, unique=True), "minItems": 1}
)
RESULT = table(
    "message",
    ruleId=TEXT,
    ruleIndex=INDEX,
    level=LEVEL,
    message=MESSAGE,
    locations=many(LOCATION),
    relatedLocations=many(LOCATION, unique=True),
    fixes=many(FIX, unique=True),
)
RULE = table(
    "id",
    id=TEXT,
    name=TEXT,
    shortDescription=MULTIFORMAT,
    fullDescription=MULTIFORMAT,
    help=MULTIFORMAT,
    helpUri=URI,
    defaultConfiguration=table("", level=LEVEL),
    properties=table("", tags=many(TEXT, unique=True)),
)
DRIVER = table(
    "name",
    name=TEXT,
    version=TEXT,
    semanticVersion=TEXT,
    informationUri=URI,
    rules=many(RULE, unique=True),
)
NOTIFICATION = table(
    "message", level=LEVEL, message=MESSAGE, descriptor=table("", id=TEXT, index=INDEX)
)
INVOCATION = table(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    arguments=many(TEXT),
    workingDirectory=LOCATION_OF_ARTIFACT,
    toolExecutionNotifications=many(NOTIFICATION),
)
RUN = table(
    "tool",
    tool=table("driver", driver=DRIVER),
    invocations=many(INVOCATION),
    originalUriBaseIds={"type": "object", "each": LOCATION_OF_ARTIFACT},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    artifacts=many(table("", location=LOCATION_OF_ARTIFACT), unique=True),
    results=many(RESULT),
)
LOG = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {"$schema": URI, "version": {"enum": ["2.1.0"]}, "runs": many(RUN)},
}

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
OUTSIDE = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")


def problems(log: object) -> "list[str]":
    """Where a log breaks the schema, or what the standard says beyond it."""
    found = list(differences(log, LOG, "log"))
    return found or [text for run in log["runs"] for text in broken_references(run)]


def differences(value, schema, place):
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool))):
        yield f"{place}: not of type {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is not one of {schema['enum']}"
    if value != value or ("minimum" in schema and value < schema["minimum"]):
        yield f"{place}: {value} is less than {schema['minimum']}"
    if "format" in schema:
        yield from uri_differences(value, schema["format"], place)
    if kind == "object":
        yield from object_differences(value, schema, place)
    if kind == "array":
        if len(value) < schema.get("minItems", 0):
            yield f"{place}: too few items"
        if schema.get("uniqueItems") and len({repr(item) for item in value}) < len(value):
            yield f"{place}: an item stands twice"
        for number, item in enumerate(value):
            yield from differences(item, schema["items"], f"{place}[{number}]")


def object_differences(value, schema, place):
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place}: no {name}"
    for name, part in value.items():
        inner = schema.get("each") or schema["properties"].get(name)
        if inner is None:
            yield f"{place}: {name} is unknown"
        else:
            yield from differences(part, inner, f"{place}.{name}")


def uri_differences(value, form, place):
    if PERCENT.search(value) or OUTSIDE.search(value):
        yield f"{place}: {value!r} is not percent-encoded"
    if form == "uri" and not urlparse(value).scheme:
        yield f"{place}: {value!r} is not an absolute URI"


def broken_references(run):
    """Indices, bases and regions that do not fit, beyond what a schema can say."""
    rules = run["tool"]["driver"].get("rules", [])
    artifacts = run.get("artifacts", [])
    for base in run.get("originalUriBaseIds", {}).values():
        if not base["uri"].endswith("/"):
            yield f"base {base['uri']} does not end with a slash"
    for result in run["results"]:
        index = result.get("ruleIndex")
        if index is not None and rules[index]["id"] != result["ruleId"]:
            yield f"rule {index} is not {result['ruleId']}"
        for location in result["locations"] + result.get("relatedLocations", []):
            yield from broken_location(location, artifacts, run)


def broken_location(location, artifacts, run):
    physical = location["physicalLocation"]
    artifact = physical["artifactLocation"]
    if artifacts[artifact["index"]]["location"]["uri"] != artifact["uri"]:
        yield f"artifact {artifact['index']} is not {artifact['uri']}"
    if artifact.get("uriBaseId", "%SRCROOT%") not in run["originalUriBaseIds"]:
        yield f"no base {artifact['uriBaseId']}"
    region = physical.get("region")
    if region and (region["endLine"], region["endColumn"]) < (region["startLine"], region["startColumn"]):
        yield f"a region ends before it begins: {region}"
