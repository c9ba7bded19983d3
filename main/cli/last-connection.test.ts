import { execa } from 'execa'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestNamespace } from '../platform/network/namespace.testing'
import { BuiltCommand, type Person, printed } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'

// A full tunnel needs its own network.

const namespace =
  process.platform === 'linux' ? await TestNamespace.make(`causeway-last-${String(process.pid)}`) : undefined
if (namespace === undefined) {
  process.stderr.write('Left out, because no network namespace can be made here: connecting to the last.\n')
}

describe.runIf(namespace !== undefined)('causeway connect --last', () => {
  const through = namespace?.through ?? []
  let command: BuiltCommand
  let person: Person
  let mock: Awaited<ReturnType<typeof startMockThrough>>

  beforeAll(async () => {
    command = await BuiltCommand.make()
    mock = await startMockThrough(through)
    person = await command.person(mock.instance)
  })
  afterAll(async () => {
    await mock.stop()
    await command.remove()
    await namespace?.remove()
  })

  const refused = (...words: string[]) => person.failure(['connect', ...words], { through })
  /** Asks no service, so that it needs no network. */
  const nothingLast = () => person.failure(['connect', '--last'])
  const stored = () => readFile(join(person.dataDir, 'last-connections.json'), 'utf8')

  async function connectAndLeave(...words: string[]): Promise<void> {
    const run = person.start(['connect', ...words, '--json'], { through })
    await printed(run, '"connected"')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(0)
  }

  it('connects to the last profile, ignoring checks, until the profile is gone', async () => {
    expect(await nothingLast()).toMatchObject({ status: 2, code: 'usage/no-last-connection' })
    await connectAndLeave('office')
    const check = await person.run(['connect', 'internet', '--check'], { through })
    expect(check.status).toBe(0)
    expect(await refused()).toMatchObject({ status: 2, code: 'usage/profile-needed' })
    expect(await person.failure(['connect', 'office', '--last'])).toMatchObject({
      status: 2,
      code: 'usage/invalid-argument',
    })

    const again = await person.run(['connect', '--last', '--check', '--json'], { through })
    expect(again.stdout).toContain('"profileId":"office"')
    expect(again.stdout).not.toContain('internet')

    await control('PUT', '/profiles', [
      { profile_id: 'internet', display_name: 'Internet', default_gateway: true },
    ])
    expect(await refused('--last')).toMatchObject({ status: 5, code: 'vpn-api/profile-unavailable' })
    expect(await nothingLast()).toMatchObject({ status: 2, code: 'usage/no-last-connection' })
  })

  it('forgets a removed instance, and stores no secrets', async () => {
    await connectAndLeave('internet')
    expect(JSON.parse(await stored())).toEqual({
      version: 1,
      data: { connections: [{ instanceId: new URL(mock.instance).host, profileId: 'internet' }] },
    })
    await person.run(['instance', 'remove', new URL(mock.instance).host])
    expect(JSON.parse(await stored())).toEqual({ version: 1, data: { connections: [] } })
  })

  /** Calls the mock's control interface from inside the namespace. */
  async function control(method: string, call: string, body: unknown): Promise<void> {
    const [program = '', ...words] = through
    const script =
      'const [url, method, body] = process.argv.slice(1); const a = await fetch(url, { method, body, headers: { "content-type": "application/json" } }); if (!a.ok) throw new Error(await a.text())'
    await execa(program, [
      ...words,
      process.execPath,
      '--input-type=module',
      '-e',
      script,
      `${mock.control}${call}`,
      method,
      JSON.stringify(body),
    ])
  }
})
