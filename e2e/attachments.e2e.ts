import { expect, test } from './fixtures'

test('the newest attachments of the instance are listed, and said to be missing when they cannot be', async ({
  loggedIn: window,
  mock,
}) => {
  const attachments = window.page.getByRole('main').getByRole('listitem')
  await mock.fault('/v2.0.0/attachments/', { status: 503, body: { message: 'Down for now' } })
  await window.page.getByRole('link', { name: 'Attachments' }).click()
  await window.expectError('attachments/refused', 'refused the request')
  await mock.control('DELETE', 'faults')
  await window.page.getByRole('button', { name: 'Refresh' }).click()
  await expect(attachments).toHaveCount(40)
  await expect(attachments.first()).toContainText(/Link|File/)
  await expect(window.alerts).toHaveCount(0)
})
