import type { TrafficSource } from './traffic-source'

/** @param command the program and its arguments before `-ibn -I DEVICE` */
export function macosTraffic(
  command: readonly [string, ...string[]] = ['/usr/sbin/netstat'],
  now: () => number = Date.now,
): TrafficSource {
  return {
    fromZero: true,
    isCheap: false,
    read: async (device) => {
      if (!/^utun\d{1,5}$/.test(device)) return undefined
      const [program, ...words] = command
      const { execa } = await import('execa')
      const { stdout, failed } = await execa(program, [...words, '-ibn', '-I', device], {
        env: { LC_ALL: 'C' },
        reject: false,
        timeout: 5000,
        maxBuffer: 1024 * 1024,
      })
      const counted = failed ? undefined : readNetstat(stdout, device)
      return counted === undefined ? undefined : { at: now(), ...counted }
    },
  }
}

/**
 * Finds the device in the output of `netstat -ib`. Each address has a row; the row of the link is the device itself, which
 * has no address for a tunnel.
 */
export function readNetstat(
  text: string,
  device: string,
): { readonly received: number; readonly sent: number } | undefined {
  for (const line of text.split('\n')) {
    const row = /^(\S+?)\*?\s+\d+\s+<Link#\d+>\s+(?:\S*[:.]\S*\s+)?(\d+(?:\s+(?:\d+|-))+)\s*$/.exec(line)
    if (row?.[1] !== device) continue
    // Packets, errors and bytes received, the same for sent, and collisions.
    const [, , received, , , sent] = (row[2] ?? '').split(/\s+/).map(Number)
    if (received !== undefined && sent !== undefined && !Number.isNaN(received + sent))
      return { received, sent }
  }
  return undefined
}
