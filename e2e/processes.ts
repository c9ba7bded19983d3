import { readdir, readFile } from 'node:fs/promises'
import { execa } from 'execa'

/** The OpenVPN processes that this process has started and that still run. */
export async function openVpnOf(parent: number): Promise<number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    const status = /^\d+$/.test(entry) ? await statusOf(entry) : ''
    if (field(status, 'PPid') !== String(parent) || field(status, 'Name') !== 'openvpn') continue
    if (!isOver(status)) found.push(Number(entry))
  }
  return found
}

/** The processes that still run and have these words on their command line; none where there is no /proc. */
export async function processesWith(words: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number)
  const lines = await Promise.all(pids.map((pid) => commandLineOf(pid).catch(() => '')))
  return pids.filter((_, index) => lines[index]?.includes(words))
}

/** Whether a process still runs. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await statusOf(String(pid))
  return status !== '' && !isOver(status)
}

/** The command line of a process, its words separated by spaces. */
export async function commandLineOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
}

/** Whether one packet to the address comes back within a second. */
export async function answersPing(address: string): Promise<boolean> {
  const { exitCode } = await execa('ping', ['-n', '-c', '1', '-W', '1', address], { reject: false })
  return exitCode === 0
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

/** Ended, and only waiting to be asked how. */
function isOver(status: string): boolean {
  return ['Z', 'X'].includes(field(status, 'State') ?? '')
}
