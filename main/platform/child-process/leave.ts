import { spawn } from 'node:child_process'

/** Kills the process that started it, if that still runs after a second. Not every system has `ps`. */
const killStarter = `sleep 1
starter=$(ps -o ppid= -p $$ 2>/dev/null || cut -d ' ' -f 4 /proc/$$/stat)
[ "$starter" -eq "$1" ] && kill -KILL "$1"`

/**
 * Ends this process, for sure: at its end Node.js waits for its threads, and so for ever if one of them waits for a disk or a key
 * store that doesn't answer. Then it is killed after a second.
 */
export function leave(status: number | string | null | undefined): never {
  if (process.platform !== 'win32') {
    const words = ['-c', killStarter, 'sh', String(process.pid)]
    spawn('/bin/sh', words, { detached: true, stdio: 'ignore' }).on('error', () => undefined)
  }
  process.exit(status)
}
