import { buildConfiguration } from '../main/tunnel/openvpn/configuration'
import { createTestAuthority } from '../main/tunnel/openvpn/certificates.testing'
import { parseLogLine } from '../main/tunnel/openvpn/log-parser'
import { portalProfile } from '../main/tunnel/openvpn/profile.testing'
import { parseConfiguration } from '../main/tunnel/wireguard/configuration'
import { processorTime } from '../scripts/processor-time'
import type { Figure } from './figure'

const rounds = 41
const times = 8

/** Measures what reads texts of a server: eight times as much text should take eight times as long, up to the limit of each. */
export function benchParsers(): Figure[] {
  const authority = createTestAuthority()
  const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  const profile = portalProfile({ ca: authority.certificate, remotes: ['192.0.2.1 1194 udp'] })
  const filled = (start: string, line: (index: number) => string, length: number, end = ''): string => {
    let text = start
    for (let index = 0; text.length < length - 100; index += 1) text += `${line(index)}\n`
    return text + end
  }
  /** What is read, the largest in KiB, and a function that makes a reader of such a text. */
  const readers: Record<string, readonly [number, (length: number) => () => unknown]> = {
    'a configuration of OpenVPN': [
      256,
      (length) => {
        const text = filled(
          '',
          (index) => `# a comment of a server, number ${String(index)}`,
          length - profile.length,
          profile,
        )
        return () => buildConfiguration(text, keyPair, { platform: 'linux', mode: 'full' })
      },
    ],
    "OpenVPN's log": [
      1024,
      (length) => {
        const lines = filled(
          '',
          (index) => `2026-01-01 00:00:00 VERIFY OK: depth=${String(index)}, CN=a.example`,
          length,
        ).split('\n')
        return () => {
          let before = ''
          for (const line of lines) {
            parseLogLine(line, before)
            before = line
          }
        }
      },
    ],
    'a configuration of WireGuard': [
      1024,
      (length) => {
        const key = Buffer.alloc(32, 1).toString('base64')
        const start = `[Interface]\nAddress = 10.0.0.2/24\n[Peer]\nPublicKey = ${key}\nEndpoint = 192.0.2.1:51820\nAllowedIPs = 0.0.0.0/0\n`
        const text = filled(start, (index) => `# a comment of a server, number ${String(index)}`, length)
        return () => parseConfiguration(text, 'udp')
      },
    ],
  }
  return Object.entries(readers).map(([what, [kibibytes, reader]]): Figure => {
    const [small, whole] = [reader((kibibytes * 1024) / times), reader(kibibytes * 1024)]
    small()
    whole()
    const own: number[] = []
    const values: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // As much text as in the large one.
      values.push(processorTime(() => Array.from({ length: times }, small)))
      own.push(processorTime(whole))
    }
    return {
      what: `reading ${what}, ${String(kibibytes)} KiB`,
      unit: 'ms',
      own,
      beside: { what: 'eight of an eighth', values },
      goal: { atMost: 1.25 },
    }
  })
}
