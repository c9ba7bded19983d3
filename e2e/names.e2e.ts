import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

const views = ['Connection', 'Messages', 'Attachments', 'News', 'Organization', 'Settings']

test('a screen reader finds everything by its name', async ({ window, mock, handedOver, logIn }) => {
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
  for (const name of ['Internet Access', 'Office Network']) {
    const connect = profiles.filter({ hasText: name }).getByRole('button', { name: 'Connect', exact: true })
    await expect(connect).toHaveAccessibleDescription(name)
  }

  await window.connect('Office Network')
  if (!(await expectTunnel(window, mock))) return
  await expect(own.getByRole('status')).toContainText('Connected')
  await own.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(own.getByRole('status')).toContainText('Disconnected')
})

test('everything can be done with the keyboard', async ({ window, mock }) => {
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
