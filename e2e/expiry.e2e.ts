import { approve } from './browser'
import type { RunningApp } from './causeway-app'
import type { DesktopBus } from './desktop-bus'
import { closeWindow, isVisible, lookAway, test } from './desktop-fixtures'
import { expect } from './fixtures'
import { expectTunnel } from './tunnel'

const hour = 3600

/** What was told of the login; of the connection the desktop is told too. */
function toldOfLogin(desktop: DesktopBus): string[] {
  return desktop.titles.filter((title) => title.startsWith('Your login'))
}

/** Sets the clock of the app, though not that of the window, by so many seconds; the next one counts from the true time. */
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

test('a login that ends soon is told of, counted down and renewed; cancelled, it stays as it was', async ({
  app,
  window,
  mock,
  page,
  logIn,
  handedOver,
  desktop,
}) => {
  const renew = window.page.getByRole('button', { name: 'Renew' })
  // An hour ago somebody logged in for three hours: it is told of two hours before the end, and may be renewed.
  await mock.control('POST', 'clock', { advanceSeconds: -hour })
  await mock.control('POST', 'session', { endsInSeconds: 3 * hour - 5 })
  await window.addInstance(mock.instance)
  await logIn(window)
  await lookAway(app)
  await window.connect('Office Network')
  if (!(await expectTunnel(window, mock))) return
  await expect(window.page.getByText(/^Your login for .* expires in (2 h 0|1 h 59) min\.$/)).toBeVisible()
  await expect(window.page.getByText('Your login expires soon.')).toBeVisible()
  await expect
    .poll(() => toldOfLogin(desktop))
    .toEqual([expect.stringMatching(/^Your login expires at \d+:\d\d.[AP]M$/)])
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  desktop.clickNotification(toldOfLogin(desktop)[0] ?? '')
  await expect.poll(() => isVisible(app)).toBe(true)

  await renew.click()
  await handedOver.address(2)
  await window.expectWord('Disconnected')
  await expect(window.page.getByText(/^Renewing your login/)).toBeVisible()
  await window.page.getByRole('button', { name: 'Cancel' }).click()
  await expectTunnel(window, mock)
  await expect(window.alerts).toHaveCount(0)
  await expect(window.profile('Office Network')).toContainText('In use')
  expect(await mock.grants()).toEqual(['authorization_code'])

  await mock.control('POST', 'session', { endsInSeconds: 90 * 24 * hour })
  await renew.click()
  await approve(page, await handedOver.address(3))
  await expectTunnel(window, mock)
  await expect(window.profile('Office Network')).toContainText('In use')
  await expect(window.page.getByText(/^Your login for .* expires on .+ \d{4}\.$/)).toBeVisible()
  await expect(window.page.getByText('Your login expires soon.')).toHaveCount(0)
  await expect(renew).toHaveCount(0)
  expect(await mock.grants()).toEqual(['authorization_code', 'authorization_code'])
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(2)
  expect(toldOfLogin(desktop)).toHaveLength(1)
})

test('a wrong clock is named; a computer that sleeps past the end of its login says so, and one click leads back', async ({
  app,
  window,
  mock,
  page,
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
  if (!(await expectTunnel(window, mock))) return
  await lookAway(app)
  await setClock(app, 13 * hour)
  await mock.control('POST', 'scenarios/session-over')
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
  await window.expectWord('Disconnected')
  await window.expectError('session/over', 'Your login has expired.')
  await expect.poll(() => toldOfLogin(desktop)).toEqual(['Your login has expired'])
  await expect(window.logInButton).toBeVisible()

  await window.page.getByRole('button', { name: 'Renew' }).click()
  await approve(page, await handedOver.address(2))
  await expectTunnel(window, mock)
  await expect(window.profile('Office Network')).toContainText('In use')
  await expect(window.logOutButton).toBeVisible()
})
