import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { type Outcome, type Person, secretWords, startCommandAndMock } from './causeway.testing'
import { slow } from '../../scripts/slow.testing'

/** Only root may mount a disk. */
const mayMount =
  process.platform === 'linux' &&
  !(await execa('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { reject: false })).failed

const { command, mock } = await startCommandAndMock()

/** Runs a command with the data directory on a full disk, then copies its files to `after`. */
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
  /** Long words of the stored secrets. */
  readonly secrets: readonly string[]
  readonly run: (...args: string[]) => Promise<Outcome>
  /** Returns the content of all files of the data directory afterwards. */
  readonly after: () => Promise<string>
}

/** Creates a user with a login, a key pair, credentials, read messages and a full disk. */
async function full(): Promise<Full> {
  const person = await command.person(mock.instance)
  await person.json('login')
  expect(await person.run(['connect', 'internet', '--check'])).toMatchObject({ status: 0 })
  for (const [kind, ...more] of [['bearer'], ['basic', '--user', 'ann']]) {
    const running = person.start(['organization', 'credentials', 'set', '--kind', kind ?? '', ...more], {})
    running.stdin.end(`${kind}-${'secret'.repeat(10)}\n`)
    expect(await running).toMatchObject({ exitCode: 0 })
  }
  // What the window keeps of messages that were read, and a logout forgets.
  const { host } = new URL(mock.instance)
  const read = { version: 1, data: { [host]: [] } }
  await writeFile(join(person.dataDir, 'messages-read.json'), JSON.stringify(read), { mode: 0o600 })
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
  slow('changing a setting fails with the reason', async () => {
    const { run } = await full()
    const { status, stderr } = await run('settings', 'set', 'theme', 'dark', '--json')
    expect(status).toBe(1)
    expect(stderr).toContain('data/unwritable')
  })

  slow('a logout removes tokens and key pair, and reports what it could not write', async () => {
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

  it('removing an instance removes all its secrets, and reports what it could not write', async () => {
    const { secrets, run, after } = await full()
    const { status, stderr } = await run('instance', 'remove', mock.instance, '--json')
    const left = await after()
    expect(secrets.filter((secret) => left.includes(secret))).toEqual([])
    expect(left).not.toMatch(/tokens:|key-pair:|organization-credentials:/)
    expect(status).toBe(1)
    expect(stderr).toContain('data/unwritable')
  })

  slow('one of two credentials can be removed', async () => {
    const { run, after } = await full()
    expect(await run('organization', 'credentials', 'remove', '--kind', 'bearer')).toMatchObject({
      status: 0,
    })
    const left = await after()
    expect(left).not.toContain('bearer-secret')
    expect(left).toContain('basic-secret')
  })
})
