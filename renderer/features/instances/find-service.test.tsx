import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { InstanceSlice } from '../../../contract/state'
import { openWindow, signedIn, visit } from '../../fake-bridge.testing'

const question = 'Where do you study or work?'
const results = [
  { id: 'https://idp.example.net/college', type: 'secure_internet', name: 'Example College' },
  {
    id: 'https://vpn.example.org/',
    type: 'institute_access',
    name: 'Example University',
    host: 'vpn.example.org',
  },
]
const searchable = { organizationSearch: { available: true } }
const hosts = ['example.edu', 'vpn.example.edu', 'eduvpn.example.edu']

/** Answers commands by name; others succeed. */
const answers = (values: Partial<Record<CommandName, object>>) => (name: CommandName) => {
  const value = values[name] ?? { instanceId: 'vpn.example.org' }
  return 'code' in value ? { ok: false, error: { message: '', ...value } } : { ok: true, value }
}
const listed = (value: object = {}) =>
  answers({
    searchOrganizations: { unreadable: 0, results, total: 2, ...value },
    readPlace: { kind: 'name', hosts: [] },
  })
const atDomain = (lookForPortals: object) => answers({ readPlace: { kind: 'domain', hosts }, lookForPortals })

describe('the first start', () => {
  it('asks one question, and nothing else but the settings', async () => {
    await openWindow()
    expect(screen.getByRole('textbox', { name: question })).toBe(document.activeElement)
    expect(screen.getByRole('region', { name: question })).toBeTruthy()
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Connection',
      'Settings',
    ])
  })

  it('adds an address that the person typed, and signs in at once', async () => {
    const { user, ran } = await openWindow({}, answers({ readPlace: { kind: 'address', hosts: [] } }))
    await user.keyboard('127.0.0.1:5006')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(ran).toEqual([
      { name: 'readPlace', input: { text: '127.0.0.1:5006' } },
      { name: 'addInstance', input: { address: '127.0.0.1:5006' } },
      { name: 'logIn', input: { instanceId: 'vpn.example.org' } },
    ])
  })

  it("says why an address can't be added, and keeps it in the field", async () => {
    const { user } = await openWindow(
      {},
      answers({ readPlace: { kind: 'address', hosts: [] }, addInstance: { code: 'discovery/not-found' } }),
    )
    await user.keyboard('https://127.0.0.1:5006{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain(
      "There's no VPN service at this address.",
    )
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: question }).value).toBe(
      'https://127.0.0.1:5006',
    )
  })

  it('waits for the browser, offers its link, and goes back', async () => {
    let end: (result: unknown) => void = () => undefined
    const { user, ran, change } = await openWindow({}, (name) => {
      if (name === 'logIn') return new Promise((resolve) => (end = resolve))
      return answers({ readPlace: { kind: 'address', hosts: [] } })(name)
    })
    await user.keyboard('127.0.0.1:5006{Enter}')
    const waiting: InstanceSlice = {
      ...signedIn,
      login: 'waiting-for-browser',
      browser: { until: Date.now() + 300_000 },
      profiles: { status: 'unknown', items: [] },
    }
    change({ instances: [waiting] })
    expect(screen.getByRole('status').textContent).toContain('Continue in your browser')
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(buttons.filter((label) => label !== '' && !label.startsWith('Skip'))).toEqual([
      'Back',
      'Open browser again',
      'Copy link',
    ])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back' }))
    expect(screen.queryByRole('region', { name: 'Services and profiles' })).toBeNull()
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Connection',
      'Settings',
    ])
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(ran.at(-1)).toEqual({ name: 'removeInstance', input: { instanceId: signedIn.id } })
    end({ ok: true })
    change({ instances: [signedIn] })
    expect(await screen.findByRole('region', { name: 'Services and profiles' })).toBeTruthy()
  })

  it('shows the list if the first sign-in ends without success, and as soon as somebody has signed in', async () => {
    let end: (result: unknown) => void = () => undefined
    const { user, change } = await openWindow({}, (name) => {
      if (name === 'logIn') return new Promise((resolve) => (end = resolve))
      return answers({ readPlace: { kind: 'address', hosts: [] } })(name)
    })
    await user.keyboard('127.0.0.1:5006{Enter}')
    const profiles: InstanceSlice['profiles'] = { status: 'unknown', items: [] }
    change({ instances: [{ ...signedIn, login: 'waiting-for-browser', profiles }] })
    // Its profiles are still being fetched.
    change({ instances: [{ ...signedIn, profiles: { status: 'loading', items: [] } }] })
    expect(screen.getByRole('region', { name: 'Services and profiles' })).toBeTruthy()
    change({ instances: [{ ...signedIn, login: 'signed-out', profiles }] })
    end({ ok: false, error: { code: 'oauth/timed-out', message: '' } })
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
  })

  it('waits after Back until the service is removed, however long that takes, and says if it fails', async () => {
    const removals: ((result: unknown) => void)[] = []
    let endLogIn: (result: unknown) => void = () => undefined
    const { user, ran, change } = await openWindow({}, (name) => {
      if (name === 'logIn') return new Promise((resolve) => (endLogIn = resolve))
      if (name === 'removeInstance') return new Promise((resolve) => removals.push(resolve))
      return answers({ readPlace: { kind: 'address', hosts: [] } })(name)
    })
    const settle = (work: () => void): Promise<void> =>
      act(async () => {
        work()
        await Promise.resolve()
      })
    await user.keyboard('127.0.0.1:5006{Enter}')
    const profiles = { status: 'unknown', items: [] } as const
    const waiting: InstanceSlice = {
      ...signedIn,
      login: 'waiting-for-browser',
      profiles: { ...profiles, items: [] },
    }
    change({ instances: [waiting] })
    await user.click(screen.getByRole('button', { name: 'Back' }))

    // Removing has ended the login; the service is still in the list.
    change({ instances: [{ ...waiting, login: 'signed-out' }] })
    await settle(() => {
      endLogIn({ ok: false, error: { code: 'oauth/cancelled', message: '' } })
    })
    const isWaiting = (): void => {
      expect(screen.getByRole('status').textContent).toContain('Continue in your browser')
      expect(screen.queryByRole('region', { name: 'Services and profiles' })).toBeNull()
      expect(screen.queryByRole('textbox', { name: question })).toBeNull()
    }
    isWaiting()
    expect(screen.getByRole('button', { name: 'Back' })).toHaveProperty('disabled', true)
    await settle(() => {
      removals[0]?.({ ok: false, error: { code: 'data/unwritable', message: '' } })
    })
    isWaiting()
    expect(screen.getByRole('alert').textContent).toContain("couldn't save your change")

    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.queryByRole('alert')).toBeNull()
    change({ instances: [] })
    isWaiting()
    await settle(() => {
      removals[1]?.({ ok: true })
    })
    expect(screen.getByRole('textbox', { name: question })).toBeTruthy()
    expect(ran.filter(({ name }) => name === 'removeInstance')).toHaveLength(2)
  })

  it('leaves the focus where it is when the user returns from another view', async () => {
    const { user } = await openWindow()
    await visit(user, 'Settings')
    await visit(user, 'Connection')
    expect(document.activeElement).not.toBe(screen.getByRole('textbox', { name: question }))
  })
})

it("doesn't move the focus after the last service was removed elsewhere", async () => {
  const { user, change } = await openWindow({ instances: [signedIn] })
  const link = screen.getByRole('link', { name: 'Connection' })
  while (document.activeElement !== link) await user.tab()
  change({ instances: [] })
  expect(screen.getByRole('textbox', { name: question })).toBeTruthy()
  expect(document.activeElement).toBe(link)
})

describe('a list of organizations', () => {
  it('says in plain words what each kind is, marks the best match, and Enter continues with it', async () => {
    const { user, ran } = await openWindow(searchable, listed())
    const field = screen.getByRole('textbox', { name: question })
    await user.keyboard('ex')
    const list = await screen.findByRole('listbox', { name: 'Organizations found' })
    expect(field.getAttribute('aria-controls')).toBe(list.id)
    const options = within(list).getAllByRole('option')
    expect(options[0]?.textContent).toContain('Safer internet, with your Example College account')
    expect(options[1]?.textContent).toContain('Its own network, as if you were on campus · vpn.example.org')
    const marked = () =>
      document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
    expect(marked()).toContain('Example College')
    await user.keyboard('{ArrowDown}')
    expect(marked()).toContain('Example University')
    await user.keyboard('{Enter}')
    expect(ran.slice(-2)).toEqual([
      { name: 'addOrganization', input: { id: 'https://vpn.example.org/' } },
      { name: 'logIn', input: { instanceId: 'vpn.example.org' } },
    ])
  })

  it('adds the marked one with Continue, and any with a click', async () => {
    const { user, ran } = await openWindow(searchable, listed())
    await user.keyboard('ex')
    await screen.findAllByRole('option')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(ran.find(({ name }) => name === 'addOrganization')?.input).toEqual({ id: results[0]?.id })
    await user.click(screen.getByRole('option', { name: /Example University/ }))
    expect(ran.findLast(({ name }) => name === 'addOrganization')?.input).toEqual({ id: results[1]?.id })
  })

  it('adds no match that the person has not seen', async () => {
    let show: (result: unknown) => void = () => undefined
    const { user, ran } = await openWindow(searchable, (name) =>
      name === 'searchOrganizations' ? new Promise((resolve) => (show = resolve)) : { ok: true, value: {} },
    )
    await user.keyboard('ex{Enter}')
    show(listed()('searchOrganizations'))
    expect(await screen.findAllByRole('option')).toHaveLength(2)
    expect(ran.map(({ name }) => name)).not.toContain('addOrganization')
  })

  it.each([
    ['takes', results, true],
    ['only shows', results.toReversed(), false],
  ])('%s what is marked when the search for the last letter has ended', async (_does, then, isAdded) => {
    let show: (result: unknown) => void = () => undefined
    let isLate = false
    const { user, ran } = await openWindow(searchable, (name) =>
      name === 'searchOrganizations' && isLate ? new Promise((resolve) => (show = resolve)) : listed()(name),
    )
    await user.keyboard('ex')
    await screen.findAllByRole('option')
    isLate = true
    await user.keyboard('a{Enter}')
    expect(ran.map(({ name }) => name)).not.toContain('addOrganization')
    await act(async () => {
      show(listed({ results: then })('searchOrganizations'))
      await Promise.resolve()
    })
    await screen.findAllByRole('option')
    const added = () => ran.filter(({ name }) => name === 'addOrganization').map(({ input }) => input)
    await vi.waitFor(() => {
      expect(screen.getAllByRole('option')[0]?.textContent).toContain(then[0]?.name)
      expect(added()).toEqual(isAdded ? [{ id: results[0]?.id }] : [])
    })
  })

  it('says how many match, how many can’t be read, and that the list may be old', async () => {
    const problem = { code: 'organization-list/unavailable', message: '' }
    const { user } = await openWindow(searchable, listed({ total: 600, unreadable: 1, problem }))
    await user.keyboard('e')
    expect(await screen.findByText(/^Showing the first 2 of 600\./)).toBeTruthy()
    expect(screen.getByText("1 item couldn't be read and isn't shown.")).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/isn't available right now/)).toBeNull()
  })

  it('says in words what went wrong', async () => {
    const { user } = await openWindow(
      searchable,
      answers({ searchOrganizations: { code: 'organization-list/invalid-signature' } }),
    )
    await user.keyboard('x')
    expect((await screen.findByRole('alert')).textContent).toContain("isn't signed by its publisher")
  })

  it('says for a name without a match what else to type', async () => {
    const { user } = await openWindow(searchable, listed({ results: [], total: 0 }))
    await user.keyboard('x')
    expect(await screen.findByText(/^No organization in the list matches\./)).toBeTruthy()
  })
})

describe('a domain', () => {
  it('is asked only after Continue, and its portal is added only after the person has confirmed it', async () => {
    const portals = ['https://vpn.example.edu/', 'https://eduvpn.example.edu/']
    const { user, ran } = await openWindow({}, atDomain({ portals }))
    await user.keyboard('name@example.edu')
    expect(ran).toEqual([])
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Found vpn.example.edu. Is this your VPN?')).toBeTruthy()
    expect(ran.map(({ name }) => name)).toEqual(['readPlace', 'lookForPortals'])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Yes, continue' }))
    await user.click(screen.getByRole('button', { name: 'No' }))
    expect(screen.getByText('Found eduvpn.example.edu. Is this your VPN?')).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(ran.slice(-2)).toEqual([
      { name: 'addInstance', input: { address: portals[1] } },
      { name: 'logIn', input: { instanceId: 'vpn.example.org' } },
    ])
  })

  it('says where Causeway looks', async () => {
    const { user } = await openWindow({}, (name) =>
      name === 'lookForPortals' ? new Promise(() => undefined) : atDomain({})(name),
    )
    await user.keyboard('example.edu{Enter}')
    expect(
      await screen.findByText('Looking at example.edu, vpn.example.edu, eduvpn.example.edu…'),
    ).toBeTruthy()
  })

  it.each(['readPlace', 'lookForPortals'] as const)(
    'is forgotten when typed over before %s is answered',
    async (late) => {
      let answer: (result: unknown) => void = () => undefined
      const replies = atDomain({ portals: ['https://vpn.example.edu/'] })
      const { user, ran } = await openWindow({}, (name) =>
        name === late ? new Promise((resolve) => (answer = resolve)) : replies(name),
      )
      await user.keyboard('example.edu{Enter}x')
      const before = ran.length
      await act(async () => {
        answer(replies(late))
        await Promise.resolve()
      })
      await user.tab()
      expect(ran).toHaveLength(before)
      expect(screen.queryByText(/Is this your VPN/)).toBeNull()
      expect(screen.queryByText(/^Looking at/)).toBeNull()
    },
  )

  it('without a portal leads to a text for the help desk, and to an address', async () => {
    const { user, ran } = await openWindow({}, atDomain({ portals: [] }))
    await user.keyboard('example.edu{Enter}')
    expect(await screen.findByText(`Couldn't find a VPN at ${hosts.join(', ')}.`)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Copy text' }))
    expect(ran.at(-1)).toEqual({
      name: 'copyText',
      input: { text: expect.stringContaining(`Causeway looked at ${hosts.join(', ')}.`) as string },
    })
    await user.click(screen.getByRole('button', { name: 'Enter the VPN address' }))
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Enter the VPN address' })
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('')
    expect(screen.getByRole('heading', { name: 'Enter the VPN address' })).toBeTruthy()
    expect(screen.queryByText(/Couldn't find a VPN/)).toBeNull()
    await user.keyboard('vpn.example.edu{Enter}')
    expect(ran.at(-2)).toEqual({ name: 'addInstance', input: { address: 'vpn.example.edu' } })
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.getByRole('heading', { name: question })).toBeTruthy()
  })

  it.each([
    ['has one message', true, /couldn't be reached/],
    ['without a network is nobody’s fault, and asks no help desk', false, /^You're offlineConnect to a/],
  ])('that cannot be reached %s', async (_what, online, message) => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
    const { user, ran } = await openWindow(
      {},
      atDomain({ portals: [], problem: { code: 'http/unreachable', message: '', details: { host: 'h' } } }),
    )
    await user.keyboard('anna@example.edu{Enter}')
    const [alert, ...more] = await screen.findAllByRole('alert')
    expect(alert?.textContent).toMatch(message)
    expect(more).toEqual([])
    expect(screen.queryByText(/Couldn't find a VPN/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Copy text' })).toBeNull()
    const asks = screen.queryAllByRole('button', { name: 'What to ask your help desk' })
    expect(asks).toHaveLength(online ? 1 : 0)
    if (!online) {
      const before = ran.length
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      expect(ran.slice(before).map(({ name }) => name)).toEqual(['readPlace', 'lookForPortals'])
    }
    onLine.mockRestore()
  })

  it('of a web site is asked if the address has no service', async () => {
    const { user, ran } = await openWindow(
      {},
      answers({
        readPlace: { kind: 'address', hosts },
        addInstance: { code: 'discovery/not-found' },
        lookForPortals: { portals: ['https://vpn.example.edu/'] },
      }),
    )
    await user.keyboard('https://example.edu/about{Enter}')
    expect(await screen.findByText('Found vpn.example.edu. Is this your VPN?')).toBeTruthy()
    expect(ran.map(({ name }) => name)).toEqual(['readPlace', 'addInstance', 'lookForPortals'])
  })
})

it('a name without a list leads to other ways', async () => {
  const { user } = await openWindow({}, answers({ readPlace: { kind: 'name', hosts: [] } }))
  await user.keyboard('Example University{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Causeway has no list of organizations/)
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy()
})

describe('a link', () => {
  it('fills the field, and nothing else happens until the person continues', async () => {
    const { user, ran, change } = await openWindow({}, () => ({
      ok: true,
      value: { instanceId: 'vpn.example.org' },
    }))
    change({ linkAddress: 'vpn.example.org' })
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: question })
    expect(field.value).toBe('vpn.example.org')
    expect(ran).toEqual([{ name: 'takeLinkAddress', input: undefined }])
    change({ linkAddress: undefined })
    await user.keyboard('{Enter}')
    expect(ran[1]).toEqual({ name: 'addInstance', input: { address: 'vpn.example.org' } })
  })

  it('opens the dialog where there is a service', async () => {
    const { ran, change } = await openWindow({ instances: [signedIn] })
    change({ linkAddress: 'vpn.example.com' })
    const dialog = within(screen.getByRole('dialog', { name: 'Add a service' }))
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: question }).value).toBe('vpn.example.com')
    change({ linkAddress: undefined })
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(ran.map(({ name }) => name)).toEqual(['takeLinkAddress'])
  })
})
