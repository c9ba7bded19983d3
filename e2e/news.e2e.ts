import type { Locator, Page } from '@playwright/test'
import { widen } from './causeway-app'
import { expect, test } from './fixtures'
import type { MockServer } from './mock-server'

async function scenario(mock: MockServer, name: string): Promise<void> {
  await mock.control('POST', `scenarios/${name}`)
}

/** Counts the requests for a path of the content API. */
async function asked(mock: MockServer, path: string): Promise<number> {
  return mock.count('GET', `/2.3/${path}`)
}

const section = (page: Page, name: string): Locator =>
  page.getByRole('radiogroup', { name: 'News sections' }).locator('label', { hasText: name })
const refresh = (page: Page): Locator => page.getByRole('button', { name: 'Refresh' })
const article = (page: Page): Locator => page.getByRole('main').getByRole('article')

test('reads, searches and reports news, copes with hostile and loosely typed answers, and works offline', async ({
  app,
  window,
  mock,
  handedOver,
  logIn,
}) => {
  const { page } = window
  const club = page.getByRole('list', { name: 'Entries' })
  await widen(app)
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.firstProfile.waitFor()
  await page.getByRole('link', { name: 'News' }).click()

  await test.step('opens an entry with all its parts, and loads its pictures through main', async () => {
    await expect(club.getByRole('listitem').first()).toBeVisible()
    await page.getByRole('button', { name: /network namespaces/ }).click()
    await expect(article(page).getByRole('heading', { level: 2 })).toHaveText(
      'Why network namespaces can be harder than expected',
    )
    await expect(article(page).getByRole('figure').first()).toBeVisible()
    await expect(article(page).getByText('video.example.org')).toBeVisible()
    await expect
      .poll(() => page.evaluate<number>('document.querySelector("article img").naturalWidth'))
      .toBeGreaterThan(0)
    await article(page)
      .getByRole('link', { name: /^Open in browser/ })
      .click()
    expect(await handedOver.address(2)).toContain('/content-pages/articles/120-')
  })

  await test.step('reports a selected typo with the address of the article', async () => {
    await article(page).locator('strong').first().selectText()
    await page.getByRole('button', { name: 'Report the selected text' }).click()
    const form = page.getByRole('form', { name: 'Report a typo' })
    await expect(form.getByRole('textbox')).toHaveValue(
      'Put the tunnel inside, and what runs there cannot go around it.',
    )
    await mock.fault('/2.3/misprints/new', {
      status: 403,
      body: { error: { code: 403, message: 'Not from here.' } },
    })
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(form.getByRole('alert')).toContainText('Not from here.')
    await mock.control('DELETE', 'faults')
    await form.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Thank you. Your report has been sent.')).toBeVisible()
    const reports = (await mock.requests()).filter(({ path }) => path === '/2.3/misprints/new')
    const sent = new URLSearchParams(reports.at(-1)?.body ?? '')
    expect(sent.get('text')).toBe('Put the tunnel inside, and what runs there cannot go around it.')
    expect(sent.get('url')).toContain('/content-pages/articles/120-')
  })

  await test.step('searches for a hashtag and opens an address', async () => {
    await article(page).getByRole('button', { name: '#linux' }).first().click()
    const found = page.getByRole('list', { name: 'Entries matching #linux' })
    await expect(found.getByRole('listitem').first()).toBeVisible()
    await page
      .getByRole('textbox')
      .fill(
        `${mock.origin}/content-pages/articles/120-why-network-namespaces-can-be-harder-than-expected?utm_source=x`,
      )
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(article(page).getByRole('heading', { level: 2 })).toContainText('Why network namespaces')
    await expect(article(page).getByRole('heading', { name: 'More like this' })).toBeVisible()
    await page.getByRole('textbox').fill(`${mock.origin}/content-pages/articles/no-such`)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await window.expectError('content/not-found', '')
  })

  await test.step('shows tweets, press reports and accounts', async () => {
    await section(page, 'Tweets').click()
    await expect(page.getByRole('list', { name: 'Tweets' }).getByRole('article').first()).toContainText('@')
    await page.getByRole('combobox', { name: 'List' }).selectOption('List 2')
    await page.getByRole('combobox', { name: 'Period' }).selectOption('This month')
    await expect(page.getByRole('list', { name: 'Tweets' }).getByRole('article').first()).toBeVisible()
    await section(page, 'News').click()
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Privacy')
    await expect(page.getByRole('list', { name: 'Sources' }).getByRole('link').first()).toBeVisible()
    await expect(page.getByRole('list', { name: 'News items' }).getByRole('link').first()).toContainText(
      'Rating',
    )
    await section(page, 'Account').click()
    await expect(page.getByRole('heading', { name: 'Tester' })).toBeVisible()
    await expect(
      page.getByRole('list', { name: 'Posts by Tester' }).getByRole('listitem').first(),
    ).toBeVisible()
  })

  await test.step('fetches more while scrolling, without duplicates, and restores the position', async () => {
    await scenario(mock, 'content-entries-arriving')
    await section(page, 'Community').click()
    await refresh(page).click()
    await expect(club.getByRole('listitem').first()).toBeVisible()
    const rows = await scrolled(page, 60)
    expect(new Set(rows).size, 'twins').toBe(rows.length)

    await scenario(mock, 'thousand-entries')
    await refresh(page).click()
    await expect.poll(() => page.evaluate<string>(topRow)).not.toBe('')
    await scrolled(page, 150)
    const before = await settledTopRow(page)
    await page.getByRole('link', { name: 'Connection' }).click()
    await page.getByRole('link', { name: 'News' }).click()
    await expect.poll(() => page.evaluate<string>(topRow)).toBe(before)
  })

  await test.step('runs nothing of hostile entries and fetches only what the rules allow', async () => {
    await scenario(mock, 'hostile-entries')
    await refresh(page).click()
    await club.getByRole('button', { name: 'Blocks that nobody knows' }).waitFor()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const read: string[] = []
    await club.getByRole('button').first().focus()
    for (let row = 0; row < 14; row++) {
      await page.keyboard.press('Enter')
      const title = await club.locator('button[aria-current]').textContent()
      await expect(article(page).getByRole('heading', { level: 2 })).toHaveText(title ?? '')
      await expect(article(page).locator('[data-misprints]')).toBeVisible()
      read.push(title ?? '')
      await page.keyboard.press('ArrowDown')
    }
    expect(read).toContain('Script in the intro')
    expect(read).toContain('Event handlers <img src=x onerror=alert(1)>')
    expect(new Set(read).size).toBe(14)
    const hostileElements = page.locator(
      'main :is(script, iframe, object, embed, form[action], svg script, math, base, meta, style, input[type=password])',
    )
    await expect(hostileElements).toHaveCount(0)
    const loaded = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    )
    expect(loaded.filter((name) => !name.startsWith('app:') && !name.startsWith('data:'))).toEqual([])
    const calls = (await mock.requests()).filter(({ path }) => path.includes('canary'))
    expect(calls.map(({ path }) => path)).toEqual([])
    expect(dialogs).toEqual([])
    expect(errors).toEqual([])
    expect(page.url()).toMatch(/^app:/)
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'no address']) {
      const opening = `window.causeway.run('openContentLink', { url: ${JSON.stringify(url)} })`
      expect(await page.evaluate(opening), url).toMatchObject({ ok: false })
    }
    expect(handedOver.count).toBe(2)
  })

  await test.step('reads loosely typed answers', async () => {
    await scenario(mock, 'content-odd-types')
    await refresh(page).click()
    await expect(club.getByRole('button').nth(2)).toBeVisible()
    await expect(window.alerts).toHaveCount(0)
  })

  await test.step('shows cached news with their age while the service is down', async () => {
    await mock.control('POST', 'reset')
    await refresh(page).click()
    await page.getByRole('button', { name: /Onion routing/ }).click()
    await expect(article(page).getByText('by Grace Okafor')).toBeVisible()
    // The list knows the author; the rest has to come before the service is down.
    await expect(article(page).locator('[data-misprints]')).toBeVisible()
    const before = await asked(mock, 'club')
    await scenario(mock, 'content-down')
    await refresh(page).click()
    await expect(page.getByText(/ can't be reached\. Last updated .*\.$/)).toBeVisible()
    expect(await asked(mock, 'club')).toBeGreaterThan(before)
    await expect(club.getByRole('button', { name: /Onion routing/ })).toBeVisible()
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('By the editors')
    await window.expectError('content/unavailable', '')
    await mock.control('DELETE', 'faults')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(window.alerts).toHaveCount(0)
    await expect(club.getByRole('button').first()).toBeVisible()
  })

  await test.step('explains an empty list', async () => {
    await scenario(mock, 'no-news')
    await refresh(page).click()
    await expect(page.getByRole('heading', { name: 'No entries' })).toBeVisible()
  })
})

/** Returns the rendered rows by position, and scrolls on. */
const lookAndScroll = `(() => {
  const list = document.querySelector('main ul[aria-label="Entries"]')
  list.parentElement.scrollBy(0, 900)
  return [...list.querySelectorAll('li:has(button)')].map((row) => [row.ariaPosInSet, row.textContent])
})()`

/** Returns the text of the first visible row. */
const topRow = `(() => {
  const list = document.querySelector('main ul[aria-label="Entries"]')
  const top = list?.parentElement.getBoundingClientRect().top
  const rows = [...(list?.querySelectorAll('li') ?? [])]
  return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.textContent ?? ''
})()`

/** Returns the text of the top row once it stays the same. */
async function settledTopRow(page: Page): Promise<string> {
  let [before, now] = ['', '']
  await expect
    .poll(async () => {
      ;[before, now] = [now, await page.evaluate<string>(topRow)]
      return now !== '' && now === before
    })
    .toBe(true)
  return now
}

/** Scrolls until more than `least` rows were rendered, and returns their texts. */
async function scrolled(page: Page, least: number): Promise<string[]> {
  const met = new Map<string, string>()
  await expect
    .poll(
      async () => {
        const rows = await page.evaluate<[string, string][]>(lookAndScroll)
        for (const [position, text] of rows) met.set(position, text)
        return met.size
      },
      { timeout: 30_000, intervals: [50] },
    )
    .toBeGreaterThan(least)
  return [...met.values()]
}
