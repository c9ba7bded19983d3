import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linuxRoutes } from './linux-routes'
import { macosRoutes, readTable } from './macos-routes'
import { tunnelRouting } from './tunnel-routing'
import { windowsRoutes } from './windows-routes'

async function folderWith(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-routes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(programs))
    await writeFile(path.join(folder, name), text, { mode: 0o755 })
  return folder
}

const inet = `Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
0/1                10.88.0.1          UGScg               utun4
default            192.168.1.1        UGScg                 en0
default            192.168.1.1        UGScIg                en5
10.88/24           10.88.0.10         UGSc                utun4
10.88.0.10         10.88.0.10         UH                  utun4
127                127.0.0.1          UCS                   lo0
128.0/1            10.88.0.1          UGScg               utun4
169.254            link#6             UCS                   en0      !
192.0.2.7/32       192.168.1.1        UGSc                  en0
192.168.1          link#6             UCS                   en0      !
192.168.1.1        link#6             UHLWIir               en0   1200
`
const inet6 = `Routing tables

Internet6:
Destination                             Gateway                                 Flags               Netif Expire
default                                 fe80::1%en0                             UGcg                  en0
::1                                     ::1                                     UHL                   lo0
2000::/4                                fe80::1%utun4                           UGSc                utun4
3000::/4                                fe80::1%utun4                           UGSc                utun4
fe80::%en0/64                           link#6                                  UCI                   en0
`

describe.runIf(process.platform !== 'win32')('macOS', () => {
  it('reads shortened destinations', () => {
    expect(readTable(inet, 4)?.map(({ prefix }) => prefix)).toEqual([
      '0.0.0.0/1',
      '0.0.0.0/0',
      '10.88.0.0/24',
      '10.88.0.10/32',
      '127.0.0.0/8',
      '128.0.0.0/1',
      '169.254.0.0/16',
      '192.0.2.7/32',
      '192.168.1.0/24',
    ])
    expect(readTable(inet6, 6)).toContainEqual({ prefix: '2000::/4', devices: ['utun4'], connected: false })
    expect(readTable('netstat: unknown option', 4)).toBeUndefined()
  })

  /** `route -n get` as the system would answer with the tables above. */
  const route = (exception: string) => `#!/bin/sh
answer() { printf '   route to: x\\ndestination: y\\n  interface: %s\\n      flags: <UP,GATEWAY,DONE,STATIC>\\n' "$1"; exit; }
[ "$1 $2" = '-n get' ] || exit 1
case "$4" in ${exception} 192.168.1.*|192.0.2.7) answer en0 ;; 127.*|10.88.0.10) answer lo0 ;; [23]???:*) answer utun4 ;; *:*) answer en0 ;; *) answer utun4 ;; esac
`
  const netstat = `#!/bin/sh
case "$3" in inet) cat <<'END'
${inet}END
;; *) cat <<'END'
${inet6}END
;; esac
`
  it.each([
    ['', { allTraffic: true, routes: ['0.0.0.0/0', '2000::/3'] }],
    ['128.0.0.0) answer en0 ;;', { allTraffic: false }],
    [
      '2000:*) echo "route: writing to routing socket: not in table" >&2; exit 1 ;;',
      { allTraffic: false, allIpv4: true },
    ],
  ])('asks the system for each address %s', async (exception, expected) => {
    const folder = await folderWith({ route: route(exception), netstat })
    const reader = macosRoutes({ route: path.join(folder, 'route'), netstat: path.join(folder, 'netstat') })
    expect(tunnelRouting(await reader.read(), 'utun4', ['192.0.2.7']).carried).toMatchObject(expected)
  })

  it('knows nothing without the programs', async () => {
    expect(await macosRoutes({ route: '/no/route', netstat: '/no/netstat' }).read()).toBeUndefined()
  })
})

describe('Windows', () => {
  const helper = (script: string) => () => [process.execPath, '-e', script] as const
  const routes = [
    { prefix: '0.0.0.0/0', device: 'Ethernet', connected: false },
    { prefix: '0.0.0.0/1', device: 'OpenVPN', connected: false },
    { prefix: '128.0.0.0/1', device: 'OpenVPN', connected: false },
  ]
  const answering = (way: string) => `
    console.log(JSON.stringify({ routes: ${JSON.stringify(routes)} }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', (address) =>
      console.log(JSON.stringify({ address, ...(${way}) })))`

  it.each([
    [`address.includes(':') ? {} : { device: 'OpenVPN' }`, { allTraffic: true, routes: ['0.0.0.0/0'] }],
    [`{ device: address.includes(':') ? 'Ethernet' : 'OpenVPN' }`, { allTraffic: false, allIpv4: true }],
    [`{ device: address === '128.0.0.0' ? 'Ethernet' : 'OpenVPN' }`, { allTraffic: false }],
    [`{ address: 'another', device: 'OpenVPN' }`, { allTraffic: false, routesUnknown: true }],
  ])('asks the helper for each address %s', async (way, expected) => {
    const reading = await windowsRoutes(helper(answering(way))).read()
    expect(tunnelRouting(reading, 'OpenVPN', []).carried).toMatchObject(expected)
  })

  it('knows nothing without the helper', async () => {
    expect(await windowsRoutes(() => ['/nonexistent/causeway-helper.exe']).read()).toBeUndefined()
    expect(await windowsRoutes(helper('console.log("{}")')).read()).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('Linux', () => {
  it.each([
    ['without iproute2', '/no/ip', undefined],
    ['with a program that ends', 'exit 1', undefined],
    ['with another version', 'echo "Option -json is unknown"; exec cat >/dev/null', undefined],
  ])('knows nothing %s', async (_what, script) => {
    const folder = await folderWith({ ip: `#!/bin/sh\n${script}\n` })
    const reader = linuxRoutes([script.startsWith('/') ? script : path.join(folder, 'ip')])
    expect(await reader.read()).toBeUndefined()
  })

  it('knows the rules of IPv6 although the current folder was deleted meanwhile', async () => {
    const row = '{"dst":"2001:db8::/32","dev":"wg0","table":"100","pref":"medium"}'
    const folder = await folderWith({
      ip: `#!/bin/sh
[ "$1" != -6 ] || { echo '[]'; exit; }
while read -r question; do case "$question" in
'route show table all') echo '[${row}]' ;;
'route get '*) echo "[{\\"dst\\":\\"\${question#route get }\\",\\"dev\\":\\"wg0\\"}]" ;;
'link show dev lo') echo '[{"ifname":"lo"}]' ;;
*) echo '[]' ;;
esac; done
`,
    })
    const before = process.cwd()
    process.chdir(await folderWith({}))
    onTestFinished(() => {
      process.chdir(before)
    })
    // As every process does at its start.
    await rm(process.cwd(), { recursive: true })
    expect(await linuxRoutes([path.join(folder, 'ip')]).read()).toMatchObject({
      routes: [{ devices: ['wg0'] }],
    })
  })
})
