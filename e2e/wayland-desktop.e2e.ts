import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { appEnvironment, drawn, electronPath, switches } from './causeway-app'
import { expect } from './fixtures'
import { causewayTitle, type Compositor } from './compositor'
import { approveWithoutBrowser } from './browser'
import { onWayland, test } from './wayland-fixtures'

const { step } = test

/** The titles of the system's dialogs. */
const question = 'Causeway'
const chooser = 'Open Files'

/** The ground of the page. */
const ground = { light: '#f6f7f9', dark: '#14171c' } as const

async function shown(compositor: Compositor, title: string): Promise<boolean> {
  return (await compositor.windows()).some(({ name }) => name === title)
}

/** Clicks a button of a question: the first of two answers is on the left, below everything else. */
async function answer(compositor: Compositor, button: 'first' | 'second'): Promise<void> {
  const { rect } = await compositor.window(question)
  const part = button === 'first' ? 0.25 : 0.75
  await compositor.pointer.click({ x: rect.x + rect.width * part, y: rect.y + rect.height - 22 })
  await expect.poll(() => shown(compositor, question)).toBe(false)
}

/** The parts of a Wayland desktop beside the window: menus, dialogs, other windows and the settings of the desktop. */

test('the menu bar, questions, the dialog for files, and files of another window', async ({
  compositor,
  launchOnWayland,
  mock,
  handedOver,
  folder,
  showOther,
}) => {
  const home = join(folder, 'home')
  await mkdir(home)
  const file = join(home, 'Notes of June.txt')
  await writeFile(file, 'notes')
  const app = await launchOnWayland({ dialogs: 'nobody', env: { HOME: home } })
  const { window } = app
  const { page } = window
  await expect.poll(async () => (await compositor.window(causewayTitle)).focused).toBe(true)

  await step('the menu opens and takes keys', async () => {
    const settings = page.getByRole('heading', { name: 'Settings' })
    const { rect } = await compositor.window(causewayTitle)
    // Where only the ground of the page is, until the menu covers it.
    const below = { x: rect.x + 250, y: rect.y + 100 }
    await expect.poll(() => compositor.colour(below)).toBe(ground.light)
    // The menu comes just after the page.
    await expect(async () => {
      await compositor.pointer.click({ x: rect.x + 103, y: rect.y + 14 })
      await expect.poll(() => compositor.colour(below), { timeout: 3000 }).not.toBe(ground.light)
    }).toPass({ timeout: 30_000 })
    for (const key of ['Down', 'Down', 'Return']) await compositor.type('-k', key)
    await expect(settings).toBeVisible()
    await window.show('Connection')
  })

  await step('a question stays above the window, also when a person clicks there', async () => {
    await window.continueWith(mock.instance)
    await approveWithoutBrowser(await handedOver.address(1))
    await window.firstProfile.waitFor()
    // Sway keeps a dialog above a window of its tiles, as other compositors do above every window.
    await compositor.command('[app_id="causeway"]', 'floating', 'disable')
    const connect = page.getByRole('button', { name: 'Connect: Internet Access' }).last()
    await compositor.click(connect)
    await compositor.window(question)
    await compositor.click(page.getByRole('link', { name: 'Messages' }))
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
    await answer(compositor, 'second')
    await window.show('Connection')
    await window.expectWord('Not connected')
  })

  const title = page.getByRole('region', { name: 'Details' }).getByRole('textbox', { name: 'Title' })

  await step('chooses a file in a dialog', async () => {
    await page.getByRole('link', { name: 'Attachments' }).click()
    await compositor.click(page.getByRole('button', { name: 'Upload files' }))
    await compositor.window(chooser)
    // The person's folder, its only file, and Open, which does nothing until a file is chosen.
    await expect(async () => {
      const { rect } = await compositor.window(chooser)
      await compositor.pointer.click({ x: rect.x + 60, y: rect.y + 107 })
      await compositor.pointer.click({ x: rect.x + 276, y: rect.y + 131 })
      await compositor.pointer.click({ x: rect.x + rect.width - 48, y: rect.y + 22 })
      await expect.poll(() => shown(compositor, chooser), { timeout: 2000 }).toBe(false)
    }).toPass({ timeout: 30_000 })
    await expect(title).toHaveValue('Notes of June')
    await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Cancel' }).click()
    await expect(title).toHaveCount(0)
  })

  await step('takes a file that is dragged from another window', async () => {
    await showOther(file)
    const other = await compositor.window('Other')
    const { rect } = await compositor.window(causewayTitle)
    const from = { x: other.rect.x + other.rect.width / 2, y: other.rect.y + other.rect.height / 2 }
    const to = { x: rect.x + rect.width / 2, y: rect.y + rect.height - 100 }
    const { pointer } = compositor
    await pointer.moveTo(from)
    await pointer.press()
    // A hand isn't still: the window says that it takes the file in answer to a move, and only what comes after that is a drop.
    const moveOn = async (part: number) => {
      await pointer.moveTo({ x: from.x, y: from.y + (to.y - from.y) * part })
      await page.evaluate(drawn)
    }
    await expect(async () => {
      for (const part of [0.2, 0.9, 1]) await moveOn(part)
      await expect(page.getByText('Drop files to upload them')).toBeVisible({ timeout: 500 })
    }).toPass({ timeout: 30_000 })
    for (const part of [0.97, 0.98, 0.99, 1]) await moveOn(part)
    await pointer.release()
    await compositor.window(question)
    await answer(compositor, 'first')
    await expect(title).toHaveValue('Notes of June')
  })
})

test('follows the dark setting of the desktop, the scale of the screen and its size', async ({
  compositor,
  launchOnWayland,
  folder,
  portal,
  showOther,
}) => {
  const first = await launchOnWayland()
  const { page } = first.window
  // Playwright shows pages light otherwise.
  await page.emulateMedia({ colorScheme: null })
  const corner = async () => {
    const { rect } = await compositor.window(causewayTitle)
    return compositor.colour({ x: rect.x + rect.width - 8, y: rect.y + rect.height - 8 })
  }

  await step('dark, and light again', async () => {
    await expect.poll(corner).toBe(ground.light)
    portal.choose('dark')
    await expect.poll(corner).toBe(ground.dark)
    portal.choose('light')
    await expect.poll(corner).toBe(ground.light)
  })

  await step('fractions of a scale', async () => {
    for (const [scale, pixels] of [
      ['1.5', 2],
      ['2', 2],
      ['1', 1],
    ] as const) {
      await compositor.command('output', 'HEADLESS-1', 'scale', scale)
      await expect.poll(() => page.evaluate('devicePixelRatio'), `scale ${scale}`).toBe(pixels)
      expect(await page.evaluate('innerWidth')).toBe(880)
    }
  })

  await step('its size, after a restart', async () => {
    await compositor.command('[app_id="causeway"]', 'resize', 'set', '700', '600')
    await expect.poll(() => page.evaluate('innerWidth')).toBe(700)
    await first.quit()
    const again = await launchOnWayland()
    await expect.poll(async () => (await compositor.window(causewayTitle)).rect.width).toBe(700)
    await expect.poll(() => again.window.page.evaluate('innerWidth')).toBe(700)
  })

  await step('a second start asks for attention', async () => {
    await showOther()
    await expect.poll(async () => (await compositor.window('Other')).focused).toBe(true)
    await execa(electronPath, [...switches, onWayland, '.'], {
      env: appEnvironment({ dataDir: join(folder, 'data'), browser: 'false', env: compositor.env }),
      extendEnv: false,
    })
    await expect.poll(async () => (await compositor.window(causewayTitle)).urgent).toBe(true)
  })
})
