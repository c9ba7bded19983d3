import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'

const { step } = test

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function boundsOf({ electron }: RunningApp): Promise<Bounds | undefined> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
}

test("restores settings and the window's position from private files", async ({ launch, folder }) => {
  const place = { x: 40, y: 30, width: 700, height: 600 }
  const first = await launch()
  await first.electron.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(bounds)
  }, place)
  await expect.poll(() => boundsOf(first)).toEqual(place)
  await first.window.showSettings('Connection')
  const { page } = first.window
  const reconnect = page.getByRole('switch', { name: 'Reconnect automatically' })
  await expect(reconnect).toBeChecked()
  await reconnect.press('Space')
  await expect(reconnect).not.toBeChecked()
  const servers = page.getByRole('combobox', { name: 'Servers to try' })
  await servers.selectOption('All servers and ports')
  // The page shows what main has stored.
  await expect(servers).toHaveValue('2')
  const killSwitch = page.getByRole('switch', { name: 'Kill switch' })
  if (existsSync('/usr/libexec/causeway/causeway-helper')) {
    await expect(killSwitch).toBeEnabled()
  } else {
    await expect(killSwitch).toBeDisabled()
    await expect(
      page.getByText(/causeway helper install|Not supported on this system|Causeway's service/),
    ).toBeVisible()
  }
  await first.quit()
  for (const name of process.platform === 'win32' ? [] : ['window.json', 'settings.json'])
    expect((await stat(join(folder, 'data', name))).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(join(folder, 'data', 'window.json'), 'utf8'))).toEqual({
    version: 1,
    data: { ...place, maximised: false },
  })

  const again = await launch()
  await expect.poll(() => boundsOf(again)).toEqual(place)
  await again.window.showSettings('Connection')
  await expect(again.window.page.getByRole('switch', { name: 'Reconnect automatically' })).not.toBeChecked()
  await expect(again.window.page.getByRole('combobox', { name: 'Servers to try' })).toHaveValue('2')
})

test('links to available services, changes the view by keyboard, and chooses OpenVPN in a dialog', async ({
  app,
  window,
  mock,
  folder,
  logIn,
}) => {
  const { page } = window

  await step('shows links to available services only, and leaves a view that disappears', async () => {
    const link = (name: string) => page.getByRole('navigation').getByRole('link', { name })
    const text = await (await fetch(new URL('info.json', mock.instance))).text()
    const { api } = JSON.parse(text) as { readonly api: Readonly<Record<string, unknown>> }
    const some = Object.fromEntries(Object.entries(api).filter(([key]) => !/attachments|content/.test(key)))
    await mock.fault('/info.json', { body: { api: some } })
    await window.addInstance(mock.instance)
    await expect(window.logInButton).toBeVisible()
    // Nobody has signed in yet.
    await expect(link('Organization')).toHaveCount(0)
    await logIn(window)
    await expect(window.firstProfile).toBeVisible()
    await expect(link('News')).toHaveCount(0)
    await expect(link('Attachments')).toHaveCount(0)
    await expect(link('Organization')).toBeVisible()
    await page.evaluate("location.hash = 'news'")
    await expect(link('Connection')).toHaveAttribute('aria-current', 'page')
  })

  await step('changes the view by keyboard, with title and focus', async () => {
    await expect(page).toHaveTitle('Connection · Causeway')
    await page.keyboard.press('ControlOrMeta+2')
    await expect(page).toHaveTitle('Messages · Causeway')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.keyboard.press('ControlOrMeta+,')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  await step(
    'chooses OpenVPN in a dialog, explains that it is missing, and runs the diagnostics',
    async () => {
      const chooses = (path: string) =>
        app.electron.evaluate(({ dialog }, filePath) => {
          dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] })
        }, path)
      const onWindows = process.platform === 'win32'
      const openVpn = onWindows ? 'C:\\Program Files\\OpenVPN\\bin\\openvpn.exe' : join(folder, 'openvpn')
      if (!onWindows) await writeFile(openVpn, '#!/bin/sh\necho OpenVPN 2.6.3\n', { mode: 0o700 })
      await window.showSettings('Connection')
      const setting = page.getByRole('group', { name: 'OpenVPN' })
      await chooses(process.execPath)
      await setting.getByRole('button', { name: 'Choose…' }).click()
      await window.expectError('openvpn/not-found', process.execPath)
      await chooses(openVpn)
      await setting.getByRole('button', { name: 'Choose…' }).click()
      await expect(setting).toContainText(openVpn)
      await expect(window.alerts).toHaveCount(0)

      // The path is for an OpenVPN that Causeway itself may start.
      if (!onWindows && mock.tunnel.mode === 'full') {
        await rm(openVpn)
        await window.show('Connection')
        await window.connect('Internet Access')
        await window.expectError(
          'openvpn/not-found',
          "The specified path of OpenVPN isn't a program that can be run.",
        )
        await window.showSettings('Connection')
      }
      await setting.getByRole('button', { name: 'Detect automatically' }).click()
      await expect(setting).toContainText('Detected automatically')

      await window.showSettings('Support')
      await page.getByRole('link', { name: 'Check this computer' }).click()
      // WireGuard's item may speak of OpenVPN, too.
      await expect(page.getByRole('listitem').filter({ hasText: /^OpenVPN/ })).toContainText('OK')
      await expect(page.getByRole('listitem').filter({ hasText: 'Key store' })).toContainText(
        'wrote an entry and read it back',
      )
      await page.getByRole('button', { name: 'Copy causeway helper install' }).first().click()
      await expect(page.getByText('Copied', { exact: true })).toBeVisible()
      expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(
        'causeway helper install',
      )
    },
  )
})
