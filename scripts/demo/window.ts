import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type Page } from '@playwright/test'
import { z } from 'zod'
import { approvingBrowser } from './browser-command'
import { startMockServer, type RunningMockServer } from './mock-server'

/** The demo in the window: it is operated as a person would, by the names on its buttons. */

const began = Date.now()
let steps = 0

function say(text: string): void {
  steps += 1
  console.log(`${steps}. ${text}`)
}

/** Prints what the list in the window says, at most so many items. */
async function list(page: Page, most = 10): Promise<void> {
  const items = page.getByRole('main').getByRole('listitem')
  await items.first().waitFor()
  for (const text of (await items.allInnerTexts()).slice(0, most)) {
    console.log(`   · ${text.replaceAll(/\s+/g, ' ')}`)
  }
}

async function demo(page: Page, server: RunningMockServer): Promise<void> {
  const status = page.getByRole('status')

  say(`Adding the instance at ${server.instance}`)
  await page.getByRole('textbox', { name: 'Address' }).fill(server.instance)
  await page.getByRole('button', { name: 'Add instance' }).click()

  say('Logging in (a script visits the address in place of your browser)')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Connect' }).first().waitFor()

  say('Its profiles')
  await list(page)

  say('Its messages')
  await page.getByRole('link', { name: 'Messages' }).click()
  await list(page)

  say('Its newest attachments')
  await page.getByRole('link', { name: 'Attachments' }).click()
  await list(page, 5)
  await page.getByRole('link', { name: 'Connection' }).click()

  if (server.tunnel.pingAddress === undefined) {
    say('Connecting is left out: a device and routes take more rights than there are here')
    return
  }
  say('Connecting with OpenVPN')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Internet' })
    .getByRole('button', { name: 'Connect' })
    .click()
  await status.filter({ hasText: 'Connected' }).waitFor()
  console.log(`   ${(await status.innerText()).replaceAll(/\s+/g, ' ')}`)

  say('Disconnecting')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await status.filter({ hasText: 'Disconnected' }).waitFor()
}

/** Outside Electron, its package is the path of the program. */
const electron = z.string().parse(createRequire(import.meta.url)('electron'))
const dataDir = await mkdtemp(join(tmpdir(), 'causeway-demo-'))
let server: RunningMockServer | undefined
try {
  say('Starting the mock server and the app')
  server = await startMockServer()
  const app = await _electron.launch({
    executablePath: electron,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', '--lang', 'en'],
    env: { ...process.env, CAUSEWAY_DATA_DIR: dataDir, CAUSEWAY_BROWSER: approvingBrowser },
  })
  try {
    const page = await app.firstWindow()
    page.setDefaultTimeout(20_000)
    await demo(page, server)
  } finally {
    await app.close()
  }
  console.log(
    `\nDone in ${((Date.now() - began) / 1000).toFixed(1)} s. Everything that was started has ended.`,
  )
} catch (error) {
  console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
}
