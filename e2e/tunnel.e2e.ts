import { expect, test } from './fixtures'
import { answersPing, isRunning, openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

test('packets go through the tunnel while it is there, and not after', async ({ app, loggedIn, mock }) => {
  const { pingAddress = '' } = mock.tunnel
  await loggedIn.connect('Office Network')
  if (!(await expectTunnel(loggedIn, mock))) return
  expect(await answersPing(pingAddress)).toBe(true)
  expect(await openVpnOf(app.pid)).toHaveLength(1)

  await loggedIn.disconnect()
  expect(await openVpnOf(app.pid)).toEqual([])
  expect(await answersPing(pingAddress)).toBe(false)
})

test('a tunnel whose OpenVPN is killed is built anew by itself', async ({ app, loggedIn, mock }) => {
  await loggedIn.connect('Internet Access')
  if (!(await expectTunnel(loggedIn, mock))) return
  const [openVpn = 0] = await openVpnOf(app.pid)
  process.kill(openVpn, 'SIGKILL')
  await expect.poll(async () => (await openVpnOf(app.pid)).some((pid) => pid !== openVpn)).toBe(true)

  await expectTunnel(loggedIn, mock)
  await expect(loggedIn.alerts).toHaveCount(0)
  expect(await answersPing(mock.tunnel.pingAddress ?? '')).toBe(true)
})

test('closing the window ends the app and its tunnel', async ({ app, loggedIn, mock }) => {
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

test('a tunnel does not outlive an app that is killed, and the next start says that it was', async ({
  launch,
  mock,
  logIn,
}) => {
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
  await expect(window.page.getByText('Code: app/ended-unexpectedly')).toBeVisible()
  await window.page.getByRole('button', { name: 'Dismiss' }).click()
  await window.connect('Internet Access')
  await expectTunnel(window, mock)
})
