import { execa } from 'execa'
import type { RunningApp } from './causeway-app'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

test('what goes through the tunnel is counted while the details are open', async ({
  app,
  loggedIn,
  mock,
}) => {
  const { page } = loggedIn
  await loggedIn.connect('Office Network')
  if (!(await expectTunnel(loggedIn, mock))) return
  const details = page.getByRole('button', { name: 'Details' })
  const traffic = page.getByRole('region', { name: 'Traffic' })
  await expect(details).toHaveAttribute('aria-expanded', 'false')
  await expect(traffic).toHaveCount(0)
  await details.click()

  // 20 packets of 1000 bytes and their heads, each way.
  await execa('ping', ['-n', '-c', '20', '-i', '0.01', '-s', '1000', mock.tunnel.pingAddress ?? ''])
  await expect(traffic).toContainText(/2\d(\.\d)? kB received/)
  await expect(traffic).toContainText(/2\d(\.\d)? kB sent/)
  await expect(traffic.getByRole('img')).toHaveAccessibleName(
    /^In the last five minutes: download up to \d.* kB\/s, upload up to \d.* kB\/s\.$/,
  )

  await page.getByRole('button', { name: /^Copy 10\.88\./ }).click()
  await expect(loggedIn.status).toContainText('Copied')
  const [address] = await loggedIn.detail('Address').locator('bdi').allTextContents()
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(address)

  // Open again as they were left, with what was seen before.
  await page.reload()
  await expect(traffic).toContainText(/kB received/)
  await loggedIn.disconnect()
  await expect(traffic).toHaveCount(0)
})

test('the OpenVPN log is shown as it is written, without secrets', async ({ loggedIn, mock, folder }) => {
  const { page } = loggedIn
  await loggedIn.connect('Office Network')
  const isThere = await expectTunnel(loggedIn, mock)
  await page.getByRole('button', { name: 'Details' }).click()
  const log = page.getByRole('region', { name: 'OpenVPN log' })
  const last = isThere ? 'Initialization Sequence Completed' : 'exiting'
  await expect(log.getByText(last)).toBeVisible()

  const words = log.getByRole('textbox', { name: 'Filter lines' })
  await words.fill('CONTROL CHANNEL')
  await expect(log.getByRole('listitem')).not.toHaveCount(0)
  for (const line of await log.getByRole('listitem').allTextContents())
    expect(line).toContain('Control Channel')
  await words.fill('')

  // Of what crosses to the window nothing names this person's addresses or holds a key.
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
  if (isThere) await loggedIn.disconnect()
  await expect(log.getByText(last)).toBeVisible()
  await log.getByRole('button', { name: 'Follow' }).click()
  await expect(log.getByText(/exiting/)).toBeVisible()
})

/** Connect in the native menu: whether it can be chosen, or choosing it. */
function menuConnect({ electron }: RunningApp, what: 'enabled' | 'chosen'): Promise<boolean> {
  return electron.evaluate(({ Menu }, wanted) => {
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    const connect = entries.find(({ label }) => label === 'Connect')
    if (wanted === 'chosen') connect?.click()
    return connect?.enabled ?? false
  }, what)
}

test('with one profile there is one button, and an instance more makes a choice, for the menu too', async ({
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
  await expect(profile.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Add another instance' }).click()
  await window.addInstance(mock.instance.replace('127.0.0.1', 'localhost'))
  const choice = page.getByRole('combobox', { name: 'Instance' })
  await expect(choice).toHaveValue(mock.host.replace('127.0.0.1', 'localhost'))
  await expect(window.logInButton).toBeVisible()
  expect(await menuConnect(app, 'enabled')).toBe(false)
  await choice.selectOption(mock.host)
  await expect.poll(() => menuConnect(app, 'enabled')).toBe(true)
  await menuConnect(app, 'chosen')
  if (!(await expectTunnel(window, mock))) return
  await expect(profile).toHaveCount(0)
  await window.disconnect()
  await window.connect('Internet Access')
  await window.expectWord('Connected')
})
