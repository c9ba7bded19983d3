import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { execa } from 'execa'
import { mayManageUser, ManagedUser } from './user-manager.testing'
import { openUserManager, type RunningUnit, type UserManager, unitPart } from './user-manager'
import { appOfUnit } from './unit-names'

const slice = 'app-test_outside.slice'

describe.runIf(await mayManageUser())('a real systemd of a user', () => {
  let user: ManagedUser
  beforeAll(async () => {
    user = await ManagedUser.make()
  })
  afterAll(() => user.end())

  async function open(): Promise<UserManager> {
    const manager = await openUserManager(user.bus)
    if (manager === undefined) throw new Error('It does not answer.')
    onTestFinished(() => {
      manager.close()
    })
    return manager
  }

  /** Starts a program that runs until its standard input ends, and returns its process id. */
  async function program() {
    const [first, ...words] = user.asUser
    const running = execa(first, [...words, 'sh', '-c', 'echo $$; exec cat'], {
      env: user.env,
      reject: false,
      stdin: 'pipe',
    })
    const [line] = (await once(running.stdout, 'data')) as [Buffer]
    onTestFinished(async () => {
      running.stdin.end()
      await running
    })
    return {
      pid: Number(line.toString()),
      end: async () => {
        running.stdin.end()
        await running
      },
    }
  }

  it('keeps the control group of a slice that nothing is in', async () => {
    const manager = await open()
    const { controlGroup: group, run } = await manager.startSlice(slice)
    expect(run).toMatch(/^[\da-f]{32}$/)
    expect(group).toMatch(/\/user@\d+\.service\/app\.slice\/app-test_outside\.slice$/)
    const inode = () => user.run(`stat -c %i /sys/fs/cgroup${group}`)
    const before = await inode()
    await user.run(`systemd-run --user --scope --quiet --slice=${slice} true`)
    expect(await inode()).toBe(before)
    expect(await manager.startSlice(slice)).toEqual({ unit: slice, controlGroup: group, run })
    expect(await inode()).toBe(before)
  })

  it('puts a running process into a scope of its own', async () => {
    const manager = await open()
    const { pid } = await program()
    const unit = `app-test-${unitPart('my program')}-${pid}.scope`
    await manager.startScope({ unit, slice, description: 'A test', pids: [pid] })
    expect(await user.run(`cat /proc/${pid}/cgroup`)).toMatch(
      new RegExp(`0::.*/${slice}/app-test-my.x20program-${pid}.scope$`, 'm'),
    )
    await expect(manager.startScope({ unit, slice, description: 'Again', pids: [pid] })).rejects.toThrow()
  })

  it('tells of the end of the bus, and not of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bus-'))
    const [real, path] = [user.bus.replace('unix:path=', ''), join(folder, 'bus')]
    const sockets: Socket[] = []
    const bus = createServer((socket) => {
      const other = connect(real)
      sockets.push(socket, other)
      for (const each of [socket, other]) each.on('error', () => undefined)
      socket.pipe(other).pipe(socket)
    }).listen(path)
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      bus.close()
      await rm(folder, { recursive: true })
    })
    const [first, second] = [
      await openUserManager(`unix:path=${path}`),
      await openUserManager(`unix:path=${path}`),
    ]
    const lost: string[] = []
    first?.onLost(() => lost.push('first'))
    second?.onLost(() => lost.push('second'))
    first?.close()
    for (const socket of sockets) socket.end()
    await expect.poll(() => lost).toEqual(['second'])
    await expect(second?.startSlice(slice)).rejects.toThrow('no answer')
  })

  it('tells of units that run, that start and that end', async () => {
    const manager = await open()
    const early = await program()
    await manager.startScope({ unit: 'app-test-early-1.scope', slice, description: '', pids: [early.pid] })
    const running: RunningUnit[] = []
    const gone = new Set<string>()
    const stop = await manager.watch({
      isWanted: (unit) => appOfUnit(unit) !== undefined,
      onRunning: (each) => running.push(each),
      onGone: (unit) => gone.add(unit),
    })
    expect(running).toEqual([
      {
        unit: 'app-test-early-1.scope',
        controlGroup: expect.stringMatching(/\/app-test-early-1\.scope$/) as string,
        run: expect.stringMatching(/^[\da-f]{32}$/) as string,
      },
    ])
    const [first, ...words] = user.asUser
    const late = execa(
      first,
      [
        ...words,
        'systemd-run',
        '--user',
        '--scope',
        '--quiet',
        '--collect',
        '--unit=app-test-late-2.scope',
        'cat',
      ],
      { env: user.env, stdin: 'pipe' },
    )
    await expect.poll(() => running.map(({ unit }) => unit)).toContain('app-test-late-2.scope')
    expect(running.at(-1)?.controlGroup).toMatch(/\/app-test-late-2\.scope$/)
    late.stdin.end()
    await late
    await expect.poll(() => [...gone]).toEqual(['app-test-late-2.scope'])
    stop()
    await early.end()
    expect(gone.size).toBe(1)
  })
})

it.each(['unix:path=/does/not/exist', 'nonsense:', ''])('is none at %j', async (address) => {
  expect(await openUserManager(address)).toBeUndefined()
})

it('escapes parts of names as systemd does', () => {
  expect(unitPart('google-chrome')).toBe('google\\x2dchrome')
  expect(unitPart('.hidden café')).toBe('\\x2ehidden\\x20caf\\xc3\\xa9')
  expect(appOfUnit(`app-causeway-${unitPart('a b-c')}-1.scope`)).toBe('a b-c')
})

it.runIf(process.platform === 'linux')(
  'takes no socket in the current folder for the bus of the user',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-bus-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    server.listen(join(folder, 'bus'))
    await once(server, 'listening')
    const before = process.cwd()
    process.chdir(folder)
    onTestFinished(() => {
      process.chdir(before)
      vi.unstubAllEnvs()
      server.close()
    })
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', undefined)
    for (const runtime of ['', '.']) {
      vi.stubEnv('XDG_RUNTIME_DIR', runtime)
      const manager = await openUserManager()
      manager?.close()
    }
    expect(connections).toBe(0)
  },
)
