import { readFile } from 'node:fs/promises'
import { resultWithin } from '../child-process/result-within'

const withinMs = 2000

/** Returns the paths of the sockets of all processes; none where the system doesn't tell, as on Windows. */
export async function unixSockets(): Promise<string[]> {
  if (process.platform === 'linux') return pathsIn(await readFile('/proc/net/unix', 'utf8').catch(() => ''))
  if (process.platform !== 'darwin') return []
  const { execa } = await import('execa')
  const netstat = execa('/usr/sbin/netstat', ['-an', '-f', 'unix'], { reject: false })
  return pathsIn((await resultWithin(withinMs, netstat))?.stdout ?? '')
}

/** Returns the paths in a list of sockets, each once: the last thing in a line of proc_net(5) and of netstat, if it begins with a slash. */
export function pathsIn(list: string): string[] {
  return [...new Set([...list.matchAll(/ (\/.*)$/gm)].map(([, path = '']) => path))]
}
