import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { ManagedUser, mayManageUser } from '../platform/apps/user-manager.testing'

describe.runIf(await mayManageUser())('causeway outside', () => {
  let user: ManagedUser
  beforeAll(async () => {
    user = await ManagedUser.make()
  })
  afterAll(() => user.end())

  /** Starts the command as the user of that systemd. */
  function causeway(...words: string[]) {
    const [first, ...rest] = user.asUser
    const running = execa(first, [...rest, process.execPath, inject('programs').command, ...words], {
      env: { ...user.env, LC_ALL: 'C' },
      extendEnv: false,
      reject: false,
      stdin: 'pipe',
    })
    onTestFinished(() => void running.kill('SIGKILL'))
    return running
  }

  it('starts the program in its slice from its first moment, and says that nothing is connected', async () => {
    const script = 'grep ^0:: /proc/self/cgroup; echo "$1"; exit 7'
    const { exitCode, stdout, stderr } = await causeway(
      'outside',
      '--',
      'sh',
      '-c',
      script,
      'sh',
      "a  'word' --help",
    )
    expect(stdout).toMatch(
      /^0::\/.*\/app-causeway_outside\.slice\/app-causeway-sh-\w+\.scope\na {2}'word' --help$/,
    )
    expect(exitCode).toBe(7)
    expect(stderr).toMatch(/^The VPN isn't connected\./)
  })

  it.runIf(existsSync('/dev/net/tun'))(
    'says that another VPN is up, such as that of another user',
    async () => {
      const device = `cw${process.pid}t`
      const ip = (...words: string[]) =>
        execa('ip', words, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } })
      await ip('tuntap', 'add', device, 'mode', 'tun')
      onTestFinished(() => void ip('link', 'delete', device))
      await ip('link', 'set', device, 'up')
      const { exitCode, stderr } = await causeway('outside', '--', 'true')
      expect(exitCode).toBe(0)
      expect(stderr).toMatch(
        new RegExp(
          `^Another VPN is up on this computer, and the program may use it: .*${device} \\(TUN\\)`,
          'm',
        ),
      )
    },
  )

  it('passes on what it reads, and the signals that it gets', async () => {
    const running = causeway(
      'outside',
      '--',
      'sh',
      '-c',
      'trap "echo got; exit 3" USR1; read line; echo "$line"; while :; do sleep 0.05; done',
    )
    running.stdin.write('hello\n')
    const lines: string[] = []
    running.stdout.on('data', (chunk: Buffer) => lines.push(chunk.toString().trim()))
    await expect.poll(() => lines).toEqual(['hello'])
    running.kill('SIGUSR1')
    expect((await running).exitCode).toBe(3)
    expect(lines).toEqual(['hello', 'got'])
  })

  it('ends by the signal that ended the program, and as a shell does without one', async () => {
    expect((await causeway('outside', '--', 'sh', '-c', 'kill -KILL $$')).signal).toBe('SIGKILL')
    const missing = await causeway('outside', '--', '/not/there')
    expect(missing.exitCode).toBe(127)
    expect(missing.stderr).toMatch(/\/not\/there/)
  })

  it('moves a running program', async () => {
    const [first, ...rest] = user.asUser
    const running = execa(first, [...rest, 'cat'], { env: user.env, reject: false, stdin: 'pipe' })
    // All these words exec each other.
    const pid = String(running.pid)
    await expect.poll(() => user.run(`cat /proc/${pid}/comm`)).toBe('cat')
    const { exitCode, stdout } = await causeway('outside', '--pid', pid, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ pid: Number(pid), side: 'outside' })
    expect(await user.run(`cat /proc/${pid}/cgroup`)).toMatch(
      /app-causeway_outside\.slice\/app-causeway-cat-/,
    )
    running.stdin.end()
    await running
    const gone = await causeway('outside', '--pid', pid, '--json')
    expect(gone.exitCode).toBe(1)
    expect(gone.stderr).toContain('apps/not-moved')
  })

  it('starts nothing inside without a connection, nor without a program', async () => {
    const inside = await causeway('inside', '--json', '--', 'echo', 'leaked')
    expect(inside).toMatchObject({ exitCode: 1, stdout: '' })
    expect(inside.stderr).toContain('connection/not-connected')
    expect((await causeway('outside')).exitCode).toBe(2)
    expect((await causeway('outside', '--pid', '1', '--', 'echo')).exitCode).toBe(2)
  })

  it('keeps a list of apps', async () => {
    const json = async (...words: string[]): Promise<unknown> =>
      JSON.parse((await causeway(...words, '--json')).stdout)
    expect(await json('apps', 'add', 'sh')).toMatchObject({
      listed: true,
      app: expect.stringMatching(/\/sh$/) as string,
    })
    expect(await json('apps', 'mode', 'except')).toEqual({ mode: 'except' })
    expect(await json('apps', 'list')).toMatchObject({
      mode: 'except',
      running: [],
      apps: [{ id: expect.stringMatching(/\/sh$/) as string, listed: true }],
    })
    const unknown = await causeway('apps', 'add', 'no such app', '--json')
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain('apps/unknown')
    await json('apps', 'remove', 'sh')
    expect(await json('apps', 'list')).toMatchObject({ apps: [] })
  })
})

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'outside-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

describe.runIf(process.platform === 'linux')('causeway outside without a systemd of the user', () => {
  it('starts nothing', async () => {
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [inject('programs').command, 'outside', '--json', '--', 'echo', 'leaked'],
      {
        env: {
          PATH: process.env.PATH ?? '',
          HOME: '/nonexistent',
          XDG_RUNTIME_DIR: '/nonexistent',
          CAUSEWAY_DATA_DIR: await folder(),
        },
        extendEnv: false,
        reject: false,
      },
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('apps/no-manager')
  })
})
