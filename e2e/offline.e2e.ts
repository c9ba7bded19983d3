import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { filesBelow } from '../scripts/files-below'
import { expect, test } from './fixtures'
import { forgetSecrets } from './key-store'
import { MockServer } from './mock-server'

const { step } = test

const views = {
  Messages: (page: Page) => page.getByText('The office network has a new address range.'),
  Attachments: (page: Page) =>
    page.getByRole('list', { name: 'List of attachments' }).getByRole('button').first(),
  News: (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first(),
  Organization: (page: Page) => page.getByRole('heading', { name: 'Mock University', exact: true }),
} as const

/** Note in each view that its data is from the cache. */
const age = (page: Page): Locator => page.getByText(/can't be reached\./)

async function eachView(page: Page, look: (shown: Locator) => Promise<void>): Promise<void> {
  for (const [name, shown] of Object.entries(views)) {
    await step(name, async () => {
      await page.getByRole('link', { name, exact: true }).click()
      await look(shown(page))
    })
  }
}

test('shows cached data with its age, also after a restart, until the service is back', async ({
  launch,
  logIn,
  folder,
}) => {
  // The mock server keeps its tokens, so that the login stays valid.
  const kept = ['--data-dir', join(folder, 'mock')]
  let mock = await MockServer.start(0, kept)
  const port = Number(new URL(mock.origin).port)
  try {
    const first = await launch()
    await first.window.addInstance(mock.instance)
    await logIn(first.window)
    await expect(first.window.profile('Internet Access')).toBeVisible()
    await eachView(first.window.page, async (shown) => {
      await expect(shown).toBeVisible()
    })
    await expect(age(first.window.page)).toHaveCount(0)
    await first.quit()
    await mock.stop()

    const { window } = await launch()
    const { page } = window
    await step('shows cached data without the service', async () => {
      await expect(window.profile('Internet Access')).toBeVisible()
      await expect(age(page)).toBeVisible()
      await eachView(page, async (shown) => {
        await expect(shown).toBeVisible()
        await expect(age(page)).toBeVisible()
      })
      await expect(window.alerts).toHaveCount(0)
    })
    await step('keeps the cache private and free of secrets', async () => {
      const files = await filesBelow(join(folder, 'data', 'seen'))
      expect(files.length).toBeGreaterThan(4)
      expect(files.map(({ content }) => content.toString()).join('')).not.toMatch(
        /signature=|access_token|refresh_token|PRIVATE KEY/i,
      )
      for (const { mode } of process.platform === 'win32' ? [] : files) expect(mode).toBe(0o600)
    })

    mock = await MockServer.start(port, kept)
    await step('refreshes when the service is back', async () => {
      // The visible view refreshes by itself; the others on request.
      await page.getByRole('link', { name: 'Connection', exact: true }).click()
      await expect(age(page)).toHaveCount(0, { timeout: 25_000 })
      await eachView(page, async (shown) => {
        await expect(shown).toBeVisible()
        if (await page.getByRole('button', { name: /^More for / }).isVisible()) await window.choose('Refresh')
        else await page.getByRole('button', { name: 'Refresh' }).click()
        await expect(age(page)).toHaveCount(0)
        await expect(shown).toBeVisible()
      })
    })

    await step('deletes the cache on logout', async () => {
      await page.getByRole('link', { name: 'Connection', exact: true }).click()
      await window.choose('Sign out')
      await window.logInButton.waitFor()
      expect(await readdir(join(folder, 'data', 'seen'))).toEqual([])
    })
  } finally {
    await mock.stop()
    await forgetSecrets(mock.host)
  }
})
