import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator } from '@playwright/test'
import type { RunningApp } from './causeway-app'
import type { CausewayWindow } from './causeway-window'
import type { MockServer } from './mock-server'

/** Adds the instance, logs in and starts a slow upload. Returns its row in the window. */
export async function slowUpload(
  { electron, window }: RunningApp,
  mock: MockServer,
  folder: string,
  logIn: (window: CausewayWindow) => Promise<void>,
): Promise<Locator> {
  const { page } = window
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.firstProfile.waitFor()
  await page.getByRole('link', { name: 'Attachments' }).click()
  const path = join(folder, 'Minutes.txt')
  await writeFile(path, Buffer.alloc(150_000, 'minutes '))
  await electron.evaluate(
    ({ dialog }, filePaths) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths })
    },
    [path],
  )
  await mock.control('POST', 'scenarios/slow-upload')
  await page.getByRole('button', { name: 'Upload files', exact: true }).click()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const transfer = page.getByRole('region', { name: 'Transfers' }).getByRole('listitem')
  await expect(transfer).toContainText('Minutes')
  return transfer
}
