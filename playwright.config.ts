import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Debian's Chromium for the logins; elsewhere the one that Playwright has installed. */
const chromium = '/usr/bin/chromium'
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

// What is trusted in a test is that test's decision; Node.js reads the first as it starts.
for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'])
  Reflect.deleteProperty(process.env, name)

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  // The pictures of the README are made on demand, so that a test run leaves the tree as it was.
  testIgnore: [
    ...(process.env.CAUSEWAY_PICTURES === undefined ? ['**/pictures.e2e.ts'] : []),
    // They see the tray and the notifications on the D-Bus.
    ...(process.platform === 'linux' ? [] : ['**/{tray,messages,expiry}.e2e.ts']),
  ],
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    // A film of each test would cost a tenth of the time; what the page was at each step is in the trace.
    trace: { mode: 'retain-on-failure', screenshots: false },
    actionTimeout: 15_000,
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      // Chromium refuses to start its sandbox as root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: quiet,
    },
  },
})
