import { execa } from 'execa'
import type { RunningApp } from './causeway-app'
import type { CausewayWindow } from './causeway-window'
import { expect, test } from './fixtures'
import type { MockServer } from './mock-server'
import { requireTunnel } from './tunnel'

/** Expects that the open details count the traffic, let the address be copied, and stay open when the page reloads. */
async function expectTraffic(app: RunningApp, window: CausewayWindow, mock: MockServer): Promise<void> {
  const { page } = window
  const traffic = page.getByRole('region', { name: 'Traffic' })
  // 20 packets of 1000 bytes plus headers, each way.
  await execa('ping', ['-n', '-c', '20', '-i', '0.01', '-s', '1000', mock.tunnel.pingAddress ?? ''])
  await expect(traffic).toContainText(/2\d(\.\d)? kB received/)
  await expect(traffic).toContainText(/2\d(\.\d)? kB sent/)
  await expect(traffic.getByRole('img')).toHaveAccessibleName(
    /^In the last five minutes: download up to \d.* kB\/s, upload up to \d.* kB\/s\.$/,
  )

  await page.getByRole('button', { name: /^Copy 10\.88\./ }).click()
  await expect(window.details).toContainText('Copied')
  const [address] = await window.detail('Address').locator('bdi').allTextContents()
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(address)

  await page.reload()
  await expect(traffic).toContainText(/kB received/)
}

test("counts the tunnel's traffic and shows the OpenVPN log without secrets while the details are open", async ({
  app,
  loggedIn,
  mock,
  folder,
}) => {
  const { page } = loggedIn
  const details = page.getByRole('button', { name: 'Details', exact: true })
  const traffic = page.getByRole('region', { name: 'Traffic' })
  await loggedIn.connect('Office Network')
  await requireTunnel(loggedIn, mock)
  await expect(details).toHaveAttribute('aria-expanded', 'false')
  await expect(traffic).toHaveCount(0)
  await details.click()
  await expectTraffic(app, loggedIn, mock)

  const log = page.getByRole('region', { name: 'VPN log' })
  const last = 'Initialization Sequence Completed'
  await expect(log.getByText(last)).toBeVisible()

  const words = log.getByRole('textbox', { name: 'Filter lines' })
  await words.fill('CONTROL CHANNEL')
  await expect(log.getByRole('listitem')).not.toHaveCount(0)
  for (const line of await log.getByRole('listitem').allTextContents())
    expect(line).toContain('Control Channel')
  await words.fill('')

  // Main must not send the user's addresses or keys to the window.
  const answer = await page.evaluate<string>(
    `new Promise((resolve) => {
      window.causeway.onConnectionNews(({ log }) => {
        if (log !== undefined) resolve(JSON.stringify(log))
      })
      void window.causeway.run('watchConnectionLog', { after: 0 })
    })`,
  )
  expect(answer).toContain('OpenVPN 2')
  expect(answer).not.toMatch(/PRIVATE KEY|BEGIN |192\.168\.7/)
  expect(answer).not.toContain(folder)

  await log.getByRole('button', { name: 'Pause' }).click()
  await loggedIn.disconnect()
  await expect(traffic).toHaveCount(0)
  await expect(log.getByText(last)).toBeVisible()
  await log.getByRole('button', { name: 'Follow' }).click()
  await expect(log.getByText(/exiting/)).toBeVisible()
})

/** Returns whether Connect in the native menu is enabled, or clicks it. */
function menuConnect({ electron }: RunningApp, what: 'enabled' | 'chosen'): Promise<boolean> {
  return electron.evaluate(({ Menu }, wanted) => {
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    const connect = entries.find(({ label }) => label === 'Connect')
    if (wanted === 'chosen') connect?.click()
    return connect?.enabled ?? false
  }, what)
}

test('connects to the only profile of all services by the header and the menu', async ({
  app,
  window,
  mock,
  logIn,
}) => {
  const { page } = window
  await mock.control('POST', 'scenarios/one-profile')
  await window.addInstance(mock.instance)
  await logIn(window)
  const profile = page.getByRole('list', { name: `Profiles of ${mock.host}` }).getByRole('listitem')
  await expect(profile).toHaveCount(1)
  await expect(profile).toContainText('Internet Access')
  await expect(profile.getByRole('button', { name: 'Connect: Internet Access' })).toBeVisible()

  await page.getByRole('button', { name: 'Add a service' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a service' })
  await expect(dialog.getByRole('textbox', { name: 'Where do you study or work?' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Add a service' }).click()
  await window.continueWith(mock.instance.replace('127.0.0.1', 'localhost'))
  await expect(dialog).toHaveCount(0)
  const added = page.getByRole('region', { name: mock.host.replace('127.0.0.1', 'localhost') })
  await window.cancelButton.press('Enter')
  await expect(added.getByRole('button', { name: 'Sign in' })).toBeVisible()
  // Two services are folded.
  await page.getByRole('heading', { name: mock.host }).getByRole('button').click()
  await expect.poll(() => menuConnect(app, 'enabled')).toBe(true)
  await menuConnect(app, 'chosen')
  await requireTunnel(window, mock)
  await expect(profile).toContainText('Active')
  await window.disconnect()
  await page
    .getByRole('region', { name: 'Connection', exact: true })
    .getByRole('button', { name: 'Connect: Internet Access' })
    .press('Enter')
  await window.expectWord('Connected')
})
