// Prints the mutants of Go files as JSON: negated conditions, moved boundaries, swapped booleans and removed calls.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
)

type mutant struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

func mutantsOf(path string) []mutant {
	source, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	found := []mutant{}
	replace := func(from, to token.Pos, text string) {
		found = append(found, mutant{path, files.Position(from).Offset, files.Position(to).Offset, text})
	}
	ast.Inspect(tree, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt:
			condition := source[files.Position(node.Cond.Pos()).Offset:files.Position(node.Cond.End()).Offset]
			replace(node.Cond.Pos(), node.Cond.End(), "!("+string(condition)+")")
		case *ast.BinaryExpr:
			if other, ok := boundaries[node.Op]; ok {
				replace(node.OpPos, node.OpPos+token.Pos(len(node.Op.String())), other.String())
			}
		case *ast.Ident:
			if node.Name == "true" {
				replace(node.Pos(), node.End(), "false")
			} else if node.Name == "false" {
				replace(node.Pos(), node.End(), "true")
			}
		case *ast.ExprStmt:
			if _, ok := node.X.(*ast.CallExpr); ok {
				replace(node.Pos(), node.End(), "")
			}
		case *ast.DeferStmt:
			replace(node.Pos(), node.End(), "")
		}
		return true
	})
	return found
}

func main() {
	all := []mutant{}
	// After `--`, because `go run` would compile files that follow its own.
	for _, path := range os.Args[2:] {
		all = append(all, mutantsOf(path)...)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
}
