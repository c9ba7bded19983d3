import { join } from 'node:path'
import { _electron, type Page } from '@playwright/test'
import { appEnvironment, electronPath, switches } from '../e2e/causeway-app'

/** Longer than this, and a person feels it, in milliseconds. */
export const longestTaskMs = 50

export interface WindowViews {
  /** Tasks of the page that kept it busy for more than 50 ms, by what was done; none is the goal. */
  readonly longTasks: readonly { readonly during: string; readonly ms: number }[]
  /** What was done. */
  readonly steps: readonly string[]
}

const watch = `
  window.benchTasks = []
  new PerformanceObserver((list) => benchTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
`
/** Everything asked for is drawn, and nothing is left to do. */
const rest = `new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100)))`
const scrollThrough = `(async () => {
  const box = [...document.querySelectorAll('main *')].find((element) => element.scrollHeight > 100_000)
  for (let step = 1; step <= 60; step += 1) {
    box.scrollTop = (box.scrollHeight / 60) * step
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
})()`

/** Goes through the views of the built app and a list of 10,000 rows, and measures what keeps the page busy. */
export async function measureViews(
  tree: string,
  folder: string,
  mock: { readonly control: string; readonly instance: string },
): Promise<WindowViews> {
  await fetch(`${mock.control}/scenarios/ten-thousand-attachments`, { method: 'POST' })
  const electron = await _electron.launch({
    executablePath: electronPath,
    args: [...switches, '.'],
    cwd: tree,
    env: {
      ...appEnvironment({ dataDir: join(folder, 'views'), browser: 'curl --silent --location' }),
      CAUSEWAY_SECRET_STORE: 'file',
    },
  })
  try {
    return await goThrough(await electron.firstWindow(), mock.instance)
  } finally {
    await electron.close()
  }
}

async function goThrough(page: Page, instance: string): Promise<WindowViews> {
  const steps: string[] = []
  const longTasks: { during: string; ms: number }[] = []
  const step = async (during: string, act: () => Promise<unknown>): Promise<void> => {
    await act()
    await page.evaluate(rest)
    const tasks = await page.evaluate<number[]>('benchTasks.splice(0)')
    steps.push(during)
    longTasks.push(...tasks.filter((ms) => ms > longestTaskMs).map((ms) => ({ during, ms })))
  }
  await page.getByRole('textbox', { name: 'Address' }).fill(instance)
  await page.evaluate(watch)
  await step('add an instance', () => page.getByRole('button', { name: 'Add instance', exact: true }).click())
  await step('log in', async () => {
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
  })
  for (const view of ['Messages', 'Attachments', 'News', 'Organization', 'Settings', 'Connection']) {
    await step(view, () => page.getByRole('link', { name: view, exact: true }).click())
    await step(`${view} for the second time`, async () => {
      await page
        .getByRole('link', { name: view === 'Messages' ? 'Settings' : 'Messages', exact: true })
        .click()
      await page.getByRole('link', { name: view, exact: true }).click()
    })
  }
  await page.getByRole('link', { name: 'Attachments', exact: true }).click()
  await page.getByText(/^10,0\d\d attachments$/).waitFor()
  await step('scroll through 10,000 attachments', () => page.evaluate(scrollThrough))
  return { steps, longTasks }
}
