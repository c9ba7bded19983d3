import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import type { Transfer } from '../services/attachments/transfer'
import { TestSigner } from '../platform/signed-list/signed-list.testing'
import { noDesktop } from './attachments-desktop.testing'
import type { DesktopQuestion } from './attachments-window-commands'
import { confirmChanges } from './confirm-changes'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

/** Starts the model; the page's commands come to a user who answers dialogs with `answer.agrees`. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-confirm-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const answer = { agrees: false }
  const asked: DesktopQuestion[] = []
  const desktop = {
    ...noDesktop,
    confirm: (question: DesktopQuestion) => {
      asked.push(question)
      return Promise.resolve(answer.agrees)
    },
  }
  const { services, model, run } = await startModel({ dataDir: join(folder, 'data'), desktop })
  const dispatch = createDispatch(run, (defect) => {
    throw defect
  })
  return { services, model, desktop, dispatch, run, asked, answer }
}

const cancelled = { ok: false, error: { code: 'http/cancelled' } }

it.each([
  ['discovery', 'https://lists.example.org/'],
  ['discoveryKey', new TestSigner().publicKey],
] as const)('the page changes the setting %s only if the user agrees in a dialog', async (name, value) => {
  const { services, dispatch, asked, answer } = await start()
  expect(await dispatch('setSetting', { name, value })).toMatchObject(cancelled)
  expect(await services.settings.get(name)).toBe('')
  expect(asked[0]?.detail).toContain(value)

  answer.agrees = true
  expect(await dispatch('setSetting', { name, value })).toMatchObject({ ok: true })
  expect(await services.settings.get(name)).toBe(value)
  expect(await dispatch('setSetting', { name, value })).toMatchObject({ ok: true })
  expect(asked).toHaveLength(2)

  answer.agrees = false
  expect(await dispatch('setSetting', { name, value: '' })).toMatchObject(cancelled)
  expect(await services.settings.get(name)).toBe(value)
  expect(asked).toHaveLength(3)
})

it('asks nothing about invalid values and other settings', async () => {
  const { dispatch, asked } = await start()
  expect(await dispatch('setSetting', { name: 'discovery', value: 'ftp://x' })).toMatchObject({ ok: false })
  expect(await dispatch('setSetting', { name: 'theme', value: 'dark' })).toMatchObject({ ok: true })
  expect(asked).toEqual([])
})

it.each(['killSwitch', 'updates'] as const)(
  'the page turns off %s only if the user agrees in a dialog',
  async (name) => {
    const { services, dispatch, asked, answer } = await start()
    await services.settings.set(name, 'true')
    expect(await dispatch('setSetting', { name, value: 'false' })).toMatchObject(cancelled)
    expect(await services.settings.get(name)).toBe(true)
    expect(asked).toHaveLength(1)
    answer.agrees = true
    expect(await dispatch('setSetting', { name, value: 'false' })).toMatchObject({ ok: true })
    expect(await services.settings.get(name)).toBe(false)
  },
)

it('the page lets apps bypass the VPN only if the user agrees in a dialog, for all profiles and for one', async () => {
  const { services, dispatch, asked, answer } = await start()
  const mock = await startTestMock()
  onTestFinished(() => mock.close())
  await dispatch('addInstance', { address: mock.instance })
  const instanceId = new URL(mock.instance).host
  const office = { instanceId, profileId: 'office' }
  const mode = async () => (await services.profileChoices.of(office))?.appsMode
  expect(await dispatch('setSetting', { name: 'appsMode', value: 'except' })).toMatchObject(cancelled)
  expect(await dispatch('chooseAppsMode', { ...office, mode: 'except' })).toMatchObject(cancelled)
  expect(await mode()).toBeUndefined()
  answer.agrees = true
  expect(await dispatch('chooseAppsMode', { ...office, mode: 'except' })).toMatchObject({ ok: true })
  expect(await mode()).toBe('except')
  expect(asked).toHaveLength(3)
  expect(await dispatch('chooseAppsMode', { ...office, mode: 'all' })).toMatchObject({ ok: true })
  expect(asked).toHaveLength(3)
  await services.settings.set('appsMode', 'only')
  answer.agrees = false
  expect(await dispatch('chooseAppsMode', office)).toMatchObject(cancelled)
  expect(await mode()).toBe('all')
})

it('the page connects to a service that it added only if the user agrees in a dialog, once', async () => {
  const { services, dispatch, asked, answer } = await start()
  const mock = await startTestMock()
  onTestFinished(() => mock.close())
  const added = await dispatch('addInstance', { address: mock.instance })
  const instanceId = new URL(mock.instance).host
  const connected = vi.spyOn(services.connection, 'connect').mockResolvedValue('connected')
  expect(added).toMatchObject({ ok: true })
  const connect = () => dispatch('connect', { instanceId, profileId: 'office' })
  // Neither settings nor adding it again are an answer.
  await dispatch('setInstanceSettings', { instanceId, displayName: 'Mine' })
  await dispatch('addInstance', { address: mock.instance })
  expect(await connect()).toMatchObject(cancelled)
  expect(await dispatch('renewSession', { instanceId, profileId: 'office' })).toMatchObject(cancelled)
  expect(connected).not.toHaveBeenCalled()
  expect(asked[0]?.detail).toContain(mock.instance)

  answer.agrees = true
  expect(await connect()).toMatchObject({ ok: true })
  answer.agrees = false
  expect(await connect()).toMatchObject({ ok: true })
  expect(asked).toHaveLength(3)
})

it('asks nothing about a service that was added in a terminal', async () => {
  const { services, dispatch, asked } = await start()
  const mock = await startTestMock()
  onTestFinished(() => mock.close())
  const { id } = await services.addInstance({ address: mock.instance })
  vi.spyOn(services.connection, 'connect').mockResolvedValue('connected')
  await dispatch('addInstance', { address: mock.instance })
  expect(await dispatch('connect', { instanceId: id, profileId: 'office' })).toMatchObject({ ok: true })
  expect(asked).toEqual([])
})

it.each(['attachments', 'content', 'organizations'] as const)(
  'the page changes the address of %s only if the user agrees in a dialog',
  async (name) => {
    const { services, dispatch, run, asked, answer } = await start()
    const mock = await startTestMock()
    onTestFinished(() => mock.close())
    const { instanceId } = await run.addInstance({ address: mock.instance })
    const address = 'https://elsewhere.example.org'
    const set = (changes: object) => dispatch('setInstanceSettings', { instanceId, ...changes })
    const stored = async () => (await services.instances.find(instanceId)).services?.[name]

    expect(await set({ [name]: address, userId: 'me' })).toMatchObject(cancelled)
    expect(await stored()).toBeUndefined()
    expect(asked[0]).toMatchObject({
      message: expect.stringContaining(instanceId) as string,
      detail: expect.stringContaining(address) as string,
    })
    answer.agrees = true
    expect(await set({ [name]: address })).toMatchObject({ ok: true })
    expect(await stored()).toBe(address)
    answer.agrees = false
    expect(await set({ [name]: '' })).toMatchObject(cancelled)
    expect(await stored()).toBe(address)

    // Neither what stays the same nor other settings need an answer.
    expect(await set({ [name]: `${address}/`, userId: 'me' })).toMatchObject({ ok: true })
    expect(await set({ [name]: 'http://elsewhere.example.org' })).toMatchObject({
      ok: false,
      error: { code: 'usage/invalid-argument' },
    })
    expect(asked).toHaveLength(3)
  },
)

it('shows every folder of dropped files, and refuses more than it can show', async () => {
  const { services, model, desktop, asked, answer } = await start()
  answer.agrees = true
  const confirm = confirmChanges({
    desktop,
    settings: services.settings,
    instances: services.instances,
    profileChoices: services.profileChoices,
    attachmentTransfers: services.attachmentTransfers,
    language: model.language,
  })
  const many = (folders: number) =>
    Array.from({ length: 100 }, (_each, index) => `/home/ada/${index % folders}/file-${index}.txt`)
  expect(await confirm.files([...many(2), '/home/ada/.ssh/id_ed25519'])).toBe(true)
  expect(asked[0]?.detail).toContain('/home/ada/.ssh (1)')
  expect(await confirm.files(['/home/ada/a\u202efdp.txt'])).toBe(true)
  expect(asked[1]?.detail).not.toContain('\u202e')
  expect(await confirm.files(many(50))).toBe(false)
  expect(await confirm.files([])).toBe(false)
  expect(asked).toHaveLength(2)
})

describe('what cancels the uploads and downloads of a service', () => {
  async function startWith(transfer: Partial<Pick<Transfer, 'state' | 'instanceId'>>) {
    const { services, dispatch, asked } = await start()
    const mock = await startTestMock()
    onTestFinished(() => mock.close())
    await dispatch('addInstance', { address: mock.instance })
    const instanceId = new URL(mock.instance).host
    const underWay = { id: '1', instanceId, kind: 'upload', path: '/a', title: 'A', state: 'queued' } as const
    vi.spyOn(services.attachmentTransfers, 'all').mockReturnValue([{ ...underWay, ...transfer } as Transfer])
    return { instanceId, dispatch, asked }
  }

  it.each([
    ['logIn', 'Sign in'],
    ['logOut', 'Sign out'],
    ['renewSession', 'Renew'],
  ] as const)('asks first while there are any: %s', async (name, action) => {
    const { instanceId, dispatch, asked } = await startWith({})
    expect(await dispatch(name, { instanceId })).toMatchObject({ error: { code: 'oauth/cancelled' } })
    expect(asked).toEqual([
      {
        message: '1 upload or download is in progress',
        detail: expect.stringContaining(instanceId) as string,
        action,
        cancel: 'Not now',
      },
    ])
  })

  it.each([{ instanceId: 'other.example.org' }, { state: 'done' as const }])(
    'does nothing about others: %o',
    async (transfer) => {
      const { instanceId, dispatch, asked } = await startWith(transfer)
      expect(await dispatch('logOut', { instanceId })).toMatchObject({ ok: true })
      expect(asked).toEqual([])
    },
  )
})
