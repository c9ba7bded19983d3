import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { CommandName } from '../../contract/commands'
import { openWindow, signedIn, visit } from '../fake-bridge.testing'

const other = { ...signedIn, id: 'other.example.org', address: 'https://other.example.org/' }

/** What the services answer somebody of this name. */
function answersTo(name: string): Partial<Record<CommandName, unknown>> {
  const title = `File of ${name}`
  const file = {
    id: name,
    userId: name,
    title,
    type: 'EXTERNAL',
    status: 'COMPLETED',
    videos: [],
    modules: [],
  }
  const entry = { id: name, title: `Post of ${name}`, intro: [] }
  return {
    attachmentsIdentity: {},
    listAttachments: { data: [file], totalCount: 1, unreadable: 0 },
    showAttachment: { data: file },
    showOrganization: { data: { orgId: '7', name: `University of ${name}` } },
    listOrganizationUsers: { data: { users: [], unreadable: 0 } },
    listEntries: { data: [entry], unreadable: 0 },
    showEntry: { data: { ...entry, body: { state: 'whole', blocks: [] } }, unreadable: 0 },
  }
}

async function open() {
  let answers: Partial<Record<CommandName, unknown>> = answersTo('Ann')
  const opened = await openWindow({ instances: [signedIn, other] }, (name) => ({
    ok: true,
    value: answers[name],
  }))
  return {
    ...opened,
    /** Ben signs in where Ann was signed in. */
    replacePerson: () => {
      answers = answersTo('Ben')
      opened.change({ instances: [{ ...signedIn, person: 1 }, other] })
    },
  }
}

it.each([
  ['Attachments', 'File of'],
  ['News', 'Post of'],
])('shows the next person nothing in %s that an earlier one has opened', async (view, title) => {
  const { user, replacePerson } = await open()
  await visit(user, view)
  await user.click(await screen.findByRole('button', { name: new RegExp(`${title} Ann`) }))
  expect(await screen.findByRole('heading', { name: `${title} Ann` })).toBeTruthy()
  await visit(user, 'Connection')
  replacePerson()
  await visit(user, view)
  expect(await screen.findByRole('button', { name: new RegExp(`${title} Ben`) })).toBeTruthy()
  expect(screen.queryByText(/Ann/)).toBeNull()
})

it.each([
  ['Attachments', 'File of Ann'],
  ['News', 'Post of Ann'],
])('keeps what is open in %s when somebody signs in to another service', async (view, title) => {
  const { user, change } = await open()
  await visit(user, view)
  await user.click(await screen.findByRole('button', { name: new RegExp(title) }))
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  change({ instances: [signedIn, { ...other, person: 1 }] })
  expect(screen.queryByRole('heading', { name: title })).toBeTruthy()
})

it("replaces what is on screen, and keeps another service's answers", async () => {
  const { user, ran, change, replacePerson } = await open()
  const asked = () => ran.filter(({ name }) => name === 'showOrganization').map(({ input }) => input)
  await visit(user, 'Organization')
  await screen.findByRole('heading', { name: 'University of Ann' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), other.id)
  await screen.findByRole('heading', { name: 'University of Ann' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), signedIn.id)
  await screen.findByRole('heading', { name: 'University of Ann' })
  replacePerson()
  expect(screen.queryByText(/Ann/)).toBeNull()
  await screen.findByRole('heading', { name: 'University of Ben' })
  const which = { by: 'current' }
  expect(asked()).toEqual([
    { instanceId: signedIn.id, which },
    { instanceId: other.id, which },
    { instanceId: signedIn.id, which },
  ])
  change({ instances: [other] })
  await screen.findByRole('heading', { name: 'University of Ann' })
  change({ instances: [other, { ...signedIn, person: 1 }] })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), signedIn.id)
  await waitFor(() => {
    expect(asked()).toHaveLength(4)
  })
})
