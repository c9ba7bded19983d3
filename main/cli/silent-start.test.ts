import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { BuiltCommand, failureOf } from './causeway.testing'

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
const canMount =
  process.getuid?.() === 0 &&
  existsSync('/dev/fuse') &&
  !(await execa('unshare', ['--mount', 'sh', '-c', 'exec 9<>/dev/fuse'], { reject: false })).failed

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

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves the start to %s', async (name) => {
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
