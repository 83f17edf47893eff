"""Creates stacks in moto, a library that imitates AWS, and says what it has then.

stdin: a JSON list of {"template": text, "parameters": {name: value}}.
stdout: a JSON list, for each the resources of its stack: {logical ID: what moto says of the table}, or {"error": text}.
"""

import json
import sys

import boto3
from moto import mock_aws

REGION = "eu-west-1"


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
        session = boto3.Session(aws_access_key_id="testing", aws_secret_access_key="testing", region_name=REGION)
        cloudformation, dynamodb = session.client("cloudformation"), session.client("dynamodb")
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
                if resource["ResourceType"] == "AWS::DynamoDB::Table"
            } | {"outputs": {output["OutputKey"]: output["OutputValue"] for output in status.get("Outputs", [])}}
        except Exception as error:  # whatever moto says is the verdict
            return {"error": f"{type(error).__name__}: {error}"}


json.dump([create(stack) for stack in json.load(sys.stdin)], sys.stdout, default=str)
