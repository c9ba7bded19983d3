import { approveWithoutBrowser } from './browser'
import { causewayTitle } from './compositor'
import { expect } from './fixtures'
import { expectTunnel } from './tunnel'
import { test } from './wayland-fixtures'

const { step } = test

/** The window on a Wayland desktop, with its mouse and keyboard. Runs with CAUSEWAY_WAYLAND=1, which the nightly tests set. */

test('connects from the first start on Wayland, with its mouse, keyboard and clipboard', async ({
  compositor,
  launchOnWayland,
  mock,
  handedOver,
}) => {
  const app = await launchOnWayland()
  const { window } = app
  const { page, stage } = window

  await step('shows the window, with the focus, under the name of its desktop entry', async () => {
    expect(await compositor.window(causewayTitle)).toMatchObject({ app_id: 'causeway' })
    await expect.poll(async () => (await compositor.window(causewayTitle)).focused).toBe(true)
    await expect(window.place).toBeFocused()
    const { rect } = await compositor.window(causewayTitle)
    expect(rect.width).toBe(880)
    await expect
      .poll(() => compositor.colour({ x: rect.x + rect.width - 8, y: rect.y + rect.height - 8 }))
      .toBe('#f6f7f9')
  })

  await step('types, clicks and copies', async () => {
    await compositor.type(mock.instance)
    await expect(window.place).toHaveValue(mock.instance)
    await compositor.click(page.getByRole('button', { name: 'Continue', exact: true }))
    const address = await handedOver.address(1)
    await compositor.click(page.getByRole('button', { name: 'Copy link', exact: true }))
    await expect.poll(() => compositor.pasted()).toContain('/oauth/authorize?client_id=')
    await approveWithoutBrowser(address)
    await window.firstProfile.waitFor()
  })

  await step('connects and disconnects', async () => {
    await compositor.click(
      window.profile('Internet Access').getByRole('button', { name: 'Connect: Internet Access' }),
    )
    if (!(await expectTunnel(window, mock))) return
    await expect(stage.getByText('Internet Access', { exact: true })).toBeVisible()
    // A click just after a change of the button does nothing.
    await expect(async () => {
      await compositor.click(window.disconnectButton)
      await expect(window.disconnectButton).toBeHidden({ timeout: 1000 })
    }).toPass()
    await window.expectWord('Not connected')
  })

  await step('closes by the compositor, and quits where there is no tray', async () => {
    const closed = app.electron.waitForEvent('close')
    await compositor.command('[app_id="causeway"]', 'kill')
    await closed
  })
})
