import { approveWithoutBrowser } from './browser'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

const { step } = test

const views = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']
const question = 'Where do you study or work?'
const facts = { 'Internet Access': 'all traffic', 'Office Network': "organization's networks only" } as const
const beforeContact = ['discovering', 'preparing', 'starting']

test('connects from the first start, disconnects, and names everything for screen readers', async ({
  window,
  mock,
  handedOver,
}) => {
  const { page } = window
  expect(page.url()).toMatch(/^app:/)
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Connection', 'Settings'])
  await expect(page.getByRole('textbox', { name: question, exact: true })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible()
  await window.continueWith(mock.instance)
  await window.expectWord('Continue in your browser')
  await expect(window.stage.getByRole('button')).toHaveText(['Back', 'Open browser again', 'Copy link'])
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Connection', 'Settings'])
  await expect(page.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible()

  await step('goes back to the question, and forgets the service', async () => {
    await handedOver.address(1)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page.getByRole('textbox', { name: question })).toBeVisible()
  })

  await window.continueWith(mock.instance)
  await approveWithoutBrowser(await handedOver.address(2))
  await expect(page.getByRole('heading', { name: mock.host })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(
    views.map((view) => new RegExp(`^${view}`)),
  )
  await expect(page.getByRole('status')).toHaveCount(1)
  await expect(page.getByRole('button', { name: `More for ${mock.host}`, exact: true })).toBeVisible()
  const profiles = page.getByRole('list', { name: `Profiles of ${mock.host}` }).getByRole('listitem')
  await expect(profiles).toHaveCount(2)
  for (const [name, fact] of Object.entries(facts)) {
    await expect(window.profile(name)).toContainText(fact)
    const connect = profiles.getByRole('button', { name: `Connect: ${name}`, exact: true })
    await expect(connect).toHaveText('Connect')
    await expect(connect).toHaveAccessibleDescription(fact)
  }

  // The page records what it shows: this test could look too late.
  await page.evaluate(`
    window.seen = []
    window.causeway.onStateChanged(({ connection }) => {
      if (connection) window.seen.push(connection.phase ?? connection.state)
    })
    window.shown = []
    const stage = document.querySelector('[aria-label="Connection"]')
    new MutationObserver(() => window.shown.push(stage.innerText)).observe(stage, { subtree: true, childList: true, characterData: true })
    undefined`)
  // The page draws a state that lasts.
  await mock.fault('/api/vpn/profile_config', { delayMs: 1000 })
  await window.connect('Internet Access')
  const connected = await expectTunnel(window, mock)
  expect(await page.evaluate<string[]>('window.shown')).toContainEqual(
    expect.stringMatching(/^Connecting$[^]*^Getting your configuration…$/m),
  )
  const seen = new Set(await page.evaluate<string[]>('window.seen'))
  const contact = ['contacting', 'tls', 'authenticating', 'configuring', 'connected']
  expect([...seen]).toEqual([...beforeContact, ...(connected ? contact : ['failed'])])

  if (connected) {
    // The mock server leaves the machine's own traffic alone.
    await window.expectSentence('Only some of your traffic is protected')
    await window.expectProfile('Internet Access')
    await window.openDetails()
    await expect(window.detail('Address')).toHaveText(/^10\.88\.\d+\.\d+$/)
    await expect(window.detail('Server')).toHaveText(/^192\.168\.77\.\d+:119[45] \(UDP\)$/)
    await expect(window.profile('Internet Access')).toContainText('Active')

    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await window.expectWord('Not connected')
    await window.expectSentence("Your traffic doesn't use the VPN.")
    await expect(window.disconnectButton).toHaveCount(0)
  }

  await step('says after a cancelled attempt that it was cancelled', async () => {
    await mock.fault('/api/vpn/profile_config', { delayMs: 60_000 })
    await window.connect('Office Network')
    await window.expectWord('Connecting')
    await window.cancelButton.press('Enter')
    await window.expectSentence(
      `The connection to ${mock.host} was cancelled. Your traffic doesn't use the VPN.`,
    )
  })

  await step('changes the view by keyboard', async () => {
    const messages = page.getByRole('link', { name: 'Messages' })
    await page.getByRole('link', { name: 'Connection' }).focus()
    await page.keyboard.press('Tab')
    await expect(messages).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
    await expect(messages).toHaveAttribute('aria-current', 'page')
  })

  await step('shows texts of a service without running anything in them', async () => {
    await window.show('Messages')
    await expect(page.getByText('Welcome to the <b>mock instance</b>.')).toBeVisible()

    const script = '<script>window.ran = true</script>'
    const image = '<img src="x" onerror="window.ran = true">'
    await mock.control('PUT', 'system-messages', [
      { date_time: '2026-01-02T03:04:05Z', message: `Before ${script} between ${image} after` },
    ])
    await mock.control('PUT', 'profiles', [
      { profile_id: 'internet', display_name: `<i>Internet</i> ${script}` },
    ])
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText(`Before ${script} between ${image} after`)).toBeVisible()
    await expect(page.getByRole('main').locator('b, img, script')).toHaveCount(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })
})
