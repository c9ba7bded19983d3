import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { clockFinding, diskFinding, fixedResolvConf, otherVpnFinding, vpnDevices } from './computer-findings'

async function computer(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'causeway-computer-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

it('names other VPNs by device and program, and neither its own nor other devices', async () => {
  const device = (name: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`sys/class/net/${name}/${file}`, text]))
  const up = { flags: '0x10c1\n' }
  const root = await computer({
    ...device('lo', { flags: '0x9\n' }),
    ...device('eth0', { flags: '0x1003\n', uevent: 'INTERFACE=eth0\n' }),
    ...device('tailscale0', { ...up, tun_flags: '0x1001\n' }),
    ...device('tun0', { ...up, tun_flags: '0x1001\n' }),
    ...device('tun1', { ...up, tun_flags: '0x1001\n' }),
    // Of a virtual machine, and of a program that has ended.
    ...device('vnet0', { ...up, tun_flags: '0x1002\n' }),
    ...device('tun9', { flags: '0x1090\n', tun_flags: '0x1001\n' }),
    ...device('office', { ...up, uevent: 'DEVTYPE=wireguard\nINTERFACE=office\n' }),
    ...device('cw4711t', { ...up, uevent: 'DEVTYPE=wireguard\n' }),
  })
  expect(otherVpnFinding(['tun1'], root)).toEqual({
    name: 'other-vpn',
    status: 'limited',
    code: 'other-vpn',
    facts: { devices: 'office (WireGuard), tailscale0 (Tailscale), tun0 (TUN)' },
  })
  const alone = await computer(device('cw4711t', { ...up, uevent: 'DEVTYPE=wireguard\n' }))
  expect(otherVpnFinding([], alone)).toMatchObject({ status: 'ok', code: 'other-vpn-none' })
  // For somebody without a tunnel, it is another user's.
  expect(vpnDevices(undefined, alone)).toEqual(['cw4711t (WireGuard)'])
  // As in a container without /sys.
  expect(vpnDevices(undefined, join(alone, 'proc'))).toEqual([])
})

it.each([
  ['space', { bavail: 100, bsize: 4096, files: 1000, ffree: 500 }, 'disk-full'],
  ['files', { bavail: 1e6, bsize: 4096, files: 1000, ffree: 0 }, 'disk-full'],
  ['nothing', { bavail: 1e6, bsize: 4096, files: 1000, ffree: 500 }, 'disk-ready'],
  ['nothing, of one that counts no files,', { bavail: 1e6, bsize: 4096, files: 0, ffree: 0 }, 'disk-ready'],
])('says that the disk lacks %s', async (_what, answer, code) => {
  const found = await diskFinding('/data', () => Promise.resolve(answer))
  expect(found).toMatchObject({ code, facts: { path: '/data' } })
})

it('looks at the disk on which the folder will be created', async () => {
  const place = await computer({})
  const found = await diskFinding(join(place, 'config/causeway'), (path) => {
    expect(path).toBe(place)
    return Promise.resolve({ bavail: 1e6, bsize: 4096, files: 0, ffree: 0 })
  })
  expect(found).toMatchObject({ code: 'disk-ready' })
})

it.each([
  ['before this program was built', '2026-01-01T00:00:00Z', undefined, 'clock-wrong'],
  ['that nothing sets', '2026-12-01T00:00:00Z', 'NTP=no\nNTPSynchronized=no', 'clock-not-synchronized'],
  ['that is being set', '2026-12-01T00:00:00Z', 'NTP=yes\nNTPSynchronized=no', 'clock-plausible'],
  ['of a container without systemd', '2026-12-01T00:00:00Z', undefined, 'clock-plausible'],
])('judges a clock %s', async (_what, time, answer, code) => {
  const found = await clockFinding({
    now: () => new Date(time),
    platform: 'linux',
    builtAt: new Date('2026-06-01T00:00:00Z'),
    timedatectl: () => Promise.resolve(answer),
  })
  expect(found).toMatchObject({ code, facts: { time: new Date(time).toISOString() } })
  expect(found.command).toBe(code === 'clock-plausible' ? undefined : 'sudo timedatectl set-ntp true')
})

it('sees a resolv.conf on a disk that is mounted read-only', async () => {
  const mounts = (text: string) => computer({ 'etc/resolv.conf': '', 'proc/self/mounts': text })
  const path = '/etc/resolv.conf'
  expect(await fixedResolvConf(await mounts('overlay / overlay rw 0 0\n'))).toBeUndefined()
  expect(
    await fixedResolvConf(await mounts(`overlay / overlay rw 0 0\n/dev/sda1 ${path} ext4 ro,relatime 0 0\n`)),
  ).toEqual({ path })
  expect(await fixedResolvConf(await mounts('overlay / overlay ro 0 0\n'))).toEqual({ path })
  // Its own mount may be written, whatever is around it.
  expect(
    await fixedResolvConf(await mounts(`overlay / overlay ro 0 0\n/dev/sda1 ${path} ext4 rw 0 0\n`)),
  ).toBeUndefined()
})

const root = await mkdtemp(join(tmpdir(), 'causeway-immutable-'))
await mkdir(join(root, 'etc'))
await writeFile(join(root, 'etc/resolv.conf'), '')
const attribute = (change: '+i' | '-i') =>
  execa('chattr', [change, join(root, 'etc/resolv.conf')], { reject: false })
// Not every file system has it, nor may everybody set it.
const hasAttribute = !(await attribute('+i')).failed
await attribute('-i')
if (!hasAttribute) await rm(root, { recursive: true, force: true })

it.runIf(hasAttribute)(
  'sees an immutable resolv.conf, but not behind a link, which is replaced',
  async () => {
    onTestFinished(async () => {
      await attribute('-i')
      await rm(root, { recursive: true, force: true })
    })
    await attribute('+i')
    const path = '/etc/resolv.conf'
    expect(await fixedResolvConf(root)).toEqual({ path, command: `sudo chattr -i ${path}` })
    const linked = await computer({ 'etc/other': '' })
    await symlink(join(root, 'etc/resolv.conf'), join(linked, 'etc/resolv.conf'))
    expect(await fixedResolvConf(linked)).toBeUndefined()
  },
)
