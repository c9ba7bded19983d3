import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { HandedOver, approve } from './browser'
import { startApp, type AppOptions, type RunningApp } from './causeway-app'
import type { CausewayWindow } from './causeway-window'
import { forgetSecrets } from './key-store'
import { MockServer } from './mock-server'

export { expect } from '@playwright/test'

interface TestFixtures {
  /** At its seed, with nothing in the key store about it. */
  mock: MockServer
  /** A folder of the test's own. */
  folder: string
  handedOver: HandedOver
  /** Starts the app on the test's data directory; what still runs at the end of the test is ended. */
  launch: (options?: Partial<AppOptions>) => Promise<RunningApp>
  app: RunningApp
  window: CausewayWindow
  /** Presses Log in and approves in Chromium. */
  logIn: (window: CausewayWindow) => Promise<void>
  /** The window with the mock's instance added and logged in at. */
  loggedIn: CausewayWindow
}

interface WorkerFixtures {
  mockProcess: MockServer
}

// Playwright wants a pattern of fixtures even from a fixture that needs none of them.

/** The tests' parts: the mock server, the app, and (as `page`) the browser in which logins are approved. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  mockProcess: [
    async ({ playwright: _ }, use) => {
      const mock = await MockServer.start()
      await use(mock)
      await mock.stop()
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockProcess }, use) => {
    await mockProcess.control('POST', 'reset')
    await use(mockProcess)
    await forgetSecrets(mockProcess.host)
  },
  folder: async ({ playwright: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-e2e-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  handedOver: async ({ playwright: _ }, use) => {
    const handedOver = await HandedOver.listen()
    await use(handedOver)
    await handedOver.close()
  },
  launch: async ({ folder, handedOver }, use, testInfo) => {
    const started: RunningApp[] = []
    await use(async (options = {}) => {
      const app = await startApp({
        dataDir: join(folder, 'data'),
        browser: handedOver.command,
        ...options,
      })
      started.push(app)
      return app
    })
    for (const app of started) {
      await app.quit()
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('output of the app', { body: app.output(), contentType: 'text/plain' })
      }
    }
  },
  app: async ({ launch }, use) => {
    await use(await launch())
  },
  window: async ({ app }, use) => {
    await use(app.window)
  },
  logIn: async ({ page, handedOver }, use) => {
    await use(async (window) => {
      const next = handedOver.count + 1
      await window.logInButton.click()
      await approve(page, await handedOver.address(next))
    })
  },
  loggedIn: async ({ window, mock, logIn }, use) => {
    await window.addInstance(mock.instance)
    await logIn(window)
    await window.logOutButton.waitFor()
    await use(window)
  },
})
