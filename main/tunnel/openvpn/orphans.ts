import { readFile, readdir, readlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const starter = 'CAUSEWAY_STARTED_BY'

/** The variable in OpenVPN's environment that says which process has started it. */
export const startedByThisProcess: Readonly<Record<string, string>> = { [starter]: String(process.pid) }

/**
 * Ends every OpenVPN of this user whose Causeway has died: until its first socket, OpenVPN loses the signal with which the
 * kernel ends it (docs/faults.md). The kernel tells all of it: whose process it is, how it was started, and that its parent
 * is another process now. On Linux only. Resolves when they have ended.
 */
export async function endOrphans(): Promise<void> {
  if (process.platform !== 'linux') return
  // A list of processes with other ids than those that this process knows would show parents that seem to be others.
  if ((await readlink('/proc/self')) !== String(process.pid)) return
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  await Promise.all(ids.map(async (id) => (await isOrphan(id)) && end(id)))
}

async function end(id: string): Promise<void> {
  // Orderly first, so that it removes its routes.
  for (const [signal, withinMs] of [
    ['SIGTERM', 5000],
    ['SIGKILL', 1000],
  ] as const) {
    const giveUpAt = performance.now() + withinMs
    try {
      process.kill(Number(id), signal)
    } catch {
      // It ended meanwhile.
      return
    }
    do {
      await wait(10)
      if (!(await isOrphan(id))) return
    } while (performance.now() < giveUpAt)
  }
}

/** A process of which something can't be read is no orphan: it has ended, or is none of this user's. */
async function isOrphan(id: string): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8')
  try {
    const [, program, source] = (await read('cmdline')).split('\0')
    if (program !== '--config' || source !== 'stdin') return false
    const [status, environment, ids, ownIds] = await Promise.all([
      read('status'),
      read('environ'),
      readlink(`/proc/${id}/ns/pid`),
      readlink('/proc/self/ns/pid'),
    ])
    const [, parent] = /^PPid:\t(\d+)$/m.exec(status) ?? []
    const [, user] = /^Uid:\t(\d+)\t/m.exec(status) ?? []
    const variable = environment.split('\0').find((each) => each.startsWith(`${starter}=`))
    return (
      user === String(process.getuid?.()) &&
      ids === ownIds &&
      variable !== undefined &&
      variable !== `${starter}=${parent}`
    )
  } catch {
    return false
  }
}
