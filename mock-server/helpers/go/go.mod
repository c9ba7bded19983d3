module causeway.example.org/mock

go 1.20
