import { isIP, isIPv4 } from 'node:net'

/** What Causeway shows of the options that a server pushed. */
export interface PushedOptions {
  readonly ipv4?: string
  readonly ipv6?: string
  readonly cipher?: string
}

/**
 * Gathers a push reply, which may come in several messages: `push-continuation 2` says that more follow, `1` that it is
 * the last, and none that it is the only one.
 */
export function gatherPushReply(
  gathered: readonly string[],
  message: readonly string[],
): { readonly options: readonly string[]; readonly complete: boolean } {
  const options = [...gathered, ...message.filter((option) => !option.startsWith('push-continuation '))]
  return { options, complete: !message.includes('push-continuation 2') }
}

/** Takes out addresses and cipher; what is not an address is left out. */
export function readPushedOptions(options: readonly string[]): PushedOptions {
  const argument = (name: string) =>
    options.findLast((option) => option.startsWith(`${name} `))?.split(' ')[1]
  const ipv4 = argument('ifconfig')
  const ipv6 = argument('ifconfig-ipv6')?.replace(/\/\d+$/, '')
  const cipher = argument('cipher')
  return {
    ...(ipv4 !== undefined && isIPv4(ipv4) && { ipv4 }),
    ...(ipv6 !== undefined && isIP(ipv6) === 6 && { ipv6 }),
    ...(cipher !== undefined && /^[A-Za-z0-9-]{1,40}$/.test(cipher) && { cipher }),
  }
}
