const longestMs = 30_000

/**
 * How long to wait before an attempt, in milliseconds: 1 s after the first failure, then twice as long each time, at most
 * 30 s; a fifth more or less by chance, so that all who lost the same server do not come back in the same instant.
 *
 * @param failures how many attempts have failed in a row, from 1
 * @param random a number from 0 up to 1
 */
export function backOffMs(failures: number, random: number): number {
  const whole = Math.min(1000 * 2 ** (failures - 1), longestMs)
  return Math.round(whole * (0.8 + 0.4 * random))
}
