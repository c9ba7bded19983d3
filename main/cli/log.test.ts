import { createInterface } from 'node:readline'
import { appendFile, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canInterrupt, idleBrowser, type Person, secretWords, startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock()

const journal = z.array(
  z.object({ headers: z.object({ authorization: z.string().optional() }), body: z.string().nullable() }),
)
const entry = z.object({ part: z.string(), event: z.string(), fields: z.record(z.string(), z.unknown()) })

async function entries(person: Person): Promise<z.infer<typeof entry>[]> {
  return z.array(entry).parse(await person.json('log', '--lines', '5000'))
}

describe('the log', () => {
  it("contains states, requests and OpenVPN's log, but no secrets", async () => {
    const person = await command.person(mock.instance)
    expect((await person.run(['connect', 'internet', '--check'])).status).toBe(0)

    const received = await entries(person)
    const states = received.filter(({ part }) => part === 'connection').map(({ fields }) => fields.state)
    expect(states).toEqual(
      expect.arrayContaining(['discovering', 'authorizing', 'preparing', 'connecting', 'connected']),
    )
    expect(received).toContainEqual({
      part: 'http',
      event: 'exchange',
      fields: expect.objectContaining({ method: 'POST', status: 200 }) as object,
    })
    expect(JSON.stringify(received)).toContain('Initialization Sequence Completed')

    const path = join(person.dataDir, 'logs', 'causeway.log')
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    const written = `${await readFile(path, 'utf8')}\n${(await person.run(['report'])).stdout}`
    const requests = journal.parse(await (await fetch(`${mock.control}/requests`)).json())
    const sent = requests.flatMap(({ headers, body }) => [headers.authorization ?? '', body ?? ''])
    const secrets = [...sent, await person.secrets()].flatMap(secretWords)
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
    expect(written).not.toContain('-----BEGIN')
    expect(
      written.match(/(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)/g)?.filter((ip) => !ip.startsWith('127.')),
    ).toEqual([])
  })

  it('contains the error of a failed command', async () => {
    const person = await command.person('http://127.0.0.1:9')
    expect((await person.run(['connect', 'internet'])).status).toBe(4)
    expect(await entries(person)).toContainEqual({
      part: 'command',
      event: 'connect',
      fields: { error: expect.objectContaining({ code: 'http/unreachable' }) as object },
    })
  })

  it('is at the printed path and in the report', async () => {
    const person = await command.person()
    expect(await person.json('log', '--path')).toEqual({
      path: join(person.dataDir, 'logs', 'causeway.log'),
    })
    const { stdout } = await person.run(['report'])
    for (const heading of ['Versions', 'Settings', 'Findings', 'Log (']) expect(stdout).toContain(heading)
  })

  it.runIf(canInterrupt)('is followed with --follow, into the next file, until Ctrl-C', async () => {
    const person = await command.person()
    const path = join(person.dataDir, 'logs', 'causeway.log')
    const following = person.start(['log', '--follow', '--lines', '1', '--json'])
    const events: string[] = []
    createInterface({ input: following.stdout }).on('line', (line) =>
      events.push(entry.parse(JSON.parse(line)).event),
    )
    await expect.poll(() => events).toEqual(['notice'])
    const line = (event: string) => JSON.stringify({ part: 'app', event, fields: {} })
    await appendFile(path, `${line('one')}\n${line('two').slice(0, 9)}`)
    await appendFile(path, `${line('two').slice(9)}\n`)
    await expect.poll(() => events).toEqual(['notice', 'one', 'two'])
    await appendFile(path, `${line('three')}\n`)
    await rename(path, `${path}.1`)
    await appendFile(path, `${line('four')}\n`)
    await expect.poll(() => events).toEqual(['notice', 'one', 'two', 'three', 'four'])
    following.kill('SIGINT')
    expect((await following).exitCode).toBe(0)
  })

  it('and the next command report a command that was killed', async () => {
    const person = await command.person(mock.instance)
    // A browser that does nothing keeps the command waiting.
    const running = person.start(['connect', 'internet', '--json'], {
      env: { CAUSEWAY_BROWSER: idleBrowser },
    })
    for await (const line of createInterface({ input: running.stdout })) {
      if (line.includes('authorizing')) break
    }
    const markers = join(person.dataDir, 'running', `${running.pid ?? 0}.json`)
    await expect.poll(() => readFile(markers, 'utf8').catch(() => '')).toContain('authorizing')
    running.kill('SIGKILL')
    await running
    const { stderr, status } = await person.run(['settings', 'list', '--json'])
    expect(status).toBe(0)
    expect(stderr).toContain('"code":"app/ended-unexpectedly"')
    expect((await entries(person)).map(({ event }) => event)).toContain('ended-unexpectedly')
    expect((await person.run(['settings', 'list', '--json'])).stderr).not.toContain('ended-unexpectedly')
  })

  it('is printed to its end for a reader who takes longer than a second', async () => {
    const person = await command.person()
    await person.run(['settings', 'list'])
    const lines = Array.from({ length: 50_000 }, (_, at) =>
      JSON.stringify({ part: 'app', event: `line ${at}` }),
    )
    await appendFile(join(person.dataDir, 'logs', 'causeway.log'), `${lines.join('\n')}\n`)
    // The second is over at once. What is left at the end is lost.
    const inNoTime = `import { writeSync } from 'node:fs'
      const real = globalThis.setTimeout
      globalThis.setTimeout = (work, ms, ...rest) => real(work, ms === 1000 ? 0 : ms, ...rest)
      process.on('exit', () => writeSync(2, process.stdout.writableLength + ' left'))`
    const { exitCode, stdout, stderr } = await person.start(['log', '--lines', '100000'], {
      env: {
        CAUSEWAY_QUIET: '1',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(inNoTime)}`,
      },
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '0 left' })
    expect(stdout).toContain(lines.at(-1))
  })
})
