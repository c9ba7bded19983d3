import { expect, test } from './fixtures'

const { step } = test

test("a tester uses the mock server's page", async ({ page, mock }) => {
  await page.goto(`${mock.origin}/_mock`)

  await step('sets up a scenario, sees its faults, and clears them', async () => {
    const scenario = page.getByRole('button', { name: 'flaky-network' })
    await scenario.click()
    await expect(page.getByRole('status')).toHaveText('In force: flaky-network')
    await expect(scenario).toHaveAttribute('aria-pressed', 'true')
    await expect(scenario).toBeFocused()
    expect(await mock.control('GET', 'faults')).toMatchObject([{ every: 3, fault: { reset: true } }])

    await page.getByRole('button', { name: /^Clear any \* → reset/ }).click()
    await expect(page.getByText('POST /_mock/faults')).toBeVisible()
    expect(await mock.control('GET', 'faults')).toEqual([])

    await page.getByRole('button', { name: 'All well', exact: true }).click()
    await expect(page.getByRole('status')).toHaveText('All is well.')
    await expect(scenario).toHaveAttribute('aria-pressed', 'false')
  })

  await step('watches requests arrive, filters and opens them, and starts over', async () => {
    const rows = page.locator('#requests summary')
    await fetch(`${mock.origin}/info.json`)
    await fetch(`${mock.origin}/2.3/club?a=b`, { headers: { 'x-tester': 'somebody' } })
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('/2.3/club?a=b')
    await rows.first().click()
    await expect(page.getByRole('row', { name: 'x-tester somebody' })).toBeVisible()

    const filter = page.getByRole('searchbox', { name: 'Filter requests' })
    await filter.fill('info 200')
    await expect(rows.filter({ visible: true })).toHaveText([/info\.json/])
    await filter.fill('')

    await page.getByRole('button', { name: 'Pause' }).click()
    await fetch(`${mock.origin}/2.3/tweets`)
    // Also shown when paused, so the page has heard of the request.
    await mock.fault('/nowhere', { status: 503 })
    await expect(page.getByText('any /nowhere → 503')).toBeVisible()
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(rows).toHaveCount(3)

    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect(rows).toHaveCount(0)
    expect(await mock.control('GET', 'requests')).toEqual([])
  })

  await step('moves the clock and finds a scenario by its words', async () => {
    await page.getByRole('button', { name: '+90 days' }).click()
    await expect(page.getByText('90 days ahead', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await expect(page.getByText('90 days ahead', { exact: true })).toBeHidden()

    await page.getByRole('searchbox', { name: 'Filter scenarios' }).fill('expired-certificate')
    await expect(page.locator('.scenario').filter({ visible: true })).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Organizations' })).toBeHidden()
  })
})
