import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures'

test.skip(process.platform !== 'linux', 'Only Linux divides apps.')

test('lists the installed apps with names and icons, and keeps those that are chosen', async ({
  launch,
  folder,
}) => {
  const share = join(folder, 'share')
  const icons = join(share, 'icons/hicolor/64x64/apps')
  for (const each of [join(share, 'applications'), icons, join(folder, 'data')])
    await mkdir(each, { recursive: true })
  await copyFile(join(import.meta.dirname, '../build/icons/app/64x64.png'), join(icons, 'kite.png'))
  const entry = (name: string, more = '') =>
    `[Desktop Entry]\nType=Application\nName=${name}\nExec=/bin/true %u\nIcon=kite\n${more}`
  await writeFile(join(share, 'applications/org.example.Kite.desktop'), entry('Kite', 'Name[nl]=Vlieger\n'))
  await writeFile(join(share, 'applications/tower.desktop'), entry('Tower'))
  await writeFile(
    join(folder, 'data/settings.json'),
    JSON.stringify({ version: 1, data: { appsMode: 'except' } }),
  )

  const { window } = await launch({ env: { XDG_DATA_HOME: share } })
  await window.showSettings('Apps')
  const { page } = window
  await page.getByRole('searchbox', { name: 'Search apps' }).fill('kit')
  const rows = page.getByRole('list', { name: 'Chosen apps' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  const kite = rows.getByRole('checkbox', { name: 'Kite' })
  // Icons are fetched once they are seen.
  await kite.scrollIntoViewIfNeeded()
  await expect(rows.getByRole('presentation')).toHaveAttribute('src', /^data:image\/png;base64,/)
  await kite.press('Space')
  await expect(kite).toBeChecked()
  const stored: unknown = JSON.parse(await readFile(join(folder, 'data/settings.json'), 'utf8'))
  expect(stored).toMatchObject({ data: { apps: 'org.example.Kite' } })
  await kite.press('Space')
  await expect(kite).not.toBeChecked()
})
