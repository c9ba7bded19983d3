import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import type { InstanceSlice } from '../contract/state'
import { appEnvironment, electronPath, sendState, switches } from '../e2e/causeway-app'
import { markStep, pageTasks, traced, type PageTask } from './page-tasks'

/** Resolves when everything is drawn and the page is idle. */
const rest = `new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100)))`
const scrollThrough = `(async () => {
  const boxes = [...document.querySelectorAll('main, main *')].filter(
    (element) => getComputedStyle(element).overflowY === 'auto',
  )
  const [box] = boxes.sort((one, other) => other.scrollHeight - one.scrollHeight)
  for (let step = 1; step <= 60; step += 1) {
    box.scrollTop = (box.scrollHeight / 60) * step
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
})()`

/** Views with a long list, and the scenario of the mock server that makes it long. */
const longLists = {
  Attachments: 'ten-thousand-attachments',
  Organization: 'thousand-users',
  News: 'thousand-entries',
}

const services: InstanceSlice[] = ['a', 'b', 'c'].map((name) => ({
  id: `${name}.example.org`,
  address: `https://${name}.example.org/`,
  login: 'signed-in',
  profiles: {
    status: 'loaded',
    items: Array.from({ length: 200 }, (_, index) => ({
      profileId: `p${index}`,
      displayName: `Profile ${index} of service ${name}`,
      defaultGateway: index % 2 === 0,
    })),
  },
  messages: { status: 'loaded', items: [] },
}))

/**
 * Visits the views of the built app and its long lists, with up to 10,000 rows and 600 profiles, and returns the longest
 * task of the page in each step.
 */
export async function measureViews(
  tree: string,
  folder: string,
  mock: { readonly control: string; readonly instance: string },
): Promise<readonly PageTask[]> {
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
    const page = await electron.firstWindow()
    const trace = join(folder, 'trace.json')
    await page.getByRole('textbox', { name: 'Where do you study or work?' }).waitFor()
    await traced(electron, trace, () => goThrough(electron, page, mock))
    return await pageTasks(trace)
  } finally {
    await electron.close()
  }
}

async function goThrough(
  electron: ElectronApplication,
  page: Page,
  { control, instance }: { readonly control: string; readonly instance: string },
): Promise<void> {
  const step = async (during: string, act: () => Promise<unknown>): Promise<void> => {
    await markStep(page, during)
    await act()
    await page.evaluate(rest)
  }
  await page.getByRole('textbox', { name: 'Where do you study or work?' }).fill(instance)
  await step('add an instance and sign in', async () => {
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    const rows = page.getByRole('region', { name: 'Services and profiles' })
    await rows
      .getByRole('button', { name: /^Connect: / })
      .first()
      .waitFor()
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
  await page.getByRole('link', { name: 'Connection', exact: true }).click()
  // Several services are folded until a person unfolds them.
  const folds = services.map(({ id }) => ({ instanceId: id, folded: false }))
  const shortcuts = { recent: [], starred: [], folds }
  await step('3 services with 200 profiles each', () =>
    sendState(electron, { instances: services, shortcuts }),
  )
  await step('search through 600 profiles', () =>
    page.getByRole('searchbox').pressSequentially('profile 19', { delay: 50 }),
  )
  await step('end the search', () => page.getByRole('searchbox').clear())
  await step('scroll through 600 profiles', () => page.evaluate(scrollThrough))
  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  await step('Connection with 600 profiles', () =>
    page.getByRole('link', { name: 'Connection', exact: true }).click(),
  )
}
