import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HelperMessage } from './helper-messages'
import {
  helperLauncher,
  type LaunchRequest,
  mayPassService,
  releaseKillSwitch,
  repair,
  runHelper,
  type TunnelProgram,
} from './helper-client'

/** A helper that notes its command, and what it is asked to do; or another script. */
async function standIn(
  script = (notes: string): string =>
    `echo "$1" >>${notes}\necho "causeway-helper: started cw1t" >&2\ncat >>${notes}\necho ended >>${notes}\n`,
): Promise<{ readonly helper: string; readonly noted: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-helper-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [helper, notes] = [join(folder, 'causeway-helper'), join(folder, 'notes')]
  await writeFile(notes, '')
  await writeFile(helper, `#!/bin/sh\n${script(notes)}`)
  await chmod(helper, 0o755)
  return { helper, noted: () => readFile(notes, 'utf8') }
}

describe.skipIf(process.platform === 'win32')(
  'a helper that is started before there is a configuration',
  () => {
    it.each(['sudo', 'sudo-askpass'] as const)(
      'is not started with %s, which may ask for a password',
      async (elevation) => {
        const { helper, noted } = await standIn()
        expect(await helperLauncher({ helper, elevation }).begin?.('run')).toBeUndefined()
        expect(await noted()).toBe('')
      },
    )

    it('gets the whole request once it is there', async () => {
      const { helper, noted } = await standIn()
      const waiting = await helperLauncher({ helper, elevation: 'root' }).begin?.('run')
      expect(waiting?.isRunning()).toBe(true)
      let onMessage: () => void = () => undefined
      const started = new Promise<void>((resolve) => (onMessage = resolve))
      const program = waiting?.launch({
        command: 'run',
        configuration: 'client\n',
        killSwitch: true,
        onMessage,
      })
      const log = program?.followLog(() => undefined)
      // Before it has spoken, it would be ended by a signal as well.
      await started
      program?.end({ hasBegun: true })
      await log
      await program?.exited
      expect(await noted()).toBe('run\nkill-switch on\ndns on\nlocal-network block\nclient\n#END\nended\n')
      expect(waiting?.isRunning()).toBe(false)
    })

    it('ends without a request if none comes', async () => {
      const floods = 'head -c 300000 /dev/zero'
      const { helper, noted } = await standIn(
        (notes) => `echo "$1" >>${notes}\ncat >>${notes}\n${floods}\n${floods} >&2\necho ended >>${notes}\n`,
      )
      const waiting = await helperLauncher({ helper, elevation: 'root' }).begin?.('wireguard')
      await waiting?.end()
      expect(await noted()).toBe('wireguard\nended\n')
      expect(waiting?.isRunning()).toBe(false)
    })
  },
)

const request = { command: 'run', configuration: 'client\n', killSwitch: false } as const

/** Returns the words of a script that says these lines, and then ends with this status. */
const saying =
  (status: number, ...lines: readonly string[]) =>
  () =>
    `${lines.map((line) => `echo "${line}" >&2\n`).join('')}exit ${String(status)}\n`

describe.skipIf(process.platform === 'win32')('a helper that runs a tunnel', () => {
  it.each([
    ['what OpenVPN exited with', saying(3, 'causeway-helper: started cw1t'), { exitCode: 3 }],
    ['the signal that ended it', saying(1, 'causeway-helper: killed SIGKILL'), { signal: 'SIGKILL' }],
    [
      'what failed',
      saying(1, 'causeway-helper: failed no-nft'),
      { error: { code: 'helper/kill-switch-failed' } },
    ],
    ['what it refused', saying(1, 'causeway-helper: refused plugin'), { error: { code: 'helper/refused' } }],
    [
      'that it said nothing',
      saying(1, 'some noise'),
      { error: { code: 'helper/failed', details: { reason: 'not-started', exitCode: 1 } } },
    ],
  ])('tells %s', async (_what, script, expected) => {
    const { helper } = await standIn(script)
    const seen: HelperMessage[] = []
    const told: string[] = []
    const program = await runHelper(
      { helper, elevation: 'root', onMessage: (message) => seen.push(message) },
      { ...request, onMessage: (_message, text) => told.push(text) },
    )
    await program.followLog(() => undefined)
    const exit = await program.exited
    expect(exit).toMatchObject(expected)
    expect(Object.keys(exit).filter((key) => exit[key as keyof typeof exit] !== undefined)).toEqual(
      Object.keys(expected),
    )
    expect(told).toHaveLength(seen.length)
    expect(told.every((text) => !text.startsWith('causeway-helper'))).toBe(true)
  })

  /** Runs a tunnel whose helper speaks first, and ends it after this. */
  async function runUntilSpoken(
    helper: string,
    changes: Partial<LaunchRequest>,
    after: (program: Required<TunnelProgram>) => unknown = () => undefined,
  ) {
    let spoke: () => void = () => undefined
    const hasSpoken = new Promise<void>((resolve) => (spoke = resolve))
    const program = await runHelper(
      { helper, elevation: 'root' },
      { ...request, ...changes, onMessage: spoke },
    )
    const read = program.followLog(() => undefined)
    await hasSpoken
    await after(program)
    program.end({ hasBegun: true })
    await read
    return program.exited
  }

  it('gets the apps, and blocks the local network only if it is asked to', async () => {
    const { helper, noted } = await standIn((notes) => `echo "causeway-helper: ipv6" >&2\ncat >>${notes}\n`)
    const apps = { whileBlocked: 'allow', groups: ['/one', '/two'] } as const
    await runUntilSpoken(helper, { blocksLocal: true, apps: { ...apps, mode: 'except' } }, ({ send }) => {
      send('state')
    })
    await runUntilSpoken(helper, { apps: { ...apps, mode: 'only' } })
    expect(await noted()).toBe(
      [
        'kill-switch off\ndns on\napps except allow\napp /one\napp /two\nlocal-network block\nclient\n#END\nstate\n',
        'kill-switch off\ndns on\napps only block\napp /one\napp /two\nclient\n#END\n',
      ].join(''),
    )
  })

  it('answers how name servers are set, also by its end', async () => {
    const { helper } = await standIn(
      () => `echo "causeway-helper: ipv6" >&2
while read -r line; do
  case $line in
    'dns 10.0.0.1,10.0.0.2 example.org') echo 'causeway-helper: dns applied resolvconf all' >&2 ;;
    'dns 10.0.0.1') echo 'causeway-helper: dns cannot immutable' >&2 ;;
    'dns 10.0.0.3') exit 0 ;;
  esac
done
`,
    )
    const outcomes: unknown[] = []
    let ended: Required<TunnelProgram> | undefined
    const ask = (servers: string[], domains: string[], program: Required<TunnelProgram>) =>
      program.applyDns({ servers, domains }).then((outcome) => outcomes.push(outcome))
    await runUntilSpoken(helper, {}, async (program) => {
      await ask(['10.0.0.1', '10.0.0.2'], ['example.org'], program)
      await ask(['10.0.0.1'], [], program)
      await ask(['10.0.0.3'], [], program)
      ended = program
    })
    // A tunnel that was being stopped while its routes were read asks too late, and must end all the same.
    const late = ended?.applyDns({ servers: ['10.0.0.1'], domains: [] })
    const noAnswer = new Promise((resolve) => setImmediate(resolve, 'no answer'))
    expect(await Promise.race([late, noAnswer])).toEqual({ applied: false })
    expect(outcomes).toEqual([
      { applied: true, way: 'resolvconf', allNames: true },
      { applied: false, problem: 'immutable' },
      { applied: false },
    ])
  })

  it('is ended by a signal while it may still be asked for a password', async () => {
    const { helper } = await standIn(() => 'exec sleep 600\n')
    const program = await runHelper({ helper, elevation: 'root' }, request)
    const read = program.followLog(() => undefined)
    program.end({ hasBegun: false })
    await read
    expect(await program.exited).toMatchObject({ error: { code: 'helper/failed' } })
  })
})

describe.skipIf(process.platform === 'win32')('a helper that is asked once', () => {
  const elevation = 'root'

  it.each(['released', 'none'] as const)('lifts the kill switch: %s', async (outcome) => {
    const { helper, noted } = await standIn(
      (notes) => `echo "$@" >>${notes}\ncat >>${notes}\necho "causeway-helper: kill-switch ${outcome}" >&2\n`,
    )
    const seen: HelperMessage[] = []
    const onMessage = (message: HelperMessage) => seen.push(message)
    expect(await releaseKillSwitch({ helper, elevation, onMessage })).toBe(outcome)
    expect(await noted()).toBe('release\n')
    expect(seen).toEqual([{ message: 'kill-switch', state: outcome }])
  })

  it('tells why it lifts or repairs nothing', async () => {
    const failed = { code: 'helper/failed', details: { reason: 'records' } }
    const { helper } = await standIn(saying(1, 'causeway-helper: problem', 'causeway-helper: failed records'))
    await expect(releaseKillSwitch({ helper, elevation })).rejects.toMatchObject(failed)
    await expect(repair({ helper, elevation })).rejects.toMatchObject(failed)
    const silent = await standIn(saying(1))
    await expect(repair({ helper: silent.helper, elevation })).rejects.toMatchObject({
      code: 'helper/failed',
      details: { reason: 'not-started', exitCode: 1 },
    })
    const refusing = await standIn(saying(1, 'causeway-helper: refused command'))
    await expect(repair({ helper: refusing.helper, elevation })).rejects.toMatchObject({
      code: 'helper/refused',
    })
  })

  it('repairs what it says nothing about, whatever programs print', async () => {
    const { helper } = await standIn(() => 'head -c 300000 /dev/zero\n')
    await expect(repair({ helper, elevation })).resolves.toBeUndefined()
  })

  it.each([
    ['none', true],
    ['on', false],
    ['perhaps', false],
  ])('says whether packets may pass the firewall of Windows: %s', async (state, expected) => {
    const { helper } = await standIn(saying(0, `causeway-helper: kill-switch ${state}`))
    expect(await mayPassService(() => Promise.resolve({ helper, elevation: 'service' }))).toBe(expected)
    expect(await mayPassService(() => Promise.resolve(undefined))).toBe(false)
  })
})
