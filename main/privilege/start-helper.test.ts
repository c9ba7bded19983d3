import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { helperDidNotStart, saysWrongPassword, startHelper, startWithTries } from './start-helper'

it.each([
  ['pkexec', 126, {}, 'helper/dismissed'],
  ['pkexec', 127, { isWrongPassword: false }, 'helper/not-authorized'],
  ['pkexec', 127, { isWrongPassword: true, variant: 'wrong-password' }, 'helper/not-authorized'],
  ['pkexec', 1, {}, 'helper/failed'],
  ['sudo', 1, {}, 'helper/not-authorized'],
  ['sudo-askpass', 1, { isWrongPassword: true, variant: 'wrong-password' }, 'helper/not-authorized'],
  ['sudo', 126, {}, 'helper/failed'],
  ['sudo', 127, {}, 'helper/failed'],
  ['root', 1, {}, 'helper/failed'],
  ['root', 126, {}, 'helper/failed'],
  ['launchd', undefined, {}, 'helper/failed'],
  ['service', undefined, {}, 'helper/windows-helper-unusable'],
  ['service', 1, {}, 'helper/failed'],
] as const)(
  'tells why a helper did not start: %s, exit status %s, %j',
  (
    elevation,
    exitCode,
    { isWrongPassword, variant }: { isWrongPassword?: boolean; variant?: string },
    code,
  ) => {
    expect(helperDidNotStart(elevation, exitCode, isWrongPassword)).toMatchObject({ code, variant })
  },
)

it('knows a wrong password by the words of sudo', () => {
  expect(saysWrongPassword('sudo: 3 incorrect password attempts')).toBe(true)
  expect(saysWrongPassword('sudo: 1 incorrect password attempt')).toBe(true)
  expect(saysWrongPassword('sudo: a password is required')).toBe(false)
})

it.each([
  ['a helper', startHelper],
  ['one that asks in the terminal', startWithTries],
])('%s may end before it has read everything', async (_which, start) => {
  const { stdin, stdout, stderr, ended } = start(
    { helper: '/none/causeway-helper', elevation: 'root' },
    'run',
  )
  for (const output of [stdout, stderr]) output.resume()
  expect(() => stdin.emit('error', new Error('EPIPE'))).not.toThrow()
  expect(await ended).toEqual({})
})

describe.skipIf(process.platform === 'win32')('a helper that asks for a password in the terminal', () => {
  /** Starts a script that notes its starts and what it reads, and gets the permission at this try. */
  async function start(allowedAt: number, otherwise = 'exit 127') {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-start-helper-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [helper, notes] = [join(folder, 'causeway-helper'), join(folder, 'notes')]
    await writeFile(notes, '')
    await writeFile(
      helper,
      `#!/bin/sh
echo try >>${notes}
tries=$(grep -c try ${notes})
echo "log $tries"
echo "message $tries" >&2
if [ "$tries" -lt ${String(allowedAt)} ]; then ${otherwise}; fi
cat >>${notes}
`,
    )
    await chmod(helper, 0o755)
    const started = startWithTries({ helper, elevation: 'root' }, 'run')
    const said = () => Promise.all([text(started.stdout), text(started.stderr)])
    started.stdin.write('configuration\n')
    return { started, said, noted: () => readFile(notes, 'utf8') }
  }

  /** Waits until these words come, and goes on reading. */
  const says = (output: Readable, words: string) =>
    new Promise<void>((resolve) => {
      let all = ''
      output.on('data', (chunk: Buffer) => {
        all += chunk.toString()
        if (all.includes(words)) resolve()
      })
    })

  it('is started again after a wrong password, with what was written so far', async () => {
    const { started, said, noted } = await start(3)
    const all = said()
    started.stdin.end('#END\n')
    expect(await started.ended).toMatchObject({ exitCode: 0 })
    expect(await all).toEqual(['log 1\nlog 2\nlog 3\n', 'message 1\nmessage 2\nmessage 3\n'])
    expect(await noted()).toBe('try\ntry\ntry\nconfiguration\n#END\n')
  })

  it.each([
    ['after three wrong ones', 'exit 127', 127, 3],
    ['after another failure', 'exit 126', 126, 1],
  ])('is given up %s', async (_when, otherwise, exitCode, tries) => {
    const { started, said, noted } = await start(9, otherwise)
    const all = said()
    expect(await started.ended).toMatchObject({ exitCode })
    expect((await all)[1].match(/message/g)).toHaveLength(tries)
    expect(await noted()).toBe('try\n'.repeat(tries))
  })

  it('reads what is written while it runs', async () => {
    const { started, noted } = await start(1)
    await says(started.stderr, 'message 1')
    started.stdout.resume()
    started.stdin.end('#END\n')
    expect(await started.ended).toMatchObject({ exitCode: 0 })
    expect(await noted()).toBe('try\nconfiguration\n#END\n')
  })

  it('is not started again once it has begun, whatever its exit status', async () => {
    const { started, noted } = await start(9, 'read -r first; read -r second; exit 127')
    await says(started.stderr, 'message 1')
    started.stdout.resume()
    started.hasBegun()
    started.stdin.write('command\n')
    expect(await started.ended).toMatchObject({ exitCode: 127 })
    expect(await noted()).toBe('try\n')
  })

  it('is given up when it is stopped', async () => {
    const asks = "trap 'kill $!; exit 127' TERM; sleep 20 >/dev/null 2>&1 & echo asks >&2; wait"
    const { started, noted } = await start(9, `[ "$tries" = 1 ] || exit 1; ${asks}`)
    await says(started.stderr, 'asks')
    started.stop()
    started.stdout.resume()
    expect(await started.ended).toMatchObject({ exitCode: 127 })
    expect(await noted()).toBe('try\n')
  })
})
