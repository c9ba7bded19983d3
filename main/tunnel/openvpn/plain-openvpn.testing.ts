import { execa } from 'execa'
import { openVpnPath } from '../../privilege/openvpn-version.testing'

/** OpenVPN without Causeway, with a configuration on its standard input. */
export interface PlainOpenVpn {
  /** True if the line that was waited for came; false if OpenVPN ended before. */
  readonly reached: boolean
  readonly log: readonly string[]
  stop(): Promise<void>
}

/**
 * Starts OpenVPN and waits for a line of its log, or its end. It is ended after 30 s.
 *
 * @param before the command prefix, such as `ip netns exec NAME`
 */
export async function startPlainOpenVpn(
  configuration: string | Buffer,
  until: RegExp,
  before: readonly string[] = [],
): Promise<PlainOpenVpn> {
  const [program, ...words] = [
    ...before,
    'openvpn',
    '--config',
    'stdin',
    '--verb',
    '3',
    '--suppress-timestamps',
  ]
  const openVpn = execa(program, words, {
    input: configuration,
    env: { PATH: openVpnPath },
    all: true,
    buffer: false,
    reject: false,
    timeout: 60_000,
    forceKillAfterDelay: 2000,
  })
  const log: string[] = []
  const reached = await new Promise<boolean>((resolve) => {
    const follow = async () => {
      for await (const line of openVpn.iterable({ from: 'all' })) {
        log.push(line)
        if (until.test(line)) resolve(true)
      }
      resolve(false)
    }
    void follow()
  })
  return {
    reached,
    log,
    stop: async () => {
      openVpn.kill('SIGTERM')
      await openVpn
    },
  }
}
