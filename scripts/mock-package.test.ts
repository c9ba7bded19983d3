import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import examplesOfCalls from '../mock-server/openapi/examples.json'
import { examples } from './mock-examples.testing'
import { packMockServer } from './mock-package'
import { isNightly } from './nightly-tests'

const exampleOf = z.object({ body: z.unknown().optional(), parameters: z.unknown().optional() })
const maxBytes = 6.5 * 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'causeway-mock-package-'))
const project = join(folder, 'project')

let tarball = ''

beforeAll(async () => {
  // Of a careful person, whose package everybody may read all the same.
  const before = process.umask(0o077)
  try {
    tarball = await packMockServer(join(folder, 'packed'))
  } finally {
    process.umask(before)
  }
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // Without a registry: everything is in the tarball.
  const parameters = ['install', '--offline', '--no-audit', '--no-fund', tarball]
  await execa('npm', parameters, { cwd: project })
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function bytesOf(path: string): number {
  const status = statSync(path)
  return status.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : status.size
}

/** Runs a script of the project, which imports the package. */
async function output(script: string): Promise<string> {
  const { stdout } = await execa('node', ['--input-type=module', '-e', script], { cwd: project })
  return stdout
}

describe('the package', () => {
  it('contains everything that it needs, in little space', () => {
    const modules = join(project, 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['causeway-mock-server'])
    expect(bytesOf(modules)).toBeLessThan(maxBytes)
    // One import of the wrong file brought it the whole server a second time.
    const command = readFileSync(join(modules, 'causeway-mock-server/dist/cli.js'), 'utf8')
    expect(command).not.toContain('FST_ERR_NOT_FOUND')
  })

  it.skipIf(process.platform === 'win32')(
    'may be read by everybody, and only its owner may write',
    async () => {
      const { stdout } = await execa('tar', ['-tvzf', tarball])
      for (const line of stdout.split('\n')) expect(line).toMatch(/^-rw(-r--r--|xr-xr-x) /)
    },
  )

  it('has a command that answers calls, serves its pages, and ends on SIGTERM', async () => {
    // On Windows a signal to npx would end its shell alone.
    const [program, ...start] =
      process.platform === 'win32'
        ? [process.execPath, 'node_modules/causeway-mock-server/dist/cli.js']
        : ['npx', 'causeway-mock-server']
    const options = ['--port', '0', '--json', '--auto-approve']
    const command = execa(program, [...start, ...options], { cwd: project, reject: false })
    const [line] = (await once(createInterface({ input: command.stdout }), 'line')) as [string]
    const { origin, control } = JSON.parse(line) as { origin: string; control: string }
    expect(await (await fetch(`${origin}/info.json`)).json()).toHaveProperty('api')
    for (const path of ['', '/api/', '/api/static/swagger-ui-bundle.js']) {
      expect((await fetch(`${control}${path}`)).status, path).toBe(200)
    }
    command.kill('SIGTERM')
    await command
    await expect.poll(() => fetch(origin).catch(() => 'gone')).toBe('gone')
  })

  it.skipIf(isBuiltin('node:sqlite'))(
    'says what a data directory needs on a Node without SQLite',
    async () => {
      const parameters = ['causeway-mock-server', '--port', '0', '--data-dir', join(folder, 'data')]
      const { exitCode, stderr } = await execa('npx', parameters, { cwd: project, reject: false })
      expect(exitCode).toBe(1)
      expect(stderr).toContain('Use Node 22.13 or newer, or run `npm install libsql`.')
    },
  )

  it('has a client whose typed calls all answer, in its process and from another', async () => {
    const declarations = readFileSync(
      join(project, 'node_modules/causeway-mock-server/dist/server.d.ts'),
      'utf8',
    )
    const routes = [...declarations.matchAll(/^ {2}"((?:GET|POST|PUT|DELETE) [^"]*)": \{$/gm)].map(
      ([, route = '']) => route,
    )
    expect(routes).toContain('GET /')
    expect(routes).toContain('GET /openapi.json')
    const inputs = routes.map((route) => {
      const [method = '', path = ''] = route.split(' ')
      const name = `${method.toLowerCase()} /_mock${path.replace(/:(\w+)/g, '{$1}')}`
      const { body, parameters } = exampleOf.parse(Reflect.get(examplesOfCalls, name) ?? {})
      return [route, { body, [path.includes(':') ? 'params' : 'query']: parameters }]
    })
    const script = `
      import { connectToMock, createMockServer } from 'causeway-mock-server'
      const mock = await createMockServer({ api: '2,3' })
      const refused = []
      for (const client of [mock, connectToMock(mock.origin)])
        for (const [route, input] of ${JSON.stringify(inputs)})
          await client.call(route, input).then(
            (answer) => { if (typeof answer !== 'object') throw new Error(route) },
            (refusal) => { refused.push(refusal.name + ' ' + refusal.status + ' ' + route) })
      await mock[Symbol.asyncDispose]()
      console.log([...new Set(refused)].sort().join('\\n'))`
    // These need a tunnel, or an earlier call.
    expect((await output(script)).split('\n')).toEqual([
      'MockRefusal 404 DELETE /faults/:id',
      'MockRefusal 409 POST /tunnel',
      'MockRefusal 409 POST /tunnel/refusals',
      'MockRefusal 409 PUT /network',
    ])
  })

  it('is for CommonJS, too, with the Node that its pages name', async () => {
    const script = `const { createMockServer } = require('causeway-mock-server')
      createMockServer().then((mock) => mock.close()).then(() => console.log('closed'))`
    const required = await execa('node', ['--input-type=commonjs', '-e', script], { cwd: project })
    expect(required).toMatchObject({ stdout: 'closed', stderr: '' })
    const read = (path: string) => readFileSync(path, 'utf8')
    const about = read(join(project, 'node_modules/causeway-mock-server/package.json'))
    const { engines } = JSON.parse(about) as { engines: { node: string } }
    const named = `Node ${engines.node.replace('>=', '')} or newer`
    expect(read('docs/mock-server.md')).toContain(named)
    expect(read('mock-server/package-readme.md')).toContain(named)
  })

  it.for(examples)('works in the example for $name', async (example, { skip }) => {
    const reason = example.missing?.()
    if (reason !== undefined) skip(reason)
    const folder = join(project, example.name)
    cpSync(join('mock-server/examples', example.name), folder, { recursive: true })
    for (const name of example.packages ?? []) {
      const link = join(project, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(resolve('node_modules', name), link, 'junction')
    }
    for (const [program, ...parameters] of example.run) {
      const where = { cwd: folder, localDir: process.cwd(), preferLocal: true } as const
      const { exitCode, all } = await execa(program, parameters, { ...where, all: true, reject: false })
      expect([exitCode, all]).toEqual([0, all])
    }
  })

  // Needs the registry.
  it.runIf(isNightly)('works in Jest, errors of Node included', async () => {
    writeFileSync(
      join(project, 'mock.test.cjs'),
      `const { createMockServer } = require('causeway-mock-server')
      const { readFileSync } = require('node:fs')
      const https = require('node:https')
      test('a reset over TLS', async () => {
        const mock = await createMockServer({ tls: 'generated' })
        const ca = readFileSync(mock.caFile)
        const call = (url, method) => new Promise((resolve, reject) =>
          https.request(url, { ca, method }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
            .on('error', reject).end())
        expect(await call(mock.instance + 'info.json', 'GET')).toBe(200)
        expect(await call(mock.control + '/scenarios/offline', 'POST')).toBe(200)
        await expect(call(mock.instance + 'info.json', 'GET')).rejects.toThrow()
        await mock.close()
      })
      test('an error of Node', async () => {
        const files = { cert: '/nowhere', key: '/nowhere' }
        await expect(createMockServer({ tls: files })).rejects.toThrow('ENOENT')
      })`,
    )
    await execa('npm', ['install', '--no-audit', '--no-fund', 'jest@30'], { cwd: project })
    const options = ['--testMatch', '**/*.test.cjs', '--rootDir', project]
    const jest = await execa('npx', ['jest', ...options], { cwd: project, reject: false })
    expect(jest).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2 passed') as string })
  })

  it.runIf(isNightly)('has types that need no other package', async () => {
    const file = join(project, 'test.ts')
    writeFileSync(
      file,
      `import { connectToMock, createMockServer, type MockClient, type MockServer } from 'causeway-mock-server'
      export const start = (): Promise<MockServer> =>
        createMockServer({ portalVersion: '2.4.5', clock: { now: () => new Date(0) } })
      // @ts-expect-error There is no such version.
      export const wrong = createMockServer({ portalVersion: '0' })
      const remote: MockClient = connectToMock('http://127.0.0.1:5006')
      export const requests: { method: string }[] = await remote.requests({ limit: 3 })
      await remote.expectRequest({ path: '/x', headers: { a: { contains: 'b' } } }).times(1)
      await remote.fault({ match: { user: 'anna' }, sequence: [{ times: 2, fault: { status: 503 } }] })
      // @ts-expect-error There is no such condition.
      await remote.waitFor({ paht: '/x' })
      // @ts-expect-error There is no such call.
      await remote.call('POST /nothing')
      // @ts-expect-error An origin is a text.
      export const port: number = (await start()).origin`,
    )
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--types', '']
    const checked = await execa('tsc', ['--ignoreConfig', ...options, file], {
      preferLocal: true,
      reject: false,
    })
    expect(checked).toMatchObject({ stdout: '', exitCode: 0 })
  })
})
