import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { sendState, type RunningApp, drawn } from './causeway-app'
import { connectionStates } from './connection-states'
import { expect, test } from './fixtures'
import { tour } from './tour'

/**
 * Contact sheets: every state of the window in both themes and in forced colours, in three widths and four languages, to be
 * looked at before a release. They aren't compared with anything. Runs only with CAUSEWAY_PICTURES=1.
 */

const folder = join(import.meta.dirname, '..', 'pictures')
const widths = { 400: 640, 880: 640, 1240: 720 } as const
const languages = ['en', 'de', 'ar', 'ja'] as const
const themes = ['light', 'dark'] as const
/** So that a sheet isn't too large for a picture viewer. */
const perSheet = 20

interface Sheet {
  readonly name: string
  readonly width: keyof typeof widths
  readonly pictures: { readonly caption: string; readonly png: Buffer }[]
}

class Sheets {
  readonly #sheets: Sheet[] = []

  /** Takes a picture of the window for the sheet of this name. */
  async take({ window: { page } }: RunningApp, name: string, caption: string): Promise<void> {
    const width = await page.evaluate<keyof typeof widths>('innerWidth')
    const last = this.#sheets.findLast((sheet) => sheet.name === name)
    const isFull = last === undefined || last.pictures.length === perSheet
    const sheet = isFull ? { name, width, pictures: [] } : last
    if (isFull) this.#sheets.push(sheet)
    sheet.pictures.push({ caption, png: await page.screenshot({ animations: 'disabled', caret: 'hide' }) })
  }

  /** Writes the sheets with the help of a browser. */
  async write(browser: Page): Promise<void> {
    await mkdir(folder, { recursive: true })
    // The page of a login allows no styles and pictures of another.
    await browser.goto('about:blank')
    const numbers = new Map<string, number>()
    for (const { name, width, pictures } of this.#sheets) {
      const number = (numbers.get(name) ?? 0) + 1
      numbers.set(name, number)
      // About as wide as high.
      const columns = Math.ceil(Math.sqrt((pictures.length * widths[width]) / width))
      const figures = pictures.map(
        ({ caption, png }) =>
          `<figure><figcaption>${caption}</figcaption><img width="${width}" src="data:image/png;base64,${png.toString('base64')}"></figure>`,
      )
      await browser.setViewportSize({ width: columns * (width + 16) + 16, height: 800 })
      await browser.setContent(
        `<style>body { display: grid; grid-template-columns: repeat(${columns}, ${width}px); gap: 16px; margin: 16px; background: #777; font: 16px sans-serif }
        figure { margin: 0 } img { display: block }</style>${figures.join('')}`,
      )
      const file = join(folder, `${name}${number === 1 ? '' : `-${number}`}.png`)
      await browser.screenshot({ path: file, fullPage: true, timeout: 120_000 })
    }
  }
}

async function size({ electron, window: { page } }: RunningApp, width: keyof typeof widths): Promise<void> {
  await electron.evaluate(
    ({ BrowserWindow }, to) => {
      for (const window of BrowserWindow.getAllWindows()) window.setContentSize(to.width, to.height)
    },
    { width, height: widths[width] },
  )
  await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
}

async function set(
  { window: { page } }: RunningApp,
  name: 'theme' | 'language',
  value: string,
): Promise<void> {
  await page.evaluate(`causeway.run('setSetting', ${JSON.stringify({ name, value })})`)
  const used = `document.documentElement.${name === 'theme' ? 'dataset.mantineColorScheme' : 'lang'}`
  await expect.poll(() => page.evaluate(used)).toBe(value)
}

/** Calls `look` in each width, language and theme, with the name of its sheet; English and light at the end. */
async function inAllLooks(
  app: RunningApp,
  look: (sheet: string, language: (typeof languages)[number]) => Promise<void>,
): Promise<void> {
  const { page } = app.window
  for (const language of [...languages.slice(1), ...languages.slice(0, 1)]) {
    await set(app, 'language', language)
    for (const theme of [...themes].reverse()) {
      await set(app, 'theme', theme)
      for (const width of [400, 880, 1240] as const) {
        await size(app, width)
        await look(`${language}-${theme}-${width}`, language)
      }
    }
  }
  await page.emulateMedia({ forcedColors: 'active' })
  await size(app, 880)
  await look('en-forced-880', 'en')
  await page.emulateMedia({ forcedColors: 'none' })
}

test('contact sheets of the main view', async ({ launch, page: browser }) => {
  test.setTimeout(1_200_000)
  const app = await launch({ language: 'system' })
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const real = await page.evaluate<Record<string, unknown>>('causeway.state()')
  const sheets = new Sheets()
  await inAllLooks(app, async (sheet, language) => {
    for (const [name, slices] of Object.entries(connectionStates(language))) {
      // As if the person had just come: the list keeps its order while it is in use.
      await page.evaluate("location.hash = '#settings'")
      await sendState(app.electron, { ...slices, connection: { state: 'idle' } })
      await page.evaluate(drawn)
      await page.evaluate("location.hash = '#connection'")
      await sendState(app.electron, slices)
      await page.evaluate(drawn)
      await expect(page.locator('main section[data-tone]')).toBeVisible()
      await sheets.take(app, sheet, name)
    }
  })
  await sendState(app.electron, { instances: real.instances, connection: real.connection })
  await sheets.write(browser)
})

test('contact sheets of the first screen', async ({ launch, mock, page: browser }) => {
  test.setTimeout(1_200_000)
  const app = await launch({ language: 'system', env: mock.lists })
  const { page } = app.window
  const field = page.getByRole('textbox')
  const main = page.getByRole('main')
  const sheets = new Sheets()
  /** Continues with a place that isn't found. */
  const name = async (place: string): Promise<void> => {
    await field.fill(place)
    // Before the list has been searched, Enter does nothing.
    await expect(async () => {
      await field.press('Enter')
      await expect(main.getByRole('alert').first()).toBeVisible({ timeout: 1000 })
    }).toPass()
  }
  await inAllLooks(app, async (sheet) => {
    const take = (caption: string): Promise<void> => sheets.take(app, `first-${sheet}`, caption)
    await field.fill('')
    await take('one question')
    await field.fill('mock')
    await expect(page.getByRole('option').first()).toBeVisible()
    await take('a list')
    await name('xyz')
    await take('nothing found')
    await name('http://127.0.0.1:1/')
    await take('a wrong address')
  })
  await sheets.write(browser)
})

test('contact sheets of the other views', async ({ launch, mock, handedOver, page: browser }) => {
  test.setTimeout(3_000_000)
  const app = await launch({ language: 'system' })
  await app.window.page.emulateMedia({ reducedMotion: 'reduce' })
  await size(app, 1240)
  const sheets = new Sheets()
  await tour({ app, mock, handedOver, browser }, async (stop) => {
    await inAllLooks(app, async (sheet) => {
      await sheets.take(app, `views-${sheet}`, stop)
    })
    await size(app, 1240)
  })
  await sheets.write(browser)
})
