import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import { isAlive } from './alive'

const command = [process.execPath, inject('programs').mockServer]
const started: ChildProcess[] = []
/** A mock that is killed leaves its temporary folder behind, in here. */
const temporary = mkdtempSync(join(tmpdir(), 'causeway-mock-test-'))

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

async function outcome(parameters: string[]): Promise<{ status: number; complaint: string }> {
  const child = start(parameters)
  let complaint = ''
  child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()))
  const [status] = (await once(child, 'close')) as [number]
  return { status, complaint }
}

interface Listening {
  origin: string
  control: string
}

/** Each test starts a process or two, which can take seconds on a busy machine. */
const patience = { timeout: 30_000 }

describe('the command', patience, () => {
  it('says to a person that the profile for all traffic leaves theirs outside, unless it is told to take it', async () => {
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
  })

  it('says with --json where everything is, and ends with SIGTERM', async () => {
    const child = start(['--port', '0', '--json', '--auto-approve', '--redirect-discovery', '303'])
    const line = await firstLine(child)
    const { origin } = JSON.parse(line) as Listening
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(line).toBe(
      `{"event":"listening","origin":"${origin}","instance":"${origin}/",` +
        `"attachments":"${origin}/v2.0.0","content":"${origin}","organizations":"${origin}",` +
        `"control":"${origin}/_mock"}`,
    )
    const response = await fetch(`${origin}/info.json`, { redirect: 'manual' })
    expect(response.status).toBe(303)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    await expect(fetch(origin)).rejects.toThrow('fetch failed')
  })

  it.each([
    '--port 65536',
    '--port http',
    '--seed -1',
    '--tunnel wireguard',
    '--redirect-discovery 307',
    '--portal-version 1.0.0',
    '--session-seconds 0',
    '--org-auth digest',
    '--now tomorrow',
    '--unknown',
    'operand',
  ])('refuses %s with status 2 and says what is wrong', async (parameters) => {
    const { status, complaint } = await outcome(parameters.split(' '))
    expect(status).toBe(2)
    expect(complaint).toMatch(/^error: .{10}/)
  })

  it('gives the same answers for the same seed, time and calls, times included', async () => {
    const answers = async () => {
      const parameters = ['--port', '0', '--json', '--seed', '3', '--now', '2026-11-20T12:00:00Z']
      const child = start(parameters)
      const { origin } = JSON.parse(await firstLine(child)) as Listening
      const texts: string[] = []
      const hear = async (path: string, init?: RequestInit) => {
        texts.push((await (await fetch(origin + path, init)).text()).replaceAll(origin, ''))
      }
      const json = (body: object) => ({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await hear('/v2.0.0/attachments/', json({ type: 'INTERNAL', title: 'A file', extension: 'txt' }))
      await hear('/v2.0.0/attachments/?pageSize=100')
      await hear('/2.3/misprints/new', json({ text: 'A misprint', url: 'https://www.example.org/' }))
      for (const path of ['/2.3/club', '/2.3/tweets', '/2.3/news', '/2.3/account/info']) await hear(path)
      await hear('/api/orgs', json({ name: 'New' }))
      await hear('/api/org/users')
      await hear('/_mock/misprints')
      child.kill('SIGTERM')
      await once(child, 'close')
      return texts
    }
    const first = await answers()
    expect(first.join('\n')).toContain('2026-11-20T12:00:00')
    expect(await answers()).toEqual(first)
  })

  it('says that a port is taken, with status 1', async () => {
    const child = start(['--port', '0', '--json'])
    const { origin } = JSON.parse(await firstLine(child)) as Listening
    const { status, complaint } = await outcome(['--port', new URL(origin).port])
    expect(status).toBe(1)
    expect(complaint).toContain('EADDRINUSE')
  })
})

describe('when things end rudely', patience, () => {
  it('the mock ends with the program that started it', async () => {
    const script = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), {stdio: 'inherit'})`
    const launcher = start([...command, '--port', '0', '--json'], {
      command: [process.execPath, '-e', script],
    })
    const { origin } = JSON.parse(await firstLine(launcher)) as Listening
    launcher.kill('SIGKILL')
    await expect
      .poll(
        () =>
          fetch(origin).then(
            () => 'running',
            () => 'gone',
          ),
        { timeout: 10_000 },
      )
      .toBe('gone')
  })

  it('no OpenVPN server outlives a killed mock, and the next one starts', async () => {
    const killed = start(['--port', '0', '--json', '--tunnel', 'openvpn'])
    await firstLine(killed)
    const servers = childrenOf(killed)
    killed.kill('SIGKILL')
    await expect.poll(() => servers.filter(isAlive), { timeout: 10_000 }).toEqual([])
    const next = start(['--port', '0', '--json', '--tunnel', 'openvpn'])
    const { control } = JSON.parse(await firstLine(next)) as Listening
    const tunnel = (await (await fetch(`${control}/tunnel`)).json()) as { mode: string; namespace?: string }
    expect(tunnel.namespace ?? '').not.toContain(`-${killed.pid ?? ''}`)
    expect(servers.length).toBe(tunnel.mode === 'full' ? 12 : 0)
    next.kill('SIGTERM')
    expect(await once(next, 'close')).toEqual([0, null])
  })
})

/** The children of a process, as Linux tells; elsewhere there are no servers beside the mock to look for. */
function childrenOf(parent: ChildProcess): number[] {
  const isChild = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent.pid ?? ''}\n`)
    } catch {
      return false
    }
  }
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.filter(isChild).map(Number)
}
