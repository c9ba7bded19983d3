import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Debian's Chromium for the logins; otherwise Playwright's own. */
const chromium = '/usr/bin/chromium'
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

// Each test decides which certificates it trusts. Playwright's workers read this file too, after the set-up, whose CA they trust.
if (process.env.TEST_AUTHORITY_KEY === undefined) {
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'])
    Reflect.deleteProperty(process.env, name)
}

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './scripts/test-authority.ts',
  testMatch: '**/*.e2e.ts',
  snapshotPathTemplate: 'e2e/screen-reader/{arg}{ext}',
  // The pictures of the README are made on request, so that a test run leaves the tree unchanged.
  testIgnore: [
    ...(process.env.CAUSEWAY_PICTURES === undefined ? ['**/{pictures,contact-sheets}.e2e.ts'] : []),
    // It takes a screen reader (scripts/nightly.ts).
    ...(process.env.CAUSEWAY_ORCA === undefined ? ['**/orca.e2e.ts'] : []),
    // They take a compositor, and a desktop's programs.
    ...(process.env.CAUSEWAY_WAYLAND === undefined ? ['**/wayland*.e2e.ts'] : []),
    ...(process.env.CAUSEWAY_DESKTOP === undefined ? ['**/real-desktop*.e2e.ts'] : []),
    // These tests watch the tray and the notifications on D-Bus.
    ...(process.platform === 'linux' ? [] : ['**/{tray,messages,expiry,quitting}.e2e.ts']),
  ],
  timeout: 180_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    // With `--retries=1`. A trace shows the page at each step, but takes a tenth of the time. The app's own is in
    // e2e/fixtures.ts.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    // Chromium reads no authority from a variable. The app does, and gets no such exception.
    ignoreHTTPSErrors: true,
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      // Chromium refuses to start its sandbox as root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: quiet,
    },
  },
})
