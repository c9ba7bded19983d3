import { readdir, readFile } from 'node:fs/promises'
import { execa } from 'execa'

/** Returns the running OpenVPN processes of a parent process. */
export async function openVpnOf(parent: number): Promise<number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    const status = /^\d+$/.test(entry) ? await statusOf(entry) : ''
    if (field(status, 'PPid') !== String(parent) || field(status, 'Name') !== 'openvpn') continue
    if (!isOver(status)) found.push(Number(entry))
  }
  return found
}

/** Returns the running processes with this text on their command line; none without /proc. */
export async function processesWith(words: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number)
  const lines = await Promise.all(pids.map((pid) => commandLineOf(pid).catch(() => '')))
  return pids.filter((_, index) => lines[index]?.includes(words))
}

/** Returns whether a process is running. */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isThere(pid)
  const status = await statusOf(String(pid))
  return status !== '' && !isOver(status)
}

/** Returns the command line of a process, separated by spaces. */
export async function commandLineOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
}

/** Returns whether an address answers one ping within a second. */
export async function answersPing(address: string): Promise<boolean> {
  const { exitCode } = await execa('ping', ['-n', '-c', '1', '-W', '1', address], { reject: false })
  return exitCode === 0
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function statusOf(pid: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function field(status: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1]
}

/** Returns whether a process has exited, but wasn't reaped yet. */
function isOver(status: string): boolean {
  return ['Z', 'X'].includes(field(status, 'State') ?? '')
}
