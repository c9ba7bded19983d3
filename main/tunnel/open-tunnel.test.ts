import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ErrorReport } from '../../contract/error-codes'
import { type Launch, type LaunchRequest, runHelper, type TunnelProgram } from '../privilege/helper-client'
import { parseHelperMessage } from '../privilege/helper-messages'
import { createTunnelBackend, type PreparedTunnel } from './open-tunnel'
import { prepareOpenVpn } from './openvpn/openvpn'
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
  readRoutes = () => Promise.resolve(undefined),
} = {}) {
  return createTunnelBackend({
    privilege: {
      findHelper: () => Promise.resolve(undefined),
      wantsKillSwitch: () => Promise.resolve(killSwitch),
      blocksLocal: () => Promise.resolve(blocksLocal),
    },
    openVpnPath: () => Promise.resolve(undefined),
    findPrivileged: find,
    routes: { read: readRoutes },
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

describe.skipIf(process.platform === 'win32').each([
  ['is stopped', 'cat >/dev/null', { end: 'stopped' }],
  ['ends', 'exit 70', { end: 'failed' }],
] as const)('a tunnel that %s while its routes are read', (_what, last, end) => {
  it('ends without a word about its name servers, and was never up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-stopped-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const helper = join(folder, 'causeway-helper')
    const connected = [
      'OpenVPN 2.6.14',
      'UDPv4 link remote: [AF_INET]192.0.2.1:1194',
      '[vpn] Peer Connection Initiated with [AF_INET]192.0.2.1:1194',
      "PUSH: Received control message: 'PUSH_REPLY,dhcp-option DNS 10.0.0.1'",
      'Initialization Sequence Completed',
    ]
    const script = `echo 'causeway-helper: ipv6' >&2\ncat <<END\n${connected.join('\n')}\nEND\n${last}\n`
    await writeFile(helper, `#!/bin/sh\n${script}`)
    await chmod(helper, 0o755)
    const over: Promise<unknown>[] = []
    const launch: Launch = async (request) => {
      const running = await runHelper({ helper, elevation: 'root' }, request)
      const followLog: TunnelProgram['followLog'] = (onLine) => {
        const read = running.followLog(onLine)
        over.push(read, running.exited)
        return read
      }
      return { ...running, followLog }
    }
    let ask: () => void = () => undefined
    const asked = new Promise<void>((resolve) => (ask = resolve))
    let answer: (reading: undefined) => void = () => undefined
    const remotes = [{ host: '192.0.2.1', port: 1194, protocol: 'udp' }] as const
    const notices: unknown[] = []
    const events: TunnelEvent[] = []
    const tunnel = await open(
      backendWith({
        find: () => Promise.resolve(launch),
        onNotice: (notice) => notices.push(notice),
        prepare: () => Promise.resolve(prepareOpenVpn({ text: 'client\n', remotes }, 'full')),
        readRoutes: () => {
          ask()
          return new Promise((resolve) => (answer = resolve))
        },
      }),
      (event) => events.push(event),
    )
    await asked
    const ended = end.end === 'stopped' ? tunnel.stop().then(() => tunnel.ended) : tunnel.ended
    await Promise.all(over)
    answer(undefined)
    const stuck = new Promise((resolve) => setImmediate(resolve, 'stuck'))
    expect(await Promise.race([ended, stuck])).toMatchObject(end)
    expect(notices).toEqual([])
    expect(events.map(({ event }) => event)).not.toContain('connected')
  })
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

  const notice = 'helper/local-network-not-blocked'
  const said = (line: string) => {
    const message = parseHelperMessage(`causeway-helper: ${line}`)
    if (message === undefined) throw new Error(`not a message: ${line}`)
    return message
  }

  /** Opens a tunnel whose helper says these lines first, and later those that are passed to `say`; each change has the routes read again. */
  async function tunnelWith(blocksLocal: boolean, ...lines: readonly string[]) {
    const notices: string[] = []
    const arrived: TunnelEvent[] = []
    let tell: (event: TunnelEvent) => void = () => undefined
    let helperSays: (line: string) => void = () => undefined
    const find = (): Promise<Launch> =>
      Promise.resolve(({ onMessage }) => {
        helperSays = (line) => onMessage?.(said(line), line)
        for (const line of lines) helperSays(line)
        return Promise.resolve(program)
      })
    const follow = ({ onEvent }: TunnelParts): ProgramTunnel => {
      tell = onEvent
      const routesChanged = () => {
        onEvent(opened)
      }
      return { onMessage: () => undefined, routesChanged } as unknown as ProgramTunnel
    }
    const backend = backendWith({
      find,
      blocksLocal,
      onNotice: ({ code }) => notices.push(code),
      prepare: () => Promise.resolve({ follow }),
    })
    await open(backend, (event) => arrived.push(event))
    arrived.length = 0
    return { notices, arrived, tell, say: helperSays }
  }

  it.each([[], ['local-network unknown'], ['local-network open'], ['kill-switch left']])(
    'is reported once if it is to be blocked, and nothing says that it is: %s',
    async (...lines) => {
      const { notices, arrived, tell } = await tunnelWith(true, ...lines)
      for (const event of [closed, opened, closed, opened]) tell(event)
      expect(notices).toEqual([notice])
      expect(arrived).toEqual([closed, opened, closed, opened])
    },
  )

  it('is nothing to report otherwise', async () => {
    const unwanted = await tunnelWith(false)
    unwanted.tell(opened)
    expect(unwanted).toMatchObject({ notices: [], arrived: [opened] })
    const none = await tunnelWith(true)
    none.tell(closed)
    expect(none).toMatchObject({ notices: [], arrived: [closed] })
  })

  it.each([
    ['local-network blocked', 'local-network open'],
    ['local-network blocked', 'local-network unknown'],
    ['kill-switch on', 'kill-switch lifted'],
    ['kill-switch on', 'kill-switch released'],
  ])('is not open while the firewall blocks it: from “%s” to “%s”', async (from, to) => {
    const { notices, arrived, tell, say } = await tunnelWith(true, from)
    tell(opened)
    say(from)
    expect(notices).toEqual([])
    expect(arrived).toEqual([{ event: 'routes', routes: 'kept', details }])
    say(to)
    expect(notices).toEqual([notice])
    expect(arrived.slice(1)).toEqual([opened])
    say(from)
    expect(arrived.slice(2)).toEqual([{ event: 'routes', routes: 'kept', details }])
  })

  it('stays blocked when the kill switch is lifted, as long as the rules of the tunnel are there', async () => {
    const { notices, arrived, tell, say } = await tunnelWith(true, 'kill-switch on', 'local-network blocked')
    tell(opened)
    say('kill-switch released')
    expect(notices).toEqual([])
    expect(arrived).toEqual([{ event: 'routes', routes: 'kept', details }])
  })
})
