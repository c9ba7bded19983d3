import { readdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { expectSameTree } from './accessibility-tree'
import { beyondAxe } from './beyond-axe'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'
import { isNightly } from '../scripts/nightly-tests'
import { misfits } from './misfits'
import { tour } from './tour'

type Shade = 'light' | 'dark'

/** Rules for each theme: the themes differ only in their colors. */
const runOnly: Readonly<Record<Shade, axe.RunOnly>> = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** Returns what axe, which has to be in the page, finds there: each violation with its element. */
async function violations(page: Page, shade: Shade): Promise<string[]> {
  const options: axe.RunOptions = { runOnly: runOnly[shade], resultTypes: ['violations'] }
  const found = await page.evaluate<axe.Result[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** For every change one language with long words and one written from right to left. At night all. */
const languages = readdirSync('contract/locales', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((tag) => isNightly || ['en', 'de', 'ar'].includes(tag))
const others = languages.filter((tag) => !['en', 'de', 'ar'].includes(tag))

/**
 * Windows to fit in, in pixels, with the languages to try, each beginning with the last of the one before; the tour
 * continues in English. 400 px is the smallest window; at 125 % it is as wide as WCAG's 320 px.
 */
const windows = [
  { width: 400, zoom: 1, tags: ['en', ...others, 'ar', 'de'] },
  ...(isNightly
    ? [
        { width: 400, zoom: 1.25, tags: ['de', 'ar'] },
        { width: 1000, zoom: 2, tags: ['ar', 'de', 'en'] },
      ]
    : [{ width: 400, zoom: 1.25, tags: ['de', 'en'] }]),
]

async function theme({ window: { page } }: RunningApp, value: Shade): Promise<void> {
  await page.evaluate(`causeway.run('setSetting', { name: 'theme', value: '${value}' })`)
  await expect
    .poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme'), { intervals: [20] })
    .toBe(value)
}

/** Calls `look` in both themes, first in the one that is shown, because each change renders everything again. */
async function inBothThemes(app: RunningApp, look: (shade: Shade) => Promise<void>): Promise<void> {
  const shown = await app.window.page.evaluate('document.documentElement.dataset.mantineColorScheme')
  const [first, second] = shown === 'dark' ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await look(first)
  await theme(app, second)
  await look(second)
}

/** The window's content `width` pixels wide, each of its pixels `zoom` times as large. */
async function size({ electron, window: { page } }: RunningApp, width: number, zoom: number): Promise<void> {
  await electron.evaluate(
    ({ BrowserWindow }, to) => {
      for (const window of BrowserWindow.getAllWindows()) {
        window.setContentSize(to.width, 720)
        window.webContents.setZoomFactor(to.zoom)
      }
    },
    { width, zoom },
  )
  await expect.poll(() => page.evaluate('innerWidth'), { intervals: [20] }).toBe(width / zoom)
}

/** Expects that axe finds nothing in either theme, nor does what it leaves out. */
async function expectAccessible(app: RunningApp, stop: string): Promise<void> {
  const { page } = app.window
  await inBothThemes(app, async (shade) => {
    const found = await violations(page, shade)
    // An element that has just appeared may still be fading in.
    expect.soft(found.length === 0 ? found : await violations(page, shade), `${stop}, ${shade}`).toEqual([])
    expect.soft(await beyondAxe(page), `${stop}, ${shade}`).toEqual([])
  })
}

/** Expects that everything fits in narrow windows, at night also at 200 %. */
async function expectFits(app: RunningApp, stop: string): Promise<void> {
  for (const { width, zoom, tags } of windows) {
    await size(app, width, zoom)
    const found = await misfits(app.window.page, tags, zoom === 1)
    expect.soft(found, `${stop}, ${width} px at ${zoom}`).toEqual({})
  }
  await size(app, 1240, 1)
}

/** The stops of the tour at which something is opened. */
const withMenu = 'Connection: logged in'
const withFilter = 'Attachments: filter'

/** Expects that what opens from a stop of the tour is as accessible. */
async function expectDropDownsAccessible(app: RunningApp, stop: string): Promise<void> {
  const { page } = app.window
  if (stop === withMenu) {
    await page.getByRole('button', { name: /^More for / }).click()
    await expect(page.getByRole('menuitem', { name: 'Refresh' })).toBeVisible()
    await expectAccessible(app, 'the menu of a service')
    await page.keyboard.press('Escape')
    await size(app, 400, 1)
    await page.getByRole('button', { name: /^More for / }).click()
    await expect(page.getByRole('menuitem', { name: 'Refresh' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await size(app, 1240, 1)
  }
  if (stop === withFilter) {
    const choices = page.getByRole('listbox', { name: 'Videos' }).getByRole('option').first()
    await page.getByRole('main').getByRole('combobox', { name: 'Videos' }).click()
    await expect(choices).toBeVisible()
    await expectAccessible(app, 'the choices of a filter')
    await page.keyboard.press('Escape')
    await expect(choices).toBeHidden()
  }
}

test('every view says the same to screen readers, passes axe in light and dark, and fits in narrow windows', async ({
  launch,
  mock,
  handedOver,
  page: browser,
}) => {
  test.setTimeout(240_000)
  const app = await launch({ language: 'system' })
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(axe.source)
  await size(app, 1240, 1)
  const stops: string[] = []
  await tour({ app, mock, handedOver, browser }, async (stop) => {
    stops.push(stop)
    await expectSameTree(app.window, mock.host, stop)
    await expectAccessible(app, stop)
    await expectFits(app, stop)
    await expectDropDownsAccessible(app, stop)
  })
  expect(stops).toEqual(expect.arrayContaining([withMenu, withFilter]))
})

test('finding an organization is as accessible, and fits', async ({ launch, mock }) => {
  const app = await launch({ language: 'system', env: mock.lists })
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(axe.source)
  const inEnglishLast = [...languages.filter((tag) => tag !== 'en'), 'en']
  const look = async (stop: string): Promise<void> => {
    await inBothThemes(app, async (shade) => {
      expect
        .soft([...(await violations(page, shade)), ...(await beyondAxe(page))], `${stop}, ${shade}`)
        .toEqual([])
    })
    await size(app, 400, 1)
    expect.soft(await misfits(page, inEnglishLast, true), `${stop}, 400 px`).toEqual({})
    await size(app, 1240, 1)
  }
  await look('asked for the organization')
  await page.getByRole('textbox').fill('mock')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await look('organizations found')
  await page.getByRole('textbox').fill('xyz')
  await expect(page.getByText(/^No organization in the list matches/)).toBeVisible()
  await look('nothing found')
  await page.getByRole('textbox').fill('mock institute')
  await page.getByRole('option', { name: /^Mock Institute/ }).click()
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible()
  await look('added')
})
