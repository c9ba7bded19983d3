import { approveWithoutBrowser } from './browser'
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

test('asks for a new login after revoked tokens, then connects', async ({ loggedIn, mock, handedOver }) => {
  await expect(loggedIn.profile('Internet Access')).toBeVisible()
  let logins = 1
  for (const kind of ['access', 'all'] as const) {
    await mock.control('POST', 'tokens/revoke', { kind })
    await loggedIn.connect('Internet Access')
    logins += 1
    const address = await handedOver.address(logins)
    await loggedIn.expectWord('Continue in your browser')
    await expect(loggedIn.page.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await approveWithoutBrowser(address)
    if (await expectTunnel(loggedIn, mock)) await loggedIn.disconnect()
    await expect(loggedIn.firstProfile).toBeVisible()
  }
  // A token that is rejected before it expires isn't refreshed: the authorization has been revoked.
  expect(await mock.grants()).toEqual(Array.from({ length: 3 }, () => 'authorization_code'))
})

test('asks for a new login after a refused refresh, and keeps the login without a network', async ({
  window,
  mock,
  handedOver,
  logIn,
  expireTokens,
}) => {
  const proxy = await expireTokens('authorization_code', 'refresh_token')
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()
  await mock.control('POST', 'tokens/revoke', { kind: 'all' })
  await window.connect('Internet Access')
  await approveWithoutBrowser(await handedOver.address(2))
  if (await expectTunnel(window, mock)) await window.disconnect()
  const grants = await mock.grants()
  expect(grants.filter((grant) => grant === 'authorization_code')).toHaveLength(2)

  // The window reads the list again with the new login, and couldn't do so without the proxy.
  const isListed = async (): Promise<boolean> => {
    const asked = (await mock.requests()).map(({ path, body }) =>
      path === '/oauth/token' ? new URLSearchParams(body ?? '').get('grant_type') : path,
    )
    return asked.lastIndexOf('/api/vpn/profile_list') > asked.lastIndexOf('authorization_code')
  }
  await expect.poll(isListed).toBe(true)
  await expect(window.profile('Internet Access')).toBeVisible()
  await proxy.close()
  await window.connect('Internet Access')
  await window.expectError('http/unreachable', 'refused the connection')
  await expect(window.firstProfile).toBeVisible()
  await expect(window.profile('Internet Access')).toBeVisible()
  expect(handedOver.count).toBe(2)
})
