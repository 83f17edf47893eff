# The table leaves for a module of its own, which these files do not hold.
resource "aws_dynamodb_table" "orders" {
  name         = "orders"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }
}

module "network" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}
