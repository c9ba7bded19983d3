import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runningClients } from '../app/connecting.testing'
import { canConfigureNetwork } from '../privilege/network-rights'
import { sameCommand } from './connect-in-background'
import {
  canInterrupt,
  failureOf,
  idleBrowser,
  type Person,
  printed,
  startCommandAndMock,
} from './causeway.testing'
import { slow } from '../../scripts/slow.testing'
import { isSlowRun } from '../../scripts/nightly-tests'

const { command, mock } = await startCommandAndMock()

/** For commands that start a process for the background. */
const inItsOwn = { through: [] }

interface Line {
  readonly state: string
  readonly reason?: string
  readonly heldBy?: { readonly pid: number }
}

const linesOf = (text: string): Line[] => text.split('\n').map((line) => JSON.parse(line) as Line)

async function newPerson(): Promise<Person> {
  const person = await command.person(mock.instance)
  onTestFinished(async () => {
    await person.run(['disconnect', '--wait'])
  })
  return person
}

/** The office profile routes only the mock's own network, so these tests change no other routes. */
describe.runIf(process.platform === 'linux' && (await canConfigureNetwork()))(
  'a tunnel in the background',
  () => {
    it('stays when connect --detach has returned, until disconnect', async () => {
      const person = await newPerson()
      const { status, stdout } = await person.run(['connect', 'office', '--detach', '--json'], inItsOwn)
      expect(status).toBe(0)
      expect(linesOf(stdout).at(-1)).toMatchObject({ state: 'connected', profileId: 'office' })
      const lines = stdout.split('\n')
      expect(new Set(lines).size, 'no line is printed twice').toBe(lines.length)

      expect((await person.run(['status'])).stdout).toMatch(
        /^Connected: office at .*\. For 0 min\. .*\n {2}Address +[\d.]+.*\n {2}Server +[\d.]+:\d+ \((UDP|TCP)\)$/m,
      )
      expect(await person.run(['status', '--check'])).toMatchObject({ status: 0 })
      const { heldBy } = (await person.json('status')) as Line
      expect(runningClients(heldBy?.pid ?? 0)).toHaveLength(1)
      expect(await person.json('disconnect', '--wait')).toMatchObject({ wasConnected: true })
      expect(await person.run(['status', '--check'])).toMatchObject({ status: 3, stdout: 'Not connected.' })
      expect(runningClients(heldBy?.pid ?? 0)).toEqual([])
    })

    slow('is described for people as connect does', async () => {
      const person = await newPerson()
      const { stdout, stderr } = await person.run(['connect', 'office', '--detach'], inItsOwn)
      expect(stdout).toMatch(/^Connected/m)
      expect(stderr).toMatch(/causeway .*disconnect/)
      expect(stderr).not.toContain('Ctrl-C')
      const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '')
      expect(new Set(lines).size).toBe(lines.length)
    })

    slow('starts again on reconnect, which returns when it is up', async () => {
      const person = await newPerson()
      await person.run(['connect', 'office', '--detach'], inItsOwn)
      const before = (await person.json('status')) as Line & { since: string }
      const watching = person.start(['status', '--watch', '--json'])
      await printed(watching, '"connected"')
      const lines: Line[] = []
      const isUpAgain = new Promise<void>((resolve) => {
        createInterface({ input: watching.stdout }).on('line', (text) => {
          lines.push(JSON.parse(text) as Line)
          if (lines.at(-1)?.state === 'connected') resolve()
        })
      })
      const after = (await person.json('reconnect')) as typeof before
      expect(after).toMatchObject({ state: 'connected', heldBy: before.heldBy })
      expect(after.since).not.toBe(before.since)
      await isUpAgain
      expect(lines[0]).toMatchObject({ state: 'reconnecting', reason: 'requested' })

      await person.run(['disconnect'])
      watching.kill('SIGINT')
      const { exitCode } = await watching
      expect(exitCode).toBe(0)
      expect(lines.at(-1)).toEqual({ state: 'disconnected' })
    })

    slow('survives the end of the terminal under nohup', async () => {
      const person = await newPerson()
      const running = person.start(['connect', 'office', '--json'], {
        // As nohup does in a terminal.
        through: ['/bin/sh', '-c', 'exec "$0" "$@" 0>/dev/null'],
      })
      const pid = await printed(running, '"connected"')
      process.kill(pid, 'SIGHUP')
      expect(await person.json('status')).toMatchObject({ state: 'connected' })
      await person.run(['disconnect'])
      expect((await running).exitCode).toBe(0)
    })
  },
)

describe('causeway connect --detach', () => {
  it('asks before a full tunnel that may end the SSH connection of who types it', async () => {
    const person = await newPerson()
    const env = { SSH_CONNECTION: '198.51.100.7 51234 203.0.113.5 22', CAUSEWAY_OPENVPN: '/nowhere/openvpn' }
    expect(await person.failure(['connect', 'internet', '--detach'], { env })).toMatchObject({
      status: 2,
      code: 'usage/invalid-argument',
      message: expect.stringContaining('--yes') as unknown,
    })
    // Neither is asked: a split tunnel, and a script that says so.
    for (const words of [['office'], ['internet', '--yes', '--detach']])
      expect(await person.failure(['connect', ...words], { env })).toMatchObject({ status: 7 })
  })

  slow('fails like connect if nothing can be connected', async () => {
    const person = await newPerson()
    expect(await person.failure(['connect', 'no-such-profile', '--detach'], inItsOwn)).toMatchObject({
      status: 5,
      code: 'vpn-api/profile-unavailable',
    })
    expect(await person.json('status')).toEqual({ state: 'disconnected' })
  })

  it('returns after --wait, and keeps trying', async () => {
    const person = await newPerson()
    // The browser does nothing, so the login waits.
    const options = { ...inItsOwn, env: { CAUSEWAY_BROWSER: idleBrowser } }
    const failure = await person.failure(['connect', 'office', '--detach', '--wait', '1'], options)
    expect(failure).toMatchObject({ status: 1, code: 'connection/not-yet-connected' })
    await expect
      .poll(() => person.json('status'), { timeout: 60_000 })
      .toMatchObject({ state: 'authorizing' })
    expect(await person.json('disconnect')).toMatchObject({ notYetConnected: true })
  })

  it.runIf(canInterrupt)('ends the attempt on Ctrl-C', async () => {
    const person = await newPerson()
    const running = person.start(['connect', 'office', '--detach', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    await printed(running, '"authorizing"')
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    expect(await person.json('status')).toEqual({ state: 'disconnected' })
  })

  it('is no success if another process ends the attempt', async () => {
    const person = await newPerson()
    const running = person.start(['connect', 'office', '--detach', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    await printed(running, '"authorizing"')
    expect(await person.json('disconnect')).toMatchObject({ notYetConnected: true })
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(JSON.parse(stdout.split('\n').at(-1) ?? '')).toMatchObject({
      state: 'disconnected',
      by: { kind: 'terminal' },
      notYetConnected: true,
    })
  })

  it('refuses to leave a check in the background', async () => {
    const person = await newPerson()
    expect(await person.failure(['connect', 'office', '--detach', '--check'])).toMatchObject({ status: 2 })
  })

  it.runIf(isSlowRun && process.platform === 'linux')(
    'ends the attempt also if Ctrl-C comes while the other process is starting',
    async () => {
      const person = await newPerson()
      const running = person.start(['connect', 'office', '--detach'], {
        env: { CAUSEWAY_BROWSER: idleBrowser },
      })
      await expect.poll(() => hasBackground(running.pid ?? 0), { interval: 5 }).toBe(true)
      running.kill('SIGINT')
      expect(await running).toMatchObject({
        exitCode: 130,
        stdout: expect.not.stringContaining('Connected') as string,
      })
      expect((await running).stderr).not.toContain('unexpected')
      expect(await person.json('status')).toEqual({ state: 'disconnected' })
    },
  )

  slow('takes a profile after --, and names the error of a second one at once', async () => {
    const person = await newPerson()
    const env = { CAUSEWAY_BROWSER: idleBrowser, CAUSEWAY_JSON: '1' }
    const connect = () =>
      person.run(['connect', '--detach', '--wait', '8', '--', 'office'], { ...inItsOwn, env })
    const both = await Promise.all([connect(), connect()])
    expect(both.map((outcome) => failureOf(outcome).code).toSorted()).toEqual([
      'connection/held-by-other',
      'connection/not-yet-connected',
    ])
    expect(await person.json('status')).toMatchObject({ state: 'authorizing', profileId: 'office' })
  })

  slow('keeps trying if the waiting process is killed', async () => {
    const person = await newPerson()
    const running = person.start(['connect', 'office', '--detach', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    process.kill(await printed(running, '"authorizing"'), 'SIGKILL')
    await running
    await expect
      .poll(() => person.json('status'), { timeout: 60_000 })
      .toMatchObject({ state: 'authorizing' })
    expect(await person.json('disconnect')).toMatchObject({ notYetConnected: true })
  })
})

/** Returns true if a process has started another one for the background; it starts others, too. */
async function hasBackground(pid: number): Promise<boolean> {
  const read = (file: string) => readFile(`/proc/${file}`, 'utf8').catch(() => '')
  const children = (await read(`${pid}/task/${pid}/children`)).split(' ').filter((child) => child !== '')
  const variables = await Promise.all(children.map((child) => read(`${child}/environ`)))
  return variables.some((each) => each.includes('CAUSEWAY_BACKGROUND=1'))
}

describe('without a connection', () => {
  it.runIf(isSlowRun && process.platform === 'linux')(
    'status --watch goes on, and tells of a connection and its end',
    async () => {
      const person = await newPerson()
      const watching = person.start(['status', '--watch', '--json'])
      const lines: Line[] = []
      createInterface({ input: watching.stdout }).on('line', (text) => lines.push(JSON.parse(text) as Line))
      await expect.poll(() => lines).toEqual([{ state: 'disconnected' }])
      const env = { CAUSEWAY_BROWSER: idleBrowser }
      await person.run(['connect', 'office', '--detach', '--wait', '1'], { ...inItsOwn, env })
      await expect.poll(() => lines.at(-1)?.state).toBe('authorizing')
      await person.run(['disconnect', '--wait'])
      await expect.poll(() => lines.at(-1)?.state).toBe('disconnected')
      watching.kill('SIGINT')
      expect((await watching).exitCode).toBe(0)
    },
  )

  it('reconnect says so', async () => {
    const person = await newPerson()
    expect(await person.failure(['reconnect'])).toMatchObject({ status: 1, code: 'connection/not-connected' })
  })
})

it.skipIf(process.platform === 'win32')(
  'starts the same command again: from source, from a package and from an AppImage',
  () => {
    const process = { execArgv: [], env: {}, versions: {} }
    const words = ['connect', '--detach']
    expect(
      sameCommand({
        ...process,
        execPath: '/usr/bin/node',
        argv: ['/usr/bin/node', '/app/cli.js', ...words],
      }),
    ).toEqual({ program: ['/usr/bin/node', '/app/cli.js', ...words], env: {} })

    const installed = {
      ...process,
      execPath: '/opt/Causeway/causeway-app',
      argv: ['/opt/Causeway/causeway-app', '/opt/Causeway/resources/app.asar/out/main/cli.js', ...words],
      versions: { electron: '45.0.0' },
    }
    expect(sameCommand({ ...installed, env: { NODE_EXTRA_CA_CERTS: '/etc/own.pem' } })).toEqual({
      program: installed.argv,
      env: { ELECTRON_RUN_AS_NODE: '1', CAUSEWAY_NODE_EXTRA_CA_CERTS: '/etc/own.pem' },
    })
    expect(
      sameCommand({ ...installed, env: { APPIMAGE: '/home/c.AppImage', APPDIR: '/opt/Causeway' } }),
    ).toEqual({
      program: ['/home/c.AppImage', ...words],
      env: {},
    })
    const macOs = { ...installed, type: 'browser', argv: [installed.execPath, ...words] }
    expect(sameCommand(macOs)).toEqual({ program: macOs.argv, env: {} })
  },
)
