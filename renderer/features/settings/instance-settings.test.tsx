import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { instanceArguments } from '../../../contract/choices'
import type { CommandName } from '../../../contract/commands'
import type { InstanceSettings } from '../../../contract/instance-settings'
import { openWindow, signedIn, type Opened, visit, visitSection } from '../../fake-bridge.testing'

const settings: InstanceSettings = {
  builtInClientId: 'org.causeway.app.linux',
  services: { content: 'https://news.example.org' },
  userId: 'ann',
  roles: ['MEMBER'],
  offered: { attachments: 'https://vpn.example.org/v2.0.0' },
}

async function openForm(saving: (name: CommandName) => unknown = () => ({ ok: true })): Promise<Opened> {
  const opened = await openWindow({ instances: [signedIn] }, (name) =>
    name === 'instanceSettings' ? { ok: true, value: settings } : saving(name),
  )
  await visitSection(opened.user, 'Services')
  await opened.user.click(await screen.findByRole('button', { name: 'Settings of vpn.example.org' }))
  await screen.findByRole('form', { name: 'Settings of vpn.example.org' })
  return opened
}

const saved = (input: object) => ({
  name: 'setInstanceSettings',
  input: {
    instanceId: 'vpn.example.org',
    name: '',
    clientId: '',
    api: '',
    attachments: '',
    content: 'https://news.example.org',
    organizations: '',
    userId: 'ann',
    roles: 'MEMBER',
    ...input,
  },
})

it('open from the menu of the service, with the focus at it', async () => {
  const other = { ...signedIn, id: 'vpn.example.com' }
  const { user } = await openWindow({ instances: [signedIn, other] })
  await user.click(screen.getByRole('button', { name: 'More for vpn.example.com' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Settings of the service' }))
  await screen.findByRole('heading', { name: 'Services', level: 2 })
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Settings of vpn.example.com' }))
  })
  window.location.hash = '#settings/instances/%E0%A4%A'
  expect(await screen.findByRole('button', { name: 'Settings of vpn.example.com' })).toBeTruthy()
})

describe('the settings of an instance', () => {
  it('show the set values, and the defaults as placeholders', async () => {
    await openForm()
    expect(screen.getByRole('textbox', { name: 'News service address' })).toHaveProperty(
      'value',
      'https://news.example.org',
    )
    const placeholder = (name: string) => screen.getByRole('textbox', { name }).getAttribute('placeholder')
    expect(placeholder('Attachment service address')).toBe('https://vpn.example.org/v2.0.0')
    expect(placeholder('Organization service address')).toBe('Not offered by the service')
    expect(placeholder('Client ID')).toBe('org.causeway.app.linux')
    expect(screen.getByRole('checkbox', { name: 'Member' })).toHaveProperty('checked', true)
  })

  it('give the service a name, which is shown in the list', async () => {
    const { user, ran, change } = await openForm()
    const field = screen.getByRole('textbox', { name: 'Your name for it' })
    expect(field.getAttribute('placeholder')).toBe('vpn.example.org')
    await user.type(field, 'Example University')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(ran).toContainEqual(saved({ name: 'Example University' }))
    const profiles = { ...signedIn.profiles, cachedAt: Date.UTC(2026, 10, 20, 12) }
    change({ instances: [{ ...signedIn, profiles, name: 'Example University' }] })
    expect(screen.getByRole('button', { name: 'Settings of Example University' })).toBeTruthy()
    await visit(user, /^Connection/)
    const region = screen.getByRole('region', { name: 'Example University' })
    expect(within(region).getByRole('list', { name: 'Profiles of Example University' })).toBeTruthy()
    expect(region.querySelector('[data-age]')?.textContent).toContain('Example University')
    expect(screen.getByRole('region', { name: 'Connection' }).textContent).toContain('Example University')
  })

  it('are all sent to main', async () => {
    const { user, ran } = await openForm()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const sent = ran.find(({ name }) => name === 'setInstanceSettings')?.input
    expect(sent).toHaveProperty('instanceId', 'vpn.example.org')
    expect(Object.keys(sent as object).toSorted()).toEqual(
      ['instanceId', ...Object.keys(instanceArguments)].toSorted(),
    )
  })

  it('are saved together, and say so', async () => {
    const { user, ran } = await openForm()
    await user.clear(screen.getByRole('textbox', { name: 'News service address' }))
    await user.type(
      screen.getByRole('textbox', { name: 'Attachment service address' }),
      'https://files.example.org',
    )
    await user.click(screen.getByRole('checkbox', { name: 'Administrator' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(ran).toContainEqual(
      saved({ content: '', attachments: 'https://files.example.org', roles: 'ADMINISTRATOR,MEMBER' }),
    )
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByRole('form', { name: 'Settings of vpn.example.org' })).toBeNull()
  })

  it.each([
    ['show what they changed at once, in the attachments of the service', signedIn.id, '', 2],
    ['leave what was typed for another service', 'vpn.example.com', 'Manual', 1],
  ])('%s', async (_what, shown, title, times) => {
    const answers: Partial<Record<CommandName, unknown>> = {
      instanceSettings: settings,
      attachmentsIdentity: {},
      listAttachments: { data: [], totalCount: 0, unreadable: 0 },
    }
    const { user, ran } = await openWindow(
      { instances: [signedIn, { ...signedIn, id: 'vpn.example.com' }] },
      (name) => ({ ok: true, value: answers[name] }),
    )
    await visit(user, 'Attachments')
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Service' }), shown)
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await user.type(await screen.findByRole('textbox', { name: /Title/ }), 'Manual')
    await visitSection(user, 'Services')
    await user.click(await screen.findByRole('button', { name: 'Settings of vpn.example.org' }))
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    await screen.findByText('Saved.')
    await visit(user, 'Attachments')
    expect(await screen.findByRole('combobox', { name: 'Service' })).toHaveProperty('value', shown)
    await screen.findByRole('button', { name: 'Add link' })
    const field = screen.queryByRole<HTMLInputElement>('textbox', { name: /Title/ })
    expect(field?.value ?? '').toBe(title)
    const asked = ran.filter(
      ({ name, input }) =>
        name === 'listAttachments' && (input as { instanceId: string }).instanceId === shown,
    )
    expect(asked).toHaveLength(times)
  })

  it('make the views fetch again, because their data now comes from elsewhere', async () => {
    const { user, ran } = await openForm((name) =>
      name === 'setInstanceSettings' ? { ok: true } : { ok: true, value: { data: [], unreadable: 0 } },
    )
    const shows = () => ran.filter(({ name }) => name === 'listEntries').length
    await visit(user, 'News')
    await waitFor(() => {
      expect(shows()).toBe(1)
    })
    await visitSection(user, 'Services')
    await visit(user, 'News')
    expect(shows(), 'what is known is kept').toBe(1)
    await visitSection(user, 'Services')
    await user.click(await screen.findByRole('button', { name: 'Settings of vpn.example.org' }))
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    await visit(user, 'News')
    await waitFor(() => {
      expect(shows()).toBe(2)
    })
  })

  it("show beside the field which value can't be used, and keep what was typed", async () => {
    const error = {
      code: 'usage/invalid-argument',
      message: '',
      details: { argument: 'organizations' },
    } as const
    const { user } = await openForm(() => ({ ok: false, error }))
    const field = screen.getByRole('textbox', { name: 'Organization service address' })
    await user.type(field, 'http://example.org')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText(/^This address isn't valid\. Enter one that starts with https/),
    ).toBeTruthy()
    expect(field).toHaveProperty('value', 'http://example.org')
    expect(field.getAttribute('aria-invalid')).toBe('true')
  })

  it("show why they couldn't be saved", async () => {
    const error = {
      code: 'data/unwritable',
      message: '',
      details: { path: '/home/ann/instances.json' },
    } as const
    const { user } = await openForm(() => ({ ok: false, error }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toContain('/home/ann/instances.json')
  })

  it('are discarded by Cancel', async () => {
    const { user, ran } = await openForm()
    const form = screen.getByRole('form', { name: 'Settings of vpn.example.org' })
    await user.type(screen.getByRole('textbox', { name: 'Your user ID' }), 'x')
    await user.click(within(form).getByRole('button', { name: 'Cancel' }))
    expect(ran.map(({ name }) => name)).not.toContain('setInstanceSettings')
    expect(screen.queryByText('Saved.')).toBeNull()
  })
})

describe('cached data', () => {
  const error = { code: 'http/unreachable', message: '' } as const
  const cachedAt = Date.UTC(2026, 10, 20, 12)

  it('is shown with its age for profiles and messages, without an alert', async () => {
    const messages = [{ id: 'm', dateTime: cachedAt, message: 'Maintenance', type: 'notification' }]
    const { user } = await openWindow({
      instances: [
        {
          ...signedIn,
          profiles: { ...signedIn.profiles, status: 'failed', cachedAt, error },
          messages: { status: 'failed', items: messages, cachedAt, error },
        },
      ],
    })
    const age = /^vpn\.example\.org can't be reached\. Last updated Nov 20, 2026.*\.$/
    expect(await screen.findByText(age)).toBeTruthy()
    expect(screen.getByText('Office')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await visit(user, 'Messages')
    expect(await screen.findByText(age)).toBeTruthy()
    expect(screen.getByText('Maintenance')).toBeTruthy()
  })
})
