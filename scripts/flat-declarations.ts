import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { execa } from 'execa'
import { parseSync, Visitor, type ESTree } from 'vite'

/** The top-level declarations of a module, with their comments, and where its imported names come from. */
interface Module {
  readonly declared: ReadonlyMap<string, Declaration>
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>
}

interface Declaration {
  readonly text: string
  /** Names of the types and values that it refers to. */
  readonly references: readonly string[]
}

function namesOf(statement: ESTree.Program['body'][number]): string[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  return declaration !== null && 'id' in declaration && declaration.id?.type === 'Identifier'
    ? [declaration.id.name]
    : []
}

/** Reads the declarations of a module, a file that ends in .d.ts. */
async function readModule(path: string): Promise<Module> {
  const source = await readFile(path, 'utf8')
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`)
  const declared = new Map<string, Declaration>()
  const imported = new Map<string, { path: string; name: string }>()
  let end = 0
  for (const statement of program.body) {
    const text = source.slice(end, statement.end).trim()
    end = statement.end
    if (statement.type === 'ImportDeclaration') {
      const from = statement.source.value
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue
        const { name } = specifier.imported
        imported.set(specifier.local.name, {
          path: from.startsWith('.') ? join(dirname(path), `${from}.d.ts`) : from,
          name,
        })
      }
    }
    const references: string[] = []
    const refer = (node: { readonly type: string }) => {
      if (node.type === 'Identifier' && 'name' in node) references.push(String(node.name))
    }
    new Visitor({
      TSTypeReference: ({ typeName }) => {
        refer(typeName)
      },
      TSTypeQuery: ({ exprName }) => {
        refer(exprName)
      },
      TSInterfaceHeritage: ({ expression }) => {
        refer(expression)
      },
      TSClassImplements: ({ expression }) => {
        refer(expression)
      },
      TSImportType: ({ start, end }) => {
        throw new Error(`The declarations contain ${source.slice(start, end)}.`)
      },
    }).visit({ ...program, body: [statement] })
    for (const name of namesOf(statement)) declared.set(name, { text, references })
  }
  return { declared, imported }
}

/** Writes the declarations of a module and of everything that it imports to a folder. Returns the path of the module's. */
async function emitDeclarations(entry: string, tsconfig: string, folder: string): Promise<string> {
  const project = join(folder, 'tsconfig.json')
  const root = dirname(tsconfig)
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: folder,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  await writeFile(
    project,
    JSON.stringify({ extends: tsconfig, compilerOptions, files: [entry], include: [] }),
  )
  await execa('tsc', ['--project', project], { preferLocal: true, localDir: root })
  return join(folder, relative(root, entry).replace(/\.ts$/, '.d.ts'))
}

/**
 * Returns declarations of these exports of a TypeScript module and of everything that they refer to, without imports.
 * Throws an Error if they refer to a type of another package, or if two different types have the same name. `given` has
 * other declarations for some names.
 */
export async function flatDeclarations(
  entry: string,
  exported: readonly string[],
  tsconfig: string,
  given: Readonly<Record<string, string>> = {},
): Promise<string> {
  // A clean clone has no cache yet.
  const cache = join(dirname(tsconfig), 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'declarations-'))
  try {
    const path = await emitDeclarations(entry, tsconfig, folder)
    const modules = new Map<string, Module>()
    const wanted = exported.map((name) => ({ path, name }))
    const written = new Map<string, { readonly path: string; readonly text: string }>()
    for (const { path, name } of wanted) {
      const replacement = given[name]
      if (replacement !== undefined) {
        written.set(name, { path: 'given', text: replacement })
        continue
      }
      const module = modules.get(path) ?? (await readModule(path))
      modules.set(path, module)
      const declaration = module.declared.get(name)
      if (declaration === undefined) {
        const from = module.imported.get(name)
        if (from !== undefined && !existsSync(from.path)) {
          throw new Error(`${name} in the declarations comes from the package ${from.path}.`)
        }
        if (from !== undefined) wanted.push(from)
        continue
      }
      const before = written.get(name)
      if (before?.path === path) continue
      if (before !== undefined) throw new Error(`${name} is declared in ${before.path} and in ${path}.`)
      const text = declaration.text.replace(/^export /m, '')
      written.set(name, {
        path,
        text: exported.includes(name) ? text.replace(/^(?=declare|interface|type)/m, 'export ') : text,
      })
      wanted.push(...declaration.references.map((other) => ({ path, name: other })))
    }
    return `${[...written.values()].map(({ text }) => text).join('\n\n')}\n\nexport {}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
