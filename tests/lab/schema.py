# SPDX-License-Identifier: MIT
"""schema: audit records against conf/audit.schema.json.

Knows the words of JSON Schema that the schema uses, and refuses a schema with
others: a check that is not made must not look like one that was.
"""

import json
import pathlib
import re

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] /
                     "conf" / "audit.schema.json").read_text(encoding="utf-8"))
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
SAID = {"$schema", "title", "description"}
CHECKED = {"type", "enum", "pattern", "minimum", "maximum", "required",
           "properties", "additionalProperties", "items"}


def faults(value, schema=None, where="record"):
    """What is wrong with it, a sentence each."""
    schema = SCHEMA if schema is None else schema
    unknown = set(schema) - SAID - CHECKED
    assert not unknown, f"the schema says {unknown}, which is not checked here"
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    if not any(TYPES[name](value) for name in types):
        yield f"{where}: {value!r} is no {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not look like {schema['pattern']}"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{where}: {value} is too small"
    if "maximum" in schema and value is not None and value > schema["maximum"]:
        yield f"{where}: {value} is too large"
    if isinstance(value, dict):
        yield from _of_object(value, schema, where)
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from faults(inner, schema.get("items", {}), f"{where}[{number}]")


def _of_object(value, schema, where):
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where}: {name} is missing"
    for name, inner in value.items():
        if name in properties:
            yield from faults(inner, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where}: {name} is not in the schema"


def _pairs(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"a key stands there twice: {names}"
    return dict(pairs)


def check_lines(text, name="records", may_be_cut=False):
    """Every line of @text is a record; the last may lack its end."""
    lines = text.split("\n")
    rest = lines.pop()
    assert rest == "" or may_be_cut, f"{name}: the last line has no end: {rest}"
    for number, line in enumerate(lines, 1):
        assert line, f"{name}:{number}: an empty line"
        found = list(faults(json.loads(line, object_pairs_hook=_pairs)))
        assert not found, f"{name}:{number}: {found}: {line}"
