import type { Locator } from '@playwright/test'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'

/** Slices of the state, as main sends them. */
type Slices = Readonly<Record<string, unknown>>

/** Sends the page these slices, in place of main. */
async function send({ electron }: RunningApp, slices: Slices): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, changed) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('causeway:state-changed', changed)
  }, slices)
}

function service(id: string, ...names: string[]): Slices {
  const items = names.map((displayName) => ({
    profileId: displayName.toLowerCase(),
    displayName,
    defaultGateway: displayName === 'Everything',
  }))
  const ends = { at: Date.now() + 200 * 60_000, renewableFrom: 0 }
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    ends,
    profiles: { status: 'loaded', items },
    messages: { status: 'loaded', items: [] },
  }
}

const instances = [
  service('vpn.example.edu', 'Everything', 'Lab', 'Library'),
  service('vpn.example.com', 'Office', 'Staging', 'Production'),
]
const target = { instanceId: 'vpn.example.edu', profileId: 'everything' }
const connected = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2' },
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  allTraffic: true,
  since: 1_790_000_000_000,
}
const idle: Slices = { instances, connection: { state: 'idle' } }

/** Expects a button with the accent's ground, as the next step has. */
const expectFilled = (button: Locator): Promise<void> =>
  expect(button).not.toHaveAttribute('data-variant', 'default')
const expectOutlined = (button: Locator): Promise<void> =>
  expect(button).toHaveAttribute('data-variant', 'default')

test('the main view tells the truth at a glance', async ({ app }) => {
  const { page, status, alerts } = app.window
  const header = page.getByRole('region', { name: 'Connection' })
  const button = (name: string | RegExp): Locator => header.getByRole('button', { name, exact: true })
  const tone = header.locator('svg[data-tone]').first()
  const show = (view: string): Promise<void> => page.getByRole('link', { name: view, exact: true }).click()

  await test.step('a profile that gets less than it promises is amber, with the reason', async () => {
    await send(app, { ...idle, connection: connected })
    await expect(status).toContainText('Through the VPN: everything')
    await expect(tone).toHaveAttribute('data-tone', 'on')
    await send(app, { connection: { ...connected, allTraffic: false } })
    await expect(status).toContainText("but the server didn't set that up")
    await expect(tone).toHaveAttribute('data-tone', 'limited')
    await send(app, { connection: { ...connected, allTraffic: false, allIpv4: true } })
    await expect(status).toContainText('not all IPv6 traffic')
    await expect(tone).toHaveAttribute('data-tone', 'limited')
    await send(app, { connection: { ...connected, allTraffic: undefined } })
    await expect(status).toContainText('checking')
    await expect(tone).toHaveAttribute('data-tone', 'limited')
  })

  await test.step('the header names the profile and the service, also of a failure', async () => {
    const error = { code: 'openvpn/unreachable', message: '' }
    await send(app, { connection: { state: 'failed', target, error } })
    await expect(status).toContainText('Everything · vpn.example.edu')
    await expect(header.getByRole('alert')).toBeVisible()
    await expectFilled(button('Try again: Everything'))
    await expect(button('Try TCP')).toBeVisible()
  })

  await test.step('every other view tells the state, and leads back', async () => {
    await send(app, { connection: { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1 } })
    await show('Messages')
    await page.getByRole('link', { name: 'Reconnecting Everything', exact: true }).click()
    await expect(status).toContainText('Reconnecting')
  })

  await test.step('only the next step is filled', async () => {
    await expectFilled(button('Try now'))
    await expectOutlined(button('Disconnect'))
    await send(app, { connection: connected })
    await expectOutlined(button('Disconnect'))
    await expect(header.getByText(/^Access ends in 3 h \d+ min$/)).toBeVisible()
    await expectFilled(button('Renew'))
  })

  await test.step('the kill switch has a headline of its own', async () => {
    const killSwitch = { here: 'available', blocks: true }
    await send(app, { connection: { state: 'disconnected', target }, killSwitch })
    await expect(status).toContainText('Traffic blocked')
    await expect(tone).toHaveAttribute('data-tone', 'trouble')
    await expectFilled(button('Reconnect: Everything'))
    await expect(button('Allow traffic')).toBeVisible()
    await send(app, { killSwitch: { here: 'available', blocks: false } })
  })

  await test.step('another service is added in a dialog, which has the focus', async () => {
    await page.getByRole('button', { name: 'Add a service' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a service' })
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Add a service' })).toBeFocused()
  })

  await test.step('the profile used last is offered first, of whatever service', async () => {
    const recent = [{ instanceId: 'vpn.example.com', profileId: 'office' }]
    await send(app, { ...idle, shortcuts: { recent, starred: [] } })
    await expect(button('Connect: Office')).toBeVisible()
    await expect(
      page.getByRole('list', { name: 'Recent' }).getByText('Office', { exact: true }),
    ).toBeVisible()
  })

  await test.step('every Connect is named after its profile', async () => {
    const rows = page.getByRole('region', { name: 'Services and profiles' })
    for (const name of ['Everything', 'Lab', 'Library', 'Office', 'Staging', 'Production'])
      await expect(rows.getByRole('button', { name: `Connect: ${name}`, exact: true })).toHaveCount(1)
  })

  await test.step('a missing OpenVPN can be chosen, and the computer checked', async () => {
    const error = { code: 'openvpn/not-found', message: '' }
    await send(app, { connection: { state: 'failed', target, error } })
    await expect(alerts).toContainText("OpenVPN isn't installed")
    await expect(button('Choose OpenVPN…')).toBeVisible()
    await button('Check this computer').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Diagnostics' })).toBeVisible()
  })
})
