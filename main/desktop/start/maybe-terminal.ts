/** Returns true for a word like the name of a command, which a path or an address is not. */
export function isLikeCommand(word: string): boolean {
  return /^[a-z][a-z-]*$/.test(word)
}

/**
 * Returns true if the arguments may be for the terminal command, whose command names are lower-case words. Most starts can
 * skip loading it.
 */
export function maybeForTerminal(args: readonly string[]): boolean {
  return args.some((arg) => isLikeCommand(arg) || arg === '-h' || arg === '--help')
}
