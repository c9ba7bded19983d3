import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CausewayError } from '../errors'
import { printableLine } from './output'

/** No secret and no name is longer. */
const longestInput = 64 * 1024

/** True where somebody can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/**
 * What a person types as an answer, in one line; a `hidden` one is not shown while it is typed. To be called only where `canAsk`.
 * Throws `http/cancelled` when they give up.
 */
export async function ask(
  question: string,
  { signal, hidden = false }: { readonly signal: AbortSignal; readonly hidden?: boolean },
): Promise<string> {
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })
  process.stderr.write(printableLine(question))
  const lines = createInterface({
    input: process.stdin,
    output: hidden ? nowhere : process.stderr,
    terminal: hidden,
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      const giveUp = (): void => {
        reject(cancelled())
      }
      signal.addEventListener('abort', giveUp, { once: true })
      lines.once('line', resolve)
      lines.once('close', giveUp)
      // Where nothing is echoed, Ctrl-C comes as a key.
      lines.once('SIGINT', () => {
        process.kill(process.pid, 'SIGINT')
      })
    })
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** Standard input up to its end, without the line end there. Throws `usage/invalid-argument`, `http/cancelled`. */
export async function readInput(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const stop = (): void => {
    process.stdin.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > longestInput) {
        throw new CausewayError(
          'usage/invalid-argument',
          'The text on standard input is too long. Pass only the secret.',
        )
      }
      chunks.push(chunk)
    }
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw error
  }
  if (signal.aborted) throw cancelled()
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

function cancelled(): CausewayError {
  return new CausewayError('http/cancelled', 'Cancelled. Nothing was changed.')
}
