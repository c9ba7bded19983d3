import { approve, deny } from './browser'
import { expect, test } from './fixtures'
import { forgetSecrets, keeps } from './key-store'
import { MockServer } from './mock-server'

const { step } = test

test('logs in with the browser, once, and only by the redirect of this login', async ({
  window,
  mock,
  page,
  handedOver,
  logIn,
}) => {
  await window.addInstance(mock.instance)

  await step('explains a login that was denied in the browser', async () => {
    await window.logInButton.click()
    await deny(page, await handedOver.address(1))
    await window.expectError('oauth/access-denied', 'Access was denied in the browser.')
    await expect(window.firstProfile).toHaveCount(0)
  })

  await step('cancels a login while the browser is open', async () => {
    await window.logInButton.click()
    await page.goto(await handedOver.address(2))
    await window.expectWord('Continue in your browser')
    await expect(window.page.getByText(/^Sign in and approve Causeway there\. \d:\d\d left$/)).toBeVisible()
    await window.cancelButton.press('Enter')
    await expect(window.logInButton).toBeVisible()
    await expect(window.alerts).toHaveCount(0)

    // Nobody listens for the late redirect.
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(page).toHaveURL(/^chrome-error:/)
    await expect(window.logInButton).toBeVisible()
    expect(await mock.grants()).toEqual([])
  })

  await step('ignores a redirect that belongs to another login, and continues', async () => {
    await window.logInButton.click()
    const address = await handedOver.address(3)
    await page.goto(new URL('/callback?code=stolen&state=guessed', address).href)
    await expect(page.getByRole('heading', { name: "This page doesn't belong to the login" })).toBeVisible()
    await window.expectWord('Continue in your browser')
    await expect(window.alerts).toHaveCount(0)
    expect(await mock.grants()).toEqual([])

    await approve(page, address)
    await expect(window.profile('Internet Access')).toBeVisible()
    await expect(window.alerts).toHaveCount(0)
  })

  await step('accepts an authorization code once', async () => {
    await page.reload().catch(() => undefined)
    await expect(page).toHaveURL(/^chrome-error:/)
    expect(await mock.grants()).toEqual(['authorization_code'])
  })

  await step('deletes the tokens on logout', async () => {
    expect(await keeps('tokens', mock.host)).toBe(true)
    await window.choose('Sign out')
    await expect(window.logInButton).toBeVisible()
    await expect(window.profile('Internet Access')).toHaveCount(0)
    expect(await keeps('tokens', mock.host)).toBe(false)
    await logIn(window)
    await expect(window.profile('Internet Access')).toBeVisible()
  })
})

test('asks in the browser which service a login was for, if the service does not say it', async ({
  window,
  mock,
  page,
  handedOver,
}) => {
  const old = await MockServer.start(0, ['--portal-version', '2.3.0'])
  try {
    for (const address of [mock.instance, old.instance]) await window.addInstance(address)
    for (const [number, button, outcome] of [
      [1, 'Cancel', { ok: false, error: { code: 'oauth/cancelled' } }],
      [2, 'Continue', { ok: true }],
    ] as const) {
      const login = window.run('logIn', { instanceId: old.host })
      await page.goto(await handedOver.address(number))
      await page.getByRole('button', { name: 'Approve' }).click()
      await expect(page.getByRole('heading', { name: `Continue to ${old.host}?` })).toBeVisible()
      expect(await old.grants()).toEqual([])
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect(
        page.getByRole('heading', { name: button === 'Continue' ? 'Approved' : 'The login was cancelled' }),
      ).toBeVisible()
      expect(await login).toMatchObject(outcome)
    }
    expect(await old.grants()).toEqual(['authorization_code'])
  } finally {
    await forgetSecrets(old.host)
    await old.stop()
  }
})

test('cancels the older of two sign-ins that wait, in the menu of its service', async ({
  window,
  mock,
  page,
  handedOver,
}) => {
  const later = await MockServer.start(0, ['--api', '3'])
  const { stage } = window
  const row = (host: string) => window.page.getByRole('region', { name: host, exact: true })
  const signIn = (host: string) => row(host).getByRole('button', { name: 'Sign in', exact: true })
  try {
    const begin = async ({ instance, host }: MockServer) => {
      const number = handedOver.count + 1
      await window.addInstance(instance)
      await signIn(host).click()
      await expect(stage.getByText(host, { exact: true }).first()).toBeVisible()
      await window.expectWord('Continue in your browser')
      // Before the other one begins, whose browser may start faster.
      return handedOver.address(number)
    }
    const first = await begin(mock)
    const second = await begin(later)

    await step('the stage shows the one that began last, and keeps it', async () => {
      await window.page.getByRole('button', { name: `More for ${mock.host}` }).click()
      await window.page.getByRole('menuitem', { name: 'Cancel sign-in' }).click()
      await expect(signIn(mock.host)).toBeVisible()
      await window.expectWord('Continue in your browser')
      await expect(stage.getByText(later.host, { exact: true }).first()).toBeVisible()
      await expect(window.alerts).toHaveCount(0)
    })

    await step('nobody listens for the cancelled one', async () => {
      await expect(fetch(first)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
      expect(await mock.grants()).toEqual([])
    })

    await step('the other one goes on', async () => {
      await approve(page, second)
      await expect(stage.getByRole('button', { name: /^Connect: / })).toBeVisible()
      await expect(signIn(later.host)).toHaveCount(0)
      expect(await later.grants()).toEqual(['authorization_code'])
      await expect(signIn(mock.host)).toBeVisible()
    })
  } finally {
    await forgetSecrets(later.host)
    await later.stop()
  }
})

test("explains that the browser couldn't be opened", async ({ launch, mock }) => {
  const { window } = await launch({ browser: '/nonexistent/browser' })
  await window.addInstance(mock.instance)
  await window.logInButton.click()
  await window.expectError('oauth/browser-not-opened', "Your browser didn't open.")
  await expect(window.logInButton).toBeVisible()
})
