import { readFile } from 'node:fs/promises'
import type { ElectronApplication, Page } from '@playwright/test'
import { z } from 'zod'

export interface PageTask {
  readonly during: string
  /** How long the page was blocked, in milliseconds. Other programs make it longer. */
  readonly elapsedMs: number
  /** Its own share of that: the processor's time in milliseconds. */
  readonly processorMs: number
}

/** Precedes the name of a step in a trace. */
const stepMark = 'step: '

const event = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  /** Durations, in microseconds. */
  dur: z.number().optional(),
  tdur: z.number().optional(),
})
const trace = z.object({ traceEvents: z.array(event) })

/** Records the tasks of the page into the file while `work` runs. */
export async function traced(
  electron: ElectronApplication,
  file: string,
  work: () => Promise<void>,
): Promise<void> {
  await electron.evaluate(({ contentTracing }) =>
    contentTracing.startRecording({ included_categories: ['toplevel', 'blink.user_timing'] }),
  )
  await work()
  await electron.evaluate(({ contentTracing }, to) => contentTracing.stopRecording(to), file)
}

/** Begins a step in the recording. */
export async function markStep(page: Page, name: string): Promise<void> {
  await page.evaluate(`performance.mark(${JSON.stringify(stepMark + name)})`)
}

/**
 * Returns the page's longest task of each step in a recording, by the processor's time. Throws an Error if there are no
 * steps, or a step without such a time.
 */
export async function pageTasks(file: string): Promise<PageTask[]> {
  const { traceEvents } = trace.parse(JSON.parse(await readFile(file, 'utf8')))
  const marks = traceEvents.filter(({ name }) => name.startsWith(stepMark)).sort((a, b) => a.ts - b.ts)
  const thread = marks[0]
  if (thread === undefined) throw new Error('The trace has no steps')
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      name === 'ThreadControllerImpl::RunTask' && ph === 'X' && pid === thread.pid && tid === thread.tid,
  )
  return marks.map(({ name, ts }, index) => {
    const end = marks[index + 1]?.ts ?? Infinity
    const during = name.slice(stepMark.length)
    const [longest] = tasks
      .filter((task) => task.ts >= ts && task.ts < end)
      .flatMap(({ dur, tdur }) => (dur === undefined || tdur === undefined ? [] : [{ dur, tdur }]))
      .sort((a, b) => b.tdur - a.tdur)
    if (longest === undefined) throw new Error(`The trace has no processor time of "${during}"`)
    return { during, elapsedMs: longest.dur / 1000, processorMs: longest.tdur / 1000 }
  })
}
