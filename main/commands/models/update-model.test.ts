import { EventEmitter, once } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import type { NewRelease, UpdateStatus } from '../../updates/updates'
import { type UpdateDesktop, UpdateModel, type UpdateInstaller } from './update-model'

const file = { url: new URL('https://updates.example.org/a.AppImage'), sha512: 'x', size: 200 }
const release: NewRelease = {
  version: '1.3.0',
  notes: undefined,
  required: false,
  files: new Map([['AppImage-x64', file]]),
}

let status: Pick<UpdateStatus, 'looks' | 'available' | 'isDismissed'>
let connected: boolean
let happened: string[]
let problems: unknown[]
let changed: () => void
let model: UpdateModel
let download: {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}
let verify: () => Promise<void>
let quits: boolean

const installer: UpdateInstaller = {
  download: async (version, _file, { signal, onProgress }) => {
    happened.push(`download ${version}`)
    onProgress(50)
    signal.addEventListener('abort', () => {
      download.reject(new CausewayError('http/cancelled'))
    })
    await download.promise
  },
  verify: () => verify(),
  install: () => undefined,
}

beforeEach(() => {
  status = { looks: 'on', available: release, isDismissed: false }
  connected = false
  quits = true
  happened = []
  problems = []
  const ending = new EventEmitter()
  download = {
    promise: once(ending, 'end').then(() => undefined),
    resolve: () => ending.emit('end'),
    reject: (error) => ending.emit('error', error),
  }
  verify = () => Promise.resolve()
  model = new UpdateModel({
    updates: () =>
      Promise.resolve({
        status: () => Promise.resolve({ checkedAt: undefined, problem: undefined, ...status }),
        onChange: (listener) => {
          changed = listener
          return () => undefined
        },
        checkIfDue: () => {
          happened.push('check')
          return Promise.resolve()
        },
        dismiss: () => {
          status = { ...status, isDismissed: true }
          changed()
          return Promise.resolve()
        },
        watch: () => () => undefined,
      }),
    isConnected: () => connected,
    disconnect: () => {
      happened.push('disconnect')
      return Promise.resolve()
    },
    onChange: () => undefined,
    onFailure: (error) => problems.push(error),
  })
})

async function start(means: Awaited<ReturnType<UpdateDesktop['means']>>): Promise<void> {
  const quitAndInstall = (): void => {
    happened.push('quit and install')
  }
  const mayQuit = () => Promise.resolve(quits)
  await model.start(
    { means: () => Promise.resolve(means), installer, mayQuit, quitAndInstall },
    () => () => undefined,
  )
}

const self = { means: 'self', target: 'AppImage-x64' } as const
const settled = () => new Promise(setImmediate)

it.each([
  ['a package', { means: 'packages' }, 'packages'],
  ['a copy that Causeway may replace', self, 'self'],
  ['a copy without a file in the feed', { means: 'self', target: 'nsis-arm64' }, 'manual'],
] as const)('offers the version to %s in the way that works there', async (_what, means, shown) => {
  expect(model.slice).toEqual({ configured: false, progress: { stage: 'none' } })
  await start(means)
  expect(model.slice).toMatchObject({ configured: true, available: { version: '1.3.0', means: shown } })
})

it('downloads with progress, then quits and installs', async () => {
  await start(self)
  const installing = model.install({ endsConnection: false })
  expect(model.slice.progress).toEqual({ stage: 'downloading', received: 50, total: 200 })
  // A second click changes nothing.
  expect(await model.install({ endsConnection: false })).toBe('done')
  download.resolve()
  expect(await installing).toBe('done')
  expect(happened).toEqual(['download 1.3.0', 'quit and install'])
})

it('installs nothing while connected unless the user agrees to disconnect', async () => {
  await start(self)
  connected = true
  download.resolve()
  expect(await model.install({ endsConnection: false })).toBe('connected')
  expect(happened).toEqual([])
  expect(await model.install({ endsConnection: true })).toBe('done')
  expect(happened).toEqual(['download 1.3.0', 'disconnect', 'quit and install'])
})

it('keeps the connection if the user keeps the app open because of a transfer', async () => {
  await start(self)
  connected = true
  quits = false
  download.resolve()
  expect(await model.install({ endsConnection: true })).toBe('done')
  expect(happened).toEqual(['download 1.3.0'])
  expect(model.slice.progress).toEqual({ stage: 'ready' })
})

it('asks if somebody connected during the download, and keeps what it downloaded', async () => {
  await start(self)
  const installing = model.install({ endsConnection: false })
  connected = true
  download.resolve()
  expect(await installing).toBe('connected')
  expect(model.slice.progress).toEqual({ stage: 'ready' })
  connected = false
  await model.install({ endsConnection: false })
  expect(happened).toEqual(['download 1.3.0', 'quit and install'])
})

it('stops a download that the user cancels', async () => {
  await start(self)
  const installing = model.install({ endsConnection: false })
  model.cancel()
  await installing
  expect(model.slice.progress).toEqual({ stage: 'none' })
  expect(happened).toEqual(['download 1.3.0'])
})

it('installs no file that differs from the signed one, and says so', async () => {
  verify = () => Promise.reject(new CausewayError('updates/not-verified'))
  await start(self)
  download.resolve()
  await model.install({ endsConnection: true })
  expect(model.slice.progress).toMatchObject({ stage: 'failed', error: { code: 'updates/not-verified' } })
  expect(happened).toEqual(['download 1.3.0'])
  expect(problems).toMatchObject([{ code: 'updates/not-verified' }])
})

it('forgets the version, and stops its download, once the user dismisses it or turns updates off', async () => {
  await start(self)
  const installing = model.install({ endsConnection: false })
  await model.dismiss()
  await installing
  await settled()
  expect(model.slice).toEqual({ configured: true, progress: { stage: 'none' } })
  status = { looks: 'on', available: { ...release, version: '1.3.1' }, isDismissed: false }
  changed()
  await settled()
  expect(model.slice.available?.version).toBe('1.3.1')
  status = { looks: 'off', available: undefined, isDismissed: false }
  await model.settingsChanged()
  expect(model.slice).toEqual({ configured: true, progress: { stage: 'none' } })
})

it('looks at once when the user turns updates on', async () => {
  await start(self)
  await model.settingsChanged()
  expect(happened).toEqual(['check'])
})
