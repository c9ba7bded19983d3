import { expect, test } from './fixtures'
import { answersPing, isRunning, openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

test('sends packets through the tunnel only while it is up', async ({ app, loggedIn, mock }) => {
  const { pingAddress = '' } = mock.tunnel
  await loggedIn.connect('Office Network')
  if (!(await expectTunnel(loggedIn, mock))) return
  expect(await answersPing(pingAddress)).toBe(true)
  expect(await openVpnOf(app.pid)).toHaveLength(1)

  await loggedIn.disconnect()
  expect(await openVpnOf(app.pid)).toEqual([])
  expect(await answersPing(pingAddress)).toBe(false)
})

test('restarts a killed OpenVPN', async ({ app, loggedIn, mock }) => {
  await loggedIn.connect('Internet Access')
  if (!(await expectTunnel(loggedIn, mock))) return
  const [openVpn = 0] = await openVpnOf(app.pid)
  process.kill(openVpn, 'SIGKILL')
  await expect.poll(async () => (await openVpnOf(app.pid)).some((pid) => pid !== openVpn)).toBe(true)

  await expectTunnel(loggedIn, mock)
  await expect(loggedIn.alerts).toHaveCount(0)
  expect(await answersPing(mock.tunnel.pingAddress ?? '')).toBe(true)
})

test('ends app and tunnel when the window is closed', async ({ app, loggedIn, mock }) => {
  await loggedIn.connect('Internet Access')
  if (!(await expectTunnel(loggedIn, mock))) return
  const [openVpn = 0] = await openVpnOf(app.pid)
  const closed = app.electron.waitForEvent('close')
  await app.electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await closed
  expect(await isRunning(openVpn)).toBe(false)
  expect(await isRunning(app.pid)).toBe(false)
})

test('ends the tunnel of a killed app, and reports it at the next start', async ({ launch, mock, logIn }) => {
  const first = await launch()
  await first.window.addInstance(mock.instance)
  await logIn(first.window)
  await first.window.connect('Internet Access')
  if (!(await expectTunnel(first.window, mock))) return
  const [openVpn = 0] = await openVpnOf(first.pid)
  process.kill(first.pid, 'SIGKILL')
  await expect.poll(() => isRunning(openVpn)).toBe(false)
  expect(await answersPing(mock.tunnel.pingAddress ?? '')).toBe(false)

  const { window } = await launch()
  await expect(window.note('app/ended-unexpectedly')).toBeVisible()
  await window.page.getByRole('button', { name: 'Dismiss' }).click()
  await window.connect('Internet Access')
  await expectTunnel(window, mock)
})
