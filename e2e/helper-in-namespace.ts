import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { electronPath } from './causeway-app'

const root = join(import.meta.dirname, '..')

/** The app with an installed helper, whose tunnels and kill switch are limited to a network namespace. */
export interface HelperInNamespace {
  /** For `AppOptions.installed`. */
  readonly app: string
  /** Returns whether the kill switch is up in the namespace. */
  isBlocked(): Promise<boolean>
  remove(): Promise<void>
}

/**
 * Sets up the real helper in an isolated network namespace, visible only to the app started with it. Returns
 * undefined without root.
 */
export async function helperInNamespace(folder: string): Promise<HelperInNamespace | undefined> {
  const name = `cw-e2e-${process.pid}`
  const ip = (...words: string[]) => execa('ip', words, { reject: false })
  if (process.getuid?.() !== 0 || (await ip('netns', 'add', name)).failed) return undefined
  await ip('-n', name, 'link', 'set', 'lo', 'up')

  const libexec = join(folder, 'libexec')
  await mkdir(libexec)
  await copyFile(join(root, 'out/helper/causeway-helper'), join(libexec, 'real-helper'))
  await script(join(libexec, 'causeway-helper'), `exec ip netns exec ${name} ${libexec}/real-helper "$@"`)
  const records = join(folder, 'records')
  await mkdir(records, { mode: 0o711 })
  // The app tries to send a packet that a kill switch refuses, but is itself outside the namespace with the kill switch.
  const probe = `table inet ${name} { chain output { type filter hook output priority 0; ip daddr 224.0.0.1 ip ttl 0 drop; }; }`
  await execa('nft', ['-f', '-'], { input: probe })
  const app = join(folder, 'app-with-helper')
  // The helper may replace resolv.conf, or tell NetworkManager of DNS servers.
  await execa('cp', ['-a', '/etc', folder])
  const place = '/usr/libexec'
  const bus = '/run/dbus/system_bus_socket'
  const mounts = `mount -t tmpfs tmpfs ${place} && mkdir ${place}/causeway && mount --bind ${libexec} ${place}/causeway && mkdir -p /run/causeway && mount --bind ${records} /run/causeway && mount --bind ${folder}/etc /etc && { [ ! -e ${bus} ] || mount --bind /dev/null ${bus}; }`
  await script(app, `exec unshare -m sh -c '${mounts} && exec "$@"' sh '${electronPath}' "$@" '${root}'`)
  return {
    app,
    isBlocked: async () => {
      const { stdout } = await execa('ip', ['netns', 'exec', name, 'nft', 'list', 'tables'])
      return stdout.includes('causeway_0')
    },
    remove: async () => {
      await execa('nft', ['delete', 'table', 'inet', name])
      await ip('netns', 'delete', name)
    },
  }
}

async function script(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o755)
}
