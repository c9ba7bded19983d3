import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** What a computer shows of programs that run or have run, each as sorted lines. */
export type Traces = Readonly<Record<string, readonly string[]>>

const questions: Readonly<Record<string, string>> = {
  routes: 'ip route show table all',
  'routes of IPv6': 'ip -6 route show table all',
  rules: 'ip rule',
  'rules of IPv6': 'ip -6 rule',
  devices: 'ip -brief link',
  'tables of the firewall': 'nft list tables',
  namespaces: 'ip netns list',
  'name servers': 'cat /etc/resolv.conf',
}

/** Returns what this computer shows, a network and a mount namespace of this process. The folders are listed with all below. */
export async function tracesOf(folders: Readonly<Record<string, string>>): Promise<Traces> {
  // First, because asking takes processes.
  const processes = (await processIds()).map(({ name }) => name).sort()
  const answers = Object.entries(questions).map(async ([name, question]) => {
    const [program = '', ...words] = question.split(' ')
    const { stdout } = await execa(program, words)
    // The kernel gives a device one of these in its own time, and counts for routers of IPv6.
    const lines = stdout.split('\n').filter((line) => line !== '' && !/fe80:|multicast|ff00::/.test(line))
    return [name, lines.map((line) => line.replace(/ (expires|hoplimit) \S+/g, '').trim()).sort()] as const
  })
  const listed = Object.entries(folders).map(
    async ([name, folder]) => [name, (await filesIn(folder)).sort()] as const,
  )
  return { ...Object.fromEntries(await Promise.all([...answers, ...listed])), processes }
}

/** Returns the names of the files and sockets below a folder, if it is there. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((each) => !each.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Returns the processes in the network of this process whose name begins so. */
export async function processIds(name = ''): Promise<{ readonly pid: number; readonly name: string }[]> {
  const own = await readlink('/proc/self/ns/net')
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const found = await Promise.all(
    pids.map(async (pid) => {
      try {
        if ((await readlink(`/proc/${pid}/ns/net`)) !== own) return []
        const status = await readFile(`/proc/${pid}/status`, 'utf8')
        // One that has ended waits for its parent only.
        if (/^State:\tZ/m.test(status)) return []
        return [{ pid: Number(pid), name: /^Name:\t(.*)$/m.exec(status)?.[1] ?? '' }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    }),
  )
  return found.flat().filter((each) => each.name.startsWith(name))
}

/** Returns how often the threads of processes have waited for something so far, after which they woke up. */
export async function waitsOf(pids: readonly number[]): Promise<number> {
  let waits = 0
  for (const pid of pids)
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8')
      waits += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
    }
  return waits
}

/** Returns what is there beside what was there before, and what is gone, in words. */
export function differences(before: Traces, now: Traces): string[] {
  return Object.keys(now).flatMap((name) => {
    const [had, has] = [before[name] ?? [], now[name] ?? []]
    const more = without(has, had).map((line) => `${name}: ${line}`)
    return [...more, ...without(had, has).map((line) => `${name}, gone: ${line}`)]
  })
}

/** Returns the lines that are more often in the first list. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const remaining = [...others]
  return lines.filter((line) => {
    const at = remaining.indexOf(line)
    if (at >= 0) remaining.splice(at, 1)
    return at < 0
  })
}
