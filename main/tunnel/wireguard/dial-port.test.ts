import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'

import { freeDialPort } from './dial-port'

it('chooses no port that the kernel gives to connections, and none that a program has', async () => {
  const [first = 0, last = 0] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'))
    .split(/\s+/)
    .map(Number)
  const choices = [0.999, 0.5, 0]
  const port = await freeDialPort((below) => Math.floor(below * (choices.pop() ?? 0)))
  expect(port < first || port > last).toBe(true)
  const other = createServer().listen(port)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const same = port < first ? port - 1024 : port - last - 1 + Math.max(first - 1024, 0)
  const chosen = [same, same + 1]
  expect(await freeDialPort(() => chosen.shift() ?? 0)).not.toBe(port)
})

it.each(['darwin', 'win32'] as const)(
  'keeps out of the ports that %s gives to connections',
  async (platform) => {
    for (const part of [0, 0.5, 0.9999])
      expect(await freeDialPort((below) => Math.floor(below * part), platform)).toBeLessThan(49_152)
  },
)
