module "network" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}

module "tables" {
  source = "../modules/tables"
}
