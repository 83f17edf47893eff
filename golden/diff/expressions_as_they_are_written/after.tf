# What is shown of a text: expressions and dollar signs as they are written.
resource "aws_dynamodb_table" "orders" {
  for_each     = toset(["eu", "us"])
  name         = "${each.key}-orders"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"
  attribute {
    name = "id"
    type = "S"
  }
  tags = {
    price = "6$ to $${x}"
  }
}
