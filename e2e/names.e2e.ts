import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

const views = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']

test('names everything for screen readers', async ({ window, mock, handedOver, logIn }) => {
  const { page: own } = window
  await expect(own).toHaveURL(/^app:/)
  await expect(own.getByRole('navigation').getByRole('link')).toHaveText(views)
  await expect(own.getByRole('textbox', { name: 'Address', exact: true })).toBeVisible()
  await expect(own.getByRole('button', { name: 'Add instance', exact: true })).toBeVisible()
  await window.addInstance(mock.instance)

  await expect(own.getByRole('status')).toHaveCount(1)
  await own.getByRole('button', { name: 'Log in', exact: true }).click()
  await handedOver.address(1)
  await own.getByRole('button', { name: 'Cancel', exact: true }).click()
  await logIn(window)
  await expect(own.getByRole('button', { name: 'Log out', exact: true })).toBeVisible()

  const profiles = own.getByRole('list', { name: `Profiles of ${mock.host}` }).getByRole('listitem')
  await expect(profiles).toHaveCount(2)
  for (const [name, facts] of [
    ['Internet Access', 'all traffic'],
    ['Office Network', "organization's networks only"],
  ] as const) {
    const connect = profiles.getByRole('button', { name: `Connect: ${name}`, exact: true })
    await expect(connect).toHaveText('Connect')
    await expect(connect).toHaveAccessibleDescription(facts)
  }

  await window.connect('Office Network')
  if (!(await expectTunnel(window, mock))) return
  await expect(own.getByRole('status')).toContainText('Connected')
  await own.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(own.getByRole('status')).toContainText('Disconnected')
})

test('adds an instance and changes the view by keyboard', async ({ window, mock }) => {
  const { keyboard } = window.page
  const field = window.page.getByRole('textbox', { name: 'Address' })
  await field.focus()
  await keyboard.type(mock.instance)
  await keyboard.press('Enter')
  await expect(window.logInButton).toBeVisible()

  await window.page.getByRole('link', { name: 'Connection' }).focus()
  await keyboard.press('Tab')
  await expect(window.page.getByRole('link', { name: 'Messages' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(window.page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await expect(window.page.getByRole('link', { name: 'Messages' })).toHaveAttribute('aria-current', 'page')
})
