import { expect, it } from 'vitest'
import type { AppState } from '../../../contract/state'
import { AppLanguage } from '../../commands/models/app-language'
import { desktopMenu, type MenuEntry } from './desktop-menu'

const here = { isMac: false, fromSource: false }
const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const idle: Pick<AppState, 'connection' | 'instances' | 'shortcuts'> = {
  connection: { state: 'idle' },
  instances: [],
  shortcuts: { recent: [], starred: [] },
}

function instance(id: string): AppState['instances'][number] {
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    profiles: { status: 'loaded', items: [{ profileId: 'internet', displayName: 'Internet' }] },
    messages: { status: 'loaded', items: [] },
  }
}

async function menu(
  language: string,
  state: Partial<typeof idle> = {},
  where: typeof here = here,
): Promise<readonly (readonly [string, readonly MenuEntry[]])[]> {
  const words = new AppLanguage()
  await words.use([language])
  return desktopMenu({ ...idle, ...state }, words.t, where).map(({ label, entries }) => [label, entries])
}

it('translates every entry', async () => {
  const english = await menu('en')
  const dutch = await menu('nl')
  expect(dutch.map(([label]) => label)).toEqual(['Bestand', 'Bewerken', 'Beeld', 'Venster', 'Help'])
  const labels = (all: typeof english): string[] =>
    all.flatMap(([, entries]) => entries.flatMap((entry) => ('label' in entry ? [entry.label ?? ''] : [])))
  expect(labels(dutch)).toHaveLength(labels(english).length)
  expect(labels(dutch).filter((label) => labels(english).includes(label))).toEqual([])
})

it('has one entry with one shortcut to connect and disconnect', async () => {
  const first = async (state: Partial<typeof idle>) => (await menu('en', state))[0]?.[1][0]
  expect(await first({})).toMatchObject({ label: 'Connect', enabled: false, key: 'CmdOrCtrl+Enter' })
  expect(await first({ connection: { state: 'connecting', target, phase: 'tls' } })).toMatchObject({
    label: 'Disconnect',
    action: 'disconnect',
    enabled: true,
    key: 'CmdOrCtrl+Enter',
  })
  expect(await first({ connection: { state: 'disconnecting', target } })).toMatchObject({ enabled: false })
  const switching = { state: 'disconnecting', target, switching: true } as const
  expect(await first({ connection: switching })).toMatchObject({ enabled: true })
})

it('connects to the chosen profile', async () => {
  const instances = [instance('vpn.example.org'), instance('other.example.org')]
  const connect = async (state: Partial<typeof idle>) =>
    (await menu('en', { instances, ...state }))[0]?.[1][0]
  expect(await connect({ instances: [] })).toMatchObject({ action: 'connect', enabled: false })
  expect(await connect({})).toMatchObject({ action: 'connect', enabled: true })
  expect(
    await connect({ shortcuts: { recent: [{ ...target, instanceId: 'other.example.org' }], starred: [] } }),
  ).toMatchObject({
    action: 'connect',
    enabled: true,
  })
})

it('has all views with their shortcuts', async () => {
  const services = { attachments: true, content: true, organizations: true }
  const view = (await menu('en', { instances: [{ ...instance('vpn.example.org'), services }] }))[2]?.[1] ?? []
  expect(view.flatMap((entry) => (entry.kind === 'item' ? [[entry.action, entry.key]] : []))).toEqual([
    [{ go: 'connection' }, 'CmdOrCtrl+1'],
    [{ go: 'messages' }, 'CmdOrCtrl+2'],
    [{ go: 'attachments' }, 'CmdOrCtrl+3'],
    [{ go: 'news' }, 'CmdOrCtrl+4'],
    [{ go: 'organization' }, 'CmdOrCtrl+5'],
    [{ go: 'settings' }, 'CmdOrCtrl+6'],
  ])
})

it('leaves out views without a service, and keeps the shortcuts of the others', async () => {
  const instances = [
    {
      ...instance('vpn.example.org'),
      services: { attachments: false, content: true, organizations: false },
    },
  ]
  const view = (await menu('en', { instances }))[2]?.[1] ?? []
  expect(view.flatMap((entry) => (entry.kind === 'item' ? [[entry.label, entry.key]] : []))).toEqual([
    ['Connection', 'CmdOrCtrl+1'],
    ['Messages', 'CmdOrCtrl+2'],
    ['News', 'CmdOrCtrl+4'],
    ['Settings', 'CmdOrCtrl+6'],
  ])
})

it('has an app menu on macOS, with entries that are elsewhere under File and Help', async () => {
  const [app, file] = await menu('en', {}, { isMac: true, fromSource: false })
  expect(app?.[0]).toBe('Causeway')
  expect(app?.[1]).toContainEqual({ kind: 'role', role: 'quit', label: 'Quit' })
  expect(file?.[1]).toHaveLength(1)
})
