import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Setting } from '../wireguard-process'
import { type Peer, ProcessGroup } from './peer'
import { downloadedConfiguration } from './configuration'

const unitFile = '/lib/systemd/system/openvpn-client@.service'

/** OpenVPN as Debian's unit `openvpn-client@` starts it. */
export async function openVpnUnit(setting: Setting): Promise<Peer> {
  const unit = await readFile(unitFile, 'utf8')
  const folder = '/run/openvpn-client'
  await mkdir(folder)
  await writeFile(join(folder, 'bench.conf'), downloadedConfiguration(setting), { mode: 0o600 })
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.replaceAll('%i', 'bench').split(' ')
  const [program, ...words] = command ?? []
  if (program === undefined) throw new Error(`${unitFile} has no ExecStart.`)
  const group = await ProcessGroup.make('openvpn')
  let running: ReturnType<ProcessGroup['start']> | undefined
  let log: (line: string) => void = () => undefined
  return {
    name: 'openvpn',
    protocol: 'openvpn',
    group,
    connect: () => {
      running = group.start(program, words, { cwd: folder })
      void (async (started) => {
        for await (const line of started.iterable({ from: 'stdout' })) log(line)
      })(running)
      return Promise.resolve()
    },
    noticed: () =>
      new Promise((resolve) => {
        log = (line) => {
          if (/Inactivity timeout|SIGUSR1/.test(line)) resolve()
        }
      }),
    disconnect: async () => {
      running?.kill('SIGTERM')
      await running
    },
    end: () => group.remove(),
  }
}
