import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { macosNetworkEvents } from './macos-network-events'
import { isChange, readMacosDefaultRoutes } from './macos-default-routes'
import type { NetworkEvent } from './network-events'

/** Returns a routing table as macOS prints it. */
function table(...rows: string[]): string {
  return [
    ...['Routing tables', '', 'Internet:', 'Destination        Gateway            Flags        Netif Expire'],
    ...rows,
    '127                127.0.0.1          UCS            lo0',
    '',
  ].join('\n')
}

const wifi = 'default            192.168.1.1        UGScg          en0'
const cable = 'default            10.0.0.1           UGScg          en5'
const scopedWifi = 'default            192.168.1.1        UGScIg         en0'
const tunnel = 'default            10.8.0.1           UGScg          utun4'
const six = 'default            fe80::1%en0        UGcg           en0'
const scopedSix = 'default            fe80::%utun0       UGcI           utun0'

describe('macOS default routes', () => {
  it('are those without a scope', () => {
    expect(readMacosDefaultRoutes(table(cable, scopedWifi), table(scopedSix))).toEqual({
      ipv4: 'en5 10.0.0.1',
    })
    expect(readMacosDefaultRoutes(table(wifi), table(six, scopedSix))).toEqual({
      ipv4: 'en0 192.168.1.1',
      ipv6: 'en0 fe80::1%en0',
    })
    expect(readMacosDefaultRoutes(table(), table(scopedSix))).toEqual({})
  })

  it('are unknown while a tunnel has replaced them, and for invalid output', () => {
    expect(readMacosDefaultRoutes(table(tunnel, scopedWifi), table())).toBeUndefined()
    expect(readMacosDefaultRoutes('', '')).toBeUndefined()
    expect(readMacosDefaultRoutes('netstat: unknown option', table())).toBeUndefined()
  })

  it('are read after changes, but not after queries of other programs', () => {
    const lines = [
      ['RTM_IFINFO: iface status change: len 112, if# 5, flags:<UP,BROADCAST,b6,RUNNING>', true],
      ['RTM_ADD: Add Route: len 144, pid: 0, seq 0, errno 0, flags:<UP,GATEWAY,DONE,STATIC>', true],
      ['RTM_DELETE: Delete Route: len 144, pid: 112, seq 1, errno 0, ifscope 4', true],
      ['RTM_NEWADDR: address being added to iface: len 84, metric 0, flags:<UP,CLONING>', true],
      ['RTM_GET: Report Metrics: len 128, pid: 1, seq 1, errno 0, flags:<UP,GATEWAY>', false],
      ['RTM_MISS: Lookup failed on this address: len 92, pid: 0', false],
      ['got message of size 112 on Tue May 12 12:19:43 2020', false],
      [' default 192.168.1.1 default', false],
    ] as const
    for (const [line, expected] of lines) expect(isChange(line), line).toBe(expected)
  })
})

/** Creates fake programs: `netstat` prints the table of a file, `route -n monitor` the lines written to a pipe. */
async function fakePrograms() {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-macos-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [route, netstat, pipe] = ['route', 'netstat', 'pipe'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  await execa('mkfifo', [pipe])
  await writeFile(route, `#!/bin/sh\n[ "$*" = '-n monitor' ] && exec cat ${pipe}\n`, { mode: 0o755 })
  await writeFile(
    netstat,
    `#!/bin/sh\n[ "$2" = -f ] || exit 1\ncat ${folder}/"$3"\necho "$3" >>${folder}/asked\n`,
    { mode: 0o755 },
  )
  const hasLooked = async () => (await readFile(path.join(folder, 'asked'), 'utf8')).includes('inet6')
  const show = (...rows: string[]) => writeFile(path.join(folder, 'inet'), table(...rows))
  await writeFile(path.join(folder, 'inet6'), table())
  return { route, netstat, pipe, show, hasLooked }
}

async function change(monitor: FileHandle): Promise<void> {
  await monitor.write('got message of size 112\nRTM_CHANGE: Change Metrics or flags: len 144\n')
}

it.runIf(process.platform !== 'win32')(
  'reports down, up and changed, and leaves nothing running',
  async () => {
    const { route, netstat, pipe, show, hasLooked } = await fakePrograms()
    await show(wifi)
    const received: NetworkEvent[] = []
    const stop = macosNetworkEvents({ route, netstat }).watch((event) => {
      if (event !== 'routes') received.push(event)
    })
    // Opens when the monitor reads.
    const monitor = await open(pipe, 'w')
    const after = async (event: NetworkEvent, ...rows: string[]): Promise<void> => {
      await show(...rows)
      await vi.waitFor(
        async () => {
          await change(monitor)
          expect(received.at(-1)).toBe(event)
        },
        { interval: 100 },
      )
    }
    // Wait for the first reading, which the events are relative to.
    await vi.waitFor(async () => {
      expect(await hasLooked()).toBe(true)
    })
    await after('down')
    await after('up', wifi)
    await after('changed', cable, scopedWifi)
    expect(received).toEqual(['down', 'up', 'changed'])

    stop()
    await vi.waitFor(async () => {
      expect((await execa('pgrep', ['-f', pipe], { reject: false })).stdout).toBe('')
    })
    await monitor.close()
  },
)
