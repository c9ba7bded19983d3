import type { Locator, Page } from '@playwright/test'
import { approve, type HandedOver } from './browser'
import { sendState, type RunningApp, type Slices } from './causeway-app'
import { expect, test } from './fixtures'
import type { MockServer } from './mock-server'
import { expectTunnel } from './tunnel'

const { step } = test

export interface TourParts {
  readonly app: RunningApp
  readonly mock: MockServer
  readonly handedOver: HandedOver
  /** Browser for the login. */
  readonly browser: Page
}

/**
 * Visits everything that the window can show, from the first start to an unreachable service, and calls `look` at
 * each stop. The window must be in English before and after each call.
 */
export async function tour(parts: TourParts, look: (stop: string) => Promise<void>): Promise<void> {
  const { app, mock } = parts
  const { window } = app
  const { page } = window
  const main = page.getByRole('main')
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true }).first()
  const stop = (name: string): Promise<void> => step(`look at ${name}`, () => look(name))
  const show = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click()

  await step('first start', async () => {
    await expect(window.place).toBeVisible()
    await stop('Connection: first start')
    await window.continueWith('Example University')
    await expect(window.alerts).toBeVisible()
    await stop('Connection: a name without a list')
    await window.continueWith('http://127.0.0.1:1/')
    await expect(window.note('http/unreachable')).toBeVisible()
    await stop('Connection: a wrong address')
    await show('Settings')
    await expect(main.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await stop(`Settings: before the first service`)
  })

  await step('login', async () => {
    await show('Connection')
    await window.continueWith(mock.instance)
    await expect(button('Back')).toBeVisible()
    await parts.handedOver.address(1)
    await stop('Connection: the first sign-in')
    await button('Back').press('Enter')
    await expect(window.place).toBeVisible()
    await window.addInstance(mock.instance)
    await expect(window.logInButton).toBeVisible()
    await stop('Connection: logged out')
    await window.logInButton.click()
    await expect(button('Open browser again')).toBeVisible()
    await stop('Connection: waiting for the browser')
    await approve(parts.browser, await parts.handedOver.address(2))
    await expect(window.profile('Internet Access')).toBeVisible()
    await stop('Connection: logged in')
  })

  await step('connection', async () => {
    await mock.fault('/api/vpn/profile_config', { status: 403, body: { error: 'not for you' } })
    await window.connect('Internet Access')
    await window.expectWord("Couldn't connect")
    await stop('Connection: failed')
    await mock.control('DELETE', 'faults')
    await step('states that need an accident', async () => {
      const target = { instanceId: mock.host, profileId: 'internet' }
      const states = {
        reconnecting: {
          connection: { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' },
        },
        'traffic blocked': {
          connection: { state: 'disconnected', target },
          killSwitch: { here: 'available', blocks: true },
        },
        'OpenVPN is missing': {
          connection: { state: 'failed', target, error: { code: 'openvpn/not-found', message: '' } },
        },
      }
      const { connection, killSwitch } = await page.evaluate<Slices>('causeway.state()')
      const real = { connection, killSwitch }
      for (const [name, slices] of Object.entries(states)) {
        await sendState(app.electron, { ...real, ...slices })
        await expect(window.status).toBeVisible()
        await stop(`Connection: ${name}`)
      }
      await sendState(app.electron, real)
    })
    await step('another service', async () => {
      await button('Add a service').click()
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
      await stop('Connection: adding a service')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    })
    await window.connect('Internet Access')
    if (await expectTunnel(window, mock)) {
      await stop('Connection: connected')
      await button('Details').click()
      await expect(page.getByText('VPN log')).toBeVisible()
      await stop('Connection: connected, with details')
    }
  })

  await step('messages', async () => {
    await show('Messages')
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await stop('Messages')
  })

  await step('attachments', async () => {
    const person = { instanceId: mock.host, userId: 'anna', roles: 'ADMINISTRATOR' }
    expect(await window.run('setInstanceSettings', person)).toMatchObject({ ok: true })
    await show('Attachments')
    const list = page.getByRole('list', { name: 'List of attachments' })
    await expect(list.getByRole('button').first()).toBeVisible()
    await stop('Attachments: list')
    await list
      .getByRole('button', { name: /File \(\w+\)$/ })
      .first()
      .click()
    await expect(page.getByRole('region', { name: 'Details' }).getByText('Size')).toBeVisible()
    await stop('Attachments: details')
    await button('Close').click()
    await button('Filter').click()
    await stop('Attachments: filter')
    await button('Filter').click()
    await button('Add link').click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
    await stop('Attachments: a new link')
    await button('Cancel').click()
  })

  await step('news', async () => {
    await show('News')
    await expect(page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first()).toBeVisible()
    await stop('News: club')
    await page.getByRole('button', { name: /network namespaces/ }).click()
    await expect(main.getByRole('article').getByRole('figure').first()).toBeVisible()
    await stop('News: an entry')
    await button('Report a typo').click()
    await stop('News: report of a typo')
    const section = (name: string): Locator =>
      page.getByRole('radiogroup', { name: 'News sections' }).locator('label', { hasText: name })
    await section('Tweets').click()
    await expect(page.getByRole('list', { name: 'Tweets' }).getByRole('article').first()).toBeVisible()
    await stop('News: tweets')
    await section('News').click()
    await expect(page.getByRole('list', { name: 'News items' }).getByRole('listitem').first()).toBeVisible()
    await stop('News: items')
    await section('Account').click()
    await expect(main.getByRole('combobox', { name: 'Person' })).toBeVisible()
    await stop('News: account')
    await section('Search').click()
    await expect(button('Search')).toBeVisible()
    await stop('News: search')
  })

  await step('organization', async () => {
    await show('Organization')
    const users = page.getByRole('list', { name: /^Users of/ })
    await expect(users.getByRole('button').first()).toBeVisible()
    await stop('Organization: users')
    await users.getByRole('button').first().click()
    await expect(page.getByRole('region', { name: 'Details' }).getByText('User number')).toBeVisible()
    await stop('Organization: a user')
    for (const name of [
      'Add user',
      'Sign in to this service',
      'About this organization',
      'Show another organization',
    ]) {
      await button(name).click()
      await stop(`Organization: ${name}`)
    }
  })

  await step('settings', async () => {
    await show('Settings')
    await stop('Settings')
    await window.showSettings('Connection')
    await stop('Settings: connection')
    await window.showSettings('Services')
    await button(`Settings of ${mock.host}`).click()
    await expect(page.getByRole('textbox', { name: 'Client ID' })).toBeVisible()
    await stop('Settings: with those of an instance')
    await button('Cancel').click()
    await button('Remove').click()
    await stop('Settings: before an instance is removed')
    await button('Keep').click()
    await window.showSettings('List of organizations')
    await stop('Settings: list of organizations')
    await window.showSettings('Support')
    await page.getByRole('link', { name: 'Check this computer' }).click()
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await stop('Check this computer')
  })

  await step('without the service', async () => {
    await mock.control('POST', 'faults', { match: {}, fault: { reset: true } })
    for (const view of ['Messages', 'Attachments', 'News', 'Organization']) {
      await show(view)
      const close = main.getByRole('button', { name: 'Close', exact: true })
      if (await close.isVisible()) await close.click()
      if (view === 'News')
        await page
          .getByRole('radiogroup', { name: 'News sections' })
          .locator('label', { hasText: 'Community' })
          .click()
      await button('Refresh').click()
      await expect(
        page
          .getByText(/can't be reached/)
          .or(window.alerts)
          .first(),
      ).toBeVisible()
      await stop(`${view}: offline`)
    }
  })
}
