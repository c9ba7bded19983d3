import { join } from 'node:path'
import { execa } from 'execa'
import { setWidth } from './causeway-app'
import { expect, test } from './fixtures'

const folder = join(import.meta.dirname, '..', 'docs', 'pictures')

const { step } = test

// The mock server's usual port, so that the pictures change only with the window.
test.use({ mockPort: 5006 })

/** Takes the pictures for README and documentation. Needs a tunnel; runs only with CAUSEWAY_PICTURES=1. */
test('pictures', async ({ launch, mock, logIn }) => {
  const app = await launch({ language: 'system' })
  const { window } = app
  const { page } = window
  const main = page.getByRole('main')
  const picture = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  }
  const set = async (name: 'theme' | 'language', value: string, used: string): Promise<void> => {
    await page.evaluate(`causeway.run('setSetting', ${JSON.stringify({ name, value })})`)
    await expect.poll(() => page.evaluate(used)).toBe(value)
  }
  const theme = (value: 'light' | 'dark'): Promise<void> =>
    set('theme', value, 'document.documentElement.dataset.mantineColorScheme')
  const language = (value: string): Promise<void> => set('language', value, 'document.documentElement.lang')
  const show = (view: string): Promise<void> => page.getByRole('link', { name: view, exact: true }).click()

  expect(mock.tunnel.mode, 'pictures need the rights for a tunnel').toBe('full')
  await setWidth(app, 1240)
  await theme('light')
  await window.place.focus()
  await picture('first-run-light')

  await step('connection', async () => {
    await window.addInstance(mock.instance)
    await logIn(window)
    await expect(window.profile('Internet Access')).toBeVisible()
    await picture('profiles-light')

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
    await language('ar')
    await picture('connected-narrow-arabic')
    await setWidth(app, 1240)
    await picture('connected-arabic')
    await language('en')
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
    await show('Organization')
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
