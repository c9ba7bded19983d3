import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'

test('notices leave a list its room, and lie over nothing', async ({ launch, mock, logIn, folder }) => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  for (const name of ['settings.json', 'last-connections.json'])
    await writeFile(join(dataDir, name), '{"half')
  const { electron, window } = await launch({ dataDir, env: { CAUSEWAY_SECRET_STORE: 'file' } })
  const { page } = window
  await electron.evaluate(({ BrowserWindow }) => {
    for (const one of BrowserWindow.getAllWindows()) one.setContentSize(1000, 720)
  })
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
