import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AppState } from '../../contract/state'
import type { Transfer } from '../services/attachments/transfer'
import { Emitter } from '../emitter'
import { createServices } from '../app/services'
import { AppModel } from './app-model'
import { Notices } from './notices'

it('builds and sends only the transfers while bytes flow', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-slices-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: () => Promise.resolve(),
    onNotice: () => undefined,
  })
  onTestFinished(() => services.dispose())
  const ticks = new Emitter<readonly Transfer[]>()
  const attachmentTransfers = {
    ...services.attachmentTransfers,
    all: (): readonly Transfer[] => [],
    onChange: (listener: (transfers: readonly Transfer[]) => void) => ticks.on(listener),
  }
  const model = new AppModel({
    services: { ...services, attachmentTransfers },
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
