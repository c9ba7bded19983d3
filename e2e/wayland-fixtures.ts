import type { AppOptions, RunningApp } from './causeway-app'
import { Compositor } from './compositor'
import { test as base } from './fixtures'

interface WaylandFixtures {
  compositor: Compositor
  /** Starts the app as a window of Wayland. */
  launchOnWayland: (options?: Partial<AppOptions>) => Promise<RunningApp>
}

/** Starts a compositor before the app. */
export const test = base.extend<WaylandFixtures>({
  compositor: async ({ playwright: _ }, use, testInfo) => {
    const compositor = await Compositor.start()
    await use(compositor)
    if (testInfo.status !== testInfo.expectedStatus) {
      const path = testInfo.outputPath('screen.png')
      await compositor.picture(path)
      await testInfo.attach('screen', { path })
    }
    await compositor.end()
  },
  launchOnWayland: async ({ compositor, launch }, use) => {
    await use(({ env, ...options } = {}) =>
      launch({
        ...options,
        switches: ['--ozone-platform=wayland'],
        env: { ...compositor.env, ...env },
      }),
    )
  },
})
