import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function boundsOf({ electron }: RunningApp): Promise<Bounds | undefined> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
}

test("restores the window's position from a private file", async ({ launch, folder }) => {
  const place = { x: 40, y: 30, width: 700, height: 600 }
  const first = await launch()
  await first.electron.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(bounds)
  }, place)
  await expect.poll(() => boundsOf(first)).toEqual(place)
  await first.quit()
  const path = join(folder, 'data', 'window.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    version: 1,
    data: { ...place, maximised: false },
  })

  const again = await launch()
  await expect.poll(() => boundsOf(again)).toEqual(place)
})

test('shows links to available services only, and leaves a view that disappears', async ({
  window,
  mock,
}) => {
  const { page } = window
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name })
  await expect(link('News')).toBeVisible()
  const text = await (await fetch(new URL('info.json', mock.instance))).text()
  const { api } = JSON.parse(text) as { readonly api: Readonly<Record<string, unknown>> }
  const some = Object.fromEntries(Object.entries(api).filter(([key]) => !/attachments|content/.test(key)))
  await mock.fault('/info.json', { body: { api: some } })
  await page.evaluate("location.hash = 'news'")
  await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+1')
  await window.addInstance(mock.instance)
  await expect(link('News')).toHaveCount(0)
  await expect(link('Attachments')).toHaveCount(0)
  await expect(link('Organization')).toBeVisible()
  await page.evaluate("location.hash = 'news'")
  await expect(link('Connection')).toHaveAttribute('aria-current', 'page')
})

test('changes the view by keyboard, with title and focus', async ({ window }) => {
  const { page } = window
  const focused = () => page.evaluate<string>('document.activeElement?.tagName ?? ""')
  await expect(page).toHaveTitle('Connection · Causeway')
  await page.keyboard.press('Control+2')
  await expect(page).toHaveTitle('Messages · Causeway')
  expect(await focused()).toBe('MAIN')
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
})

test('chooses OpenVPN in a dialog and runs the diagnostics', async ({ app, window, folder }) => {
  const { page } = window
  const chooses = (path: string) =>
    app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] })
    }, path)
  const openVpn = join(folder, 'openvpn')
  await writeFile(openVpn, '#!/bin/sh\necho OpenVPN 2.6.3\n', { mode: 0o700 })
  await page.keyboard.press('Control+,')
  const setting = page.getByRole('group', { name: 'OpenVPN' })
  await chooses('/bin/true')
  await setting.getByRole('button', { name: 'Choose…' }).click()
  await window.expectError('openvpn/not-found', '/bin/true')
  await chooses(openVpn)
  await setting.getByRole('button', { name: 'Choose…' }).click()
  await expect(setting).toContainText(openVpn)
  await expect(window.alerts).toHaveCount(0)
  await setting.getByRole('button', { name: 'Detect automatically' }).click()
  await expect(setting).toContainText('Detected automatically')

  await page.getByRole('link', { name: 'Check this computer' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'OpenVPN' }).first()).toContainText('OK')
  await expect(page.getByRole('listitem').filter({ hasText: 'Key store' })).toContainText(
    'wrote an entry and read it back',
  )
  await page.getByRole('button', { name: 'Copy causeway helper install' }).first().click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe('causeway helper install')
})
