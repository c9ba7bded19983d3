import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { NetworkEvent } from './network-events'
import { windowsNetworkEvents } from './windows-network-events'
import { readWindowsNetwork } from './windows-default-routes'

const wifi = {
  family: 4,
  device: 'WLAN é',
  description: 'Intel(R) Wi-Fi 6 AX201 160MHz',
  gateway: '192.168.1.1',
  metric: 50,
  address: '192.168.1.20',
}
const cable = {
  ...wifi,
  device: 'Ethernet',
  description: 'Realtek PCIe GbE',
  gateway: '10.0.0.1',
  metric: 25,
}
const tunnel = { ...wifi, device: 'OpenVPN Wintun', description: 'Wintun Userspace Tunnel', metric: 5 }
const ipv6 = { ...wifi, family: 6, gateway: 'fe80::1', address: null }

const line = (...routes: readonly object[]) => JSON.stringify({ routes })

it('prefers the route that Windows prefers, for each address family', () => {
  expect(readWindowsNetwork(line(wifi, cable, ipv6))).toEqual({
    ipv4: 'Ethernet 10.0.0.1 192.168.1.20',
    ipv6: 'WLAN é fe80::1',
  })
  expect(readWindowsNetwork(line())).toEqual({})
})

it('ignores the tunnel, and returns undefined while it has replaced the default route', () => {
  expect(readWindowsNetwork(line(wifi, { ...tunnel, family: 6 }))).toEqual({
    ipv4: 'WLAN é 192.168.1.1 192.168.1.20',
  })
  expect(readWindowsNetwork(line(wifi, tunnel))).toBeUndefined()
  expect(readWindowsNetwork(line({ ...tunnel, description: 'TAP-Windows Adapter V9' }))).toBeUndefined()
})

it.each([
  '',
  'Access denied',
  '{}',
  '{"resumed":false}',
  '{"routes":null}',
  line({ ...wifi, metric: 'low' }),
])('returns undefined for %j', (text) => {
  expect(readWindowsNetwork(text)).toBeUndefined()
})

it('reports each change, and ends the program when the listener stops', async () => {
  const lines = [
    line(wifi),
    line(wifi, ipv6),
    'nonsense',
    line(),
    line(wifi),
    line(wifi, tunnel),
    line(cable, wifi),
    '{"resumed":true}',
  ]
  const folder = await mkdtemp(join(tmpdir(), 'causeway-network-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pidFile = join(folder, 'pid')
  const program = `
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))
    console.log(${JSON.stringify(lines.join('\n'))})
    setInterval(() => undefined, 1000)
  `
  const received: NetworkEvent[] = []
  const stop = windowsNetworkEvents(() => [process.execPath, '-e', program]).watch((event) =>
    received.push(event),
  )
  await vi.waitFor(() => {
    expect(received.filter((event) => event !== 'routes')).toEqual(['down', 'up', 'changed', 'resumed'])
  })
  // Each line but the last one reports a change.
  expect(received.filter((event) => event === 'routes')).toHaveLength(lines.length - 1)
  const pid = Number(await readFile(pidFile, 'utf8'))
  stop()
  await vi.waitFor(() => {
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

it('lets go of the output when the listener stops, even if another process keeps it open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-network-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pidFile = join(folder, 'pid')
  // Ends once nobody reads its lines.
  const keeper = `setInterval(() => process.stdout.write('\\n'), 20)`
  const program = `
    const { spawn } = require('node:child_process')
    const { pid } = spawn(process.execPath, ['-e', ${JSON.stringify(keeper)}], { stdio: ['ignore', 'inherit', 'ignore'] })
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(pid))
    console.log(${JSON.stringify(`${line()}\n${line(wifi)}`)})
  `
  const received = vi.fn()
  const stop = windowsNetworkEvents(() => [process.execPath, '-e', program]).watch(received)
  await expect.poll(() => received.mock.calls.length).toBeGreaterThan(0)
  const pid = Number(await readFile(pidFile, 'utf8'))
  const isRunning = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => {
    if (isRunning()) process.kill(pid)
  })
  stop()
  await expect.poll(isRunning).toBe(false)
})

it('reports nothing without the helper', async () => {
  const received: NetworkEvent[] = []
  const stop = windowsNetworkEvents(() => ['/nonexistent/causeway-helper.exe']).watch((event) =>
    received.push(event),
  )
  await Promise.resolve()
  stop()
  expect(received).toEqual([])
})
