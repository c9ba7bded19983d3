import type { Locator } from '@playwright/test'
import { lookInEachState, sendState, setWidth, type Slices } from './causeway-app'
import { connectionStates } from './connection-states'
import { expect, test } from './fixtures'

function service(id: string, ...names: string[]): Slices {
  const items = names.map((displayName) => ({
    profileId: displayName.toLowerCase(),
    displayName,
    defaultGateway: displayName === 'Everything',
  }))
  const ends = { at: Date.now() + 200 * 60_000, renewableFrom: 0 }
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    ends,
    profiles: { status: 'loaded', items },
    messages: { status: 'loaded', items: [] },
  }
}

const instances = [
  service('vpn.example.edu', 'Everything', 'Lab', 'Library'),
  service('vpn.example.com', 'Office', 'Staging', 'Production'),
]
const target = { instanceId: 'vpn.example.edu', profileId: 'everything' }
const connected = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.42.0.2' },
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  allTraffic: true,
  dns: { servers: ['10.0.0.53'], domains: [], applied: true },
  since: 1_790_000_000_000,
}
const idle: Slices = { instances, connection: { state: 'idle' } }

/** The colours of a ground without the accent: none, white, and grey. */
const plain = /^rgba\(0, 0, 0, 0\)$|^rgb\((\d+), \1, \1\)$/

/** Expects a button with the accent's ground, as the next step has. */
const expectFilled = (button: Locator): Promise<void> =>
  expect(button).not.toHaveCSS('background-color', plain)
const expectOutlined = (button: Locator): Promise<void> => expect(button).toHaveCSS('background-color', plain)

test('the main view tells the truth at a glance', async ({ app }) => {
  const { page, status } = app.window
  const header = page.getByRole('region', { name: 'Connection' })
  const button = (name: string | RegExp): Locator => header.getByRole('button', { name, exact: true })
  const tone = header
  const show = (view: string): Promise<void> => page.getByRole('link', { name: view, exact: true }).click()

  await test.step('a profile that gets less than it promises is amber, with the reason', async () => {
    await sendState(app.electron, { ...idle, connection: connected })
    await expect(status).toContainText('Through the VPN: everything')
    await expect(tone).toHaveAttribute('data-tone', 'on')
    await sendState(app.electron, { connection: { ...connected, allTraffic: false } })
    await expect(status).toContainText('Only some of your traffic is protected')
    await expect(tone).toHaveAttribute('data-tone', 'limited')
    await sendState(app.electron, { connection: { ...connected, allTraffic: false, allIpv4: true } })
    await expect(status).toContainText('Only IPv4 traffic is protected')
    await expect(tone).toHaveAttribute('data-tone', 'limited')
    await sendState(app.electron, { connection: { ...connected, allTraffic: undefined } })
    await expect(status).toContainText('Checking what goes through the VPN')
    await expect(tone).toHaveAttribute('data-tone', 'limited')
  })

  await test.step('the header names the profile and the service, also of a failure', async () => {
    const error = { code: 'openvpn/unreachable', message: '' }
    await sendState(app.electron, { connection: { state: 'failed', target, error } })
    await expect(status).toContainText("Couldn't connect")
    await expect(header.getByText('Everything', { exact: true })).toBeVisible()
    await expect(tone).toHaveAttribute('data-tone', 'failed')
    await expectFilled(button('Try TCP'))
    await expectOutlined(button('Try again'))
  })

  await test.step('every other view tells the state, and leads back', async () => {
    await sendState(app.electron, {
      connection: { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' },
    })
    await show('Messages')
    await page.getByRole('link', { name: 'Reconnecting Everything', exact: true }).click()
    await expect(status).toContainText('Reconnecting')
  })

  await test.step('only the next step is filled', async () => {
    await expectFilled(button('Try now'))
    await expectOutlined(button('Disconnect'))
    await sendState(app.electron, { connection: connected })
    await expectOutlined(button('Disconnect'))
    await expect(header.getByText(/^Access ends in 3 h \d+ min$/)).toBeVisible()
    await expectFilled(button('Renew'))
  })

  await test.step('the kill switch has a headline of its own', async () => {
    const killSwitch = { here: 'available', blocks: true }
    await sendState(app.electron, { connection: { state: 'disconnected', target }, killSwitch })
    await expect(status).toContainText('Traffic blocked')
    await expect(tone).toHaveAttribute('data-tone', 'blocked')
    await expectFilled(button('Reconnect: Everything'))
    await expect(button('Allow traffic')).toBeVisible()
    await sendState(app.electron, { killSwitch: { here: 'available', blocks: false } })
  })

  await test.step('another service is added in a dialog, which has the focus', async () => {
    await page.getByRole('button', { name: 'Add a service' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a service' })
    await expect(dialog.getByRole('textbox', { name: 'Where do you study or work?' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Add a service' })).toBeFocused()
  })

  await test.step('the profile used last is offered first, of whatever service', async () => {
    const recent = [{ instanceId: 'vpn.example.com', profileId: 'office' }]
    await sendState(app.electron, { ...idle, shortcuts: { recent, starred: [] } })
    await expect(button('Connect: Office')).toBeVisible()
    // No row moves while the view is in use.
    await show('Messages')
    await show('Connection')
    await expect(
      page.getByRole('list', { name: 'Recent and starred' }).getByText('Office', { exact: true }),
    ).toBeVisible()
  })

  await test.step('every Connect is named after its profile', async () => {
    const rows = page.getByRole('region', { name: 'Services and profiles' })
    const folds = instances.map(({ id }) => ({ instanceId: id, folded: false }))
    await sendState(app.electron, { shortcuts: { recent: [], starred: [], folds } })
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Connection', exact: true }).click()
    for (const name of ['Everything', 'Lab', 'Library', 'Office', 'Staging', 'Production'])
      await expect(rows.getByRole('button', { name: `Connect: ${name}`, exact: true })).toHaveCount(1)
  })

  await test.step('a missing OpenVPN can be chosen, and the computer checked', async () => {
    const error = { code: 'openvpn/not-found', message: '' }
    await sendState(app.electron, { connection: { state: 'failed', target, error } })
    await expect(header).toContainText("OpenVPN isn't installed")
    await expectFilled(button('Choose OpenVPN…'))
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Check this computer' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Check this computer' })).toBeVisible()
  })

  await test.step('the other views say in words that a connection carries less than it should', async () => {
    const strip = page.getByRole('navigation').getByRole('status')
    for (const [name, words] of [
      ['less than promised', 'Connected, not all traffic'],
      ['nothing comes back', 'No traffic gets through'],
      ['names outside', 'Connected, DNS outside'],
      ['no routes', 'Connected, not in use'],
      ['all traffic', 'Connected'],
    ] as const) {
      await sendState(app.electron, { ...connectionStates()[name] })
      await page.evaluate("location.hash = '#settings'")
      await expect(strip.getByText(words, { exact: true })).toBeVisible()
      await expect(
        page.getByRole('link', { name: new RegExp(`^${words} Internet|^${words} Office`) }),
      ).toBeVisible()
    }
  })
})

interface Measured {
  readonly top: number
  readonly right: number
  readonly height: number
  readonly fontSize: string
}

interface Styled {
  getBoundingClientRect(): { readonly top: number; readonly right: number; readonly height: number }
}

/** Measures an element, in the page. */
function measured(of: Locator): Promise<Measured> {
  return of.evaluate((element: unknown) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle: (of: Styled) => { readonly fontSize: string }
    }
    const box = element as Styled
    const { top, right, height } = box.getBoundingClientRect()
    return { top, right, height, fontSize: getComputedStyle(box).fontSize }
  })
}

/** Runs in the page. Returns the height of the stage, and the places of its drawing and of the search below it. */
const placesInStage = `(() => {
  const stage = document.querySelector('main section[data-tone]')
  const box = (element) => {
    const { top, height } = element.getBoundingClientRect()
    return Math.round(top) + '+' + Math.round(height)
  }
  return [
    stage.getBoundingClientRect().height,
    box(stage.querySelector('svg[data-organization]')),
    box(document.querySelector('main input')),
    // What is cut off beyond its box.
    stage.scrollHeight > stage.clientHeight ? 'too high' : '',
  ].join(' ')
})()`

test('the main view keeps its measures', async ({ launch }) => {
  const app = await launch({ language: 'system' })
  const { page } = app.window
  const names = Array.from({ length: 12 }, (_, index) => `Laboratory ${index + 1}`)
  const all = ['vpn.example.edu', 'vpn.example.com', 'vpn.example.net'].map((id) =>
    service(id, 'Everything', ...names.slice(1)),
  )
  const header = page.getByRole('region', { name: 'Connection' })

  await test.step('only the view scrolls, also while the profiles are loading', async () => {
    const loading: Slices[] = all.map((each) => ({ ...each, profiles: { status: 'loading', items: [] } }))
    await sendState(app.electron, {
      ...idle,
      instances: [...loading, ...loading.map((each) => ({ ...each, id: `2.${String(each.id)}` }))],
    })
    await expect(page.getByRole('button', { name: /^2\.vpn\.example\.net/ })).toBeVisible()
    expect(await page.evaluate('document.scrollingElement.scrollHeight - innerHeight')).toBe(0)
  })

  await test.step('the button of the header is at the same place in every state', async () => {
    const error = { code: 'openvpn/unreachable', message: '' }
    const places = new Set<string>()
    for (const connection of [
      connected,
      { ...connected, allTraffic: false },
      { state: 'connecting', target, phase: 'tls' },
      { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' },
      { state: 'disconnecting', target },
      { state: 'disconnected', target },
      { state: 'failed', target, error },
    ]) {
      await sendState(app.electron, { instances: all, connection })
      const button = header.getByRole('button', { name: /^(Disconnect|Cancel|Connect: |Try TCP)/ })
      await expect(button).toBeVisible()
      const { top, right, height } = await measured(button)
      const stage = await measured(header)
      places.add([top, right, height, stage.height].map(Math.round).join(' '))
    }
    expect([...places]).toHaveLength(1)
  })

  await test.step('type is 12, 14, 16 or 26, the button is 44 high and rows 44, also in a narrow window', async () => {
    expect(await measured(header.getByText("Couldn't connect", { exact: true }))).toMatchObject({
      fontSize: '26px',
    })
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe('14px')
    const folds = all.map(({ id }) => ({ instanceId: id, folded: false }))
    await sendState(app.electron, { shortcuts: { recent: [], starred: [], folds } })
    for (const width of [880, 400]) {
      await app.electron.evaluate(({ BrowserWindow }, to) => {
        BrowserWindow.getAllWindows()[0]?.setContentSize(to, 640)
      }, width)
      await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
      const row = page.getByRole('list', { name: 'Profiles of vpn.example.edu' }).getByRole('listitem').nth(3)
      expect((await measured(row)).height).toBe(44)
      expect((await measured(header)).height).toBe(width === 400 ? 248 : 264)
    }
  })

  await test.step('a narrow window has four views and More', async () => {
    const views = page.getByRole('navigation', { name: 'Views' })
    await expect(views.getByRole('link').filter({ visible: true })).toHaveCount(4)
    const more = views.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await expect(views.getByRole('link').filter({ visible: true })).toHaveCount(6)
    await more.click()
  })

  await test.step('notices move neither the state nor the list', async () => {
    const places = async (): Promise<unknown> => [
      await header.boundingBox(),
      await page.getByRole('searchbox').boundingBox(),
    ]
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(880, 640)
    })
    await expect.poll(() => page.evaluate('innerWidth')).toBe(880)
    const before = await places()
    await sendState(app.electron, { notices: [{ code: 'helper/repaired', message: '' }] })
    await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible()
    expect(await places()).toEqual(before)
    await sendState(app.electron, { notices: [] })
  })

  await test.step('the field of the dialog stays in place while what is below it changes', async () => {
    await page.getByRole('button', { name: 'Add a service' }).click()
    const field = page.getByRole('dialog').getByRole('textbox')
    const before = await field.boundingBox()
    await field.fill('Example University')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toBeVisible()
    expect(await field.boundingBox()).toEqual(before)
    await page.keyboard.press('Escape')
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(400, 640)
    })
    await expect.poll(() => page.evaluate('innerWidth')).toBe(400)
  })

  await test.step('the button stays beside the state in a narrow window', async () => {
    const state = { state: 'disconnected', target }
    for (const [blocks, word] of [
      [false, 'Not connected'],
      [true, 'Traffic blocked'],
    ] as const) {
      await sendState(app.electron, { connection: state, killSwitch: { here: 'available', blocks } })
      const button = await measured(header.getByRole('button', { name: /^(Connect|Reconnect): / }))
      const { top, height } = await measured(header.getByText(word, { exact: true }))
      expect(Math.abs(button.top + button.height / 2 - top - height / 2)).toBeLessThan(12)
    }
    await sendState(app.electron, { killSwitch: { here: 'available', blocks: false } })
  })

  await test.step('double clicks on ten rows hit the row that they were aimed at', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(880, 640)
    })
    await expect.poll(() => page.evaluate('innerWidth')).toBe(880)
    const rows = page.getByRole('list', { name: 'Profiles of vpn.example.edu' }).getByRole('listitem')
    const folds = all.map(({ id }) => ({ instanceId: id, folded: false }))
    const shortcuts = { recent: [], starred: [], folds }
    for (let index = 0; index < 10; index += 1) {
      await sendState(app.electron, { instances: all, connection: { state: 'idle' }, shortcuts })
      const row = rows.nth(index)
      await row.scrollIntoViewIfNeeded()
      const before = await row.boundingBox()
      if (before === null) throw new Error(`Row ${index} is not drawn.`)
      // Anywhere in the row, which connects at once: the second click comes after the state has changed.
      const [x, y] = [before.x + 40 + index * 30, before.y + before.height / 2]
      await page.mouse.click(x, y)
      const profileId = index === 0 ? 'everything' : `laboratory ${index + 1}`
      await sendState(app.electron, {
        connection: { state: 'preparing', target: { instanceId: 'vpn.example.edu', profileId } },
      })
      await expect(
        page.getByRole('region', { name: 'Connection' }).getByText('Connecting', { exact: true }),
      ).toBeVisible()
      await page.mouse.click(x, y, { clickCount: 2 })
      expect(await row.boundingBox(), 'the row has not moved').toEqual(before)
      await expect(row.getByRole('button', { name: /^Connecting: / })).toBeFocused()
    }
  })

  await test.step('the name opens ten profiles, and the search marks the one that it names', async () => {
    await sendState(app.electron, { instances: all, connection: { state: 'idle' } })
    const header = page.getByRole('region', { name: 'Connection', exact: true })
    await header.getByRole('button', { name: /Choose another profile/ }).click()
    await expect(page.getByRole('menuitemradio')).toHaveCount(10)
    await page.getByRole('menuitem', { name: 'Find another profile…' }).click()
    const search = page.getByRole('searchbox')
    await expect(search).toBeFocused()
    await search.fill('lab 2')
    await expect(page.locator('[data-marked]')).toContainText(/^Laboratory 2\D/)
    await search.fill('')
  })

  await test.step('nothing moves from state to state: not the stage, its drawing, nor the search below', async () => {
    for (const [width, expected] of [
      [880, 264],
      [400, 248],
    ] as const) {
      await setWidth(app, width)
      for (const language of ['de', 'ar', 'en']) {
        await page.evaluate(`causeway.run('setSetting', { name: 'language', value: '${language}' })`)
        await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language)
        const places = await lookInEachState<string>(app, connectionStates(language), placesInStage)
        const different = new Set(places.map(([, place]) => place))
        expect(different, `${width} px, ${language}: ${JSON.stringify(places)}`).toHaveProperty('size', 1)
        expect(places[0]?.[1]).toMatch(new RegExp(`^${expected} .* $`))
      }
    }
  })
})
