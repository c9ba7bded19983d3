import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'
import { tour } from './tour'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds, with the place of each. The themes differ in their colours alone. */
async function violations(page: Page, shade: 'light' | 'dark'): Promise<string[]> {
  // Electron opens no second page, in which axe would put its results together.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations: found } = await (
    shade === 'light' ? axe.withTags(tags) : axe.withRules(['color-contrast', 'link-in-text-block'])
  ).analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** A setting of the app, and what the page says when it is in use. */
async function set(
  { window: { page } }: RunningApp,
  name: string,
  value: string,
  used: string,
): Promise<void> {
  await page.evaluate(`causeway.run('setSetting', ${JSON.stringify({ name, value })})`)
  await expect.poll(() => page.evaluate(used), { intervals: [20] }).toBe(value)
}

const theme = (app: RunningApp, value: 'light' | 'dark'): Promise<void> =>
  set(app, 'theme', value, 'document.documentElement.dataset.mantineColorScheme')

const language = (app: RunningApp, value: string): Promise<void> =>
  set(app, 'language', value, 'document.documentElement.lang')

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

/** What scrolls sideways or stands out of the window, but for what is only for screen readers. */
const overflowing = `(() => {
  const name = (element) => element.tagName.toLowerCase() + '.' + String(element.className.baseVal ?? element.className) +
    ' "' + (element.textContent ?? '').slice(0, 40) + '"'
  const found = []
  const root = document.scrollingElement
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + root.scrollWidth + ' of ' + root.clientWidth)
  for (const element of document.querySelectorAll('#root *')) {
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    // It follows what it stands behind a moment later.
    if (element.matches('.mantine-FloatingIndicator-root')) continue
    if (style.visibility === 'hidden' || box.width <= 1 || box.height <= 1) continue
    if (['auto', 'scroll'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
      found.push('scrolls: ' + name(element))
    if (box.right > innerWidth + 1 || box.left < -1) found.push('out of the window: ' + name(element))
  }
  return found.slice(0, 5)
})()`

test('axe finds nothing in any view, light and dark', async ({ launch, mock, handedOver, page: browser }) => {
  test.setTimeout(180_000)
  const app = await launch({ language: 'system' })
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await tour({ app, mock, handedOver, browser }, async (stop) => {
    for (const shade of ['light', 'dark'] as const) {
      await theme(app, shade)
      const found = await violations(page, shade)
      // What has just come may be half faded in.
      expect.soft(found.length === 0 ? found : await violations(page, shade), `${stop}, ${shade}`).toEqual([])
    }
  })
})

test('nothing is cut or scrolls sideways in a narrow window, at 200 %, in long words and from right to left', async ({
  launch,
  mock,
  handedOver,
  page: browser,
}) => {
  test.setTimeout(180_000)
  const app = await launch({ language: 'system' })
  const { page } = app.window
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await tour({ app, mock, handedOver, browser }, async (stop) => {
    for (const tag of ['de', 'ar', 'en']) {
      await language(app, tag)
      expect(await page.evaluate('document.dir')).toBe(tag === 'ar' ? 'rtl' : 'ltr')
      // 400 px is the smallest window; at 125 % it is as wide as WCAG's 320 px.
      for (const [width, zoom] of [
        [400, 1],
        [400, 1.25],
        [1000, 2],
      ] as const) {
        await size(app, width, zoom)
        await expect.soft
          .poll(() => page.evaluate(overflowing), {
            message: `${stop}, ${tag}, ${width} px at ${zoom}`,
            timeout: 2000,
          })
          .toEqual([])
      }
      await size(app, 1000, 1)
    }
  })
})
