/** Every reason to build a tunnel anew; `--json` gives these words, and the window and the terminal a sentence for each. */
export const reconnectReasons = [
  // OpenVPN's own (openvpn.md, "The log at verb 3").
  'ping-restart',
  'connection-reset',
  'server-pushed-connection-reset',
  'tls-error',
  'server_poll',
  'connection-failed',
  'network-unreachable',
  'remote-exit',
  'decryption-error',
  'auth-temp-failure',
  // The computer's.
  'network-down',
  'network-changed',
  'resumed-from-sleep',
  'captive-portal',
  // Those of a failure, by the second half of its code.
  'unreachable',
  'name-not-resolved',
  'stopped-unexpectedly',
  'timed-out',
  'authentication-failed',
  /** An answer of the instance says that it is at fault. */
  'service-error',
  /** What OpenVPN of another version may say. */
  'other',
] as const

export type ReconnectReason = (typeof reconnectReasons)[number]

/** The reason that a word of OpenVPN's stands for; an explanation in brackets may follow it. */
export function reconnectReason(word: string): ReconnectReason {
  const [first] = word.split(' ')
  return reconnectReasons.find((reason) => reason === first) ?? 'other'
}
