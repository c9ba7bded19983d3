import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { BuiltCommand, secretWords, type Outcome, type Person } from './causeway.testing'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

/** Only root may mount a disk of its own. */
const mayMount =
  process.platform === 'linux' &&
  !(await execa('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { reject: false })).failed

let command: BuiltCommand
let mock: MockServer

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
})
afterAll(async () => {
  await mock.close()
  await command.remove()
})

/** Runs a command with the files of the data directory on a disk without any room, which is then copied to `after`. */
const onFullDisk = `
mount -t tmpfs -o size=256k none "$CAUSEWAY_DATA_DIR"
cp "$1"/*.json "$CAUSEWAY_DATA_DIR"
dd if=/dev/zero of="$CAUSEWAY_DATA_DIR/filler" bs=4096 2>/dev/null
from=$1
shift
"$@"
status=$?
cp "$CAUSEWAY_DATA_DIR"/*.json* "$from/after"
exit $status
`

interface Full {
  readonly person: Person
  /** Long words of the secrets that there were. */
  readonly secrets: readonly string[]
  readonly run: (...args: string[]) => Promise<Outcome>
  /** All files of the data directory afterwards. */
  readonly after: () => Promise<string>
}

/** A person who is logged in, has a key pair and credentials, and whose disk is full. */
async function full(): Promise<Full> {
  const person = await command.person(mock.instance)
  await person.json('login')
  expect(await person.run(['connect', 'internet', '--check'])).toMatchObject({ status: 0 })
  for (const [kind, ...more] of [['bearer'], ['basic', '--user', 'ann']]) {
    const running = person.start(['organization', 'credentials', 'set', '--kind', kind ?? '', ...more], {})
    running.stdin.end(`${kind}-${'secret'.repeat(10)}\n`)
    expect(await running).toMatchObject({ exitCode: 0 })
  }
  const disk = join(person.dataDir, 'disk')
  await mkdir(disk)
  await mkdir(join(person.dataDir, 'after'))
  const env = { CAUSEWAY_DATA_DIR: disk }
  const through = ['unshare', '-m', 'sh', '-c', onFullDisk, 'sh', person.dataDir]
  return {
    person,
    secrets: secretWords(await person.secrets()),
    run: (...args) => person.run(args, { env, through }),
    after: async () => {
      const { stdout } = await execa('sh', ['-c', 'cat "$1"/*', 'sh', join(person.dataDir, 'after')])
      return stdout
    },
  }
}

describe.runIf(mayMount)('on a full disk', () => {
  it('a setting is not saved, and says why', async () => {
    const { run } = await full()
    const { status, stderr } = await run('settings', 'set', 'theme', 'dark', '--json')
    expect(status).toBe(1)
    expect(stderr).toContain('data/unwritable')
  })

  it('a logout removes the tokens and the key pair, and says what else could not be written', async () => {
    const { person, run, after } = await full()
    const before = JSON.parse(await person.secrets()) as { data: Record<string, string> }
    const [, tokens] = Object.entries(before.data).find(([name]) => name.startsWith('tokens:')) ?? []
    const { accessToken, refreshToken } = JSON.parse(tokens ?? '') as Record<string, string>
    const { status, stderr } = await run('logout', '--json')
    expect(status).toBe(1)
    expect(stderr).toContain('data/unwritable')
    const left = await after()
    expect(left).not.toContain(accessToken)
    expect(left).not.toContain(refreshToken)
    expect(left).not.toMatch(/tokens:|key-pair:/)
  })

  it('removing an instance removes all of its secrets, and says what else could not be written', async () => {
    const { secrets, run, after } = await full()
    const { status, stderr } = await run('instance', 'remove', mock.instance, '--json')
    const left = await after()
    expect(secrets.filter((secret) => left.includes(secret))).toEqual([])
    expect(left).not.toMatch(/tokens:|key-pair:|organization-credentials:/)
    expect(status).toBe(1)
    expect(stderr).toContain('data/unwritable')
  })

  it('one of two credentials can be removed', async () => {
    const { run, after } = await full()
    expect(await run('organization', 'credentials', 'remove', '--kind', 'bearer')).toMatchObject({
      status: 0,
    })
    const left = await after()
    expect(left).not.toContain('bearer-secret')
    expect(left).toContain('basic-secret')
  })
})
