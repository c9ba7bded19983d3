import { join } from 'node:path'
import { execa } from 'execa'
import { appEnvironment, electronPath, switches } from './causeway-app'
import { expect, test } from './fixtures'

/** One link for each way in which the system may pass it on wrongly; main/portal/instance/typed-place.test.ts tries all kinds. */
const hostile = [
  'causeway://add/',
  'causeway://connect/',
  'causeway://add/https://user:secret@vpn.example.org/',
  'causeway://add/vpn.example.org%0d%0aconnect',
  'causeway://add/%E2%80%AEgro.elpmaxe.npv',
  'causeway://add/--connect',
  `causeway://add/${'a'.repeat(5000)}.example.org`,
  'causeway:add/vpn.example.org',
]

test('a link only fills the field, and hostile ones do nothing at all', async ({
  app,
  window,
  mock,
  folder,
  handedOver,
}) => {
  const { page } = window
  const open = (...args: readonly string[]) =>
    execa(electronPath, [...switches, '.', ...args], {
      env: appEnvironment({ dataDir: join(folder, 'data'), browser: 'false' }),
      extendEnv: false,
    })
  const state = () => page.evaluate<{ instances: unknown[]; connection: unknown }>('window.causeway.state()')
  const nothing = async (what: string): Promise<void> => {
    expect(await state(), what).toMatchObject({ instances: [], connection: { state: 'idle' } })
    expect(await mock.requests(), what).toEqual([])
    expect(handedOver.count, what).toBe(0)
    expect(app.electron.windows(), what).toHaveLength(1)
  }
  for (const link of hostile) {
    await open(link)
    await nothing(link)
    await expect(window.place).toHaveValue('')
  }
  // What follows a link may have been a part of it.
  await open('causeway://add/', '--connect', `--browser=/bin/true`)
  await nothing('options after a link')

  await open(`causeway://add/${mock.instance}`)
  await expect(window.place).toHaveValue(mock.instance)
  await expect(window.place).toBeFocused()
  await nothing('a good link')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible()
})

test('a link that starts the app fills the field', async ({ launch, mock }) => {
  const { window } = await launch({ link: `causeway://add/${encodeURIComponent(mock.instance)}` })
  await expect(window.place).toHaveValue(mock.instance)
  expect(await mock.requests()).toEqual([])
})
