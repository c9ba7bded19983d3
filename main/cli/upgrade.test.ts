import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { isSlowRun } from '../../scripts/nightly-tests'
import { testAuthority } from '../../mock-server/test-authority'
import { TestNamespace } from '../platform/network/namespace.testing'
import { Person } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'

const tree = join(import.meta.dirname, '../..')

const namespace =
  isSlowRun && process.platform === 'linux'
    ? await TestNamespace.make(`causeway-upgrade-${String(process.pid)}`)
    : undefined
if (isSlowRun && namespace === undefined) {
  process.stderr.write(
    'Left out, because no network namespace can be made here: an upgrade of the terminal command while connected.\n',
  )
}

/** An option of Node.js with which two hours pass at the signal SIGUSR2: an access token of the mock is valid for one. */
const clock = `--import=data:text/javascript,${encodeURIComponent(
  `let passed = 0
  process.on('SIGUSR2', () => { passed = 7_200_000 })
  globalThis.Date = class extends Date {
    static now() { return super.now() + passed }
    constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])) }
  }`,
)}`

/** Builds the command as for the package `causeway-cli`, and returns the folder with its `out`. */
async function installed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-upgrade-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await execa('electron-vite', ['build', '--outDir', join(folder, 'out'), '--logLevel', 'warn'], {
    cwd: tree,
    preferLocal: true,
  })
  await writeFile(join(folder, 'package.json'), '{"name":"causeway-cli","type":"module"}')
  await symlink(join(tree, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const script = (name: string): Promise<string> => readFile(join(tree, 'build', name), 'utf8')

/** The scripts that run before an upgrade: of dpkg, of rpm and of pacman. */
const scripts = [
  ['dpkg', `set -- upgrade 2\n${await script('linux/before-remove')}`],
  ['rpm', `set -- 1\n${await script('linux/before-remove')}`],
  ['pacman', `${await script('recipes/causeway.install')}\npre_upgrade 2 1`],
] as const

/** Runs a script, and replaces the files of a folder as for a version in which all have other names. */
async function upgrade(folder: string, before: string): Promise<void> {
  await execa('sh', ['-c', before.replace('/usr/lib/causeway/out/main/chunks', folder)])
  const old = await readdir(folder)
  const added = old.map((name) => join(folder, `new-${name}`))
  for (const path of added) await writeFile(`${path}.dpkg-new`, '')
  for (const path of added) await rename(`${path}.dpkg-new`, path)
  for (const name of old) await rm(join(folder, name))
}

describe.runIf(namespace !== undefined)('an upgrade of the package', () => {
  const through = namespace?.through ?? []
  let mock: Awaited<ReturnType<typeof startMockThrough>>

  beforeAll(async () => {
    mock = await startMockThrough(through, ['--api', '2'])
  })
  afterAll(async () => {
    await mock.stop()
    await namespace?.remove()
  })

  async function revokeCertificates(): Promise<void> {
    const [program = '', ...words] = through
    const trust = ['--cacert', testAuthority().ca]
    const address = `${mock.control}/certificates/revoke`
    await execa(program, [...words, 'curl', '-fsS', ...trust, '-X', 'POST', address])
  }

  it.each(scripts)('by %s leaves a connection that works as before', async (_name, before) => {
    const folder = await installed()
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    const person = (path: string) => new Person([process.execPath, path], dataDir, true)
    const ok = async (who: Person, ...words: readonly string[]) => {
      expect(await who.run(words, { through })).toMatchObject({ status: 0 })
    }
    const owner = person(join(folder, 'out/main/cli.js'))
    await ok(owner, 'instance', 'add', mock.instance)
    // In a process of its own, as days before.
    await ok(owner, 'login')
    const env = { NODE_OPTIONS: clock }
    const running = owner.start(['connect', 'office', '--prefer-tcp', '--json'], { through, env })
    onTestFinished(() => void running.kill('SIGKILL'))
    const states = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
    const next = async (state: string) => {
      for (let line = await states.next(); line.done !== true; line = await states.next())
        if ((JSON.parse(line.value) as { readonly state: string }).state === state) return
      throw new Error(`It ended without being ${state}: ${(await running).stderr}`)
    }
    await next('connected')
    await upgrade(join(folder, 'out/main/chunks'), before)

    running.kill('SIGUSR2')
    await revokeCertificates()
    await execa('pkill', ['-KILL', '-P', String(running.pid), 'openvpn'])
    await next('reconnecting')
    await next('connected')
    expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toMatch(/refreshes\W+1\b/)
    await ok(person(inject('programs').command), 'disconnect')
    expect(await running).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
