import ts from 'typescript'

/** The top-level declarations of a module, and where its imported names come from. */
interface Module {
  file: ts.SourceFile
  declared: Map<string, ts.Statement>
  imported: Map<string, { path: string; name: string }>
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

/** Returns the names that a declaration refers to. */
function referencesIn(node: ts.Node): string[] {
  if (ts.isImportTypeNode(node)) throw new Error(`The declarations contain ${node.getText()}.`)
  const found: string[] = []
  if (ts.isTypeReferenceNode(node)) found.push(node.typeName.getText())
  if (ts.isTypeQueryNode(node)) found.push(node.exprName.getText())
  if (ts.isExpressionWithTypeArguments(node)) found.push(node.expression.getText())
  node.forEachChild((child) => {
    found.push(...referencesIn(child))
  })
  return found
}

/** Emits declarations, one module at a time. */
class Emitter {
  readonly #program: ts.Program
  readonly #options: ts.CompilerOptions
  readonly #modules = new Map<string, Module>()

  constructor(entry: string, configFile: string) {
    const { config } = ts.readConfigFile(configFile, (path) => ts.sys.readFile(path)) as { config: unknown }
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, ts.sys.getCurrentDirectory())
    const { tsBuildInfoFile: _file, ...options } = parsed.options
    this.#options = {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      incremental: false,
    }
    this.#program = ts.createProgram([entry], this.#options)
  }

  module(path: string): Module {
    const before = this.#modules.get(path)
    if (before !== undefined) return before
    let text = ''
    const keep = (_name: string, emitted: string) => {
      text = emitted
    }
    this.#program.emit(this.#program.getSourceFile(path), keep, undefined, true)
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const declared = new Map(
      file.statements.flatMap((statement) => namesOf(statement).map((name) => [name, statement] as const)),
    )
    const module = { file, declared, imported: this.#importsOf(file) }
    this.#modules.set(path, module)
    return module
  }

  #importsOf(file: ts.SourceFile): Module['imported'] {
    const imported: Module['imported'] = new Map()
    for (const statement of file.statements) {
      const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
      if (!ts.isImportDeclaration(statement) || bindings === undefined || !ts.isNamedImports(bindings))
        continue
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text
      const { resolvedModule } = ts.resolveModuleName(specifier, file.fileName, this.#options, ts.sys)
      const path = specifier.startsWith('.') ? resolvedModule?.resolvedFileName : undefined
      for (const { name, propertyName } of bindings.elements) {
        imported.set(name.text, { path: path ?? specifier, name: (propertyName ?? name).text })
      }
    }
    return imported
  }
}

/**
 * Returns declarations of these exports of a TypeScript module and of everything that they refer to, without imports.
 * Throws an Error if they refer to a type of another package, or if two different types have the same name.
 */
export function flatDeclarations(
  entry: string,
  exported: readonly string[],
  configFile = 'tsconfig.json',
): string {
  const emitter = new Emitter(entry, configFile)
  const wanted = exported.map((name) => ({ path: entry, name }))
  const written = new Map<string, { path: string; statement: ts.Statement; text: string }>()
  for (const { path, name } of wanted) {
    const module = emitter.module(path)
    const statement = module.declared.get(name)
    if (statement === undefined) {
      const from = module.imported.get(name)
      if (from !== undefined && !ts.sys.fileExists(from.path)) {
        throw new Error(`${name} in the declarations comes from the package ${from.path}.`)
      }
      if (from !== undefined) wanted.push(from)
      continue
    }
    const before = written.get(name)
    if (before?.statement === statement) continue
    if (before !== undefined) throw new Error(`${name} is declared in ${before.path} and in ${path}.`)
    const text = statement
      .getFullText(module.file)
      .trim()
      .replace(/^export /m, '')
    written.set(name, {
      path,
      statement,
      text: exported.includes(name) ? text.replace(/^(?=declare|interface|type)/m, 'export ') : text,
    })
    wanted.push(...referencesIn(statement).map((other) => ({ path, name: other })))
  }
  return `${[...written.values()].map(({ text }) => text).join('\n\n')}\n\nexport {}\n`
}
