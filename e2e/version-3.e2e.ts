import { expect, test } from './fixtures'
import { requireTunnel } from './tunnel'

const disconnect = ['POST', '/api/v3/disconnect'] as const

test('a portal of version 3 looks like any other one, without what its version lacks', async ({
  app,
  window,
  mock,
  logIn,
}) => {
  await mock.control('PUT', 'portal', { api: '3' })
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access').first()).toBeVisible()
  const research = window.profile('Research Network (WireGuard)')
  await expect(research).toContainText('Needs WireGuard: install Causeway again')
  await expect(research.getByRole('button', { name: /^Connect/ })).toBeDisabled()
  await expect(window.page.getByRole('link', { name: 'Attachments' })).toBeVisible()
  await expect(window.page.getByRole('link', { name: 'Messages' })).toHaveCount(0)

  await window.connect('Office Network')
  await requireTunnel(window, mock)
  expect(await mock.count(...disconnect)).toBe(0)
  await window.disconnect()
  expect(await mock.count(...disconnect)).toBe(1)

  await window.connect('Office Network')
  await window.expectWord('Connected')
  await app.quit()
  expect(await mock.count(...disconnect), 'quitting tells the portal').toBe(2)
})
