import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { approveWithoutBrowser, HandedOver } from './browser'
import { startApp, type AppOptions, type RunningApp } from './causeway-app'
import type { CausewayWindow } from './causeway-window'
import { forgetSecrets } from './key-store'
import { MockServer } from './mock-server'
import { processesWith } from './processes'
import { startTokenProxy, type TokenProxy } from './token-proxy'

export { expect }

interface TestFixtures {
  /** The mock server in its initial state, without secrets of it in the key store. */
  mock: MockServer
  /** Temporary folder of the test. */
  folder: string
  handedOver: HandedOver
  /** Starts token proxies (token-proxy.ts) and closes them after the test. */
  expireTokens: (...grants: readonly string[]) => Promise<TokenProxy>
  /** Starts the app on the test's data directory and quits it after the test. */
  launch: (options?: Partial<AppOptions>) => Promise<RunningApp>
  app: RunningApp
  window: CausewayWindow
  /** Clicks Log in and approves, without a browser. */
  logIn: (window: CausewayWindow) => Promise<void>
  /** The window after adding the mock's instance and logging in. */
  loggedIn: CausewayWindow
}

interface WorkerFixtures {
  /** Port of the mock server; 0, the default, for a free one. */
  mockPort: number
  mockProcess: MockServer
}

/**
 * Fixtures: the mock server, the app, and (as `page`) the browser for logins. (Playwright requires a destructuring
 * pattern even for no fixtures: hence `_`.)
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  mockPort: [0, { option: true, scope: 'worker' }],
  mockProcess: [
    async ({ mockPort }, use) => {
      const mock = await MockServer.start(mockPort)
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
    // Helper processes of a killed app exit a moment later and may still write files.
    await expect.poll(() => processesWith(folder)).toEqual([])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  handedOver: async ({ playwright: _ }, use) => {
    const handedOver = await HandedOver.listen()
    await use(handedOver)
    await handedOver.close()
  },
  expireTokens: async ({ mock }, use) => {
    const proxies: TokenProxy[] = []
    await use(async (...grants) => {
      const proxy = await startTokenProxy(mock, grants)
      proxies.push(proxy)
      return proxy
    })
    for (const proxy of proxies) await proxy.close()
  },
  launch: async ({ mock: _, folder, handedOver }, use, testInfo) => {
    const started: RunningApp[] = []
    await use(async (options = {}) => {
      const app = await startApp({
        dataDir: join(folder, 'data'),
        browser: handedOver.command,
        ...options,
      })
      started.push(app)
      if (testInfo.retry > 0) await app.electron.context().tracing.start({ snapshots: true })
      return app
    })
    const failed = testInfo.status !== testInfo.expectedStatus
    for (const [index, app] of started.entries()) {
      const path = testInfo.outputPath(`app-${index + 1}.zip`)
      if (app.isRunning() && testInfo.retry > 0)
        await app.electron.context().tracing.stop(failed ? { path } : {})
      await app.quit()
      if (failed)
        await testInfo.attach('output of the app', { body: app.output(), contentType: 'text/plain' })
    }
  },
  page: async ({ page }, use, testInfo) => {
    await use(page)
    if (testInfo.status === testInfo.expectedStatus) return
    // Pictures aren't in the output of a run, which is often all there is.
    const text = await page.innerText('body', { timeout: 1000 }).catch(String)
    const body = `${page.url().replace(/\?.*/, '')}\n${text}`
    await testInfo.attach('page in the browser', { body, contentType: 'text/plain' })
  },
  app: async ({ launch }, use) => {
    await use(await launch())
  },
  window: async ({ app }, use) => {
    await use(app.window)
  },
  logIn: async ({ handedOver }, use) => {
    await use(async (window) => {
      const next = handedOver.count + 1
      await window.logInButton.click()
      await approveWithoutBrowser(await handedOver.address(next))
    })
  },
  loggedIn: async ({ window, mock, logIn }, use) => {
    await window.addInstance(mock.instance)
    await logIn(window)
    await window.firstProfile.waitFor()
    await use(window)
  },
})
