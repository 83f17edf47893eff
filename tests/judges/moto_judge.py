"""moto, a library that imitates AWS, asked for the tables it has then.

    python moto_judge.py stacks < [{"template": text, "parameters": {name: value}}, ...]

Makes each stack in an empty account. A JSON list, for each the resources of its stack: {logical ID: what moto says of the
table, "outputs": {key: value}}, or {"error": text}.

    python moto_judge.py server

Serves until its input ends: first a line {"port": number}, then for each line of input one of all tables:
{physical name: what moto says of the table}.
"""

import json
import logging
import sys

import boto3
from moto import mock_aws
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

SESSION = boto3.Session(aws_access_key_id="testing", aws_secret_access_key="testing", region_name="eu-west-1")


def describe(dynamodb, name):
    table = dynamodb.describe_table(TableName=name)["Table"]
    return {
        "table": table,
        "ttl": dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
        "backups": dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"],
        "tags": dynamodb.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"],
    }


def create(stack):
    with mock_aws():
        cloudformation, dynamodb = SESSION.client("cloudformation"), SESSION.client("dynamodb")
        parameters = [{"ParameterKey": key, "ParameterValue": value} for key, value in stack["parameters"].items()]
        try:
            cloudformation.create_stack(StackName="judge", TemplateBody=stack["template"], Parameters=parameters)
            status = cloudformation.describe_stacks(StackName="judge")["Stacks"][0]
            if status["StackStatus"] != "CREATE_COMPLETE":
                return {"error": f"{status['StackStatus']}: {status.get('StackStatusReason', '')}"}
            resources = cloudformation.describe_stack_resources(StackName="judge")["StackResources"]
            return {
                resource["LogicalResourceId"]: describe(dynamodb, resource["PhysicalResourceId"])
                for resource in resources
                if resource.get("ResourceType") == "AWS::DynamoDB::Table"
            } | {"outputs": {output["OutputKey"]: output["OutputValue"] for output in status.get("Outputs", [])}}
        except Exception as error:  # whatever moto says is the verdict
            return {"error": f"{type(error).__name__}: {error}"}


def say(answer):
    print(json.dumps(answer, default=str), flush=True)


def serve():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    say({"port": port})
    dynamodb, kms = (SESSION.client(name, endpoint_url=f"http://{host}:{port}") for name in ("dynamodb", "kms"))
    for _ in sys.stdin:
        managed = {"managed_key": kms.describe_key(KeyId="alias/aws/dynamodb")["KeyMetadata"]["Arn"]}
        pages = dynamodb.get_paginator("list_tables").paginate()
        say({name: describe(dynamodb, name) | managed for page in pages for name in page["TableNames"]})


if sys.argv[1] == "stacks":
    say([create(stack) for stack in json.load(sys.stdin)])
else:
    serve()
