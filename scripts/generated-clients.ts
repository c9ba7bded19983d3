import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { createMockServer, type MockServer } from '../mock-server/server'
import { writeFormatted } from './format-text'
import { type DocumentCall, documentCalls, type Generator, programs } from './generated-clients/calls'
import { answerHelp } from './help'
import { exitWith, inTemporaryFolder, isStarted } from './program'
import { setUp } from './set-up'

const documented = join(import.meta.dirname, '..', 'docs', 'mock-tests.md')
const generators = Object.keys(programs) as Generator[]

type Result = 'works' | 'compiles' | 'fails'

/** The folder of the run, and what the calls need. */
interface Run {
  folder: string
  mock: MockServer
  token: string
  caFile: string
}

const operationSchema = z.object({
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        example: z.unknown().optional(),
      }),
    )
    .default([]),
})
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** Writes the documents of these calls, and returns each call with the parameters of the document's example, and the names of all in order. */
async function writeDocuments(
  { folder, mock, caFile }: Run,
  chosen: readonly DocumentCall[],
): Promise<[DocumentCall, string[]][]> {
  await mkdir(join(folder, 'documents'))
  return Promise.all(
    chosen.map(async (call): Promise<[DocumentCall, string[]]> => {
      const path = call.document === 'all' ? '/openapi.json' : `/openapi/${call.document}.json`
      const secure = ['--silent', '--fail', '--cacert', caFile]
      const { stdout: text } = await execa('curl', [...secure, `${mock.control}${path}`])
      await writeFile(join(folder, 'documents', `${call.document}.json`), text)
      const { paths } = documentSchema.parse(JSON.parse(text))
      const { parameters } = operationSchema.parse(paths[call.path]?.get)
      const rank = ['path', 'query', 'header']
      const names = parameters
        .toSorted((one, other) => rank.indexOf(one.in) - rank.indexOf(other.in))
        .map(({ name }) => name)
      if (call.document !== 'storage') return [call, names]
      const example = (place: string) =>
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === place && parameter.example !== undefined)
            .map((parameter) => [parameter.name, String(parameter.example)]),
        )
      return [{ ...call, parameters: { path: example('path'), query: example('query') } }, names]
    }),
  )
}

/** Options of the generators; Java has a method `equals` already. */
const optionsOf = (generator: Generator, document: string) => {
  const name = `mock.${document}`
  if (generator === 'java')
    return {
      library: 'okhttp-gson',
      invokerPackage: name,
      apiPackage: `${name}.api`,
      modelPackage: `${name}.model`,
    }
  if (generator === 'kotlin') return { packageName: name }
  if (generator === 'python') return { packageName: `mock_${document}` }
  return { packageName: document, withGoMod: false, isGoSubmodule: true }
}

async function generate(
  { folder }: Run,
  chosen: readonly Generator[],
  calls: readonly DocumentCall[],
): Promise<void> {
  if (chosen.length === 0) return
  const files = await Promise.all(
    chosen.flatMap((generator) =>
      calls.map(async ({ document }) => {
        const file = join(folder, `${generator}-${document}.json`)
        const configuration = {
          generatorName: generator,
          inputSpec: join(folder, 'documents', `${document}.json`),
          outputDir: join(folder, generator, document),
          globalProperties: { apiDocs: 'false', modelDocs: 'false', apiTests: 'false', modelTests: 'false' },
          additionalProperties: optionsOf(generator, document),
          ...(generator === 'java' && { nameMappings: { equals: 'equalTo' } }),
        }
        await writeFile(file, JSON.stringify(configuration))
        return file
      }),
    ),
  )
  const jars = await readdir(join(folder, 'jars'))
  const jar = jars.find((name) => name.startsWith('openapi-generator-cli')) ?? ''
  const program = ['-cp', join(folder, 'jars', jar), 'org.openapitools.codegen.OpenAPIGenerator']
  await execa('java', [...program, 'batch', '--threads', '1', ...files], { all: true })
}

/** Brings the generator and the libraries. */
async function install({ folder, caFile }: Run, chosen: readonly Generator[]): Promise<void> {
  await cp(join(import.meta.dirname, 'generated-clients', 'pom.xml'), join(folder, 'pom.xml'))
  await execa('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], { cwd: folder })
  const store = ['-keystore', join(folder, 'trust.p12'), '-storetype', 'PKCS12', '-storepass', 'changeit']
  await execa('keytool', ['-importcert', '-noprompt', '-alias', 'mock', '-file', caFile, ...store])
  if (chosen.includes('typescript')) {
    const packages = [
      'openapi-typescript@7.13.0',
      'openapi-fetch@0.17.0',
      'typescript@5.9.3',
      '@types/node@22',
    ]
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await execa('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  }
}

interface Client {
  compile: readonly string[]
  call: readonly string[]
}

/** Writes the program of a call and returns the commands that compile and run it. */
type ClientWriter = (run: Run, call: DocumentCall, order: string[]) => Promise<Client>

const clientWriters: Readonly<Record<Generator, ClientWriter>> = {
  async java(run, call, order) {
    const own = join(run.folder, 'java', call.document)
    const sources = join(own, 'src', 'main', 'java')
    await write(join(sources, 'Call.java'), programs.java(call, order))
    const all = await readdir(sources, { recursive: true })
    const files = all.filter((name) => name.endsWith('.java')).map((name) => join(sources, name))
    const jars = await jarsOf(run)
    return {
      compile: ['javac', '-proc:none', '-nowarn', '-cp', jars, '-d', classesOf(own), ...files],
      call: javaCall(run, own, jars, 'Call'),
    }
  },
  async kotlin(run, call) {
    const own = join(run.folder, 'kotlin', call.document)
    const sources = join(own, 'src', 'main', 'kotlin')
    await write(join(sources, 'Call.kt'), programs.kotlin(call))
    const compiler = ['-cp', join(run.folder, 'jars', '*'), 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler']
    const jars = await jarsOf(run)
    return {
      compile: ['java', ...compiler, '-no-stdlib', '-nowarn', '-cp', jars, '-d', classesOf(own), sources],
      call: javaCall(run, own, jars, 'CallKt'),
    }
  },
  async python(run, call) {
    const own = join(run.folder, 'python', call.document)
    await write(join(own, 'call.py'), programs.python(call))
    const python = join(run.folder, 'python', 'environment', 'bin', 'python')
    return {
      compile: [python, '-m', 'compileall', '-q', own],
      call: [python, join(own, 'call.py'), ...wordsOf(run)],
    }
  },
  async go(run, call) {
    const { document } = call
    await write(join(run.folder, 'go', `call-${document}`, 'main.go'), programs.go(call))
    const built = join(run.folder, 'go', `built-${document}`)
    return {
      compile: ['go', 'build', '-mod=mod', '-o', built, `./call-${document}`],
      call: [built, ...wordsOf(run)],
    }
  },
  async typescript(run, call) {
    const { folder } = run
    const { document } = call
    const place = join(folder, 'typescript')
    const project = join(place, `tsconfig-${document}.json`)
    await write(join(place, `call-${document}.ts`), programs.typescript(call))
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      outDir: 'built',
    }
    await write(project, JSON.stringify({ compilerOptions, files: [`call-${document}.ts`] }))
    const schema = join(folder, 'documents', `${document}.json`)
    await execa('npx', ['openapi-typescript', schema, '-o', join(place, `${document}.ts`)], { cwd: folder })
    return {
      compile: ['npx', 'tsc', '-p', project],
      call: ['node', join(place, 'built', `call-${document}.js`), ...wordsOf(run)],
    }
  },
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** The words that every program of a call takes. */
function wordsOf({ mock, token, caFile }: Run): string[] {
  return [mock.origin, token, caFile]
}

/** Returns the class path of the libraries. */
async function jarsOf({ folder }: Run): Promise<string> {
  const jars = await readdir(join(folder, 'jars'))
  return jars
    .filter((jar) => !/openapi-generator-cli|-embeddable/.test(jar))
    .map((jar) => join(folder, 'jars', jar))
    .join(delimiter)
}

function classesOf(own: string): string {
  return join(own, 'classes')
}

function javaCall(run: Run, own: string, jars: string, main: string): string[] {
  const trust = [
    `-Djavax.net.ssl.trustStore=${join(run.folder, 'trust.p12')}`,
    '-Djavax.net.ssl.trustStorePassword=changeit',
  ]
  return ['java', ...trust, '-cp', `${classesOf(own)}${delimiter}${jars}`, main, ...wordsOf(run)]
}

/** Prepares what all clients of a generator share. */
async function prepare(
  { folder }: Run,
  generator: Generator,
  [first]: readonly DocumentCall[],
): Promise<void> {
  if (generator === 'python') {
    const environment = join(folder, 'python', 'environment')
    await execa('python3', ['-m', 'venv', environment])
    const requirements = join(folder, 'python', first?.document ?? '', 'requirements.txt')
    await execa(join(environment, 'bin', 'pip'), ['install', '-q', '-r', requirements])
  }
  if (generator === 'go') {
    await writeFile(
      join(folder, 'go', 'go.mod'),
      'module generated\n\ngo 1.21\n\nrequire gopkg.in/validator.v2 v2.0.1\n',
    )
  }
}

async function resultOf(
  run: Run,
  generator: Generator,
  call: DocumentCall,
  order: string[],
): Promise<Result> {
  const started = async ([program = '', ...words]: readonly string[]) => {
    const { failed, all } = await execa(program, words, {
      cwd: generator === 'go' ? join(run.folder, 'go') : run.folder,
      env: { NODE_EXTRA_CA_CERTS: run.caFile },
      all: true,
      reject: false,
    })
    if (failed) console.error(all.slice(0, 2000))
    return failed ? undefined : all
  }
  const { compile, call: program } = await clientWriters[generator](run, call, order)
  if ((await started(compile)) === undefined) return 'fails'
  const answer = await started(program)
  if (answer?.includes(call.answer) === true) return 'works'
  if (answer !== undefined) console.error(`The answer lacks “${call.answer}”: ${answer.slice(0, 2000)}`)
  return 'compiles'
}

const marker = /(<!-- generated clients:[^>]*-->\n)[^]*?(?=\n<!-- end of the generated clients -->)/

/** Writes the results into the page. Generators and documents that were left out keep theirs. */
async function writeTable(results: ReadonlyMap<string, Result>): Promise<void> {
  const page = await readFile(documented, 'utf8')
  const [, , ...known] = (marker.exec(page)?.[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const former = new Map<string, string>(
    known.flatMap((line) => {
      const [, document = '', ...cells] = line.split('|').map((cell) => cell.trim())
      return generators.map((generator, index) => [`${generator} ${document}`, cells[index] ?? ''] as const)
    }),
  )
  const cell = (document: string) => (generator: Generator) => {
    const name = `${generator} ${document}`
    return results.get(name) ?? former.get(name) ?? ''
  }
  const rows = documentCalls.map(
    ({ document }) => `| ${[document, ...generators.map(cell(document))].join(' | ')} |`,
  )
  const head = `| Document | ${generators.join(' | ')} |\n|${' --- |'.repeat(generators.length + 1)}`
  const text = page.replace(marker, (_match, start: string) => `${start}\n${head}\n${rows.join('\n')}\n`)
  await writeFormatted(documented, text)
}

/**
 * Generates a client of each of these documents with each of these generators, compiles it and makes a call. Returns 1 if one fails.
 * Installs a JDK, Maven and Python where it may, and otherwise throws an Error with the command to type.
 */
async function tryClients(
  chosen: readonly Generator[],
  chosenCalls: readonly DocumentCall[],
): Promise<number> {
  await setUp(['generatedClients'])
  return inTemporaryFolder('generated-clients', async (folder) => {
    const mock = await createMockServer({ api: '2,3', tls: 'generated' })
    try {
      const { accessToken: token } = await mock.call('POST /tokens')
      const run = { folder, mock, token, caFile: mock.caFile ?? '' }
      const calls = await writeDocuments(run, chosenCalls)
      await install(run, chosen)
      await generate(
        run,
        chosen.filter((generator) => generator !== 'typescript'),
        chosenCalls,
      )
      const results = new Map<string, Result>()
      for (const generator of chosen) {
        await prepare(run, generator, chosenCalls)
        for (const [call, order] of calls) {
          const result = await resultOf(run, generator, call, order)
          console.log(`${generator} ${call.document}: ${result}`)
          results.set(`${generator} ${call.document}`, result)
          await writeTable(results)
        }
      }
      return [...results.values()].every((result) => result === 'works') ? 0 : 1
    } finally {
      await mock.close()
    }
  })
}

if (isStarted(import.meta.url)) {
  const documents = documentCalls.map(({ document }) => document)
  answerHelp(
    `Usage: npx tsx scripts/generated-clients.ts [GENERATOR…] [DOCUMENT…]\n\nGenerates clients from the OpenAPI documents of the mock server, uses each in one call, and writes the results to\ndocs/mock-tests.md. It needs a JDK, Maven, Python and Go. All by default of the generators ${generators.join(', ')}\nand the documents ${documents.join(', ')}.`,
  )
  const words = process.argv.slice(2)
  /** Returns those that the words name; all if they name none. */
  const named = <T>(all: readonly T[], nameOf: (one: T) => string) => {
    const found = all.filter((one) => words.includes(nameOf(one)))
    return found.length === 0 ? all : found
  }
  await exitWith(() =>
    tryClients(
      named(generators, (generator) => generator),
      named(documentCalls, ({ document }) => document),
    ),
  )
}
