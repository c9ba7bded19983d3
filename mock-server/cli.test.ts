import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import { isAlive } from './alive'
import { slow } from '../scripts/slow.testing'

const command = [process.execPath, inject('programs').mockServer]
const started: ChildProcess[] = []
/** Holds the temporary folders of the mocks. */
const temporary = mkdtempSync(join(tmpdir(), 'mock-'))

function start(parameters: string[], more: { command?: string[] } = {}): ChildProcess {
  const [program = '', ...rest] = [...(more.command ?? command), ...parameters]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  })
  started.push(child)
  return child
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

afterAll(() => {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
})

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return line
}

async function outcome(parameters: string[]): Promise<{ status: number; errorOutput: string }> {
  const child = start(parameters)
  let errorOutput = ''
  child.stderr?.on('data', (text: Buffer) => (errorOutput += text.toString()))
  const [status] = (await once(child, 'close')) as [number]
  return { status, errorOutput }
}

interface Listening {
  origin: string
  ca?: string
  discovery: { url: string; key: string }
  control: string
}

/** On Windows, signals of other programs end a program at once. */
const isKilled = process.platform === 'win32'
const ended = isKilled ? [null, 'SIGTERM'] : [0, null]

describe('the command', () => {
  slow(
    "prints that the default-route profile leaves the caller's traffic alone, unless --push-default-route is given",
    async () => {
      for (const push of [false, true]) {
        const child = start(['--port', '0', '--tunnel', 'openvpn', ...(push ? ['--push-default-route'] : [])])
        let notes = ''
        child.stderr?.on('data', (text: Buffer) => (notes += text.toString()))
        const control = /http\S+_mock/.exec(await firstLine(child))?.[0] ?? ''
        const { mode } = (await (await fetch(`${control}/tunnel`)).json()) as { mode: string }
        child.kill('SIGTERM')
        await once(child, 'close')
        expect(notes.includes('leaves yours outside')).toBe(mode === 'full' && !push)
      }
    },
  )

  it('starts with scenarios, and with the clock and faults of a file', async () => {
    const file = join(temporary, 'setup.json')
    const stub = { match: { path: '/items' }, fault: { status: 201, body: { made: true } } }
    writeFileSync(
      file,
      JSON.stringify({ scenarios: ['no-messages'], clock: { now: '2030-01-02T03:04:05Z' }, faults: [stub] }),
    )
    const options = [
      '--port',
      '0',
      '--json',
      '--portal-version',
      '3.4.3',
      '--scenario',
      'content-down',
      '--scenario',
      file,
    ]
    const { origin, control } = JSON.parse(await firstLine(start(options))) as Listening
    const state = await (await fetch(control, { headers: { accept: 'application/json' } })).json()
    expect(state).toMatchObject({
      scenarios: ['content-down', 'no-messages'],
      now: expect.stringMatching(/^2030-01-02/) as string,
    })
    expect((await fetch(`${origin}/items`)).status).toBe(201)
    expect((await fetch(`${origin}/2.3/club`)).status).toBe(503)
    expect(JSON.stringify(await (await fetch(`${origin}/.well-known/vpn-user-portal`)).json())).toContain(
      'api#3',
    )
  })

  it('says its version', async () => {
    expect(await firstLine(start(['--version']))).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('ends if a scenario is unknown', async () => {
    const { status, errorOutput } = await outcome(['--port', '0', '--scenario', 'login-deny'])
    expect([status, errorOutput]).toEqual([1, expect.stringContaining('Did you mean')])
  })

  it('prints all addresses with --json, and ends on SIGTERM', async () => {
    const child = start(['--port', '0', '--json', '--auto-approve', '--redirect-discovery', '303'])
    const line = await firstLine(child)
    const { origin, discovery } = JSON.parse(line) as Listening
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(line).toBe(
      `{"event":"listening","origin":"${origin}","instance":"${origin}/",` +
        `"attachments":"${origin}/v2.0.0","content":"${origin}","organizations":"${origin}",` +
        `"control":"${origin}/_mock","discovery":${JSON.stringify(discovery)}}`,
    )
    expect(discovery.url).toBe(`${origin}/discovery/`)
    expect(discovery.key).toMatch(/^RW[A-Za-z0-9+/]{54}$/)
    const response = await fetch(`${origin}/info.json`, { redirect: 'manual' })
    expect(response.status).toBe(303)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual(ended)
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
  })

  it('refuses wrong options with status 2 and a reason', async () => {
    const { status, errorOutput } = await outcome(['--port', 'http'])
    expect(status).toBe(2)
    expect(errorOutput).toMatch(/^error: .{10}/)
  })

  it('prints the CA of --tls, which clients can trust with SSL_CERT_FILE, and deletes it at the end', async () => {
    const child = start(['--port', '0', '--json', '--tls', '--origin', 'https://mock.test.example'])
    const { ca = '', origin } = JSON.parse(await firstLine(child)) as Listening
    expect(origin).toBe('https://mock.test.example')
    expect(readFileSync(ca, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(existsSync(ca)).toBe(isKilled)
  })

  it('reports a port in use with status 1', async () => {
    const child = start(['--port', '0', '--json'])
    const { origin } = JSON.parse(await firstLine(child)) as Listening
    const { status, errorOutput } = await outcome(['--port', new URL(origin).port])
    expect(status).toBe(1)
    expect(errorOutput).toContain('EADDRINUSE')
  })
})

describe('a killed process', () => {
  it('takes the mock down with it when it started the mock', async () => {
    const script = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), {stdio: 'inherit'})`
    const launcher = start([...command, '--port', '0', '--json'], {
      command: [process.execPath, '-e', script],
    })
    const { origin } = JSON.parse(await firstLine(launcher)) as Listening
    launcher.kill('SIGKILL')
    await expectGone(origin)
  })

  it.skipIf(process.platform === 'win32')(
    'takes the mock down with it when it was npm, even if the output is a file',
    async () => {
      const folder = mkdtempSync(join(temporary, 'npm-'))
      // The shell does not pass signals on.
      const script = `${command.map((word) => `'${word}'`).join(' ')} --port 0 --json; true`
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { mock: script } }))
      const output = join(folder, 'output')
      const npm = spawn('npm', ['run', '--silent', 'mock'], {
        cwd: folder,
        stdio: ['ignore', openSync(output, 'w'), 'ignore'],
      })
      started.push(npm)
      await expect.poll(() => readFileSync(output, 'utf8')).toContain('\n')
      const { origin } = JSON.parse(readFileSync(output, 'utf8')) as Listening
      npm.kill('SIGTERM')
      await expectGone(origin)
    },
  )

  it.runIf(process.platform === 'linux')(
    'takes the mock down with it when it was a test that had npm start it',
    async () => {
      const folder = mkdtempSync(join(temporary, 'npm-'))
      const mock = `${command.map((word) => `'${word}'`).join(' ')} --port 0 --json`
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { mock } }))
      const script = `require('node:child_process').spawn('npm', ['run', '--silent', 'mock'], {cwd: process.argv[1], stdio: 'inherit'})`
      const launcher = start([folder], { command: [process.execPath, '-e', script] })
      const { origin } = JSON.parse(await firstLine(launcher)) as Listening
      launcher.kill('SIGKILL')
      await expectGone(origin)
    },
  )

  it('leaves no OpenVPN server and no temporary folder behind when it was the mock, and the next mock starts', async () => {
    const killed = start(['--port', '0', '--json', '--tls', '--tunnel', 'openvpn'])
    const { ca = '' } = JSON.parse(await firstLine(killed)) as Listening
    expect(existsSync(ca)).toBe(true)
    const folders = () =>
      readdirSync(temporary).filter((name) => /-mock-\d+-(\d+)-/.exec(name)?.[1] === String(killed.pid))
    expect(folders()).toHaveLength(1)
    const servers = openvpnOf(killed)
    killed.kill('SIGKILL')
    await expect.poll(() => servers.filter(isAlive)).toEqual([])
    // The next mock removes it on Windows.
    if (!isKilled) await expect.poll(folders).toEqual([])
    const next = start(['--port', '0', '--json', '--tunnel', 'openvpn'])
    const { control } = JSON.parse(await firstLine(next)) as Listening
    const tunnel = (await (await fetch(`${control}/tunnel`)).json()) as {
      mode: string
      namespace?: string
      reason?: string
    }
    expect(tunnel.namespace ?? '').not.toContain(`-${killed.pid ?? ''}`)
    expect(servers.length, tunnel.reason).toBe(tunnel.mode === 'full' ? 12 : 0)
    next.kill('SIGTERM')
    expect(await once(next, 'close')).toEqual(ended)
  })
})

/** Waits until nothing answers at this origin any more. */
async function expectGone(origin: string): Promise<void> {
  const request = () =>
    fetch(origin, { signal: AbortSignal.timeout(1000) }).then(
      () => 'running',
      // A server that is slow to answer is still there.
      (error: unknown) => (error instanceof DOMException ? 'running' : 'gone'),
    )
  await expect.poll(request).toBe('gone')
}

/** Returns the child processes of a process on Linux; elsewhere none, because the mock starts no servers there. */
function openvpnOf(parent: ChildProcess): number[] {
  const isChild = (pid: string) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return status.includes('Name:\topenvpn\n') && status.includes(`\nPPid:\t${parent.pid ?? ''}\n`)
    } catch {
      return false
    }
  }
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.filter(isChild).map(Number)
}
