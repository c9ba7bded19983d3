import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { runningClients } from '../app/connecting.testing'
import { canConfigureNetwork } from '../privilege/network-rights'
import { BuiltCommand, failureOf, printed } from './causeway.testing'
import { isSlowRun } from '../../scripts/nightly-tests'
import { rows } from '../../scripts/slow.testing'

const command = await BuiltCommand.make({ ownProcesses: true })
const folder = await mkdtemp(join(tmpdir(), 'causeway-silent-'))
afterAll(async () => {
  await command.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Mounts a file system that never answers, as a network share that is gone; only this process and its children see it. */
const behindSilentDisk = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount --make-rprivate / && mkdir -p "$PLACE" && exec 9<>/dev/fuse || exit 99
mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 silent "$PLACE" || exit 99
echo mounted >&2
exec "$@"`,
  'sh',
]
/** Lets a folder hang for a process that has mounts of its own. */
async function silence(pid: number, place: string): Promise<void> {
  const mount =
    'exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 silent "$1" && echo mounted && exec cat'
  const disk = execa('nsenter', ['--mount', '--target', String(pid), 'sh', '-c', mount, 'sh', place], {
    reject: false,
  })
  // Without the program at the other end, it would answer with an error.
  onTestFinished(async () => {
    disk.stdin.end()
    await disk
  })
  await once(disk.stdout, 'data')
}

const canMount =
  process.getuid?.() === 0 &&
  existsSync('/dev/fuse') &&
  !(await execa('unshare', ['--mount', 'sh', '-c', 'exec 9<>/dev/fuse'], { reject: false })).failed

const mayConnect = await canConfigureNetwork()

describe.runIf(canMount)('a disk that never answers', () => {
  it('ends the start with the name of its folder, whichever that is', async () => {
    const person = await command.person()
    const disk = join(folder, 'disk')
    const far = join(folder, 'far')
    const link = join(folder, 'link')
    await symlink('disk/data', link)
    await symlink(far, join(person.dataDir, 'linked'))
    const policy = '/etc/causeway'
    if (!existsSync(policy)) onTestFinished(() => rm(policy, { recursive: true, force: true }))
    const cases = [
      { at: disk, silent: disk, words: ['--data-dir', disk] },
      { at: disk, silent: join(disk, 'data'), words: ['--data-dir', join(disk, 'data')] },
      { at: disk, silent: link, words: ['--data-dir', link] },
      { at: far, silent: person.dataDir, words: [] },
      { at: join(person.dataDir, 'log'), silent: person.dataDir, words: [] },
      { at: policy, silent: policy, words: [] },
      ...['autostart']
        .map((name) => join(person.dataDir, '.config', name))
        .map((at) => ({ at, silent: at, words: [] })),
    ]
    const ended = await Promise.all(
      cases.map(async ({ at, words }) => {
        const how = { through: behindSilentDisk, env: { PLACE: at } }
        const { stderr, ...rest } = await person.run([...words, 'status', '--json'], how)
        return { ...rest, error: failureOf({ ...rest, stderr: stderr.replace('mounted\n', '') }) }
      }),
    )
    expect(ended).toMatchObject(
      cases.map(({ silent: path }) => ({
        status: 1,
        stdout: '',
        error: { code: 'data/not-responding', details: { path } },
      })),
    )
  })

  it('ends a command that finds it silent later, with what it has to say', async () => {
    // The disk begins to hang while the command waits for the service's answer.
    const begin = async (answer: (url: string) => object | undefined): Promise<unknown> => {
      const person = await command.person()
      let silenced: Promise<void> | undefined
      const service = createHttpServer((request, response) => {
        silenced ??= silence(running.pid ?? 0, person.dataDir)
        void silenced.then(() => {
          const body = answer(`http://${request.headers.host ?? ''}`)
          response.statusCode = body === undefined ? 404 : 200
          response.end(JSON.stringify(body))
        })
      })
      onTestFinished(() => void service.close())
      service.listen(0, '127.0.0.1')
      await once(service, 'listening')
      const { port } = service.address() as AddressInfo
      const running = person.start(['instance', 'add', `http://127.0.0.1:${String(port)}/`, '--json'], {
        through: ['unshare', '--mount', '--propagation', 'private'],
      })
      const { stdout, stderr } = await running
      expect(stdout).toBe('')
      const { error } = JSON.parse(stderr.split('\n')[0] ?? '') as { error: { code: string } }
      return { ...error, isPlace: stderr.includes(person.dataDir) }
    }
    const api = (base: string) => ({
      api_endpoint: `${base}/api`,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
    })
    expect(
      await Promise.all([
        begin((base) => ({ v: '1', api: { 'http://eduvpn.org/api#3': api(base) } })),
        // Nothing but the log is written then.
        begin(() => undefined),
      ]),
    ).toMatchObject([{ code: 'data/not-responding', isPlace: true }, { code: 'discovery/not-found' }])
  })

  it.runIf(isSlowRun && mayConnect)('ends no connection, and a signal ends it all the same', async () => {
    const mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true })
    onTestFinished(() => mock.close())
    const person = await command.person(mock.instance)
    const through = ['unshare', '--mount', '--propagation', 'private']
    const running = person.start(['connect', 'office', '--json'], { through })
    const pid = await printed(running, '"connected"')
    const clients = runningClients(pid)
    expect(clients).toHaveLength(1)
    await silence(pid, person.dataDir)
    expect(runningClients(pid)).toEqual(clients)
    running.kill('SIGTERM')
    await expect.poll(() => runningClients(pid)).toEqual([])
    const { stdout, stderr } = await running
    expect(stdout).toContain('"disconnected"')
    expect(stderr).not.toContain('(node:')
  })

  it('keeps no shell that completes a word', async () => {
    const person = await command.person()
    const how = { through: behindSilentDisk, env: { PLACE: person.dataDir } }
    const before = performance.now()
    const { stdout } = await person.run(['complete-values', 'instance', '--data-dir', person.dataDir], how)
    expect(stdout).toBe('')
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  it.each(rows(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 1))('leaves the start to %s', async (name) => {
    const person = await command.person()
    const place = join(folder, name)
    const running = person.start(['--data-dir', place, 'status'], {
      through: behindSilentDisk,
      env: { PLACE: place },
    })
    await once(running.stderr, 'data')
    const before = performance.now()
    // Ends it both before the command handles signals, and afterwards.
    running.kill(name)
    const { stdout } = await running
    expect(stdout).toBe('')
    expect(performance.now() - before).toBeLessThan(8000)
  })
})

describe.runIf(process.platform === 'linux')('a D-Bus that never answers', () => {
  it('keeps no command that is to end', async () => {
    const path = join(folder, 'bus')
    const bus = createServer().listen(path)
    onTestFinished(() => void bus.close())
    const person = await command.person('https://vpn.example.org/')
    const running = person.start(['logout', '--json'], {
      env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, CAUSEWAY_SECRET_STORE: 'os' },
    })
    await once(bus, 'connection')
    const killed = performance.now()
    running.kill('SIGTERM')
    const { stderr } = await running
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'secret-store/locked' } })
    expect(performance.now() - killed).toBeLessThan(12_000)
  })
})
