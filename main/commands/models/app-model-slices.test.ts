import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { AppState } from '../../../contract/state'
import { report } from '../../errors'
import type { Transfer } from '../../services/attachments/transfer'
import { Emitter } from '../../emitter'
import { createServices } from '../../app/services'
import { AppModel } from './app-model'
import { Notices } from './notices'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }

async function openServices() {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-slices-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: () => Promise.resolve(),
    onNotice: () => undefined,
  })
  onTestFinished(() => services.dispose())
  return services
}

function openModel(services: Awaited<ReturnType<typeof openServices>>): AppModel {
  const model = new AppModel({
    services,
    notices: new Notices(),
    chosenLanguages: [],
    systemLanguages: ['en'],
    onDefect: (error) => {
      throw error
    },
  })
  onTestFinished(() => {
    model.dispose()
  })
  return model
}

it('ends a notice about DNS with its connection', async () => {
  const services = await openServices()
  const states = new Emitter<ConnectionState>()
  vi.spyOn(services.connection, 'onChange').mockImplementation((listener) => states.on(listener))
  const { notices } = openModel(services)
  const damaged = report('data/damaged', { details: { movedTo: '/x' } })
  for (const end of ['disconnected', 'reconnecting'] as const) {
    states.emit({ state: 'connected', target } as ConnectionState)
    notices.add(damaged)
    notices.add(report('helper/dns-not-set'))
    states.emit({ state: 'connected', target } as ConnectionState)
    expect(notices.all).toContainEqual(expect.objectContaining({ code: 'helper/dns-not-set' }))
    states.emit({ state: end, target } as ConnectionState)
    expect(notices.all).toEqual([damaged])
    notices.clear()
  }
})

it('ends a notice about DNS once the servers are in use again', async () => {
  const services = await openServices()
  const states = new Emitter<ConnectionState>()
  vi.spyOn(services.connection, 'onChange').mockImplementation((listener) => states.on(listener))
  const { notices } = openModel(services)
  notices.add(report('helper/dns-not-set'))
  notices.add(report('connection/no-dns-servers'))
  states.emit({ state: 'connected', target, dns: { servers: [], domains: [], applied: true } } as never)
  expect(notices.all).toEqual([])
})

it('builds and sends only the transfers while bytes flow', async () => {
  const services = await openServices()
  const ticks = new Emitter<readonly Transfer[]>()
  const { attachmentTransfers } = services
  vi.spyOn(attachmentTransfers, 'onChange').mockImplementation((listener) => ticks.on(listener))
  const model = openModel(services)
  const sources = {
    transfers: vi.spyOn(attachmentTransfers, 'all'),
    deletions: vi.spyOn(model.attachments.deletions, 'all'),
    instances: vi.spyOn(model.instances, 'slices'),
    killSwitch: vi.spyOn(services.killSwitch, 'blocks'),
    settings: vi.spyOn(model.settings, 'slice', 'get'),
    notices: vi.spyOn(model.notices, 'all', 'get'),
  }
  const sent: Partial<AppState>[] = []
  model.onChange((changed) => sent.push(changed))

  ticks.emit([])

  expect(sent).toEqual([{ transfers: [] }])
  const read = Object.entries(sources).filter(([, source]) => source.mock.calls.length > 0)
  expect(read.map(([name]) => name)).toEqual(['transfers'])
})
