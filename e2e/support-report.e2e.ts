import { expect, test } from './fixtures'

test('one click copies what support needs, through main and without secrets', async ({ app, loggedIn }) => {
  await loggedIn.page.getByRole('link', { name: 'Settings' }).click()
  await loggedIn.page.getByRole('button', { name: 'Copy for support' }).click()
  await expect(loggedIn.page.getByText(/^Copied/)).toBeVisible()
  const report = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  for (const part of ['Versions', 'electron: ', 'Findings', '"event":"exchange"', '/api/vpn/profile_list']) {
    expect(report).toContain(part)
  }
  expect(report).not.toMatch(/Bearer (?!\[)|BEGIN|access_token"?[:=] ?"?(?!\[)/)
})

test('a login that ends soon is said to, and no new one is offered right after it', async ({
  loggedIn,
  mock,
}) => {
  await mock.control('POST', 'session', { endsInSeconds: 7200 })
  await loggedIn.connect('Internet Access')
  await expect(loggedIn.page.getByText(/^Your login at .+ ends in (2 h 0|1 h 5\d) min\.$/)).toBeVisible()
  await expect(loggedIn.page.getByRole('button', { name: 'Renew' })).toHaveCount(0)
})
