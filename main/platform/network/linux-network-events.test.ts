import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { linuxNetworkEvents } from './linux-network-events'
import { TestNamespace } from './namespace.testing'
import type { NetworkEvent } from './network-events'
import { silentProgram } from '../child-process/silent-program.testing'

describe.runIf(process.platform === 'linux')('a real network', () => {
  let namespace: TestNamespace | undefined

  beforeAll(async () => {
    namespace = await TestNamespace.make(`causeway-net-${String(process.pid)}`)
    if (namespace === undefined)
      process.stderr.write(
        'Left out, because no network namespace can be made here: real links going down and up.\n',
      )
  })

  afterAll(() => namespace?.remove())

  async function monitors(): Promise<number> {
    const { stdout } = await execa('ip', ['netns', 'pids', namespace?.name ?? ''])
    return stdout.split('\n').filter((line) => line !== '').length
  }

  it('reports a link going down and up, and another default route, and leaves nothing running', async (context) => {
    if (namespace === undefined) return context.skip()
    const space = namespace
    const received: NetworkEvent[] = []
    let routes = 0
    const stop = linuxNetworkEvents([...space.through, 'ip']).watch((event) => {
      if (event === 'routes') routes += 1
      else received.push(event)
    })
    const last = async (event: NetworkEvent): Promise<void> => {
      await vi.waitFor(() => {
        expect(received.at(-1)).toBe(event)
      })
    }
    // Repeat the change until the first event: the monitor may not run yet.
    let gateway = 2
    await vi.waitFor(
      async () => {
        gateway += 1
        await space.plugIn(`192.168.78.${String(gateway)}`)
        expect(received).toContain('changed')
      },
      { interval: 700 },
    )

    await space.pullOut()
    await last('down')
    await space.plugIn()
    await last('up')
    await space.plugIn('192.168.78.100')
    await last('changed')

    // Of any network, and rules.
    for (const change of [
      ['route', 'add', '203.0.113.0/24', 'via', '192.168.78.100'],
      ['rule', 'add', 'to', '203.0.113.0/24', 'lookup', '100'],
    ]) {
      const before = routes
      await space.ip(...change)
      await vi.waitUntil(() => routes > before)
    }

    stop()
    await vi.waitFor(async () => {
      expect(await monitors()).toBe(0)
    })
  })
})

it.skipIf(process.platform === 'win32')('go on without an answer about the default routes', async () => {
  const before = performance.now()
  const received: NetworkEvent[] = []
  const stop = linuxNetworkEvents([await silentProgram('ip')]).watch((event) => received.push(event))
  await vi.waitUntil(() => received.length > 0)
  expect(received).toEqual(['routes'])
  // All questions are asked at once.
  expect(performance.now() - before).toBeLessThan(14_000)
  stop()
})

it.skipIf(process.platform === 'win32')('are told although changes never end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-endless-changes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'ip')
  const script = 'case "$*" in monitor*) while echo change; do sleep 0.05; done;; *) echo "[]";; esac'
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const received: NetworkEvent[] = []
  const stop = linuxNetworkEvents([program], { settleMs: 30_000, longestMs: 100 }).watch((event) =>
    received.push(event),
  )
  onTestFinished(stop)
  // The first one tells only that changes are followed from now on.
  await vi.waitUntil(() => received.filter((event) => event === 'routes').length > 2)
})

it.skipIf(process.platform === 'win32')(
  'are read although the current folder was deleted meanwhile',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-asked-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const program = join(folder, 'ip')
    await writeFile(program, `#!/bin/sh\necho "$*" >>'${folder}/asked'\necho '[]'\n`, { mode: 0o755 })
    const before = process.cwd()
    const deleted = await mkdtemp(join(tmpdir(), 'causeway-deleted-'))
    process.chdir(deleted)
    onTestFinished(() => {
      process.chdir(before)
    })
    // As every process does at its start.
    process.cwd()
    await rm(deleted, { recursive: true })
    const received: NetworkEvent[] = []
    onTestFinished(linuxNetworkEvents([program]).watch((event) => received.push(event)))
    await vi.waitUntil(() => received.includes('routes'))
    expect(await readFile(join(folder, 'asked'), 'utf8')).toContain('-4 route show default')
  },
)
