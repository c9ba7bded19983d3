import { expect, test } from '@playwright/test'
import { execa } from 'execa'

test('the demo in the terminal comes to its end', async () => {
  // Without other load, it takes half a minute.
  const demo = await execa(process.execPath, ['--import', 'tsx', 'scripts/demo/terminal.ts'], {
    all: true,
    reject: false,
    timeout: 150_000,
    killSignal: 'SIGINT',
  })
  expect(demo.all).toContain('Everything that was started has ended.')
  expect(demo.exitCode).toBe(0)
})
