import { expect, test } from './fixtures'
import { helperInNamespace } from './helper-in-namespace'

test('shows the kill switch that a failed connection left, also after a restart, and lifts it', async ({
  launch,
  mock,
  logIn,
  folder,
}) => {
  const helper = await helperInNamespace(folder)
  if (helper === undefined) {
    process.stderr.write(
      'Left out: the kill switch in the window, which needs root and network namespaces.\n',
    )
    return
  }
  try {
    const first = await launch({ installed: helper.app })
    await first.window.addInstance(mock.instance)
    await logIn(first.window)
    await first.window.showSettings('Connection')
    const killSwitch = first.window.page.getByRole('switch', { name: 'Kill switch' })
    await killSwitch.press('Space')
    await expect(killSwitch).toBeChecked()
    await first.window.show('Connection')
    await first.window.connect('Office Network')
    await first.window.expectError('openvpn/unreachable', "None of this profile's servers responded")
    await first.window.expectSentence("You're not connected, and the kill switch is blocking your traffic.")
    expect(await helper.isBlocked()).toBe(true)
    await first.quit()

    const { window } = await launch({ installed: helper.app })
    await window.expectSentence("You're not connected, and the kill switch is blocking your traffic.")
    await window.page.getByRole('button', { name: 'Allow traffic' }).click()
    await window.expectSentence("Your traffic doesn't use the VPN.")
    await expect(window.page.getByRole('button', { name: 'Allow traffic' })).toHaveCount(0)
    expect(await helper.isBlocked()).toBe(false)
  } finally {
    await helper.remove()
  }
})
