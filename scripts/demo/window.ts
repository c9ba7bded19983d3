import { createRequire } from 'node:module'
import { _electron, type Page } from '@playwright/test'
import { z } from 'zod'
import { runDemo, type RunningMockServer } from './run-demo'

/** Runs the demo in the window, operated by the names of its controls. */

let steps = 0

function say(text: string): void {
  steps += 1
  console.log(`${steps}. ${text}`)
}

/** Prints up to `most` items of the list in the window. */
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
  await page.getByRole('textbox', { name: 'Where do you study or work?' }).fill(server.instance)

  say('Signing in (a script visits the address in place of your browser)')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Connect' }).first().waitFor()

  say('Its profiles')
  await list(page)

  if (server.api === '2') {
    say('Its messages')
    await page.getByRole('link', { name: 'Messages' }).click()
    await list(page)
  }

  say('Its newest attachments')
  await page.getByRole('link', { name: 'Attachments' }).click()
  await list(page, 5)
  await page.getByRole('link', { name: 'Connection' }).click()

  if (server.tunnel.pingAddress === undefined) {
    say('Connecting is left out: a device and routes take more rights than there are here')
    return
  }
  say('Connecting with OpenVPN')
  await page.getByRole('button', { name: 'Connect: Office Network', exact: true }).click()
  await status.filter({ hasText: /Connected to/ }).waitFor()
  console.log(`   ${(await status.innerText()).replaceAll(/\s+/g, ' ')}`)

  say('Disconnecting')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await status.filter({ hasText: 'Not connected' }).waitFor()
}

/** Outside Electron, the electron package exports the path of the program. */
const electron = z.string().parse(createRequire(import.meta.url)('electron'))
say('Starting the mock server and the app')
await runDemo(async (server, env) => {
  const app = await _electron.launch({
    executablePath: electron,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', '--lang', 'en'],
    env: { ...process.env, ...env },
  })
  try {
    const page = await app.firstWindow()
    // The first connection to a service that was typed in the window asks in a dialog of the system.
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
    })
    page.setDefaultTimeout(20_000)
    await demo(page, server)
  } finally {
    await app.close()
  }
})
