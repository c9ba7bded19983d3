/** Returns the processor time of some work in milliseconds, which other processes on a slow machine don't add to. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
