import { join } from 'node:path'
import { execa } from 'execa'
import { AppearancePortal } from './appearance-portal'
import type { AppOptions, RunningApp } from './causeway-app'
import { Compositor } from './compositor'
import { test as base } from './fixtures'
import { needPrograms } from './needed-programs'

/** The switch of Chromium for a window of Wayland. */
export const onWayland = '--ozone-platform=wayland'

const otherWindow = join(import.meta.dirname, 'wayland/other-window.py')

interface WaylandFixtures {
  compositor: Compositor
  /** Starts the app as a window of Wayland. */
  launchOnWayland: (options?: Partial<AppOptions>) => Promise<RunningApp>
  /** Shows the window "Other" of another program, from which files can be dragged. */
  showOther: (...files: readonly string[]) => Promise<void>
  portal: AppearancePortal
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
        switches: [onWayland],
        env: { ...compositor.env, ...env },
      }),
    )
  },
  showOther: async ({ compositor }, use) => {
    const ends: (() => Promise<void>)[] = []
    await use(async (...files) => {
      needPrograms({ python3: 'python3-gi gir1.2-gtk-3.0' })
      const child = execa('/usr/bin/python3', [otherWindow, ...files], {
        env: { ...compositor.env, GDK_BACKEND: 'wayland' },
        stdio: 'ignore',
        reject: false,
      })
      ends.push(async () => {
        child.kill()
        await child
      })
      await compositor.window('Other')
    })
    for (const end of ends) await end()
  },
  portal: async ({ playwright: _ }, use) => {
    const portal = await AppearancePortal.start()
    await use(portal)
    portal.close()
  },
})
