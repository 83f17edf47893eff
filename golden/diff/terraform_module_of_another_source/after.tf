# A copy of the module may well make the same table, at the same address.
module "orders" {
  source = "../modules/dynamodb-table"

  name       = "orders"
  hash_key   = "id"
  attributes = [{ name = "id", type = "S" }]
}
