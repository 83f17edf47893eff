"""Runs statements on a node: python driver.py PORT.

One JSON object a line on stdin: {"statements": [...], "try": [...], "describe": keyspace}, the keyspace as CQL writes it.
One a line on stdout: {"described": text, "said": [...]}, or {"refused": statement, "error": message}. What is tried may be
refused; what the node says to each is null when it takes it.
"""

import json
import sys

from cassandra.cluster import Cluster, NoHostAvailable


def main(port):
    cluster = Cluster(
        ["127.0.0.1"], port=port, connect_timeout=60, control_connection_timeout=60,
        schema_metadata_enabled=False, token_metadata_enabled=False,
    )
    session = cluster.connect()
    session.default_timeout = 120
    release = session.execute("SELECT release_version FROM system.local").one()[0]
    print(json.dumps({"ready": release}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(session, json.loads(line))), flush=True)


def answer(session, request):
    describe = "DESCRIBE KEYSPACE " + request["describe"]
    drop = "DROP KEYSPACE IF EXISTS " + request["describe"]
    statement = drop
    try:
        session.execute(drop)
        for statement in request["statements"]:
            session.execute(statement)
        said = [attempt(session, tried) for tried in request["try"]]
        statement = describe
        return {"described": "\n".join(row.create_statement for row in session.execute(statement)), "said": said}
    except Exception as error:
        return {"refused": statement, "error": message(error)}


def attempt(session, statement):
    try:
        session.execute(statement)
    except Exception as error:
        return message(error)


def message(error):
    # What every host answers is the answer; the host is another one each time.
    if isinstance(error, NoHostAvailable) and error.errors:
        return message(next(iter(error.errors.values())))
    return f"{type(error).__name__}: {error}"


main(int(sys.argv[1]))
