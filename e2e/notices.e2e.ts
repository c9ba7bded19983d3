import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { widen } from './causeway-app'
import { expect, test } from './fixtures'

test('leaves room for lists below notices, without overlaps', async ({ launch, mock, logIn, folder }) => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  for (const name of ['settings.json', 'last-connections.json'])
    await writeFile(join(dataDir, name), '{"half')
  const app = await launch({ dataDir, env: { CAUSEWAY_SECRET_STORE: 'file' } })
  const { window } = app
  const { page } = window
  await widen(app)
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(page.getByText(/^Code: (data|secret-store)\//)).toHaveCount(3)

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
