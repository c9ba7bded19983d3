import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import type { Setting } from '../wireguard-process'
import { type Peer, ProcessGroup } from './peer'

const folder = '/run/peers-nm'
const programs = { daemon: '/usr/sbin/NetworkManager', bus: '/usr/bin/dbus-daemon' }

/** A system bus of this network alone, on which root may do everything. */
const busConfiguration = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="signal"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow send_destination="*" eavesdrop="false"/>
  </policy>
</busconfig>
`

const daemonConfiguration = `[main]
plugins=keyfile
auth-polkit=false
dns=none
rc-manager=unmanaged
no-auto-default=*
[keyfile]
path=${folder}/connections
`

/** Writes what it reads, and returns the files of the bus and of the daemon. */
async function writeFiles({ openVpn }: Setting): Promise<{ readonly bus: string; readonly daemon: string }> {
  for (const each of ['/run/dbus', folder, `${folder}/connections`, `${folder}/conf.d`])
    await mkdir(each, { recursive: true })
  const write = async (name: string, text: string, mode = 0o600) => {
    await writeFile(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const ca = /<ca>([^]*?)<\/ca>/.exec(openVpn.profile)?.[1]?.trim() ?? ''
  const files = {
    ca: await write('ca.pem', `${ca}\n`, 0o644),
    cert: await write('cert.pem', openVpn.certificate, 0o644),
    key: await write('key.pem', openVpn.privateKey),
  }
  await write(
    'connections/bench.nmconnection',
    `[connection]
id=bench
uuid=5f1c6a52-0f0e-4a8e-9d4a-3f8e5a0c9b11
type=vpn
autoconnect=false
[vpn]
service-type=org.freedesktop.NetworkManager.openvpn
connection-type=tls
remote=10.77.1.1:1194:udp
dev-type=tun
cipher=AES-256-GCM
remote-cert-tls=server
ca=${files.ca}
cert=${files.cert}
key=${files.key}
[ipv4]
method=auto
[ipv6]
method=ignore
`,
  )
  // The computer's network, which the tunnel is above.
  await write(
    'connections/wan.nmconnection',
    `[connection]
id=wan
uuid=5f1c6a52-0f0e-4a8e-9d4a-3f8e5a0c9b12
type=ethernet
interface-name=wan
[ipv4]
method=manual
address1=10.77.1.2/24,10.77.1.1
[ipv6]
method=ignore
`,
  )
  return {
    bus: await write('bus.conf', busConfiguration),
    daemon: await write('NetworkManager.conf', daemonConfiguration),
  }
}

/** NetworkManager with its plug-in for OpenVPN, and a system bus of its own. */
export async function networkManager(setting: Setting): Promise<Peer> {
  const files = await writeFiles(setting)
  const group = await ProcessGroup.make('network-manager')
  const bus = execa(programs.bus, [`--config-file=${files.bus}`, '--nofork', '--nopidfile'], {
    reject: false,
    stdio: 'ignore',
  })
  const words = [
    '--no-daemon',
    `--config=${files.daemon}`,
    `--config-dir=${folder}/conf.d`,
    `--state-file=${folder}/state`,
  ]
  let daemon: ReturnType<ProcessGroup['start']> | undefined
  const prepare = async () => {
    daemon = group.start(programs.daemon, words)
    for (let time = 0; time < 60; time += 1) {
      const { stdout } = await execa('nmcli', ['-t', '-f', 'STATE', 'general'], { reject: false })
      if (stdout === 'connected') {
        // Its own has a higher metric than that of the tunnel.
        await execa('ip', ['route', 'delete', 'default', 'metric', '0'])
        return
      }
      await wait(250)
      if (time === 20) await execa('nmcli', ['connection', 'up', 'wan'], { reject: false })
    }
    throw new Error('it did not connect to the network')
  }
  const rest = async () => {
    daemon?.kill('SIGTERM')
    await daemon
    // What it remembers of devices: another one begins anew.
    for (const each of ['/run/NetworkManager', `${folder}/state`])
      await rm(each, { recursive: true, force: true })
  }
  const end = async () => {
    await rest()
    bus.kill('SIGTERM')
    await bus
    await group.remove()
  }
  return {
    name: 'NetworkManager',
    protocol: 'openvpn',
    group,
    prepare,
    rest,
    connect: async () => {
      await group.run('nmcli', ['connection', 'up', 'bench'])
    },
    disconnect: async () => {
      // It ends a tunnel by itself when the network below goes; then this fails.
      await group.start('nmcli', ['connection', 'down', 'bench'])
    },
    noticed: async () => {
      const words = ['-g', 'GENERAL.STATE', 'connection', 'show', 'bench']
      while ((await execa('nmcli', words, { reject: false })).stdout === 'activated') await wait(500)
    },
    end,
  }
}
