import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { ErrorReport } from '../../../contract/error-codes'
import type { Log } from '../../platform/log/log'
import { RunMarker } from '../../platform/log/run-marker'
import { isRunning } from '../../platform/storage/file-lock'
import { watchRuns } from './watch-runs'
import { testReporter } from '../../reporter.testing'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const silent: Log = { write: () => undefined, flush: () => Promise.resolve() }

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-running-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** Starts a run with this process id; `running` are the ids of other processes. */
function start(pid: number, running: readonly number[] = []) {
  const notices: ErrorReport[] = []
  const listeners: ((state: ConnectionState) => void)[] = []
  let orphansEnded = 0
  const end = watchRuns({
    marker: new RunMarker({ folder, pid, isRunning: (other) => running.includes(other) }),
    log: silent,
    connection: {
      onChange: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    },
    program: 'window',
    now: () => new Date(0),
    reporter: testReporter({ notice: (notice) => notices.push(notice) }),
    endOrphans: () => {
      orphansEnded += 1
      return Promise.resolve()
    },
  })
  const become = (state: ConnectionState) => {
    for (const listener of listeners) listener(state)
  }
  return { end, become, notices, orphansEnded: () => orphansEnded }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate)
}

it.skipIf(process.platform === 'win32')('starts even if the marker folder contains pipes', async () => {
  await execa('mkfifo', [join(folder, '11.json'), join(folder, '12.json'), join(folder, '12.json.new')])
  const { end, become, notices } = start(12)
  become({ state: 'connecting', target, phase: 'starting' })
  await until(async () => (await readdir(folder)).join() === '12.json')
  expect(notices).toEqual([])
  await end()
  expect(await readdir(folder)).toEqual([])
})

describe('a run that ended unexpectedly', () => {
  it('is reported once, at the next start, which ends what it left', async () => {
    const killed = start(11)
    killed.become({ state: 'preparing', target })
    await until(async () => (await readdir(folder)).includes('11.json'))
    await writeFile(join(folder, '11.json.new'), '{"program":')
    const next = start(12)
    await next.end()
    expect(await readdir(folder)).toEqual([])
    expect(next.notices).toMatchObject([
      { code: 'app/ended-unexpectedly', details: { program: 'window', state: 'preparing' } },
    ])
    expect(next.orphansEnded()).toBe(1)
    const afterThat = start(13)
    await afterThat.end()
    expect(afterThat.notices).toEqual([])
    expect(afterThat.orphansEnded()).toBe(0)
  })

  it('is reported even if this process has the same id', async () => {
    await writeFile(join(folder, '11.json'), '{"program":"terminal","startedAt":"x","state":"connected"}')
    const next = start(11, [11])
    next.become({ state: 'discovering', target })
    await next.end()
    expect(next.notices).toMatchObject([{ details: { program: 'terminal' } }])
    expect(await readdir(folder)).toEqual([])
  })

  it('is not one that is running, has disconnected, or ended normally', async () => {
    const running = start(21)
    running.become({ state: 'preparing', target })
    await until(async () => (await readdir(folder)).includes('21.json'))
    const disconnected = start(22, [21])
    disconnected.become({ state: 'preparing', target })
    disconnected.become({ state: 'disconnected', target })
    const ended = start(23, [21, 22])
    ended.become({ state: 'preparing', target })
    await ended.end()
    await until(async () => (await readdir(folder)).length === 1)
    const next = start(24, [21])
    await next.end()
    expect([...disconnected.notices, ...ended.notices, ...next.notices]).toEqual([])
  })

  it('does not stop the next start with a damaged marker', async () => {
    await writeFile(join(folder, '31.json'), '{"prog')
    await mkdir(join(folder, 'other'))
    const next = start(32)
    await next.end()
    expect(next.notices).toEqual([])
    expect(await readdir(folder)).toEqual(['other'])
  })

  it('is detected by its missing process', () => {
    expect(isRunning(process.pid)).toBe(true)
    expect(isRunning(2 ** 22 + 1)).toBe(false)
  })
})
