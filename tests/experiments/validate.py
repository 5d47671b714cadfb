"""Validates JSON documents against a JSON Schema (draft 7), for the tests of the command.

    /usr/bin/python3 validate.py SCHEMA DOCUMENT...

Exit code 0: every document is valid; 1: one is not, with the place and the reason on standard output; 2: the schema
itself is malformed, or a file is missing or is no JSON. The implementation is Debian's python3-jsonschema, which shares
nothing with the command, so an answer is judged by someone else. NaN and infinities, which Python's reader would take,
are refused: they are not JSON.
"""
import json
import sys
from itertools import islice

import jsonschema


def no_such_number(word):
    raise ValueError(f"{word} is not JSON")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=no_such_number)


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 2
    try:
        schema = load(arguments[0])
        jsonschema.Draft7Validator.check_schema(schema)
        documents = [(path, load(path)) for path in arguments[1:]]
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        print(f"cannot validate: {error}")
        return 2
    validator = jsonschema.Draft7Validator(schema)
    # A few faults of each document are enough to find the cause, and a broken law may have thousands.
    faults = [(path, fault) for path, document in documents for fault in islice(validator.iter_errors(document), 3)]
    for path, fault in faults:
        print(f"{path}: {'/'.join(map(str, fault.absolute_path)) or '(root)'}: {fault.message[:300]}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
