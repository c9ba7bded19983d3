module example.org/mock

go 1.19
