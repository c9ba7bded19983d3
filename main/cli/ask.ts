import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CausewayError } from '../errors'
import type { VariantOf } from '../../contract/error-details'
import { terminalLine } from '../../contract/safe-text'
import type { Context } from './command-context'

const maxInputLength = 64 * 1024

/** Returns true if there is a terminal to ask the user. */
function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/**
 * Asks a question and returns the line that the user types; with `hidden` it isn't echoed. Call it only if `canAsk`. Throws
 * `http/cancelled`.
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
  const lines = createInterface({
    input: process.stdin,
    output: hidden ? nowhere : process.stderr,
    terminal: hidden,
  })
  // Only now: until the terminal has stopped echoing, it would show the secret of whoever answers at once.
  process.stderr.write(terminalLine(question))
  try {
    return await new Promise<string>((resolve, reject) => {
      const giveUp = (): void => {
        reject(cancelled())
      }
      signal.addEventListener('abort', giveUp, { once: true })
      lines.once('line', resolve)
      lines.once('close', giveUp)
      // Without echo, Ctrl-C arrives as a key.
      lines.once('SIGINT', () => {
        process.kill(process.pid, 'SIGINT')
      })
    })
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/**
 * Asks a question that `--yes` answers too. Throws `usage/invalid-argument` with this variant where nobody can be asked, and
 * `http/cancelled`.
 */
export async function askUnlessYes(
  question: () => string | Promise<string>,
  variant: VariantOf<'usage/invalid-argument'>,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<string> {
  if (terminal.json || !canAsk()) {
    throw new CausewayError('usage/invalid-argument', { variant, details: { argument: 'yes' } })
  }
  return (await ask(await question(), { signal })).trim()
}

/** Returns true for an answer that agrees. */
export function agrees(answer: string): boolean {
  return /^y(es)?$/i.test(answer)
}

/** Asks for a secret where there is a terminal, else reads it from standard input. Throws as `ask` and `readInput`. */
export function askSecret(question: string, signal: AbortSignal): Promise<string> {
  // Also if standard error is a file: a terminal would show what is typed.
  return process.stdin.isTTY ? ask(question, { signal, hidden: true }) : readInput(signal)
}

/** Reads standard input to its end, without the last line end. Throws `usage/invalid-argument`, `http/cancelled`. */
async function readInput(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const stop = (): void => {
    process.stdin.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxInputLength) {
        throw new CausewayError('usage/invalid-argument', { variant: 'secret-too-long' })
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
  return new CausewayError('http/cancelled', { variant: 'nothing-changed' })
}
