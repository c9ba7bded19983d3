import { beforeEach, describe, expect, it } from 'vitest'
import type { ErrorReport } from '../../contract/error-codes'
import type { Launch, LaunchRequest, TunnelProgram } from '../privilege/helper-client'
import { createTunnelBackend, type PreparedTunnel } from './open-tunnel'
import type { ProgramTunnel, TunnelParts } from './program-tunnel'
import type { OpenVpnTunnel, TunnelEvent } from './tunnel'

const granted: OpenVpnTunnel = { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' }
const program: TunnelProgram = {
  followLog: () => Promise.resolve(),
  end: () => undefined,
  exited: Promise.resolve({}),
}

let log: string[]
let begins: Promise<void>

beforeEach(() => {
  log = []
  begins = Promise.resolve()
})

/** A launcher whose programs are numbered. */
function launcher(name = 'helper', dies: () => boolean = () => false): Launch {
  let count = 0
  const launch = ({ command, killSwitch }: LaunchRequest) => {
    log.push(`${name} runs ${command}${killSwitch ? ' with the kill switch' : ''}`)
    return Promise.resolve(program)
  }
  return Object.assign(launch, {
    begin: async (command: LaunchRequest['command']) => {
      const number = (count += 1)
      await begins
      log.push(`${name} begins ${command} ${String(number)}`)
      return {
        isRunning: () => !dies(),
        launch: ({ killSwitch }: LaunchRequest) => {
          log.push(`${String(number)} goes on${killSwitch ? ' with the kill switch' : ''}`)
          return program
        },
        end: () => {
          log.push(`${String(number)} ends`)
          return Promise.resolve()
        },
      }
    },
  })
}

function backendWith({
  find = () => Promise.resolve<Launch | undefined>(launcher()),
  killSwitch = false,
  blocksLocal = false,
  onNotice = (_notice: ErrorReport): void => undefined,
  prepare = () => Promise.resolve<Partial<PreparedTunnel>>({}),
} = {}) {
  return createTunnelBackend({
    privilege: {
      findHelper: () => Promise.resolve(undefined),
      wantsKillSwitch: () => Promise.resolve(killSwitch),
      blocksLocal: () => Promise.resolve(blocksLocal),
    },
    openVpnPath: () => Promise.resolve(undefined),
    findPrivileged: find,
    routes: { read: () => Promise.resolve(undefined) },
    onNotice,
    protocols: {
      openvpn: () =>
        Promise.resolve({
          prepare: async () => ({
            command: 'run' as const,
            configuration: '',
            hosts: [],
            follow: () => ({ onMessage: () => undefined }) as unknown as ProgramTunnel,
            ...(await prepare()),
          }),
          isOutdated: () => Promise.resolve(false),
          describe: () => Promise.resolve(''),
        }),
      wireguard: () => Promise.reject(new Error('not used')),
    },
  })
}

const open = (backend: ReturnType<typeof backendWith>, onEvent = (_event: TunnelEvent): void => undefined) =>
  backend.openTunnel(granted, {
    target: { instanceId: 'vpn.example.org', profileId: 'internet' },
    mode: 'full',
    preferTcp: false,
    avoid: [],
    onEvent,
  })

it('gives the configuration to the program that was got ready for it, once', async () => {
  const found = launcher()
  const backend = backendWith({ find: () => Promise.resolve(found), killSwitch: true })
  const standDown = backend.getReady('openvpn', 'full')
  await open(backend)
  await standDown()
  await open(backend)
  expect(log).toEqual([
    'helper begins run 1',
    '1 goes on with the kill switch',
    'helper runs run with the kill switch',
  ])
})

it('waits for a program that is still being started', async () => {
  let finish: () => void = () => undefined
  begins = new Promise((resolve) => (finish = resolve))
  const backend = backendWith()
  backend.getReady('openvpn', 'full')
  const opening = open(backend)
  finish()
  await opening
  expect(log).toEqual(['helper begins run 1', '1 goes on'])
})

it('ends one that no tunnel has come for, and does not start it twice', async () => {
  const backend = backendWith()
  const standDown = backend.getReady('openvpn', 'full')
  await standDown()
  await standDown()
  await open(backend)
  expect(log).toEqual(['helper begins run 1', '1 ends', 'helper runs run'])
})

it('starts only one if the portal is asked again, after a login, and ends it for another protocol', async () => {
  const backend = backendWith()
  backend.getReady('openvpn', 'full')
  const standDown = backend.getReady('openvpn', 'full')
  await standDown()
  expect(log).toEqual(['helper begins run 1', '1 ends'])

  log = []
  backend.getReady('wireguard', 'full')
  await backend.getReady('openvpn', 'full')()
  expect(log.toSorted()).toEqual(['1 ends', '1 ends', 'helper begins run 1', 'helper begins wireguard 1'])
})

it('starts another one for the other protocol, and instead of one that has died', async () => {
  const other = backendWith()
  other.getReady('wireguard', 'full')
  await open(other)
  expect(log).toEqual(['helper begins wireguard 1', '1 ends', 'helper runs run'])

  log = []
  const dead = backendWith({ find: () => Promise.resolve(launcher('helper', () => true)) })
  dead.getReady('openvpn', 'full')
  await open(dead)
  expect(log).toEqual(['helper begins run 1', '1 ends', 'helper runs run'])
})

it('uses none with less rights than there are now, because it has no kill switch', async () => {
  let isInstalled = false
  const found = launcher()
  const backend = backendWith({
    find: () => Promise.resolve(isInstalled ? found : undefined),
  })
  // Without the helper, this process would have to have the rights itself: a handshake needs none.
  backend.getReady('openvpn', 'handshake-only')
  isInstalled = true
  await open(backend)
  expect(log).toEqual(['helper runs run'])
})

it('reports what keeps a program from starting when the tunnel is opened', async () => {
  const backend = backendWith({ find: () => Promise.reject(new Error('no rights')) })
  await backend.getReady('openvpn', 'full')()
  await expect(open(backend)).rejects.toThrow('no rights')
})

it('ends nothing twice if the grant is of no use', async () => {
  const backend = backendWith({ prepare: () => Promise.reject(new Error('no good')) })
  const standDown = backend.getReady('openvpn', 'full')
  await expect(open(backend)).rejects.toThrow('no good')
  await standDown()
  expect(log).toEqual(['helper begins run 1', '1 ends'])
})

describe('a tunnel whose routes leave the local network open', () => {
  const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
  const details = { addresses: { ipv4: '10.0.0.2' }, remote, allTraffic: true }
  const closed: TunnelEvent = { event: 'connected', details }
  const opened: TunnelEvent = {
    event: 'routes',
    routes: 'kept',
    details: { ...details, local: ['192.0.2.0/24'] },
  }

  /** Returns the notices about a tunnel with these events, all of which arrive. */
  async function noticesOf(blocksLocal: boolean, ...events: readonly TunnelEvent[]): Promise<string[]> {
    const notices: string[] = []
    const arrived: TunnelEvent[] = []
    const follow = ({ onEvent }: TunnelParts): ProgramTunnel => {
      for (const event of events) onEvent(event)
      return { onMessage: () => undefined } as unknown as ProgramTunnel
    }
    const backend = backendWith({
      blocksLocal,
      onNotice: ({ code }) => notices.push(code),
      prepare: () => Promise.resolve({ follow }),
    })
    await open(backend, (event) => arrived.push(event))
    expect(arrived).toEqual([{ event: 'phase', phase: 'starting' }, ...events])
    return notices
  }

  it('is reported once if it is to be blocked', async () => {
    expect(await noticesOf(true, closed, opened, closed, opened)).toEqual([
      'helper/local-network-not-blocked',
    ])
  })

  it('is nothing to report otherwise', async () => {
    expect(await noticesOf(false, opened)).toEqual([])
    expect(await noticesOf(true, closed)).toEqual([])
  })
})
