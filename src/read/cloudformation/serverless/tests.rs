use crate::read::cloudformation::tests::read_all;

#[test]
fn a_simple_table_is_the_table_that_is_deployed() {
    let of = |resources: &str| read_all(&[&format!("Transform: AWS::Serverless-2016-10-31\n{resources}")]);
    let simple = of(
        "Globals: { SimpleTable: { SSESpecification: { SSEEnabled: true } } }\nResources:\n  Plain: { Type: AWS::Serverless::SimpleTable }\n  \
         Full: { Type: AWS::Serverless::SimpleTable, DeletionPolicy: Retain, Properties: { PrimaryKey: { Name: number, Type: Number }, \
         TableName: !Sub '${Stage}-full', ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }, Tags: { team: shop }, \
         SSESpecification: { SSEEnabled: false } } }",
    );
    let written = of(
        "Resources:\n  Plain: { Type: AWS::DynamoDB::Table, Properties: { BillingMode: PAY_PER_REQUEST, SSESpecification: { SSEEnabled: true }, \
         AttributeDefinitions: [{ AttributeName: id, AttributeType: S }], KeySchema: [{ AttributeName: id, KeyType: HASH }] } }\n  \
         Full: { Type: AWS::DynamoDB::Table, DeletionPolicy: Retain, Properties: { TableName: !Sub '${Stage}-full', Tags: [{ Key: team, \
         Value: shop }], AttributeDefinitions: [{ AttributeName: number, AttributeType: N }], KeySchema: [{ AttributeName: number, KeyType: \
         HASH }], ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }, SSESpecification: { SSEEnabled: false } } }",
    );
    assert_eq!(simple.1, written.1);
    assert!(simple.0.is_some() && simple.0 == written.0, "{simple:#?}");
}
