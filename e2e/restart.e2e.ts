import { approveWithoutBrowser } from './browser'
import { expect, test } from './fixtures'
import { forgetSecrets, keeps, keptEntries } from './key-store'
import { MockServer } from './mock-server'
import { expectTunnel } from './tunnel'

test('keeps instance, login and key pair over a restart, and removes them for good', async ({
  launch,
  mock,
  handedOver,
  logIn,
}) => {
  const first = await launch()
  await first.window.addInstance(mock.instance)
  await logIn(first.window)
  await first.window.connect('Internet Access')
  await expectTunnel(first.window, mock)
  await first.quit()

  const second = await launch()
  const { window } = second
  await expect(window.profile('Internet Access')).toBeVisible()
  await expect(window.firstProfile).toBeVisible()
  await window.connect('Internet Access')
  await expectTunnel(window, mock)
  expect(handedOver.count).toBe(1)
  expect(await mock.grants()).toEqual(['authorization_code'])
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(1)

  for (const kind of ['tokens', 'key-pair'] as const) expect(await keeps(kind, mock.host)).toBe(true)
  await window.showSettings('Services')
  await window.page.getByRole('button', { name: 'Remove', exact: true }).click()
  await window.page.getByRole('button', { name: `Remove ${mock.host}` }).click()
  await expect(window.page.getByText("You haven't added a service yet.")).toBeVisible()
  expect([...(await keptEntries(mock.host)).keys()]).toEqual([])
  await second.quit()

  const { window: last } = await launch()
  await expect(last.place).toBeVisible()
})

test('keeps the views of services after signing out, also over a restart', async ({
  launch,
  mock,
  logIn,
}) => {
  const views = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']
  const first = await launch()
  const linksOf = ({ window: { page } }: typeof first) => page.getByRole('navigation').getByRole('link')
  await first.window.addInstance(mock.instance)
  await expect(linksOf(first)).toHaveText(['Connection', 'Settings'])
  await logIn(first.window)
  const all = views.map((view) => new RegExp(`^${view}`))
  await expect(linksOf(first)).toHaveText(all)
  await first.window.choose('Sign out')
  await expect(first.window.logInButton).toBeVisible()
  await expect(linksOf(first)).toHaveText(all)
  await first.quit()

  const second = await launch()
  await expect(second.window.logInButton).toBeVisible()
  await expect(linksOf(second)).toHaveText(all)
  await second.window.page.getByRole('link', { name: 'News' }).click()
  await expect(second.window.page.getByRole('heading', { name: 'News', level: 1 })).toBeVisible()
})

test('reaches services of every version first thing after a restart', async ({
  launch,
  mock,
  logIn,
  handedOver,
}) => {
  const others = [await MockServer.start(0, ['--api', '3']), await MockServer.start(0, ['--api', '2,3'])]
  try {
    const first = await launch()
    await first.window.addInstance(mock.instance)
    await logIn(first.window)
    // Its certificate is what the second start reads.
    await first.window.connect('Internet Access')
    if (await expectTunnel(first.window, mock)) await first.window.disconnect()
    for (const { instance, host } of others) {
      await first.window.addInstance(instance)
      const next = handedOver.count + 1
      const login = first.window.run('logIn', { instanceId: host })
      await approveWithoutBrowser(await handedOver.address(next))
      expect(await login).toMatchObject({ ok: true })
    }
    await first.quit()

    const services = [mock, ...others]
    for (const service of services) await service.control('DELETE', 'requests')
    const { window } = await launch()
    for (const service of services) {
      const { host } = service
      const shown = window.page.getByRole('region', { name: host, exact: true })
      await shown.getByRole('heading').getByRole('button').click()
      await expect(shown.getByRole('listitem').filter({ hasText: 'Office Network' })).toBeVisible()
      // Else they may be those that were seen before.
      const read = async () => (await service.requests()).some(({ headers }) => 'authorization' in headers)
      await expect.poll(read, `${host} should have been asked`).toBe(true)
    }
    await expect(window.alerts).toHaveCount(0)
  } finally {
    for (const { host, stop } of others) {
      await forgetSecrets(host)
      await stop()
    }
  }
})
