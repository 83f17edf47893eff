module "orders" {
  source = "terraform-aws-modules/dynamodb-table/aws"

  name       = "orders"
  hash_key   = "id"
  attributes = [{ name = "id", type = "S" }]
}
