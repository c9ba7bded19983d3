import { closeWindow, isVisible, test } from './desktop-fixtures'
import { expect } from './fixtures'
import { isRunning, openVpnOf } from './processes'
import { slowUpload } from './slow-upload'
import { expectTunnel } from './tunnel'

test('keeps running in the tray, with connect, disconnect, show and quit in its menu', async ({
  app,
  loggedIn,
  mock,
  desktop,
}) => {
  await expect.poll(() => desktop.hasItem).toBe(true)
  await expect
    .poll(() => desktop.menu())
    .toEqual([
      '(Not connected)',
      '-',
      'Connect: Internet Access',
      'Connect: Office Network',
      '-',
      'Show Causeway',
      'Quit',
    ])
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await expect.poll(() => desktop.titles).toContain('Causeway keeps running in the tray')

  await desktop.choose('Connect: Office Network')
  if (await expectTunnel(loggedIn, mock)) {
    await expect
      .poll(() => desktop.itemProperty('ToolTip'))
      .toContainEqual(`Causeway: Connected: ${mock.host}`)
    await expect.poll(() => desktop.titles).toContain('Connected')

    await mock.control('POST', 'tunnel', { action: 'stop' })
    // Over UDP, only ten seconds of silence show the loss.
    await expect.poll(() => desktop.titles, { timeout: 30_000 }).toContain('Connection lost')
    expect(await desktop.itemProperty('ToolTip')).toContainEqual(`Causeway: Reconnecting: ${mock.host}`)
    expect(await desktop.menu()).toContain('Try now')
    await mock.control('POST', 'tunnel', { action: 'start' })
    await expect.poll(() => desktop.titles).toContain('Reconnected')
    const received = desktop.titles.filter((title) => /^(Conn|Reconn)ected|^Connection/.test(title))
    expect(received).toEqual(['Connected', 'Connection lost', 'Reconnected'])

    const [openVpn = 0] = await openVpnOf(app.pid)
    await desktop.choose('Disconnect')
    await expect.poll(() => isRunning(openVpn)).toBe(false)
  }
  const received = desktop.titles
  await expect.poll(() => desktop.menu()).toContain('Connect: Office Network')
  expect(desktop.titles).toEqual(received)

  desktop.clickNotification('Causeway keeps running in the tray')
  await expect.poll(() => isVisible(app)).toBe(true)
  await expect(loggedIn.page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await desktop.choose('Show Causeway')
  await expect.poll(() => isVisible(app)).toBe(true)
  // Announced once.
  expect(desktop.titles.filter((title) => title.includes('in the tray'))).toHaveLength(1)
  await closeWindow(app)
  const closed = app.electron.waitForEvent('close')
  await desktop.choose('Quit')
  await closed
  expect(await isRunning(app.pid)).toBe(false)
})

test('starts hidden in the tray; closing keeps uploads running, and quits if the setting is off', async ({
  launch,
  mock,
  folder,
  desktop,
  logIn,
}) => {
  const app = await launch({ env: { CAUSEWAY_HIDDEN: '1' } })
  const { page } = app.window
  await expect.poll(() => desktop.hasItem).toBe(true)
  expect(await isVisible(app)).toBe(false)
  await desktop.choose('Show Causeway')
  await expect.poll(() => isVisible(app)).toBe(true)

  const transfer = await slowUpload(app, mock, folder, logIn)
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await expect(transfer).not.toContainText('Uploaded')
  await expect(transfer).toContainText('Uploaded')

  await desktop.choose('Show Causeway')
  await app.window.show('Settings')
  const stays = page.getByRole('switch', { name: 'Keep running when the window is closed' })
  await stays.click()
  await expect(stays).not.toBeChecked()
  const closed = app.electron.waitForEvent('close')
  await closeWindow(app)
  await closed
  expect(await isRunning(app.pid)).toBe(false)
})
