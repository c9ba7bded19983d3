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
  const boxes = [...document.querySelectorAll('main *')].filter(
    (element) => getComputedStyle(element).overflowY === 'auto',
  )
  const [box] = boxes.sort((one, other) => other.scrollHeight - one.scrollHeight)
  for (let step = 1; step <= 60; step += 1) {
    box.scrollTop = (box.scrollHeight / 60) * step
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
})()`

/** The view with the list, and the scenario of the mock server that makes it long. */
const longLists = {
  Attachments: 'ten-thousand-attachments',
  Organization: 'thousand-users',
  News: 'thousand-entries',
}

/** Goes through the views of the built app and its long lists, of up to 10,000 rows, and measures what keeps the page busy. */
export async function measureViews(
  tree: string,
  folder: string,
  mock: { readonly control: string; readonly instance: string },
): Promise<WindowViews> {
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
    return await goThrough(await electron.firstWindow(), mock)
  } finally {
    await electron.close()
  }
}

async function goThrough(
  page: Page,
  { control, instance }: { readonly control: string; readonly instance: string },
): Promise<WindowViews> {
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
  for (const [view, scenario] of Object.entries(longLists)) {
    await fetch(`${control}/scenarios/${scenario}`, { method: 'POST' })
    await page.getByRole('link', { name: view, exact: true }).click()
    await step(`${view}: ${scenario}`, () => page.getByRole('button', { name: 'Refresh' }).click())
    await step(`scroll through ${scenario}`, () => page.evaluate(scrollThrough))
  }
  return { steps, longTasks }
}
