import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packetsTo } from './capture'
import { internetBytes } from './world'

/** A packet of a capture: `kind` in the Ethernet header, and the destination after so many bytes of the packet. */
function packet(kind: number, before: number, destination: string): Buffer {
  const head = Buffer.alloc(14)
  head.writeUInt16BE(kind, 12)
  const frame = Buffer.concat([head, Buffer.alloc(before), Buffer.from(destination, 'hex'), Buffer.alloc(30)])
  const record = Buffer.alloc(16)
  record.writeUInt32LE(frame.length, 8)
  return Buffer.concat([record, frame])
}

it('counts the packets to the internet, not those to others, from it, or cut off', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capture-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'card.pcap')
  const [ipv4, ipv6] = internetBytes
  const last = packet(0x0800, 16, ipv4)
  await writeFile(
    file,
    Buffer.concat([
      Buffer.alloc(24),
      packet(0x0800, 16, ipv4),
      packet(0x0800, 16, '01020304'),
      packet(0x0800, 12, ipv4),
      packet(0x86dd, 24, ipv6),
      packet(0x0806, 16, ipv4),
      Buffer.from('00000000000000000400000004000000ffffffff', 'hex'),
      last.subarray(0, 20),
    ]),
  )
  expect(await packetsTo(file, internetBytes)).toBe(2)
})
