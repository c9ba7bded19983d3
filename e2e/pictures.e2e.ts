import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { sendState, setWidth, type Slices, drawn } from './causeway-app'
import { animatedPng, type Frame } from './animated-png'
import { connectionStates } from './connection-states'
import { expect, test } from './fixtures'

const folder = join(import.meta.dirname, '..', 'docs', 'pictures')

const { step } = test

// The mock server's usual port, so that the pictures change only with the window.
test.use({ mockPort: 5006 })

const hour = 3_600_000

/** What the service tells, from before now. */
function messages(): readonly object[] {
  const texts = [
    'Maintenance on Sunday between 06:00 and 08:00 UTC: connections may drop for some minutes.',
    'The office network has a new address range. Reconnect to use it.',
    'Welcome to the VPN of Example University. Help: https://it.example.org/vpn',
  ]
  return texts.map((message, index) => ({
    message,
    date_time: new Date(Date.now() - (3 + 30 * index) * hour).toISOString(),
  }))
}

/** Takes the pictures for README and documentation. Needs a tunnel; runs only with CAUSEWAY_PICTURES=1. */
test('pictures', async ({ launch, mock, logIn }) => {
  const app = await launch({ language: 'system', env: mock.lists })
  const { window } = app
  const { page } = window
  const main = page.getByRole('main')
  const picture = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  }
  const theme = async (value: 'light' | 'dark'): Promise<void> => {
    await page.evaluate(`causeway.run('setSetting', ${JSON.stringify({ name: 'theme', value })})`)
    await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(value)
  }
  const show = (view: string): Promise<void> => page.getByRole('link', { name: view, exact: true }).click()

  expect(mock.tunnel.mode, 'pictures need the rights for a tunnel').toBe('full')
  await mock.control('PUT', 'system-messages', messages())
  await setWidth(app, 1240)
  await theme('light')
  await window.place.fill('aalberg')
  await expect(page.getByRole('option').first()).toBeVisible()
  await picture('first-run-light')
  await window.place.fill('')

  await step('connection', async () => {
    await window.addInstance(mock.instance)
    const name = { instanceId: mock.host, name: 'Example University' }
    expect(await window.run('setInstanceSettings', name)).toMatchObject({ ok: true })
    await logIn(window)
    await expect(window.profile('Internet Access')).toBeVisible()

    // Delay the state so that it can be photographed.
    await mock.fault('/api/vpn/profile_config', { delayMs: 2000 })
    await window.connect('Office Network')
    await window.expectSentence('Getting your configuration…')
    await picture('connecting-light')
    await mock.control('DELETE', 'faults')
    await window.expectWord('Connected')
    await expect(page.getByRole('timer')).toHaveText(/:0[3-9]/)
    await picture('connected-light')
    await theme('dark')
    await picture('connected-dark')
    await setWidth(app, 400)
    await picture('connected-narrow-dark')
    await theme('light')
    await picture('connected-narrow-light')
    await setWidth(app, 1240)
    await page.getByRole('button', { name: 'Details', exact: true }).click()
    await expect(page.getByText('VPN log')).toBeVisible()
    // Traffic for the chart. It ends even if the test fails.
    const traffic = execa('ping', ['-i', '0.05', '-s', '1200', '-w', '60', mock.tunnel.pingAddress ?? ''], {
      reject: false,
    })
    await expect
      .poll(
        async () =>
          (await page.locator('[class*=downLine][d]').last().getAttribute('d'))?.split('L').length ?? 0,
        {
          timeout: 40_000,
        },
      )
      .toBeGreaterThan(20)
    traffic.kill()
    await page.getByText('VPN log').scrollIntoViewIfNeeded()
    await picture('details-light')
  })

  await step('the other views', async () => {
    await show('Messages')
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await picture('messages-light')
    await show('Attachments')
    const attachments = page.getByRole('list', { name: 'List of attachments' }).getByRole('button')
    await attachments.first().click()
    await expect(page.getByRole('region', { name: 'Details' }).getByRole('heading')).toBeVisible()
    await picture('attachments-light')
    await show('News')
    await page.getByRole('button', { name: /network namespaces/ }).click()
    await expect(main.getByRole('article').getByRole('figure').first()).toBeVisible()
    await theme('dark')
    await picture('news-dark')
    const named = { instanceId: mock.host, place: 'current', name: 'Example University' }
    expect(await window.run('updateOrganization', named)).toMatchObject({ ok: true })
    await show('Organization')
    await expect(main.getByRole('heading', { name: 'Example University', exact: true })).toBeVisible()
    await page
      .getByRole('list', { name: /^Users of/ })
      .getByRole('button')
      .first()
      .click()
    await expect(page.getByText('User number')).toBeVisible()
    await picture('organization-dark')
    await theme('light')
    await show('Settings')
    await picture('settings-light')
    await setWidth(app, 400)
    await picture('settings-narrow-light')
    await setWidth(app, 1240)
    await window.showSettings('Support')
    await page.getByRole('link', { name: 'Check this computer' }).click()
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await picture('doctor-light')
  })
})

/** Connecting takes about two seconds; each step is shown longer, to be seen. */
const phases = ['contacting', 'tls', 'configuring'] as const
const stageHeight = 264
/** So that a page with it loads fast. */
const maxBytes = 400_000

/** Pictures of services and states that the mock server doesn't have. */
test('pictures of other services', async ({ launch }) => {
  const app = await launch({ language: 'system' })
  const { page } = app.window
  const set = (name: 'theme' | 'language', value: string): Promise<unknown> =>
    page.evaluate(`causeway.run('setSetting', ${JSON.stringify({ name, value })})`)
  /** Takes a picture of what is right of `x`; `part`: only this much of its height. */
  const shot = async (x = 0, part?: number): Promise<Buffer> => {
    await page.mouse.move(0, 0)
    await page.evaluate('document.activeElement.blur()')
    const { innerWidth: width, innerHeight: height } = await page.evaluate<Record<string, number>>(
      '({ innerWidth, innerHeight })',
    )
    const clip = { x, y: 0, width: (width ?? 0) - x, height: part ?? height ?? 0 }
    return page.screenshot({ animations: 'disabled', caret: 'hide', clip })
  }
  const show = async (slices: Slices): Promise<void> => {
    await sendState(app.electron, slices)
    await page.evaluate(drawn)
  }
  await set('theme', 'light')
  await setWidth(app, 1240)

  await step('the profiles of three services', async () => {
    const { instances = [] } = connectionStates()['eight services'] ?? {}
    await show({ ...connectionStates()['not connected'], instances: (instances as unknown[]).slice(0, 3) })
    await writeFile(join(folder, 'profiles-light.png'), await shot())
  })

  await step('connecting', async () => {
    const { 'not connected': idle = {}, split = {} } = connectionStates()
    const { target } = split.connection as { readonly target: unknown }
    await setWidth(app, 880)
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(880, 480)
    })
    await expect.poll(() => page.evaluate('innerHeight')).toBe(480)
    await show(idle)
    const first: Frame = { png: await shot(), x: 0, y: 0, milliseconds: 1500 }
    const frames: Frame[] = []
    // The side bar stays as it is, and the list while the connection goes on to its next step.
    const add = async (connection: unknown, milliseconds: number, part?: number): Promise<void> => {
      await show({ ...idle, connection })
      frames.push({ png: await shot(200, part), x: 200, y: 0, milliseconds })
    }
    await add({ state: 'preparing', target }, 600)
    for (const phase of phases) await add({ state: 'connecting', target, phase }, 600, stageHeight)
    const connected = (seconds: number): object => ({
      ...(split.connection as object),
      since: Date.now() - seconds * 1000,
    })
    await add(connected(0), 1000)
    await add(connected(1), 1000, stageHeight)
    await add(connected(2), 3000, stageHeight)
    const animation = animatedPng([first, ...frames])
    expect(animation.length).toBeLessThan(maxBytes)
    await writeFile(join(folder, 'connecting.png'), animation)
  })

  await step('in Arabic, with names in Arabic', async () => {
    await set('language', 'ar')
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ar')
    await setWidth(app, 1240)
    await show(connectionStates('ar').split ?? {})
    await writeFile(join(folder, 'connected-arabic.png'), await shot())
    await setWidth(app, 400)
    await show(connectionStates('ar').split ?? {})
    await writeFile(join(folder, 'connected-narrow-arabic.png'), await shot())
  })
})
