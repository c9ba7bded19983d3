/** What a start of the app was asked to do at once. */
interface Asked {
  readonly hidden: boolean
  readonly connect: boolean
  readonly link: string | undefined
}

/**
 * Returns the arguments of a start that was asked for while the app was ending: those of the app, with what the new start is to do
 * in place of what the app was.
 */
export function argumentsOfNextStart(args: readonly string[], { hidden, connect, link }: Asked): string[] {
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
