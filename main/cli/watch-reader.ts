import { spawn } from 'node:child_process'
import { fstatSync } from 'node:fs'

/**
 * Calls back when the program that reads the standard output has ended, as `head` does after a line. Node.js only notices when it
 * writes, and a command that waits for changes may not write for days: neither an empty write nor a watched file tells. GNU's
 * `tail --follow` asks the kernel each second (poll), and ends with the reader. Where the output is no pipe, or the system has another
 * `tail`, nothing is watched. Returns a function that ends it.
 */
export function watchReader(onGone: () => void): () => void {
  if (process.platform !== 'linux' || !isPipe(process.stdout.fd)) return () => undefined
  // With `--pid`, it doesn't outlive a command that is killed.
  const words = ['--follow', `--pid=${String(process.pid)}`, '/dev/null']
  const tail = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] })
  tail.on('error', () => undefined)
  tail.once('exit', (_status, signal) => {
    if (signal === 'SIGPIPE') onGone()
  })
  tail.unref()
  return () => {
    tail.removeAllListeners('exit')
    tail.kill()
  }
}

function isPipe(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFIFO()
  } catch {
    return false
  }
}
