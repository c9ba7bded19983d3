module example

go 1.20

require causeway.example.org/mock v0.0.0

replace causeway.example.org/mock => ../node_modules/causeway-mock-server/go
