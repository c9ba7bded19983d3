import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { electronPath } from './causeway-app'
import { test as base, expect } from './fixtures'
import { startUpdateFeed, type UpdateFeed } from './update-feed'

/** Returns a program that writes this word to the file `started`. */
const newImage = (folder: string, word: string) =>
  Buffer.from(`#!/bin/sh\necho ${word} > '${folder}/started'\n`)

const test = base.extend<{
  /** The feed of a newer version: an AppImage that says that it was started. */
  feed: UpdateFeed
  /** Environment of an app that was started as an AppImage, with that feed. */
  env: Readonly<Record<string, string>>
}>({
  feed: async ({ folder }, use) => {
    const feed = await startUpdateFeed('99.1.0', newImage(folder, 'new'))
    await use(feed)
    await feed.close()
  },
  env: async ({ folder, feed }, use) => {
    const image = join(folder, 'Causeway.AppImage')
    await mkdir(join(folder, 'cache'))
    await writeFile(image, 'old', { mode: 0o755 })
    await use({
      ...feed.env,
      APPIMAGE: image,
      APPDIR: dirname(electronPath),
      XDG_CACHE_HOME: join(folder, 'cache'),
    })
  },
})

const oldImage = (folder: string) => readFile(join(folder, 'Causeway.AppImage'), 'utf8')

test('tells of a newer version once, until it is dismissed', async ({ launch, feed, env }) => {
  const first = await launch({ env })
  const notice = first.window.page.getByRole('region', { name: 'New version' })
  await expect(notice).toContainText('Version 99.1.0 is available.')
  expect(feed.requests).toEqual(['/updates.json', '/updates.json.minisig'])
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
  await first.quit()

  const second = await launch({ env })
  await second.window.page.getByRole('link', { name: 'Settings' }).click()
  await expect(second.window.page.getByRole('switch', { name: 'Look for updates' })).toBeChecked()
  await expect(second.window.page.getByRole('region', { name: 'New version' })).toBeHidden()
  // A day hasn't passed.
  expect(feed.requests).toHaveLength(2)
})

test.describe('as an AppImage', () => {
  test.skip(process.platform !== 'linux', 'AppImages exist on Linux only')

  test('installs no file that differs from the signed one, and starts the signed one', async ({
    launch,
    feed,
    folder,
    env,
  }) => {
    feed.replace('/new.AppImage', newImage(folder, 'bad'))
    const app = await launch({ env })
    const notice = app.window.page.getByRole('region', { name: 'New version' })
    const install = notice.getByRole('button', { name: 'Install and restart' })
    await install.click()
    await expect(notice).toContainText("The downloaded file isn't the one that its publisher signed")
    expect(app.isRunning()).toBe(true)
    expect(await oldImage(folder)).toBe('old')

    feed.replace('/new.AppImage', newImage(folder, 'new'))
    const closed = app.electron.waitForEvent('close')
    await install.click()
    await closed
    await expect.poll(() => readFile(join(folder, 'started'), 'utf8').catch(() => '')).toBe('new\n')
    expect(await oldImage(folder)).toContain('echo new')
  })
})

test('says nothing about a feed with a wrong signature', async ({ launch, feed, env }) => {
  feed.replace('/updates.json', Buffer.from('{"v":2,"version":"99.2.0"}'))
  const { window } = await launch({ env })
  const { page } = window
  // Twice, because a publication may have come between the two requests.
  await expect.poll(() => feed.requests.length).toBe(4)
  await window.showSettings('Support')
  await page.getByRole('link', { name: 'Check this computer' }).click()
  await expect(
    page.getByText("The information about new versions isn't signed by its publisher"),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'New version' })).toBeHidden()
})
