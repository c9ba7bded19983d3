import { closeWindow } from './desktop-fixtures'
import { expect, test } from './fixtures'
import { answersPing, isRunning, openVpnOf } from './processes'
import { expectTunnel, requireTunnel } from './tunnel'

test('sends packets only while the tunnel is up, restarts a killed OpenVPN, and ends with the window', async ({
  app,
  loggedIn,
  mock,
}) => {
  const { pingAddress = '' } = mock.tunnel
  await loggedIn.connect('Office Network')
  const connected = await expectTunnel(loggedIn, mock)
  let openVpn = 0
  if (connected) {
    expect(await answersPing(pingAddress)).toBe(true)
    expect(await openVpnOf(app.pid)).toHaveLength(1)
    await loggedIn.disconnect()
    expect(await openVpnOf(app.pid)).toEqual([])
    expect(await answersPing(pingAddress)).toBe(false)

    await loggedIn.connect('Internet Access')
    await expectTunnel(loggedIn, mock)
    const [killed = 0] = await openVpnOf(app.pid)
    process.kill(killed, 'SIGKILL')
    const others = async () => (await openVpnOf(app.pid)).filter((pid) => pid !== killed)
    await expect.poll(others).toHaveLength(1)
    await expectTunnel(loggedIn, mock)
    await expect(loggedIn.alerts).toHaveCount(0)
    expect(await answersPing(pingAddress)).toBe(true)
    ;[openVpn = 0] = await others()
    expect(await isRunning(openVpn)).toBe(true)
  }

  const closed = app.electron.waitForEvent('close')
  await closeWindow(app)
  await closed
  if (connected) expect(await isRunning(openVpn)).toBe(false)
  expect(await isRunning(app.pid)).toBe(false)
})

test('ends the tunnel of a killed app, and reports it at the next start', async ({ launch, mock, logIn }) => {
  const first = await launch()
  await first.window.addInstance(mock.instance)
  await logIn(first.window)
  await first.window.connect('Internet Access')
  await requireTunnel(first.window, mock)
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
