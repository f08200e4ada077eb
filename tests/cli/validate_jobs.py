"""Jobs against a schema of theirs, by python3-jsonschema. Prints FILE: PLACE: WHAT for each job that does not
follow it.

  validate_jobs.py FOLDER JOB...    FOLDER holds fathom.schema.json and MODEL.schema.json

Exit status: 0 all follow, 1 some do not, 77 python3-jsonschema is not installed.
"""
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def validator_of(folder, name):
    with open(os.path.join(folder, name + ".schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def main(folder, paths):
    validators = {}
    failures = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            job = json.load(file)
        # Both must agree: the model's own schema, and the one for all models.
        for name in (job.get("model", "fathom"), "fathom"):
            if not os.path.exists(os.path.join(folder, name + ".schema.json")):
                name = "fathom"
            if name not in validators:
                validators[name] = validator_of(folder, name)
            for error in validators[name].iter_errors(job):
                place = ".".join(str(part) for part in error.absolute_path)
                print(f"{path}: {place}: {error.message[:200]} ({name})")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
