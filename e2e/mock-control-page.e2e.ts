import { expect, test } from './fixtures'

const { step } = test

test("a tester uses the mock server's page", async ({ page, mock }) => {
  await page.goto(`${mock.origin}/_mock`)
  const fact = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

  await step('finds a scenario, sets it up, sees its faults, and ends it', async () => {
    await page.getByPlaceholder('such as login').fill('flaky')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('button', { name: 'flaky-network' }).click()
    await expect(fact('Active scenario')).toContainText('flaky-network')
    await expect(fact('Active faults')).toContainText('"reset":true')
    expect(await mock.control('GET', 'faults')).toMatchObject([{ every: 3, fault: { reset: true } }])

    await page.getByRole('button', { name: 'End the scenario and all faults' }).click()
    await expect(fact('Active scenario')).toContainText('all-well')
    expect(await mock.control('GET', 'faults')).toEqual([])
  })

  await step('sees the requests, opens one, and starts over', async () => {
    await fetch(`${mock.origin}/info.json`)
    await fetch(`${mock.origin}/2.3/club?a=b`, { headers: { 'x-tester': 'somebody' } })
    await page.reload()
    const requests = page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'GET', exact: true }) })
    await expect(requests).toHaveText([/\/2\.3\/club\?a=b/, /\/info\.json/])
    await page.getByRole('link', { name: '/2.3/club?a=b' }).click()
    await expect(page.getByText('somebody')).toBeVisible()
    await page.goBack()

    await page.getByRole('button', { name: 'Reset to the seed data' }).click()
    // The page has no rows either while the browser goes from one to the next.
    await expect.poll(() => mock.control('GET', 'requests')).toEqual([])
    await expect(requests).toHaveCount(0)
  })
})
