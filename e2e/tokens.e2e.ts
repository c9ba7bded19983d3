import { approve } from './browser'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

test('refreshes an expired access token once for concurrent requests', async ({
  window,
  mock,
  handedOver,
  logIn,
  expireTokens,
}) => {
  const proxy = await expireTokens('authorization_code')
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()
  await window.connect('Internet Access')
  await expectTunnel(window, mock)
  expect(await mock.grants()).toEqual(['authorization_code', 'refresh_token'])
  expect(handedOver.count).toBe(1)
  const [, refreshed] = proxy.issued
  const requests = await mock.requests()
  const bearers = requests.filter(({ path }) => path.startsWith('/api/vpn/'))
  expect(bearers.length).toBeGreaterThan(3)
  for (const { headers } of bearers) expect(headers.authorization).toBe(`Bearer ${refreshed ?? ''}`)
})

for (const kind of ['access', 'all'] as const) {
  test(`asks for a new login after revoked tokens (${kind}), then connects`, async ({
    loggedIn,
    mock,
    page,
    handedOver,
  }) => {
    await expect(loggedIn.profile('Internet Access')).toBeVisible()
    await mock.control('POST', 'tokens/revoke', { kind })
    await loggedIn.connect('Internet Access')
    const address = await handedOver.address(2)
    await loggedIn.expectSentence('Waiting for your browser…')
    await expect(loggedIn.page.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await approve(page, address)
    await expectTunnel(loggedIn, mock)
    await expect(loggedIn.logOutButton).toBeVisible()
    // A token that is rejected before it expires isn't refreshed: the authorization has been revoked.
    expect(await mock.grants()).toEqual(['authorization_code', 'authorization_code'])
  })
}

test('asks for a new login after a refused refresh, then connects', async ({
  window,
  mock,
  page,
  handedOver,
  logIn,
  expireTokens,
}) => {
  await expireTokens('authorization_code', 'refresh_token')
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()
  await mock.control('POST', 'tokens/revoke', { kind: 'all' })
  await window.connect('Internet Access')
  await approve(page, await handedOver.address(2))
  await expectTunnel(window, mock)
  const grants = await mock.grants()
  expect(grants.filter((grant) => grant === 'authorization_code')).toHaveLength(2)
  expect(handedOver.count).toBe(2)
})

test('keeps the login without a network', async ({ window, mock, handedOver, logIn, expireTokens }) => {
  const proxy = await expireTokens('authorization_code', 'refresh_token')
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()
  await proxy.close()

  await window.connect('Internet Access')
  await window.expectError('http/unreachable', 'refused the connection')
  await expect(window.logOutButton).toBeVisible()
  await expect(window.profile('Internet Access')).toBeVisible()
  expect(handedOver.count).toBe(1)
})
