import type { Locator } from '@playwright/test'
import { sendState, type RunningApp, drawn } from './causeway-app'
import { connectionStates } from './connection-states'
import { expect, test } from './fixtures'

/** Checks that what looks as if it could be clicked can be, that what takes something away is red, and that figures stay in place. */

async function setSize(
  { electron, window: { page } }: RunningApp,
  width: number,
  height: number,
): Promise<void> {
  await electron.evaluate(
    ({ BrowserWindow }, size) => {
      for (const window of BrowserWindow.getAllWindows()) {
        window.setMinimumSize(1, 1)
        window.setContentSize(size.width, size.height)
      }
    },
    { width, height },
  )
  await expect.poll(() => page.evaluate('[innerWidth, innerHeight]')).toEqual([width, height])
}

/** Returns a computed property of an element. */
function styleOf(of: Locator, name: string): Promise<string> {
  return of.evaluate((element: unknown, property) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle: (of: unknown) => { getPropertyValue(name: string): string }
    }
    return getComputedStyle(element).getPropertyValue(property)
  }, name)
}

test('shows what can be clicked, also in forced colours and low windows', async ({ app }) => {
  const { page, stage } = app.window

  await test.step('a low window shows a profile instead of the drawing', async () => {
    await sendState(app.electron, connectionStates().split ?? {})
    const drawing = stage.locator('svg[data-organization]')
    const row = page
      .getByRole('button', { name: /^Connect: / })
      .and(page.locator('[data-row-control]'))
      .first()
    for (const [width, usual] of [
      [400, 248],
      [880, 264],
    ] as const) {
      await setSize(app, width, 400)
      await expect(drawing).toBeHidden()
      await expect(row).toBeInViewport({ ratio: 1 })
      expect(
        await page.evaluate(
          "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('main section[data-tone]'))",
        ),
      ).toBe(0)
      await setSize(app, width, 640)
      await expect(drawing).toBeVisible()
      expect((await stage.boundingBox())?.height).toBe(usual)
    }
  })

  await test.step('a row answers the mouse only where a click does something', async () => {
    await sendState(app.electron, connectionStates().split ?? {})
    const ground = async (name: string): Promise<readonly string[]> => {
      const row = page
        .locator('li > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()
      await page.mouse.move(0, 0)
      const before = await styleOf(row, 'background-color')
      await row.hover()
      return [before, await styleOf(row, 'background-color')]
    }
    const [active, hovered] = await ground('Office Network')
    expect(hovered, 'it is connected already').toBe(active)
    const [other, answers] = await ground('Internet Access')
    expect(answers).not.toBe(other)
  })

  await test.step('the figures of a connection stay where they are, whatever they say', async () => {
    await sendState(app.electron, connectionStates()['all traffic'] ?? {})
    await expect(stage.getByText(/^Access until/)).toBeVisible()
    // Main has no tunnel, and would say so each second.
    await app.window.run('watchTraffic', { wanted: false })
    const places = new Set<string>()
    for (const rate of [0, 900, 12_345, 999_400, 9_940_000, 123_000_000]) {
      const at = Date.now()
      await app.electron.evaluate(
        ({ BrowserWindow }, news) => {
          BrowserWindow.getAllWindows()[0]?.webContents.send('causeway:connection-news', news)
        },
        { traffic: { at, points: [{ at, down: rate, up: rate }] } },
      )
      await expect(stage.getByRole('img', { name: /^Upload: / })).toBeVisible()
      await page.evaluate(drawn)
      const starts = await Promise.all(
        [/^Download: /, /^Upload: /].map(
          async (name) => (await stage.getByRole('img', { name }).boundingBox())?.x,
        ),
      )
      const end = await stage.getByText(/^Access until/).boundingBox()
      places.add(JSON.stringify([...starts, end?.x]))
    }
    expect([...places]).toHaveLength(1)
  })

  await test.step('verbs that take something away are red', async () => {
    await sendState(app.electron, connectionStates().split ?? {})
    const red = await page.evaluate<string>(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'var(--bad)'
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    })()`)
    await page
      .getByRole('button', { name: /^More for / })
      .first()
      .click()
    for (const name of ['Sign out', 'Remove…'])
      expect(await styleOf(page.getByRole('menuitem', { name }), 'color'), name).toBe(red)
    expect(await styleOf(page.getByRole('menuitem', { name: 'Refresh' }), 'color')).not.toBe(red)
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    const remove = page.getByRole('dialog').getByRole('button', { name: /^Remove / })
    expect(await styleOf(remove, 'background-color')).toBe('rgb(179, 38, 30)')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('forced colours show what is selected, focused or switched on', async () => {
    const look = (selector: string, name: string) => styleOf(page.locator(selector).first(), name)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
      await app.window.show('Settings')
      await expect(page.getByRole('switch', { name: 'Notifications' })).toBeChecked()
      const ground = await look('body', 'background-color')
      const chosen = await look('nav [aria-current]', 'background-color')
      expect(chosen).not.toBe(ground)
      expect(chosen).not.toBe(await look('nav [aria-current]', 'color'))
      expect(await look('nav a:not([aria-current])', 'background-color')).not.toBe(chosen)
      const on = await look(':checked + .mantine-Switch-track', 'background-color')
      const off = ':not(:checked, :disabled) + .mantine-Switch-track'
      expect(on).not.toBe(await look(off, 'background-color'))
      expect(await look(off, 'border-top-color')).not.toBe(ground)
      await page.getByRole('main').getByRole('combobox').first().focus()
      await page.keyboard.press('Tab')
      expect(await look(':focus-visible', 'outline-style')).toBe('solid')
      expect(await look(':focus-visible', 'outline-color')).not.toBe(ground)
    }
    await app.window.show('Connection')
  })

  await test.step('forced colours show which button is filled', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
      await sendState(app.electron, connectionStates().failed ?? {})
      const filled = stage.getByRole('button', { name: 'Try TCP' })
      const other = stage.getByRole('button', { name: 'Details' })
      const [ground, word] = await Promise.all([
        styleOf(filled, 'background-color'),
        styleOf(filled, 'color'),
      ])
      expect(ground).not.toBe(word)
      expect(ground).not.toBe(await styleOf(other, 'background-color'))
      expect(ground, 'the same as what is chosen').toBe(
        await styleOf(page.locator('nav [aria-current]'), 'background-color'),
      )
    }
  })
})
