"""Lists what JSON schemas (draft 7) say a document may hold, for the tests of the command.

    /usr/bin/python3 forms.py SCHEMA...

One line for each object of a document: the file's name, the path to the object (`[]` an item of a list, `*` a member of
any name), and its members in alphabetical order, each with its kinds, and with `?` unless it is required. Objects that may
stand in one place have a line each. A list is `[KINDS]`, an object with members of any name `{KINDS}`, and an exact
number, an object of `exact` and `approx`, `exact`. What a schema says besides (conditions, ranges, words, patterns,
meanings) is left out: that a member is removed, renamed or of another kind is what the listing shows.
"""
import json
import sys


class Listing:
    def __init__(self, schema):
        self.definitions = schema.get("definitions", {})
        self.objects = set()  # path and members
        self.kinds(schema, "", ())

    def kinds(self, schema, path, open_references):
        """The kinds of the values at the path; objects there and below are noted."""
        if not isinstance(schema, dict):
            return set()
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name in open_references:
                return {"object"}
            return self.kinds(self.definitions[name], path, open_references + (name,))
        parts = [part for word in ("allOf", "anyOf", "oneOf") for part in schema.get(word, [])]
        found = set().union(*(self.kinds(part, path, open_references) for part in parts))
        types = schema.get("type", [])
        found |= set([types] if isinstance(types, str) else types)
        for value in schema.get("enum", [schema["const"]] if "const" in schema else []):
            found.add({str: "string", bool: "boolean", int: "integer", type(None): "null"}[type(value)])
        members = schema.get("properties", {})
        if {"exact", "approx"} <= set(members):
            return (found - {"object"}) | {"exact"}
        if "object" in found and members:
            below = {name: self.kinds(of, f"{path}.{name}", open_references) for name, of in members.items()}
            required = schema.get("required", [])
            self.objects.add((path, ", ".join(f"{name}{'' if name in required else '?'} {'|'.join(sorted(below[name]))}"
                                              for name in sorted(below))))
        if isinstance(schema.get("additionalProperties"), dict):
            inner = self.kinds(schema["additionalProperties"], path + ".*", open_references)
            found = (found - {"object"}) | {"{" + "|".join(sorted(inner)) + "}"}
        items = schema.get("items")
        items = [*(items if isinstance(items, list) else [items]), schema.get("additionalItems")]
        inner = set().union(*(self.kinds(item, path + "[]", open_references) for item in items))
        if inner:
            found = (found - {"array"}) | {"[" + "|".join(sorted(inner)) + "]"}
        return found


def main(paths):
    for path in sorted(paths):
        with open(path, encoding="utf-8") as file:
            listing = Listing(json.load(file))
        name = path.rsplit("/", 1)[-1].removesuffix(".schema.json")
        for place, members in sorted(listing.objects):
            print(f"{name}{place}: {members}")


main(sys.argv[1:])
