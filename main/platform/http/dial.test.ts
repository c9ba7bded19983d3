import { execa } from 'execa'
import { expect, inject, it } from 'vitest'

const [v4, v6] = ['192.0.2.1', '2001:db8::1']
const [alsoV4, alsoV6] = ['192.0.2.2', '2001:db8::2']
/** The first packet of a connection is lost; the system sends it again after a second. */
const lossy = 'tcp flags & (syn | ack) == syn numgen inc mod 2 == 0 drop'

/** Makes a network with the server's addresses, in which these rules of nftables apply, and dials the addresses there. */
async function dialIn(rules: readonly string[], addresses: readonly string[], missing?: 4 | 6) {
  const script = [
    'set -e',
    'ip link set lo up',
    ...(missing === 4 ? [] : ['ip addr add 192.0.2.1/32 dev lo', 'ip addr add 192.0.2.2/32 dev lo']),
    ...(missing === 6
      ? []
      : ['ip addr add 2001:db8::1/128 dev lo nodad', 'ip addr add 2001:db8::2/128 dev lo nodad']),
    'nft add table inet t',
    'nft "add chain inet t o { type filter hook output priority 0; }"',
    ...rules.map((rule) => `nft "add rule inet t o ${rule}"`),
    'exec "$@"',
  ].join('\n')
  const program = [process.execPath, inject('programs').processes.dial]
  const { stdout } = await execa('unshare', [
    '--net',
    '/bin/sh',
    '-c',
    script,
    'sh',
    ...program,
    ...addresses,
  ])
  return JSON.parse(stdout) as { readonly address?: string; readonly code?: string; readonly ms: number }
}

const canPrepare =
  process.platform === 'linux' &&
  !(await execa('unshare', ['--net', 'nft', 'list', 'ruleset'], { reject: false })).failed

// curl and browsers are there after a quarter of a second, or when the system sends the first packet again.
it
  .runIf(canPrepare)
  .each<[what: string, rules: string[], addresses: string[], missing: 4 | 6 | undefined, reached: string]>([
    ['answers', [], [v6, v4], undefined, v6],
    ['has no route for IPv6', [], [v6, v4], 6, v4],
    ['has no route for IPv4', [], [v4, v6], 4, v6],
    ['loses IPv6', [`ip6 daddr ${v6} drop`], [v6, v4], undefined, v4],
    ['loses IPv4', [`ip daddr ${v4} drop`], [v4, v6], undefined, v6],
    ['loses all addresses of one family', [`meta nfproto ipv6 drop`], [v6, alsoV6, v4], undefined, v4],
    ['loses one of two addresses', [`ip daddr ${v4} drop`], [v4, alsoV4], undefined, alsoV4],
    [
      'loses IPv4 and is slow with IPv6',
      ['meta nfproto ipv4 drop', `meta nfproto ipv6 ${lossy}`],
      [v6, v4],
      undefined,
      v6,
    ],
    [
      'loses IPv6 and is slow with IPv4',
      ['meta nfproto ipv6 drop', `meta nfproto ipv4 ${lossy}`],
      [v4, v6],
      undefined,
      v4,
    ],
    ['rejects IPv6', ['meta nfproto ipv6 tcp dport 8443 reject with tcp reset'], [v6, v4], undefined, v4],
  ])('reaches a server in a network that %s', async (_what, rules, addresses, missing, reached) => {
  const { address, code, ms } = await dialIn(rules, addresses, missing)
  expect(code).toBeUndefined()
  expect(address?.replace('::ffff:', '')).toBe(reached)
  expect(ms).toBeLessThan(5000)
})

it.runIf(canPrepare)('reports the answer of the server rather than the missing family', async () => {
  const refused = ['ip daddr 192.0.2.1 tcp dport 8443 reject with tcp reset']
  expect(await dialIn(refused, [v6, v4], 6)).toMatchObject({ code: 'ECONNREFUSED' })
})
