import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { PrivateNetwork, RunningHelper } from './full-tunnel.testing'
import { mayMakeNamespaces, replaceResolvConf, type TestHelper } from './helper.testing'
import { rows, slow } from '../../scripts/slow.testing'

const packaging = path.resolve(import.meta.dirname, '../../build/linux')
const unitFile = path.join(packaging, 'systemd/system/causeway@.service')

const openVpnRequest = 'kill-switch off\ndns off\nclient\nremote 192.0.2.1 1194 udp\n#END\n'

/** Puts a program in the place of OpenVPN that waits for its end. */
const asRoot = `
cat >$folder/openvpn <<'END'
#!/bin/sh
cat >/dev/null
exec sleep 1000
END
stand_in $folder/openvpn
mount --bind $folder/openvpn /usr/sbin/openvpn
exec /mnt/causeway-helper "$@"
`
const withSystemUser = `echo 'causeway:x:997:996::/:/usr/sbin/nologin' >>/etc/passwd\n`
const withPerson = `echo 'causeway:x:1234:1234::/:/bin/sh' >>/etc/passwd\n`
/** A computer may have its own file of tunnel devices for everybody, or for root alone. */
const tunFor = (mode: '600' | '666') =>
  `mount -t tmpfs devices /dev/net\nmknod -m ${mode} /dev/net/tun c 10 200\n`

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)

/** Needs root and a tun device. */
describe.runIf(may)('tunnels that root starts', () => {
  const network = new PrivateNetwork()
  const running: (() => Promise<unknown>)[] = []

  beforeAll(() => network.create())
  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })
  afterAll(() => network.remove())

  async function install(then: string): Promise<TestHelper> {
    const helper = await network.install(then)
    running.push(() => helper.remove())
    return helper
  }

  function start(helper: TestHelper, command: 'run' | 'wireguard'): RunningHelper {
    const started = new RunningHelper(helper, {}, command)
    running.push(() => started.stop())
    return started
  }

  async function rights(of: number): Promise<Record<string, string | undefined>> {
    const status = await readFile(`/proc/${of}/status`, 'utf8')
    const [user, group, capabilities] = ['Uid', 'Gid', 'CapBnd'].map(
      (name) => new RegExp(`^${name}:\\t(\\S+)`, 'm').exec(status)?.[1],
    )
    return { user, group, capabilities }
  }
  const netAdmin = '0000000000001000'

  it.each(
    rows(
      [
        ['the system user of the packages', withSystemUser, ['997', '996']],
        ['nobody, without that user', '', ['65534', '65534']],
        ['nobody, if that is the name of a person', withPerson, ['65534', '65534']],
      ],
      1,
    ),
  )('run their programs as %s', async (_name, prepare, [user, group]) => {
    const helper = await install(prepare + tunFor('666') + asRoot)
    const openVpn = start(helper, 'run').send(openVpnRequest)
    const programs = [await openVpn.processes(0), await start(helper, 'wireguard').send().processes(0)]
    for (const { program } of programs)
      // The kernel's WireGuard is no program.
      if (program !== undefined)
        expect(await rights(program)).toEqual({ user, group, capabilities: netAdmin })
    expect(programs[0]?.program).toBeDefined()
  })

  slow('leave OpenVPN to root where nobody else may open the file of tunnel devices', async () => {
    const helper = await install(tunFor('600') + asRoot)
    const openVpn = start(helper, 'run').send(openVpnRequest)
    const { program = 0 } = await openVpn.processes(0)
    expect(await rights(program)).toEqual({ user: '0', group: '0', capabilities: netAdmin })
  })

  it.each(rows(['systemd-sysusers', 'useradd'], 1))(
    'find the user that the packages make by %s',
    async (program) => {
      const hidden = program === 'useradd' ? 'mount --bind /bin/false /usr/bin/systemd-sysusers\n' : ''
      const helper = await install(`
mount -t tmpfs sysusers /usr/lib/sysusers.d
cp ${packaging}/sysusers.conf /usr/lib/sysusers.d/causeway.conf
${hidden}sh ${packaging}/after-install
${tunFor('666')}${asRoot}`)
      const openVpn = start(helper, 'run').send(openVpnRequest)
      const { program: id = 0 } = await openVpn.processes(0)
      const passwd = await readFile(path.join(helper.folder, 'etc/passwd'), 'utf8')
      const [, user, group] = /^causeway:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? []
      expect(Number(user)).toBeGreaterThan(0)
      expect(await rights(id)).toEqual({ user, group, capabilities: netAdmin })
    },
  )

  it('work with the rights and the files of the unit that connects at boot', async () => {
    const unit = await readFile(unitFile, 'utf8')
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
    expect([value('ProtectSystem'), value('ReadWritePaths')]).toEqual(['strict', '/etc /run'])
    const capabilities = [...unit.matchAll(/\bCAP_(\w+)/g)]
      .map(([, name = '']) => `,+${name.toLowerCase()}`)
      .join('')
    const helper = await install(`
mount --rbind /run /run
mount -o remount,bind,ro /
exec setpriv --no-new-privs --bounding-set=-all${capabilities} /mnt/causeway-helper "$@"
`)
    await replaceResolvConf(helper.folder, 'nameserver 192.0.2.1\n')
    const before = await network.routing()
    const tunnel = start(helper, 'wireguard')
    tunnel.send(tunnel.request.replace('kill-switch off', 'kill-switch on'))
    await tunnel.message(/^kill-switch on$/)
    const { helper: id, program } = await tunnel.processes(0)
    expect(await rights(id)).toMatchObject({ user: '0' })
    expect((await rights(id)).capabilities).not.toBe((await rights(process.pid)).capabilities)
    if (program !== undefined) expect(await rights(program)).toMatchObject({ capabilities: netAdmin })
    const resolvConf = () => readFile(path.join(helper.folder, 'etc/resolv.conf'), 'utf8')
    tunnel.send('dns 10.88.0.53\nstate\ntest\nmtu 1300\n')
    await tunnel.message(/^dns applied resolv\.conf$/)
    expect(await resolvConf()).toContain('nameserver 10.88.0.53\n')
    await tunnel.message(/^handshake - /)
    await tunnel.message(/^mtu 1300$/)
    await tunnel.message(/^test none$/)
    tunnel.send('release\n')
    await tunnel.message(/^kill-switch released$/)
    expect(await tunnel.stop()).toBe(0)
    expect(await network.routing()).toBe(before)
    expect(await resolvConf()).toBe('nameserver 192.0.2.1\n')
  })
})
