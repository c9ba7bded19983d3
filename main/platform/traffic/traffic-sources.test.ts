import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linuxTraffic } from './linux-traffic'
import { macosTraffic, readNetstat } from './macos-traffic'
import { windowsTraffic } from './windows-traffic'

/** The output of macOS 15, without the interfaces of other addresses. */
const netstat = `Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll
lo0        16384 <Link#1>                       5128706     0 1575192126  5128706     0 1575192126     0
lo0        16384 127           127.0.0.1        5128706     - 1575192126  5128706     - 1575192126     -
gif0*      1280  <Link#2>                             0     0          0        0     0          0     0
en0        1500  <Link#14>   02:00:00:00:00:01 21869567     0 27949362788 22461432     0 29723901148     0
en0        1500  10.10.251/24 10.10.251.27   21869567     - 27949362788 22461432     - 29723901148     -
utun1      1380  <Link#19>                           12     0       1416       14     0       1788     0
utun12     1500  <Link#22>                         4321     0    5678901     3210     0     456789     0
utun12     1500  10.88.0.2/32  10.88.0.2           4321     -    5678901     3210     -     456789     -
`

describe('Linux', () => {
  async function folder(counters: Readonly<Record<string, string>>): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'causeway-traffic-'))
    onTestFinished(() => rm(made, { recursive: true }))
    await mkdir(join(made, 'tun0', 'statistics'), { recursive: true })
    for (const [name, text] of Object.entries(counters))
      await writeFile(join(made, 'tun0', 'statistics', name), text)
    return made
  }

  it('reads the counters of a device', async () => {
    const source = linuxTraffic(await folder({ rx_bytes: '123456789012\n', tx_bytes: '0\n' }), () => 7)
    expect(await source.read('tun0')).toEqual({ at: 7, received: 123_456_789_012, sent: 0 })
  })

  it('returns undefined for a missing device and invalid counters', async () => {
    expect(await linuxTraffic(await folder({})).read('tun1')).toBeUndefined()
    expect(await linuxTraffic(await folder({ rx_bytes: '1\n' })).read('tun0')).toBeUndefined()
    expect(
      await linuxTraffic(await folder({ rx_bytes: '-1\n', tx_bytes: 'much' })).read('tun0'),
    ).toBeUndefined()
  })

  it('rejects a path as a device', async () => {
    const source = linuxTraffic(join(await folder({ rx_bytes: '1\n', tx_bytes: '1\n' }), 'tun0'))
    for (const device of ['.', '..', '../tun0', 'a/b', '', 'tun0\0'])
      expect(await source.read(device), device).toBeUndefined()
  })

  it('reads in no thread, which would wake the process ten times for each file', async () => {
    const source = linuxTraffic(await folder({ rx_bytes: '1\n', tx_bytes: '2\n' }))
    let isRead = false
    void source.read('tun0').then(() => (isRead = true))
    await Promise.resolve()
    expect(isRead).toBe(true)
  })

  it.runIf(process.platform === 'linux')('reads the loopback device of this computer', async () => {
    const counters = await linuxTraffic().read('lo')
    expect(counters?.received).toBeGreaterThanOrEqual(0)
    expect(counters?.sent).toBe(counters?.received)
  })
})

describe('macOS', () => {
  it('reads the row of the link', () => {
    expect(readNetstat(netstat, 'utun12')).toEqual({ received: 5_678_901, sent: 456_789 })
    expect(readNetstat(netstat, 'utun1')).toEqual({ received: 1416, sent: 1788 })
    expect(readNetstat(netstat, 'en0')).toEqual({ received: 27_949_362_788, sent: 29_723_901_148 })
    expect(readNetstat(netstat, 'gif0')).toEqual({ received: 0, sent: 0 })
    expect(readNetstat(netstat, 'utun9')).toBeUndefined()
    expect(readNetstat('netstat: no such interface', 'utun9')).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('runs netstat, and returns undefined if it fails', async () => {
    const says = (text: string) => ['/bin/sh', '-c', `cat <<'END'\n${text}END\n`, 'netstat'] as const
    expect(await macosTraffic([...says(netstat)], () => 7).read('utun12')).toEqual({
      at: 7,
      received: 5_678_901,
      sent: 456_789,
    })
    expect(await macosTraffic(['/bin/false']).read('utun12')).toBeUndefined()
    expect(await macosTraffic(['/no/such/netstat']).read('utun12')).toBeUndefined()
    expect(await macosTraffic([...says(netstat)]).read('en0 -r')).toBeUndefined()
  })
})

describe('Windows', () => {
  it('asks the helper, and returns undefined for a missing device or helper', async () => {
    const helper =
      (script: string) =>
      (...words: readonly string[]) =>
        [process.execPath, '-e', script, ...words] as const
    const counts = 'console.log(JSON.stringify({ received: process.argv[2].length, sent: 2 }))'
    expect(await windowsTraffic(helper(counts), () => 7).read('OpenVPN Wintun é')).toEqual({
      at: 7,
      received: 16,
      sent: 2,
    })
    for (const script of ['process.exit(65)', 'console.log("{}")', 'console.log("[1,2]")', ''])
      expect(await windowsTraffic(helper(script)).read('OpenVPN Wintun'), script).toBeUndefined()
    expect(await windowsTraffic(() => ['/nonexistent/causeway-helper.exe']).read('tun')).toBeUndefined()
  })
})
