import { expect, test } from './fixtures'

test('from the first start to a tunnel and back', async ({ window, mock, handedOver, logIn }) => {
  const { page } = window
  expect(page.url()).toMatch(/^app:/)
  await window.addInstance(mock.instance)
  await expect(page.getByRole('heading', { name: mock.host })).toBeVisible()
  await expect(page.getByText('Not logged in')).toBeVisible()

  await logIn(window)
  expect(handedOver.count).toBe(1)
  await expect(window.profile('Internet Access')).toContainText('All your traffic goes through it')
  await expect(window.profile('Office Network')).toContainText('Only traffic to its network goes through it')

  await window.connect('Internet Access')
  await window.expectWord('Connected')
  await window.disconnect()
})
