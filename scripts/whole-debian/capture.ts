import { readFile } from 'node:fs/promises'

/** The bytes before the first packet, before each one, and of its Ethernet header (pcap, in the byte order of this computer). */
const sizes = { file: 24, packet: 16, ethernet: 14 } as const
/** Where the destination is in a packet, by its kind in the Ethernet header. */
const destinations: Readonly<Record<number, readonly [start: number, end: number]>> = {
  0x0800: [16, 20],
  0x86dd: [24, 40],
}

/**
 * Counts the packets to these hosts in a capture of a network card, which may still grow.
 *
 * @param hosts the bytes of their addresses of IPv4 and IPv6 in hexadecimal
 */
export async function packetsTo(file: string, hosts: readonly string[]): Promise<number> {
  const capture = await readFile(file)
  let count = 0
  let at: number = sizes.file
  while (at + sizes.packet <= capture.length) {
    const length = capture.readUInt32LE(at + 8)
    const frame = capture.subarray(at + sizes.packet, at + sizes.packet + length)
    at += sizes.packet + length
    if (frame.length < sizes.ethernet) continue
    const [start, end] = destinations[frame.readUInt16BE(12)] ?? [0, 0]
    const destination = frame.subarray(sizes.ethernet + start, sizes.ethernet + end)
    if (hosts.includes(destination.toString('hex'))) count += 1
  }
  return count
}
