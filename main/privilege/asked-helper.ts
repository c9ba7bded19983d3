import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type HelperMessage, parseHelperMessage } from './helper-messages'
import type { HelperProcess } from './helper-process'
import { type HelperStart, saysWrongPassword, startHelper, startWithTries } from './start-helper'
import { startTerminalAgent } from './terminal-agent'

/** A helper for which somebody may be asked for a password. */
export interface AskedHelper {
  readonly process: HelperProcess
  /** Ends the agent that asks in this terminal, and the tries; undefined without one. */
  readonly endAgent?: (() => void) | undefined
}

/** How a helper ended. */
export interface HelperEnd extends Awaited<HelperProcess['ended']> {
  /** This terminal has asked for the password, or sudo has said that it was wrong. */
  readonly isWrongPassword: boolean
}

/** Starts the helper; the system may ask for a password, in this terminal if nothing else can. */
export async function startAsked(options: HelperStart, command: string): Promise<AskedHelper> {
  const endAgent = await startTerminalAgent(options.elevation)
  if (endAgent === undefined) return { process: startHelper(options, command) }
  const process = startWithTries(options, command)
  return {
    process,
    endAgent: () => {
      endAgent()
      process.hasBegun()
    },
  }
}

/** Calls back with each message, also as text; resolves when the helper has ended. Once it speaks, nobody is asked any more. */
export async function followMessages(
  { process, endAgent }: AskedHelper,
  onMessage: (message: HelperMessage, text: string) => void,
): Promise<HelperEnd> {
  let isWrongPassword = endAgent !== undefined
  const onLine = (line: string): void => {
    isWrongPassword ||= saysWrongPassword(line)
    const message = parseHelperMessage(line)
    if (message === undefined) return
    endAgent?.()
    onMessage(message, line.replace(/^causeway-helper: /, ''))
  }
  const read = once(createInterface({ input: process.stderr }).on('line', onLine), 'close')
  const [end] = await Promise.all([process.ended, read])
  endAgent?.()
  return { ...end, isWrongPassword }
}
