import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { OrganizationUserItem } from '../../../contract/organizations'
import { openWindow, signedIn, type Opened, visit } from '../../fake-bridge.testing'
import { settled } from '../../hooks.testing'

const people: readonly OrganizationUserItem[] = [
  { userId: '1', login: 'tester', email: 'tester@example.org', role: 'Admin', lastSeenAt: 0 },
  { userId: '2', login: '<b>anna</b>', email: 'anna@example.org', role: 'Grafana Owner' },
]
const crowd = Array.from({ length: 1000 }, (_, index) => ({
  userId: String(index + 10),
  login: `student${index}`,
  email: `s${index}@example.org`,
  role: 'Viewer',
}))
const answers: Readonly<Record<string, unknown>> = {
  showOrganization: { data: { orgId: '7', name: 'Mock University', address: { city: 'Utrecht' } } },
  listOrganizationUsers: { data: { users: people, unreadable: 0 } },
  organizationCredentials: { bearer: false, keptIn: 'key-store' },
  setOrganizationCredentials: {
    bearer: false,
    basic: 'admin',
    origin: 'https://vpn.example.org',
    keptIn: 'key-store',
  },
}
const refused = (code: string, details: object = {}, variant?: string) => ({
  ok: false,
  error: { code, message: '', details, variant },
})

async function open(changed: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  const opened = await openWindow({ instances: [signedIn] }, (name: CommandName) => {
    if (name in changed) return changed[name]
    return { ok: true, value: answers[name] }
  })
  await visit(opened.user, 'Organization')
  return opened
}
const ran = ({ ran: all }: Opened, name: CommandName) =>
  all.filter((one) => one.name === name).map(({ input }) => input)

describe('an organization', () => {
  it('shows its users as text, and is fetched once over several visits', async () => {
    const opened = await open()
    const list = await screen.findByRole('list', { name: 'Users of Mock University' })
    expect(
      within(list)
        .getAllByRole('button')
        .map((row) => row.textContent),
    ).toEqual(['Ttestertester@example.orgAdministrator', 'B<b>anna</b>anna@example.orgGrafana Owner'])
    await visit(opened.user, 'Messages')
    await visit(opened.user, 'Organization')
    expect(await screen.findByText('2 users')).toBeTruthy()
    expect(ran(opened, 'listOrganizationUsers')).toEqual([{ instanceId: signedIn.id, place: 'current' }])
  })

  it('finds users among a thousand, with only a part of them on the page', async () => {
    const { user } = await open({
      listOrganizationUsers: { ok: true, value: { data: { users: crowd, unreadable: 0 } } },
    })
    const list = await screen.findByRole('list', { name: 'Users of Mock University' })
    expect(within(list).getAllByRole('button').length).toBeLessThan(50)
    await user.type(screen.getByRole('textbox', { name: 'Search users' }), 'student99')
    expect(await screen.findByText('11 of 1,000 users')).toBeTruthy()
  })

  it('shows the age of cached data', async () => {
    const value = { ...(answers.showOrganization as object), cachedAt: Date.UTC(2026, 10, 20, 12) }
    await open({ showOrganization: { ok: true, value } })
    expect(await screen.findByText(/can't be reached\. Last updated Nov 20, 2026.*\./)).toBeTruthy()
  })

  it("changes a user's role, and shows beside it why that failed", async () => {
    const opened = await open({ setOrganizationRole: refused('organizations/last-administrator') })
    await opened.user.click(await screen.findByRole('button', { name: /^tester/ }))
    const details = screen.getByRole('region', { name: 'Details' })
    await opened.user.selectOptions(within(details).getByRole('combobox', { name: 'Role' }), 'Viewer')
    await opened.user.click(within(details).getByRole('button', { name: 'Change role' }))
    expect((await within(details).findByRole('alert')).textContent).toContain(
      "the organization's last administrator",
    )
    expect(ran(opened, 'setOrganizationRole')).toEqual([
      { instanceId: signedIn.id, place: 'current', userId: '1', role: 'Viewer' },
    ])
  })

  it('is closed with its details when access to it ends', async () => {
    const changed: Record<string, unknown> = {}
    const opened = await open(changed)
    await opened.user.click(await screen.findByRole('button', { name: /^tester/ }))
    changed.showOrganization = refused('organizations/forbidden')
    await opened.user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect((await screen.findByRole('alert')).textContent).toContain('organization')
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
    expect(screen.queryByRole('list', { name: 'Users of Mock University' })).toBeNull()
  })

  it('removes a user only after confirmation', async () => {
    const opened = await open()
    await opened.user.click(await screen.findByRole('button', { name: /anna/ }))
    await opened.user.click(screen.getByRole('button', { name: 'Remove' }))
    expect(ran(opened, 'removeOrganizationUser')).toEqual([])
    await opened.user.click(screen.getByRole('button', { name: 'Remove <b>anna</b>' }))
    expect(await screen.findByText('<b>anna</b> was removed.')).toBeTruthy()
    expect(ran(opened, 'removeOrganizationUser')).toMatchObject([{ userId: '2' }])
  })

  it('is deleted only after its name was typed', async () => {
    const opened = await open()
    await opened.user.click(await screen.findByRole('button', { name: 'About this organization' }))
    await opened.user.click(screen.getByRole('button', { name: 'Delete' }))
    const confirm = screen.getByRole('button', { name: 'Delete permanently' })
    await opened.user.type(
      screen.getByRole('textbox', { name: 'Type its name to confirm' }),
      'Mock Univers{Enter}',
    )
    expect(confirm).toHaveProperty('disabled', true)
    await opened.user.type(screen.getByRole('textbox', { name: 'Type its name to confirm' }), 'ity')
    await opened.user.click(confirm)
    expect(await screen.findByText('Mock University was deleted.')).toBeTruthy()
    expect(ran(opened, 'deleteOrganization')).toEqual([{ instanceId: signedIn.id, orgId: '7' }])
  })

  it('sends only what was edited', async () => {
    const opened = await open()
    await opened.user.click(await screen.findByRole('button', { name: 'About this organization' }))
    await opened.user.click(screen.getByRole('button', { name: 'Edit name or address' }))
    await opened.user.type(screen.getByRole('textbox', { name: 'Country' }), 'NL')
    await opened.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(ran(opened, 'updateOrganization')).toEqual([
      { instanceId: signedIn.id, place: 'current', address: { country: 'NL' } },
    ])
  })

  it('leaves alone what somebody else has changed since the form was opened', async () => {
    const changed: Record<string, unknown> = {}
    const opened = await open(changed)
    const { user } = opened
    const show = (data: object): Promise<void> => {
      changed.showOrganization = { ok: true, value: { data } }
      return user.click(screen.getByRole('button', { name: 'Refresh' }))
    }
    await user.click(await screen.findByRole('button', { name: 'About this organization' }))
    await user.click(screen.getByRole('button', { name: 'Edit name or address' }))
    await show({ orgId: '7', name: 'Their name', address: { city: 'Leiden' } })
    await screen.findByRole('heading', { name: 'Their name' })
    await user.type(screen.getByRole('textbox', { name: 'Country' }), 'NL')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(ran(opened, 'updateOrganization')).toEqual([
      { instanceId: signedIn.id, place: 'current', address: { country: 'NL' } },
    ])
    await user.click(screen.getByRole('button', { name: 'Edit name or address' }))
    await show({ orgId: '8', name: 'Another' })
    await screen.findByRole('heading', { name: 'Another' })
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Another')
  })

  it('shows another organization by number, and edits that one', async () => {
    const opened = await open()
    await opened.user.click(await screen.findByRole('button', { name: 'Show another organization' }))
    await opened.user.type(screen.getByRole('combobox', { name: 'Exact name or number' }), '7{Enter}')
    await waitFor(() => {
      expect(ran(opened, 'showOrganization').at(-1)).toEqual({
        instanceId: signedIn.id,
        which: { by: 'id', orgId: '7' },
      })
    })
    await opened.user.click(await screen.findByRole('button', { name: 'Add user' }))
    await opened.user.type(screen.getByRole('textbox', { name: 'User name or e-mail address' }), 'grace')
    await opened.user.click(screen.getByRole('button', { name: 'Add' }))
    expect(ran(opened, 'addOrganizationUser')).toMatchObject([
      { place: { orgId: '7' }, loginOrEmail: 'grace', role: 'Viewer' },
    ])
    expect(await screen.findByText('grace was added.')).toBeTruthy()
  })

  it('says nothing about one organization beside another that was chosen meanwhile', async () => {
    let answer: (result: unknown) => void = () => undefined
    const addOrganizationUser = new Promise((resolve) => {
      answer = resolve
    })
    const { user } = await open({ addOrganizationUser })
    await user.click(await screen.findByRole('button', { name: 'Add user' }))
    await user.type(screen.getByRole('textbox', { name: 'User name or e-mail address' }), 'grace{Enter}')
    await user.click(screen.getByRole('button', { name: 'Show another organization' }))
    await user.type(screen.getByRole('combobox', { name: 'Exact name or number' }), '8{Enter}')
    await screen.findByText('Number 7')
    await settled(() => {
      answer({ ok: true })
    })
    expect(screen.queryByText('grace was added.')).toBeNull()
  })

  it('keeps the name of the next user that is typed while one is added', async () => {
    let answer: (result: unknown) => void = () => undefined
    const addOrganizationUser = new Promise((resolve) => {
      answer = resolve
    })
    const { user } = await open({ addOrganizationUser })
    await user.click(await screen.findByRole('button', { name: 'Add user' }))
    const login = screen.getByRole('textbox', { name: 'User name or e-mail address' })
    await user.type(login, 'grace{Enter}')
    await user.clear(login)
    await user.type(login, 'ada')
    await settled(() => {
      answer({ ok: true })
    })
    expect(screen.getByText('grace was added.')).toBeTruthy()
    expect(login).toHaveProperty('value', 'ada')
  })

  it('offers the organizations that were shown, and a typed number as a name as well', async () => {
    const opened = await open()
    const { user } = opened
    const offered = async (): Promise<string[]> => {
      await user.click(await screen.findByRole('button', { name: 'Show another organization' }))
      await user.click(screen.getByRole('combobox', { name: 'Exact name or number' }))
      return screen.getAllByRole('option').map(({ textContent }) => textContent)
    }
    await screen.findByText('2 users')
    expect(await offered()).toEqual(['Mock UniversityNumber 7'])
    await user.keyboard('42')
    await user.click(screen.getByRole('option', { name: '42 Exact name' }))
    expect(ran(opened, 'showOrganization').at(-1)).toMatchObject({ which: { by: 'name', name: '42' } })
    await offered()
    await user.keyboard('mock')
    await user.click(screen.getByRole('option', { name: /^Mock University/ }))
    expect(ran(opened, 'showOrganization').at(-1)).toMatchObject({ which: { by: 'id', orgId: '7' } })
  })

  it('asks for credentials if the service requires them, and keeps no password on the page', async () => {
    const opened = await open({ showOrganization: refused('organizations/unauthorized', { wants: 'basic' }) })
    await opened.user.type(await screen.findByRole('textbox', { name: 'User name' }), 'admin')
    const password = screen.getByLabelText('Password')
    expect(password.getAttribute('type')).toBe('password')
    await opened.user.type(password, 'planted-secret')
    await opened.user.click(screen.getByRole('button', { name: 'Save and try' }))
    expect(ran(opened, 'setOrganizationCredentials')).toEqual([
      {
        instanceId: signedIn.id,
        credential: { kind: 'basic', user: 'admin', password: 'planted-secret' },
      },
    ])
    await waitFor(() => {
      expect(screen.getByLabelText('Password')).toHaveProperty('value', '')
    })
  })

  it('keeps the token that is typed while a password is tried', async () => {
    let answer: (result: unknown) => void = () => undefined
    const { user } = await open({
      showOrganization: refused('organizations/unauthorized', { wants: 'basic' }),
      setOrganizationCredentials: new Promise((resolve) => {
        answer = resolve
      }),
    })
    await user.type(await screen.findByRole('textbox', { name: 'User name' }), 'admin')
    await user.type(screen.getByLabelText('Password'), 'planted-secret{Enter}')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sign in with' }), 'bearer')
    await user.type(screen.getByLabelText('Token'), 'planted-token')
    await settled(() => {
      answer({ ok: true, value: answers.setOrganizationCredentials })
    })
    expect(screen.getByLabelText('Token')).toHaveProperty('value', 'planted-token')
  })

  it('says for each refusal of credentials what to do, and offers the kind that the service requires', async () => {
    const refusals: unknown[] = [
      refused('organizations/unauthorized', { status: 401 }),
      refused('organizations/unauthorized', { host: 'a.example', sent: 'bearer' }, 'token-refused'),
      refused(
        'organizations/unauthorized',
        { host: 'a.example', sent: 'bearer', wants: 'basic' },
        'password-wanted',
      ),
    ]
    const opened = await openWindow({ instances: [signedIn] }, (name: CommandName) =>
      name === 'showOrganization' ? refusals.shift() : { ok: true, value: answers[name] },
    )
    await visit(opened.user, 'Organization')
    expect((await screen.findByRole('alert')).textContent).toContain('requires you to sign in')
    const first = screen.getByRole('alert')

    await opened.user.type(screen.getByLabelText('Token'), 'wrong')
    await opened.user.click(screen.getByRole('button', { name: 'Save and try' }))
    expect(await screen.findByText('The organization service a.example rejected the token.')).toBeTruthy()
    expect(screen.getByText(/Check that it's complete and hasn't expired/)).toBeTruthy()
    expect(screen.getByText(/^Last attempt at \d/)).toBeTruthy()
    expect(screen.getByRole('alert'), 'said again to who cannot see it').not.toBe(first)

    await opened.user.type(screen.getByLabelText('Token'), 'another')
    await opened.user.click(screen.getByRole('button', { name: 'Save and try' }))
    expect(
      await screen.findByText(
        'The organization service a.example requires a user name and password, not a token.',
      ),
    ).toBeTruthy()
    expect(screen.getByRole('combobox', { name: 'Sign in with' })).toHaveProperty('value', 'basic')
    expect(screen.getByRole('textbox', { name: 'User name' })).toBeTruthy()
  })

  it.each([
    ['key-store', "It's stored in this computer's key store"],
    ['file', "It's stored in a file on this computer, not in a key store"],
  ])('says where credentials are stored: %s', async (keptIn, text) => {
    const opened = await open({ organizationCredentials: { ok: true, value: { bearer: false, keptIn } } })
    await opened.user.click(await screen.findByRole('button', { name: 'Sign in to this service' }))
    expect(await screen.findByText(new RegExp(text))).toBeTruthy()
    expect(screen.queryAllByText(/stored in this computer's key store/)).toHaveLength(
      keptIn === 'file' ? 0 : 1,
    )
  })

  it('shows the parsable users, and counts the other records', async () => {
    const data = { users: people, unreadable: 2 }
    await open({ listOrganizationUsers: { ok: true, value: { data } } })
    expect(await screen.findByText(/^Users that couldn't be read: 2\./)).toBeTruthy()
    expect(screen.getByText('2 users')).toBeTruthy()
  })
})
