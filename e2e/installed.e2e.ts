import { execa } from 'execa'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { layOutInstalled } from './installed-app'
import { expectTunnel } from './tunnel'

test.skip(process.platform === 'darwin', 'On macOS an app is a bundle, which takes packaging')

test('has its own page origin when installed, and works as from source', async ({
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
  await expect(window.profile('Office Network')).toContainText("organization's networks only")
  await window.connect('Internet Access')
  if (await expectTunnel(window, mock)) await window.disconnect()
})

test('is also the terminal command when installed, without a display or window', async ({ folder }) => {
  const program = await layOutInstalled(join(folder, 'installed'))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env
  const run = (...words: string[]) =>
    execa(program, [...asRoot, '--data-dir', join(folder, 'data'), ...words], {
      // Tunnels of other tests at the same time belong to another home folder.
      env: { ...env, HOME: folder },
      extendEnv: false,
      reject: false,
      timeout: 60_000,
    })
  expect(await run('--json', 'status')).toMatchObject({ exitCode: 0, stdout: '{"state":"disconnected"}' })
  expect(await run('--json', 'instance', 'list')).toMatchObject({ exitCode: 0, stdout: '[]' })
  expect(await run('status', '--nonsense')).toMatchObject({ exitCode: 2 })
  expect(await run('conect')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Did you mean connect?'),
  })
  expect((await run('--help')).stdout).toContain('helper')
})
