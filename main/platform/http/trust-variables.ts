/**
 * Removes what weakens all TLS connections of this process and of those that it starts, and returns what can't be removed: the
 * option of Node.js that writes the keys of each connection into a file. Call it before anything is loaded.
 */
export function removeTrustVariables({
  env,
  execArgv,
}: {
  readonly env: Record<string, string | undefined>
  readonly execArgv: readonly string[]
}): string | undefined {
  // Every connection checks its certificate anyway. Without the variable, Node.js doesn't warn that none does.
  Reflect.deleteProperty(env, 'NODE_TLS_REJECT_UNAUTHORIZED')
  return [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/[\s"']+/)].some((word) =>
    /^--tls[-_]keylog(?:=|$)/.test(word),
  )
    ? '--tls-keylog'
    : undefined
}

/** Returns the sentence for an option that the start is refused with. */
export function refusedOption(option: string): string {
  return `Node.js has the option ${option}, which writes the keys of all connections into a file. Remove it from NODE_OPTIONS, then start Causeway again.`
}
