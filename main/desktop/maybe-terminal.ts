/**
 * Whether the arguments of the program could be for the terminal command. Most starts are not, and need not load it to
 * find out: the names of its commands are words of small letters.
 */
export function maybeForTerminal(args: readonly string[]): boolean {
  return args.some((arg) => /^[a-z]+$/.test(arg) || arg === '-h' || arg === '--help')
}
