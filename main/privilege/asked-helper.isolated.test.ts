import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppsHelper } from './apps-helper'
import { followMessages } from './asked-helper'
import { helperLauncher, type HelperOptions, releaseKillSwitch, runHelper } from './helper-client'
import type { TriedHelper } from './start-helper'

const computer = vi.hoisted(() => ({
  asks: 'nobody' as 'nobody' | 'in a window' | 'in this terminal',
  endedAgents: 0,
  start: (_how: string): unknown => undefined,
}))

vi.mock('./terminal-agent', () => ({
  asksNobody: () => Promise.resolve(computer.asks === 'nobody'),
  startTerminalAgent: () =>
    Promise.resolve(
      computer.asks === 'in this terminal' ? () => void (computer.endedAgents += 1) : undefined,
    ),
}))
vi.mock('./start-helper', async (original) => ({
  ...(await original<object>()),
  startHelper: (_options: unknown, command: string) => computer.start(`${command} once`),
  startWithTries: (_options: unknown, command: string) => computer.start(`${command} with tries`),
}))

/** A helper that runs until the test ends it. */
class Helper implements TriedHelper {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  #end: (how: { readonly exitCode?: number }) => void = () => undefined
  readonly ended = new Promise<{ readonly exitCode?: number }>((resolve) => (this.#end = resolve))
  stops = 0

  hasBegun = vi.fn()

  stop(): void {
    this.stops += 1
    this.exit()
  }

  /** Says lines, and resolves once they have been read. */
  async say(...lines: readonly string[]): Promise<void> {
    for (const line of lines) this.stderr.write(`${line}\n`)
    await new Promise(setImmediate)
  }

  exit(exitCode?: number): void {
    this.stdout.end()
    this.stderr.end()
    this.#end(exitCode === undefined ? {} : { exitCode })
  }

  heard(): string {
    return String((this.stdin.read() as Buffer | null) ?? '')
  }
}

const options: HelperOptions = { helper: '/helper', elevation: 'pkexec' }
const request = { command: 'run', configuration: '', killSwitch: false } as const
let helper: Helper
let started: string[]

beforeEach(() => {
  helper = new Helper()
  started = []
  Object.assign(computer, {
    asks: 'nobody',
    endedAgents: 0,
    start: (how: string) => {
      started.push(how)
      return helper
    },
  })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Time passes when the test says so. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

describe('a password', () => {
  it.each([
    ['in this terminal', 'with tries', 'wrong-password'],
    ['in a window', 'once', undefined],
  ] as const)('that is asked for %s is asked for %s', async (asks, how, variant) => {
    computer.asks = asks
    const refusal = { code: 'helper/not-authorized', variant }
    helper.exit(127)
    await expect(releaseKillSwitch(options)).rejects.toMatchObject(refusal)
    helper = new Helper()
    helper.exit(127)
    expect(await (await runHelper(options, request)).exited).toMatchObject({ error: refusal })
    helper = new Helper()
    helper.exit(127)
    expect(await (await AppsHelper.start(options)).ended).toMatchObject(refusal)
    expect(started).toEqual([`release ${how}`, `run ${how}`, `apps ${how}`])
  })

  it('was wrong if sudo says so', async () => {
    const releasing = releaseKillSwitch({ ...options, elevation: 'sudo' })
    await helper.say('sudo: 3 incorrect password attempts', 'sudo: bye')
    helper.exit(1)
    await expect(releasing).rejects.toMatchObject({ variant: 'wrong-password' })
  })

  it('is not asked for again once the helper has spoken', async () => {
    computer.asks = 'in this terminal'
    const running = await runHelper(options, request)
    await helper.say('Password:')
    expect(helper.hasBegun).not.toHaveBeenCalled()
    await helper.say('causeway-helper: started cw1t')
    expect(helper.hasBegun).toHaveBeenCalled()
    helper.exit(127)
    expect(await running.exited).toEqual({ exitCode: 127, signal: undefined })
  })

  it('is asked for until the helper speaks, or ends', async () => {
    const endAgent = vi.fn()
    const speaking = followMessages({ process: helper, endAgent }, () => undefined)
    await helper.say('Password:')
    expect(endAgent).not.toHaveBeenCalled()
    await helper.say('causeway-helper: started cw1t')
    expect(endAgent).toHaveBeenCalled()
    helper.exit()
    await speaking
    const silent = new Helper()
    endAgent.mockClear()
    silent.exit(126)
    await followMessages({ process: silent, endAgent }, () => undefined)
    expect(endAgent).toHaveBeenCalled()
  })
})

describe('a helper that hangs', () => {
  it('is given a minute to lift the kill switch', async () => {
    holdTime()
    const releasing = releaseKillSwitch(options)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(helper.stops).toBe(0)
    vi.advanceTimersByTime(1)
    expect(helper.stops).toBe(1)
    await expect(releasing).rejects.toMatchObject({ code: 'helper/failed' })
    helper = new Helper()
    await helper.say('causeway-helper: kill-switch released')
    helper.exit(0)
    await releaseKillSwitch(options)
    expect(vi.getTimerCount(), 'which would keep the command waiting').toBe(0)
  })

  it('is given five seconds to end without a configuration', async () => {
    holdTime()
    const waiting = await helperLauncher(options).begin?.('run')
    const over = waiting?.end()
    expect(helper.stdin.writableEnded).toBe(true)
    expect([helper.stdout, helper.stderr].every((output) => output.readableFlowing)).toBe(true)
    vi.advanceTimersByTime(4999)
    expect(helper.stops).toBe(0)
    vi.advanceTimersByTime(1)
    expect(helper.stops).toBe(1)
    await over
  })
})

describe('a helper that moves apps', () => {
  it('answers each command in turn, and its last ones by its end', async () => {
    const told: unknown[] = []
    const apps = await AppsHelper.start({ ...options, onMessage: (_message, text) => told.push(text) })
    const [one, two, three] = [apps.ask('app 1'), apps.ask('app 2'), apps.ask('app 3')]
    expect(helper.heard()).toBe('app 1\napp 2\napp 3\n')
    await helper.say(
      'noise',
      'causeway-helper: app moved',
      'causeway-helper: problem',
      'causeway-helper: app gone',
    )
    expect(await Promise.all([one, two])).toEqual(['moved', 'gone'])
    expect(told).toEqual(['app moved', 'problem', 'app gone'])
    await helper.say('causeway-helper: failed stopped')
    helper.exit(1)
    const failure = { code: 'helper/failed', details: { reason: 'stopped' } }
    await expect(three).rejects.toMatchObject(failure)
    expect(await apps.ended).toMatchObject(failure)
    await expect(apps.ask('app 4')).rejects.toMatchObject(failure)
    expect(helper.heard()).toBe('')
  })

  it('reads its log, and waits for its end', async () => {
    const apps = await AppsHelper.start(options)
    expect(helper.stdout.readableFlowing).toBe(true)
    let isOver = false
    const ending = apps.end().then(() => (isOver = true))
    expect(helper.stdin.writableEnded).toBe(true)
    await helper.say()
    expect(isOver).toBe(false)
    helper.exit(0)
    await ending
  })

  it('is started by itself only where nobody is asked', async () => {
    computer.asks = 'in a window'
    expect(await AppsHelper.startUnasked(options)).toBeUndefined()
    expect(started).toEqual([])
    computer.asks = 'nobody'
    const apps = await AppsHelper.startUnasked(options)
    expect(started).toEqual(['apps once'])
    onTestFinished(() => {
      helper.exit()
    })
    expect(apps).toBeDefined()
  })
})
