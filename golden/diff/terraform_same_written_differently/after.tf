resource "aws_dynamodb_table" "orders" {
  name         = "${var.environment}-orders"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "customer_id"
  range_key    = "order_id"

  attribute {
    type = "S"
    name = "order_id"
  }
  attribute {
    type = "S"
    name = "customer_id"
  }
}
