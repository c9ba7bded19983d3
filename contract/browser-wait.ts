/** A service with the state of its login. */
export interface WithLogin {
  readonly id: string
  readonly login: 'unknown' | 'signed-out' | 'waiting-for-browser' | 'signed-in'
  /** The time until which the login waits for the browser; absent until the browser is opened. */
  readonly browser?: { readonly until: number } | undefined
}

/** A sign-in that the person finishes in the browser. */
export interface BrowserWait {
  readonly instanceId: string
  /** The time at which it is given up, in ms since the epoch; absent until the browser is opened. */
  readonly until: number | undefined
}

/** Returns the sign-in that waits for the browser; of several, the one that began last. */
export function browserWait(instances: readonly WithLogin[]): BrowserWait | undefined {
  return instances
    .filter(({ login }) => login === 'waiting-for-browser')
    .map(({ id, browser }) => ({ instanceId: id, until: browser?.until }))
    .reduce<BrowserWait | undefined>(
      (last, each) =>
        last === undefined || (each.until ?? Infinity) > (last.until ?? Infinity) ? each : last,
      undefined,
    )
}
