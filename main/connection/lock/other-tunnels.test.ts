import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { otherTunnels } from './other-tunnels'
import { TunnelLock } from './tunnel-lock'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-others-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Lets this process hold the tunnel of a new data directory, which it returns. */
async function hold(name: string): Promise<string> {
  const dataDir = join(folder, name)
  await mkdir(dataDir, { mode: 0o700 })
  const lock = new TunnelLock({ dataDir, kind: 'terminal', now: () => new Date() })
  const release = await lock.claim({
    state: {
      state: 'authorizing',
      target: { instanceId: 'https://vpn.example.org/', profileId: 'office' },
    },
    onChange: () => () => undefined,
    disconnect: () => Promise.resolve(),
    reconnect: () => undefined,
  })
  onTestFinished(release)
  return dataDir
}

const home = homedir()

describe.runIf(process.platform === 'linux')('the tunnels of other data directories', () => {
  it('are those at which a process answers, by the kernel', async () => {
    const [own, other] = [await hold('own'), await hold('an other one')]
    const found = await otherTunnels(own)
    expect(found.filter(({ dataDir }) => dataDir.startsWith(folder))).toMatchObject([
      {
        dataDir: other,
        use: { use: 'held', holder: { pid: process.pid, connection: { state: 'authorizing' } } },
      },
    ])
    expect((await otherTunnels(other)).map(({ dataDir }) => dataDir)).toContain(own)
  })

  it('are not those of another home folder, such as a container’s', async () => {
    const other = await hold('other')
    const of = async (home: string) =>
      (await otherTunnels('/nowhere', { home })).map(({ dataDir }) => dataDir)
    expect(await of('/home/someone')).not.toContain(other)
    expect(await of(folder)).toContain(other)
  })

  it('include the system’s units, in its folder and below it', async () => {
    const other = await hold('other')
    const of = async (system: string) =>
      (await otherTunnels('/nowhere', { home: '/home/someone', system })).map(({ dataDir }) => dataDir)
    expect(await of(other)).toContain(other)
    expect(await of(folder)).toContain(other)
    expect(await of(`${folder}/oth`)).not.toContain(other)
  })

  it('include one whose process gives no answer, below one’s home folder', async () => {
    const dataDir = join(folder, 'stopped')
    await mkdir(dataDir)
    const server = createServer((socket) => socket.on('error', () => undefined).resume())
    server.listen(join(dataDir, 'tunnel.sock'))
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const of = async (home: string) =>
      (await otherTunnels('/nowhere', { home })).filter((each) => each.dataDir === dataDir)
    expect(await of(folder)).toEqual([{ dataDir, use: { use: 'silent' } }])
    expect(await of('/home/someone')).toEqual([])
  })

  it('are never another user’s', async () => {
    const dataDir = await hold('theirs')
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(join(dataDir, 'tunnel.sock'), 65534, 65534)
    const found = await otherTunnels('/nowhere', { home })
    expect(found.some((each) => each.dataDir === dataDir)).toBe(!isRoot)
  })
})
