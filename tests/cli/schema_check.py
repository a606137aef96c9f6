"""sinew schema held with jsonschema, which is independent of Sinew: it is a valid schema, takes every case of the folders
given, and refuses each of them after damage.   schema_check.py SINEW FOLDER...    77 (skipped) without jsonschema."""
import glob
import json
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: `on` is a word and 1e9 a number."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rows if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:float",
                                                                    "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int")]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"),
                             list("-+.0123456789"))


def damaged(case):
    """The case with one thing wrong, many times."""
    yield {key: value for key, value in case.items() if key != "physics"}
    if "mesh" in case:
        yield {key: value for key, value in case.items() if key != "mesh"}
    yield {**case, "version": 2}
    yield {**case, "physics": "magnetism"}
    yield {**case, "colour": "red"}
    yield {**case, "solver": {"rtol": 2}}
    yield {**case, "solver": {"preconditioner": {"type": "jacobi", "magic": 1}}}
    yield {**case, "mesh": {"file": "m.msh", "order": "two"}}
    yield {**case, "output": {"fields": ["speed"]}}
    if "circulation" in case:
        yield {**case, "circulation": {**case["circulation"], "cycle": -1}}
        yield {**case, "circulation": [case["circulation"]]}
        return
    regions = next(key for key in ("tissue", "muscle", "materials") if key in case)
    yield {**case, regions: [{**case[regions][0], "weight": 1}]}
    yield {**case, regions: [{key: value for key, value in case[regions][0].items() if key != "on"}]}
    yield {**case, regions: case[regions][0]}


def main():
    sinew, folders = sys.argv[1], sys.argv[2:]
    schema = json.loads(subprocess.run([sinew, "schema"], check=True, capture_output=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = sorted(path for folder in folders for path in glob.glob(folder + "/*/*.yaml"))
    refused = 0
    assert len(files) > 15, files
    for path in files:
        with open(path, encoding="utf-8") as file:
            case = yaml.load(file, Loader)
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(case)]
        assert not errors, (path, errors)
        for wrong in damaged(case):
            assert not validator.is_valid(wrong), (path, wrong)
            refused += 1
    print(f"{len(files)} cases taken, {refused} damaged ones refused")


main()
