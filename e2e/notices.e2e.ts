import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { widen } from './causeway-app'
import { expect, test } from './fixtures'

const { step } = test

test('sets damaged files aside, reports them, and leaves room for lists below the notices', async ({
  launch,
  mock,
  logIn,
  folder,
}) => {
  const dataDir = join(folder, 'data')
  const half = '{"version":1,"data":[{"id":"vpn.examp'
  await mkdir(dataDir, { recursive: true })
  for (const name of ['settings.json', 'last-connections.json', 'instances.json'])
    await writeFile(join(dataDir, name), half)
  const app = await launch({ dataDir, env: { CAUSEWAY_SECRET_STORE: 'file' } })
  const { window } = app
  const { page } = window
  await widen(app)
  await window.addInstance(mock.instance)
  await logIn(window)
  const notices = page.getByText(/^Code: (data|secret-store)\//)
  await expect(notices).toHaveCount(4)

  await step('leaves room for lists, without overlaps', async () => {
    const views = [
      ['Attachments', 'List of attachments'],
      ['Organization', 'Users of Mock University'],
    ] as const
    for (const [view, list] of views) {
      await page.getByRole('link', { name: view, exact: true }).click()
      const box = page.getByRole('list', { name: list, exact: true }).locator('xpath=..')
      await expect.poll(async () => (await box.boundingBox())?.height ?? 0, view).toBeGreaterThan(100)
    }
  })

  await step('keeps the damaged files, and dismisses the notices', async () => {
    const names = await readdir(dataDir)
    for (const damaged of ['settings', 'last-connections', 'instances']) {
      const aside = names.find((name) => name.startsWith(`${damaged}.json.corrupt-`))
      expect(await readFile(join(dataDir, aside ?? ''), 'utf8')).toBe(half)
    }
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notices).toHaveCount(0)
  })
})
