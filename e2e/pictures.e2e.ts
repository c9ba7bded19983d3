import { join } from 'node:path'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'

const folder = join(import.meta.dirname, '..', 'docs', 'pictures')

// The mock server's usual port, so that the pictures change only where the window does.
test.use({ mockPort: 5006 })

async function size({ electron }: RunningApp): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.setContentSize(1000, 700)
  })
}

/** The pictures of the README. They need a tunnel, and are written with CAUSEWAY_PICTURES=1 only. */
test('pictures', async ({ app, mock, logIn }) => {
  const { window } = app
  const { page } = window
  const picture = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  }
  const theme = async (name: 'Light' | 'Dark'): Promise<void> => {
    await window.show('Settings')
    await page.getByRole('combobox', { name: 'Theme' }).selectOption(name)
    await window.show('Connection')
  }
  expect(mock.tunnel.mode, 'pictures need the rights for a tunnel').toBe('full')
  await size(app)
  await theme('Light')
  await page.getByRole('textbox', { name: 'Address' }).focus()
  await picture('first-run-light')

  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()
  await picture('profiles-light')

  await window.connect('Internet Access')
  await window.expectWord('Connected')
  await expect(page.getByRole('timer')).toHaveText('0:03')
  await picture('connected-light')
  await theme('Dark')
  await window.expectWord('Connected')
  await picture('connected-dark')
})
