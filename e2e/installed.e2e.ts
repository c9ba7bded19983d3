import { join } from 'node:path'
import { expect, test } from './fixtures'
import { layOutInstalled } from './installed-app'
import { expectTunnel } from './tunnel'

test('installed, the page has an origin of its own, and everything works as from source', async ({
  launch,
  mock,
  folder,
  logIn,
}) => {
  const { window } = await launch({ installed: await layOutInstalled(join(folder, 'installed')) })
  expect(await window.page.evaluate('location.origin')).toBe('app://causeway')
  expect(await window.page.evaluate('window.isSecureContext')).toBe(true)
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Office Network')).toContainText('Only traffic to its network goes through it')
  await window.connect('Internet Access')
  if (await expectTunnel(window, mock)) await window.disconnect()
})
