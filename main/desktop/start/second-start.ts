import { z } from 'zod'

const secondStart = z.object({
  /** True to leave the window where it is. */
  hidden: z.boolean().catch(false),
  /** True to connect to the last profile. */
  connect: z.boolean().catch(false),
  /** A `causeway:` link to open. */
  link: z.string().optional().catch(undefined),
})

/** Data that a second start sends to the running app. */
export type SecondStart = Readonly<z.infer<typeof secondStart>>

/** Returns what a second start asks for; one that says nothing wants the window. */
export function parseSecondStart(data: unknown): SecondStart {
  return secondStart.catch({ hidden: false, connect: false }).parse(data)
}

/** Returns what two starts ask for together, the second of which came later. */
export function bothStarts(first: SecondStart | undefined, second: SecondStart): SecondStart {
  return {
    hidden: first?.hidden !== false && second.hidden,
    connect: first?.connect === true || second.connect,
    link: second.link ?? first?.link,
  }
}

/**
 * Returns the arguments for starting again: this process's options, with the second start's `--hidden`, `--connect` and link instead
 * of its own.
 */
export function argumentsOfNextStart(
  args: readonly string[],
  { hidden, connect, link }: SecondStart,
): string[] {
  const end = args.findIndex((arg) => arg === '--' || /^causeway:/i.test(arg))
  const options = (end === -1 ? args : args.slice(0, end)).filter(
    (arg) => arg !== '--hidden' && arg !== '--connect',
  )
  return [
    ...options,
    ...(hidden ? ['--hidden'] : []),
    ...(connect ? ['--connect'] : []),
    ...(link === undefined ? [] : [link]),
  ]
}
