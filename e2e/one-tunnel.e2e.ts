import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from './fixtures'

test("shows the terminal's connection and ends it, as the terminal reports", async ({
  app,
  window,
  mock,
  folder,
}) => {
  await window.addInstance(mock.instance)
  await expect(window.logInButton).toBeVisible()
  // This browser does nothing, so the command waits for the login.
  const terminal = execa(process.execPath, ['out/main/cli.js', 'connect', 'internet', '--check'], {
    env: { CAUSEWAY_DATA_DIR: join(folder, 'data'), CAUSEWAY_BROWSER: `"${process.execPath}" -e 0` },
    reject: false,
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const whose = window.page.getByText(
    new RegExp(`The terminal command \\(process ${terminal.pid}\\) is using this connection`),
  )
  await expect(whose).toBeVisible()
  await window.expectWord('Continue in your browser')

  await window.cancelButton.press('Enter')
  const { exitCode, stdout } = await terminal
  expect(exitCode).toBe(130)
  expect(stdout).toContain(`A Causeway window (process ${app.pid}) cancelled the connection`)
  await window.expectWord('Not connected')
  await expect(whose).toHaveCount(0)
})
