const maxDelayMs = 30_000

/**
 * Returns the wait before an attempt in milliseconds: 1 s after the first failure, then twice as long each time, at most
 * 30 s. Jitter of a fifth keeps clients of a failed server from reconnecting in the same instant.
 *
 * @param failures the number of failed attempts in a row, from 1
 * @param random a number from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  const whole = Math.min(1000 * 2 ** (failures - 1), maxDelayMs)
  return Math.round(whole * (0.8 + 0.4 * random))
}
