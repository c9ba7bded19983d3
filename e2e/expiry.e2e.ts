import { approveWithoutBrowser } from './browser'
import type { RunningApp } from './causeway-app'
import type { DesktopBus } from './desktop-bus'
import { closeWindow, isVisible, lookAway, test } from './desktop-fixtures'
import { expect } from './fixtures'
import { expectTunnel, requireTunnel } from './tunnel'

const hour = 3600

/** Titles of notifications about the login; others are about the connection. */
function toldOfLogin(desktop: DesktopBus): string[] {
  return desktop.titles.filter((title) => title.startsWith('Your access'))
}

/** Sets the app's clock, but not the window's, this many seconds ahead of the real time. */
async function setClock({ electron }: RunningApp, ahead: number): Promise<void> {
  await electron.evaluate((_, offset) => {
    const world = globalThis as unknown as { Date: DateConstructor; trueDate?: DateConstructor }
    const True = (world.trueDate ??= world.Date)
    world.Date = class extends True {
      constructor(...given: [] | [number]) {
        super(given.length === 0 ? True.now() + offset : given[0])
      }

      static override now(): number {
        return True.now() + offset
      }
    } as DateConstructor
  }, ahead * 1000)
}

test('announces the expiry of a login, counts down and renews it; a cancelled renewal changes nothing', async ({
  app,
  window,
  mock,
  logIn,
  handedOver,
  desktop,
}) => {
  const renew = window.page.getByRole('button', { name: 'Renew' })
  // A login of three hours from an hour ago: announced two hours before its end, when it can be renewed.
  await mock.control('POST', 'clock', { advanceSeconds: -hour })
  await mock.control('POST', 'session', { endsInSeconds: 3 * hour - 5 })
  await window.addInstance(mock.instance)
  await logIn(window)
  // Causeway has come to the front by then, as it does when the browser returns.
  await window.firstProfile.waitFor()
  await lookAway(app)
  await window.connect('Office Network')
  await requireTunnel(window, mock)
  await expect(window.page.getByText(/Access ends in (2 h 0|1 h 59) min/)).toBeVisible()
  await expect(window.page.getByText('Your access ends soon.')).toBeVisible()
  await expect
    .poll(() => toldOfLogin(desktop))
    .toEqual([expect.stringMatching(/^Your access ends at \d+:\d\d.[AP]M$/)])
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  desktop.clickNotification(toldOfLogin(desktop)[0] ?? '')
  await expect.poll(() => isVisible(app)).toBe(true)

  await renew.click()
  await handedOver.address(2)
  // The tunnel stays until the new login is there.
  await window.expectWord('Continue in your browser')
  await window.expectSentence('You stay connected.')
  await expect(window.profile('Office Network')).toContainText('Active')
  await window.cancelButton.press('Enter')
  await expectTunnel(window, mock)
  await expect(window.alerts).toHaveCount(0)
  await expect(window.profile('Office Network')).toContainText('Active')
  expect(await mock.grants()).toEqual(['authorization_code'])

  await mock.control('POST', 'session', { endsInSeconds: 90 * 24 * hour })
  await renew.click()
  await approveWithoutBrowser(await handedOver.address(3))
  await expectTunnel(window, mock)
  await expect(window.profile('Office Network')).toContainText('Active')
  await expect(window.page.getByText(/Access until .+ \d{4}/)).toBeVisible()
  await expect(window.page.getByText('Your access ends soon.')).toHaveCount(0)
  await expect(renew).toHaveCount(0)
  expect(await mock.grants()).toEqual(['authorization_code', 'authorization_code'])
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(2)
  expect(toldOfLogin(desktop)).toHaveLength(1)
})

test('names a wrong clock; after sleeping past the expiry, explains it and reconnects by one click', async ({
  app,
  window,
  mock,
  logIn,
  handedOver,
  desktop,
}) => {
  await mock.control('POST', 'session', { endsInSeconds: 12 * hour })
  await window.addInstance(mock.instance)
  await logIn(window)
  await setClock(app, -48 * hour)
  await window.connect('Office Network')
  await window.expectError('clock/wrong', 'clock is 2 days behind the clock of')

  await setClock(app, 0)
  await window.connect('Office Network')
  await requireTunnel(window, mock)
  await lookAway(app)
  await setClock(app, 13 * hour)
  await mock.control('POST', 'scenarios/session-over')
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
  await window.expectWord('Not connected')
  await window.expectError('session/over', /^Your access .*has ended\./)
  await expect.poll(() => toldOfLogin(desktop)).toEqual(['Your access has ended'])
  // One verb: Renew.
  await expect(window.logInButton).toHaveCount(0)

  // With a key: a click just after a change of the button would be ignored.
  await window.page.getByRole('button', { name: 'Renew', exact: true }).press('Enter')
  await approveWithoutBrowser(await handedOver.address(2))
  await expectTunnel(window, mock)
  await expect(window.profile('Office Network')).toContainText('Active')
  await expect(window.firstProfile).toBeVisible()
})
