module causeway-helper

go 1.19
