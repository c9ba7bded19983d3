import { approveWithoutBrowser } from './browser'
import { agreeInDialogs } from './causeway-app'
import { expect, test } from './fixtures'

const question = 'Where do you study or work?'

test('who types part of their organization’s name finds it, adds it with the keyboard, and logs in', async ({
  launch,
  mock,
  handedOver,
}) => {
  const { window } = await launch({ env: mock.lists })
  const { page } = window
  const field = page.getByRole('textbox', { name: question })
  await expect(field).toBeFocused()
  await expect.poll(() => mock.count('GET', '/discovery/server_list.json')).toBe(1)
  expect(await mock.count('GET', '/discovery/organization_list.json'), 'nobody searches yet').toBe(0)

  // In another language than that of the window, without its diacritics.
  await page.keyboard.type('namaakinst')
  const options = page.getByRole('listbox', { name: 'Organizations found' }).getByRole('option')
  await expect(options).toHaveText([/^Mock Institute/])
  expect(await mock.count('GET', '/discovery/organization_list.json')).toBe(1)
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')

  await approveWithoutBrowser(await handedOver.address(1))
  await expect(page.getByRole('heading', { name: /^Mock Institute/ })).toBeVisible()
  await window.choose('Help desk…')
  const help = page.getByRole('list', { name: 'Help desk of Mock Institute' })
  await expect(help).toContainText('helpdesk@mock-institute.example')
  await expect(window.profile('Internet Access')).toBeVisible()
})

test('a list that somebody else has signed is refused, and an address does instead', async ({
  launch,
  mock,
}) => {
  const key = 'RWRrhJLRtxnrDfd42nsPP7N2GO1uTi8P2SbX8bXzKiqXwq0GcWkI0mgi'
  const { window } = await launch({ env: { ...mock.lists, CAUSEWAY_DISCOVERY_KEY: key } })
  const { page } = window
  await page.getByRole('textbox', { name: question }).fill('mock')
  await expect(window.alerts).toContainText("isn't signed by its publisher")
  await page.getByRole('button', { name: 'Enter the VPN address' }).click()
  await window.continueWith(mock.instance)
  await expect(page.getByRole('status')).toContainText('Continue in your browser')
})

test('lists from the settings are searched at once; secure internet skips the choice of the organization, and works in another country', async ({
  launch,
  mock,
  handedOver,
}) => {
  const app = await launch()
  await agreeInDialogs(app)
  const { window } = app
  const { page } = window
  await expect(page.getByRole('textbox', { name: question })).toBeVisible()
  await window.showSettings('List of organizations')
  const form = page.getByRole('form', { name: 'List of organizations' })
  await form.getByRole('textbox', { name: 'Address of the list' }).fill(mock.lists.CAUSEWAY_DISCOVERY)
  await form.getByRole('textbox', { name: 'Public key' }).fill(mock.lists.CAUSEWAY_DISCOVERY_KEY)
  await form.getByRole('button', { name: 'Save list' }).click()
  await expect(form.getByText('Saved.')).toBeVisible()
  await window.show('Connection')
  await page.getByRole('textbox', { name: question }).fill('mock university')
  await page.getByRole('option', { name: /^Mock University/ }).click()
  await approveWithoutBrowser(await handedOver.address(1))
  await expect(page.getByRole('heading', { name: /^Mock University/ })).toBeVisible()
  await window.choose('Location…')
  const location = page.getByRole('combobox', { name: 'Location' })
  await expect(location.locator('option:checked')).toHaveText(/Netherlands$/)
  await expect(window.profile('Internet Access')).toBeVisible()
  expect(await mock.count('GET', '/discovery/skip-wayf')).toBe(1)

  await location.selectOption({ label: 'Germany' })
  await expect(location.locator('option:checked')).toHaveText(/Germany$/)
  await page.keyboard.press('Escape')
  await window.choose('Help desk…')
  await expect(page.getByText('secure-internet@de.example')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(window.profile('Internet Access')).toBeVisible()
  expect(await mock.grants(), 'the login stays').toEqual(['authorization_code'])
})
