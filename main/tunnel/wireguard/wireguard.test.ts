import { describe, expect, it } from 'vitest'

import type { Launch, LaunchRequest, ProgramExit, TunnelProgram } from '../../privilege/helper-client'
import { type DnsOutcome, parseHelperMessage } from '../../privilege/helper-messages'
import { deciding } from '../../platform/routes/boundaries'
import type { TunnelEvent, WireGuardTunnel } from '../tunnel'
import { configurationText, serverKey } from './configuration.testing'
import type { OpenTunnelOptions } from '../open-tunnel'
import { wireGuardBackend } from './backend.testing'
import { writeBase64 } from './request'
import type { Clock } from './clock'

type ProxyFor = NonNullable<Parameters<typeof wireGuardBackend>[0]['proxyFor']>

const privateKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7))

function grant(
  changes: Parameters<typeof configurationText>[0] = {},
  transport: 'udp' | 'tcp' = 'udp',
): WireGuardTunnel {
  const namedBy = 'https://vpn.example.org/api/v3'
  return { protocol: 'wireguard', transport, profile: configurationText(changes), namedBy, privateKey }
}

/** Those of this computer play no part, and would be loaded after a fast test has ended. */
const noRoutes = { read: () => Promise.resolve(undefined) }

function backendOf({
  launch,
  routes = noRoutes,
  platform,
  ...parts
}: Pick<Partial<OpenTunnelOptions>, 'routes' | 'platform' | 'onNotice'> & {
  readonly launch?: Launch
  readonly clock?: Clock
  readonly proxyFor?: ProxyFor
}) {
  return wireGuardBackend({ launch, killSwitch: true, ...parts }, { routes, platform })
}

/** A tunnel whose helper says what the test says, with a clock that the test moves. */
async function started(
  tunnel = grant(),
  proxyFor?: ProxyFor,
  dnsOutcome: DnsOutcome = { applied: true },
  platform: NodeJS.Platform = 'linux',
) {
  const events: TunnelEvent[] = []
  const notices: unknown[] = []
  const sent: string[] = []
  let request: Buffer = Buffer.alloc(0)
  let asRead = ''
  let launched: LaunchRequest | undefined
  let log: (line: string) => void = () => undefined
  let exit: (exit: ProgramExit) => void = () => undefined
  const exited = new Promise<ProgramExit>((resolve) => (exit = resolve))
  const timers = new Set<{ readonly at: number; readonly work: () => void }>()
  let now = 1_000_000
  let mayRead: Promise<void> = Promise.resolve()
  const reading = {
    routes: ['0.0.0.0/0', '::/0'].map((prefix) => ({ prefix, devices: ['cw12t'], connected: false })),
    ways: deciding.map((range) => ({ ...range, device: 'cw12t' })),
  }
  const program: TunnelProgram = {
    followLog: (onLine) => {
      log = onLine
      return exited.then(() => undefined)
    },
    end: () => {
      exit({ exitCode: 0 })
    },
    exited,
    applyDns: ({ servers, domains }) => {
      sent.push(`dns ${servers.join(',')} ${domains.join(',')}`)
      return Promise.resolve(dnsOutcome)
    },
    send: (command) => sent.push(command),
  }
  const clock = {
    now: () => now,
    after: (milliseconds: number, work: () => void) => {
      const timer = { at: now + milliseconds, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const backend = backendOf({
    launch: (what) => {
      launched = what
      request = what.configuration as Buffer
      asRead = request.toString()
      expect(what).toMatchObject({ command: 'wireguard', killSwitch: true })
      return Promise.resolve(program)
    },
    routes: { read: () => mayRead.then(() => reading) },
    platform,
    clock,
    proxyFor,
    onNotice: (notice) => notices.push(notice),
  })
  const open = () =>
    backend.openTunnel(tunnel, {
      target: { instanceId: 'vpn.example.org', profileId: 'internet' },
      mode: 'full',
      preferTcp: false,
      avoid: [],
      onEvent: (event) => events.push(event),
    })
  const running = await open()
  const say = async (...texts: string[]): Promise<void> => {
    for (const text of texts) {
      const message = parseHelperMessage(`causeway-helper: ${text}`)
      if (message === undefined) throw new Error(`The helper doesn't say ${text}.`)
      if (message.message === 'failed')
        exit({ error: launched?.errorOf?.(message) ?? new Error(text) } as ProgramExit)
      launched?.onMessage?.(message, text)
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
  }
  /** Moves the clock, and answers each question for the counters. */
  const pass = async (seconds: number, answer?: (now: number) => string): Promise<void> => {
    const until = now + seconds * 1000
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)
      if (next === undefined) break
      now = Math.max(now, next.at)
      timers.delete(next)
      const asked = sent.length
      next.work()
      for (const command of sent.slice(asked)) if (command === 'state' && answer) await say(answer(now))
    }
    now = until
  }
  const up = async (): Promise<void> => {
    await say('remote 192.0.2.1 51820', 'started cw12t kernel', 'handshake 0 92 148')
  }
  const names = () =>
    events.filter(({ event }) => event !== 'log').map((each) => ('phase' in each ? each.phase : each.event))
  return {
    open,
    running,
    events,
    notices,
    sent,
    say,
    pass,
    up,
    names,
    exit,
    /** Lets the routes be read only once the returned function is called. */
    holdRoutes: () => {
      let read: () => void = () => undefined
      mayRead = new Promise((resolve) => (read = resolve))
      return () => {
        read()
      }
    },
    timers,
    log: (line: string) => {
      log(line)
    },
    request: () => request,
    asRead: () => asRead,
    start: now,
  }
}

it('sends the helper typed lines, and overwrites the private key once they are read', async () => {
  const { asRead, request, say, sent, running } = await started(grant({ MTU: '1392' }))
  expect(asRead().split('\n')).toEqual([
    'address 10.43.0.2/24',
    'address fd43::2/64',
    'mtu 1392',
    `peer ${serverKey}`,
    'endpoint node.example.org 51820',
    'allowed 0.0.0.0/0',
    'allowed ::/0',
    'keepalive 25',
    `private-key ${privateKey.toString('base64')}`,
    '',
  ])
  await say('remote 192.0.2.1 51820', 'started cw12t kernel')
  expect(request().every((byte) => byte === 0)).toBe(true)
  expect(sent).toEqual(['dns 10.43.0.1 .,vpn.example.org'])
  await running.stop()
})

it.each([
  ['was stopped', ({ running }: Awaited<ReturnType<typeof started>>) => running.stop()],
  [
    'lost its helper',
    async ({ exit, running }: Awaited<ReturnType<typeof started>>) => {
      exit({ exitCode: 1 })
      await running.ended
    },
  ],
])('says and asks nothing any more if it %s while its routes were read', async (_what, end) => {
  const world = await started()
  const { holdRoutes, names, sent, timers, up } = world
  const readRoutes = holdRoutes()
  await up()
  await end(world)
  const before = [...sent]
  readRoutes()
  await new Promise((resolve) => setImmediate(resolve))
  expect(names()).not.toContain('connected')
  expect(timers.size).toBe(0)
  expect(sent).toEqual(before)
})

it('has the helper begin with the address that worked before', async () => {
  const { asRead, open, running, up } = await started()
  expect(asRead()).not.toContain('prefer')
  await up()
  await running.stop()
  await (await open()).stop()
  expect(asRead()).toMatch(/^prefer 192\.0\.2\.1$/m)
})

it("says that a network of the VPN is this computer's own", async () => {
  const { running, notices, say } = await started()
  await say('remote 192.0.2.1 51820', 'route-kept 192.168.1.0/24')
  expect(notices).toEqual([
    expect.objectContaining({ code: 'wireguard/route-not-set', details: { network: '192.168.1.0/24' } }),
  ])
  await running.stop()
})

it('logs what it leaves out of a text, without its value', async () => {
  const { running, events } = await started(grant({ MTU: '9000' }))
  expect(events).toContainEqual({
    event: 'log',
    line: 'MTU on line 2 of the configuration: left out, so the network decides',
  })
  await running.stop()
})

it('takes no network for a blocked one because an address has nobody beside it to ping', async () => {
  const { running, sent, up, pass, names, start } = await started(grant({ Address: '10.43.0.2/32' }))
  await up()
  await pass(10, (now) => `handshake ${String((now - start) / 1000)} 92 148`)
  expect(sent).not.toContain('test')
  expect(names().at(-1)).toBe('connected')
  await running.stop()
})

it('lets the helper open the way to the proxy of the network in place of the ProxyGuard server', async () => {
  const tunnel = grant({ Endpoint: '127.0.0.1:51820', ProxyEndpoint: 'https://guard.example.org/x' }, 'tcp')
  const asked: unknown[] = []
  const proxyFor: ProxyFor = (server) => {
    asked.push(server)
    return Promise.resolve({ protocol: 'http:', host: '192.0.2.3', port: 3128 })
  }
  const { asRead, say, events, running } = await started(tunnel, proxyFor)
  expect(asked).toEqual([{ host: 'guard.example.org', port: 443 }])
  expect(asRead()).toMatch(/^proxy 192\.0\.2\.3 3128 \d+$/m)
  await say('remote 192.0.2.3 3128')
  expect(events).toContainEqual({
    event: 'phase',
    phase: 'contacting',
    remote: { host: '192.0.2.3', address: '192.0.2.3', port: 3128, protocol: 'tcp' },
  })
  await running.stop()
  const refused = await started(tunnel, proxyFor)
  await refused.say('failed endpoint')
  expect(await refused.running.ended).toMatchObject({
    error: { code: 'http/unreachable', variant: 'proxy-unusable' },
  })
})

it('goes past no proxy that the tunnel is to use, as UDP would', async () => {
  const proxyFor: ProxyFor = () => Promise.resolve({ protocol: 'http:', host: '192.0.2.3', port: 3128 })
  await expect(started(grant(), proxyFor)).rejects.toMatchObject({
    code: 'profile-configuration/no-tcp-remote',
  })
})

it('writes base64 as Node.js does', () => {
  for (let length = 0; length < 40; length += 1) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 97 + length) & 255))
    const text = Buffer.alloc(Math.ceil(length / 3) * 4)
    writeBase64(bytes, text, 0)
    expect(text.toString()).toBe(bytes.toString('base64'))
  }
})

it('is connected after the first handshake and not before, with the DNS servers set', async () => {
  const { running, events, names, say, up, start } = await started()
  await say('remote 192.0.2.1 51820', 'started cw12t kernel')
  expect(names()).toEqual(['starting', 'resolving', 'contacting'])
  await up()
  expect(names()).toEqual(['starting', 'resolving', 'contacting', 'contacting', 'configuring', 'connected'])
  expect(events.find(({ event }) => event === 'connected')).toEqual({
    event: 'connected',
    details: {
      addresses: { ipv4: '10.43.0.2', ipv6: 'fd43::2' },
      remote: { address: '192.0.2.1', port: 51_820, protocol: 'udp' },
      device: 'cw12t',
      dns: { servers: ['10.43.0.1'], domains: ['vpn.example.org'], applied: true },
      handshakeAt: start,
      allTraffic: true,
      routes: ['0.0.0.0/0', '::/0'],
    },
  })
  await running.stop()
  expect(await running.ended).toEqual({ end: 'stopped' })
})

it('says once that a tunnel for all traffic has no DNS servers', async () => {
  const { up, notices, say, running } = await started(grant({ DNS: undefined }))
  await up()
  await say('handshake 0 92 148')
  expect(notices).toMatchObject([{ code: 'connection/no-dns-servers' }])
  await running.stop()
})

it('says that another program has taken DNS back, and that it has given up', async () => {
  const { up, notices, say, running, events } = await started()
  const dns = () => events.findLast((event) => 'details' in event)
  await up()
  await say('dns lost')
  expect(dns()).toMatchObject({ event: 'routes', details: { dns: { applied: false } } })
  expect(notices).toMatchObject([{ code: 'helper/dns-not-set' }])
  await say('dns applied resolv.conf all')
  expect(dns()).toMatchObject({ event: 'routes', details: { dns: { applied: true, way: 'resolv.conf' } } })
  expect(notices).toHaveLength(1)
  await running.stop()
})

it('says that another program took DNS back before the handshake', async () => {
  const { notices, say, running, events } = await started()
  await say('remote 192.0.2.1 51820', 'started cw12t kernel', 'dns lost')
  expect(notices).toEqual([])
  await say('handshake 0 92 148')
  expect(notices).toMatchObject([{ code: 'helper/dns-not-set' }])
  expect(events.findLast((event) => 'details' in event)).toMatchObject({
    event: 'routes',
    details: { dns: { applied: false } },
  })
  await running.stop()
})

it.each([
  ['linux', undefined],
  ['darwin', 'other-system'],
  ['win32', 'other-system'],
] as const)('says what helps on %s where the name servers could not be set', async (platform, variant) => {
  const unset = await started(grant(), undefined, { applied: false }, platform)
  await unset.up()
  expect(unset.notices).toEqual([expect.objectContaining({ code: 'helper/dns-not-set', variant })])
  await unset.running.stop()
  const lost = await started(grant(), undefined, { applied: true }, platform)
  await lost.up()
  expect(lost.notices).toEqual([])
  await lost.say('dns lost')
  expect(lost.notices).toEqual([expect.objectContaining({ code: 'helper/dns-not-set', variant })])
  await lost.running.stop()
})

it('names an immutable resolv.conf', async () => {
  const { up, notices, running, events } = await started(grant(), undefined, {
    applied: false,
    problem: 'immutable',
  })
  await up()
  expect(notices).toMatchObject([{ code: 'helper/dns-not-set', variant: 'immutable' }])
  expect(events.findLast((event) => 'details' in event)).toMatchObject({
    details: { dns: { applied: false, problem: 'immutable' } },
  })
  await running.stop()
})

it('gives up after 10 s without a handshake', async () => {
  const { running, say, pass } = await started()
  await say('remote 192.0.2.1 51820', 'started cw12t kernel')
  await pass(9.9)
  await pass(0.2)
  expect(await running.ended).toMatchObject({
    end: 'failed',
    error: { code: 'wireguard/no-answer', failureClass: 'silent', reason: 'no-answer' },
  })
})

describe('the test after the first handshake', () => {
  it('lowers the MTU once if only small packets pass', async () => {
    const { running, sent, up, say } = await started()
    await up()
    await say('test small')
    expect(sent.slice(1)).toEqual(['test', 'mtu 1280'])
    await say('mtu 1280')
    expect(sent.slice(1)).toEqual(['test', 'mtu 1280', 'test'])
    await say('test small')
    expect(sent.slice(1)).toHaveLength(3)
    await running.stop()
  })

  it('takes a network that passes nothing for one that blocks UDP', async () => {
    const { running, up, say, pass } = await started()
    await up()
    await say('test none')
    await pass(4, () => 'handshake 12 92 900')
    expect(await running.ended).toMatchObject({
      error: { code: 'wireguard/blocked', failureClass: 'blocked' },
    })
  })

  it('accepts a gateway that answers no pings, if its server confirms them', async () => {
    const { running, up, say, pass } = await started()
    await up()
    await say('test none')
    await pass(4, () => 'handshake 12 124 900')
    await running.stop()
    expect(await running.ended).toEqual({ end: 'stopped' })
  })
})

describe('a tunnel that is up', () => {
  it('stays up while it is idle, with keepalives that nobody answers', async () => {
    const { running, names, up, say, pass, start } = await started()
    await up()
    await say('test full')
    // A keepalive every 25 s, a handshake every 120 s.
    await pass(600, (now) => {
      const passed = (now - start) / 1000
      const handshakes = Math.floor(passed / 120)
      const sent = 148 + 32 * Math.floor(passed / 25) + 148 * handshakes
      return `handshake ${String(Math.floor(passed % 120))} ${String(92 + 92 * handshakes)} ${String(sent)}`
    })
    expect(names().filter((name) => name === 'restarting' || name === 'connected')).toEqual(['connected'])
    expect(names().filter((name) => name === 'handshake')).toHaveLength(5)
    await running.stop()
  })

  it('is dead within 15 s of a loss while there is traffic, and looks for the server again', async () => {
    const { running, events, sent, up, say, pass, start } = await started()
    await up()
    await say('test full')
    const counters = (now: number) => `handshake 30 92 ${String(148 + Math.floor((now - start) / 10))}`
    await pass(9, counters)
    expect(events.some(({ event }) => event === 'restarting')).toBe(false)
    expect(sent.filter((command) => command === 'test')).toHaveLength(2)
    await pass(1, counters)
    expect(events.at(-1)).toMatchObject({
      event: 'restarting',
      reason: 'no-answer',
      handshakeFailed: false,
      routes: 'kept',
    })
    expect(sent.slice(-2)).toEqual(['resolve', 'test'])
    await say('remote 192.0.2.9 51820', 'resolve changed', 'handshake 0 300 9000')
    expect(events.at(-1)).toMatchObject({ event: 'connected', details: { remote: { address: '192.0.2.9' } } })
    await running.stop()
  })

  it('is dead if the system refuses each packet, so that nothing counts as sent', async () => {
    const { running, events, up, say, pass, start } = await started()
    await up()
    await say('test full')
    await pass(15, (now) => `handshake 30 92 148 0 0 ${String((now - start) / 500)} 0`)
    expect(events.at(-1)).toMatchObject({ event: 'restarting', reason: 'no-answer' })
    await running.stop()
  })

  it('takes no handshake for an answer: a server that gets nothing begins ones of its own', async () => {
    const { running, events, up, say, pass, start } = await started()
    await up()
    await say('test full')
    const rounds = (now: number) => Math.floor((now - start) / 5000)
    await pass(15, (now) => {
      const own = 148 + 148 * rounds(now) + 1280 * rounds(now)
      return `handshake 30 ${String(92 + 148 * rounds(now))} ${String(own)} 0 0 ${String(10 * rounds(now))} 0`
    })
    expect(events.at(-1)).toMatchObject({ event: 'restarting', reason: 'no-answer' })
    await running.stop()
  })

  it('tries the other addresses of the server in turn while it looks for it', async () => {
    const { running, sent, up, say, pass, start } = await started()
    await up()
    await say('test full')
    const counters = (now: number) => `handshake 30 92 ${String(148 + now - start)}`
    await pass(15, counters)
    const before = sent.length
    await pass(11, counters)
    expect(sent.slice(before)).toEqual(['state', 'next', 'test', 'state', 'next', 'test'])
    await running.stop()
  })

  it('is in trouble at once if the system has no way to the server', async () => {
    const { running, events, up, say } = await started()
    await up()
    await say('test full', 'handshake 5 92 148 0 0 0 0 no-way')
    expect(events.at(-1)).toMatchObject({ event: 'restarting', reason: 'unreachable' })
    await running.stop()
  })

  it('is in trouble two seconds after a packet that the system refuses, unless another one is answered', async () => {
    const { running, events, sent, up, say, pass, log } = await started()
    const refuse = () => {
      log(
        'peer(AbCd…) - Failed to send data packets: write udp4 0.0.0.0:5->192.0.2.1:51820: operation not permitted',
      )
    }
    await up()
    await say('test full')
    const before = sent.length
    refuse()
    refuse()
    expect(sent.slice(before)).toEqual(['test'])
    await say('test full')
    await pass(3, () => 'handshake 3 92 148')
    refuse()
    await pass(1.9)
    expect(events.some(({ event }) => event === 'restarting')).toBe(false)
    await pass(0.1)
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    expect(events.at(-1)).toMatchObject({ event: 'restarting', reason: 'unreachable' })
    const whileRecovering = sent.length
    refuse()
    expect(sent.slice(whileRecovering)).toEqual([])
    await running.stop()
  })

  it('lives while its server only confirms data, and its gateway answers no pings', async () => {
    const { running, events, up, say, pass, start } = await started()
    await up()
    await say('test none')
    // The server confirms every ten seconds, a little late.
    await pass(300, (now) => {
      const seconds = (now - start) / 1000
      const received = 124 + 32 * Math.max(0, Math.floor((seconds - 0.3) / 10))
      return `handshake 30 ${String(received)} ${String(148 + 100 * seconds)} 0 0 ${String(seconds)} 0`
    })
    expect(events.some(({ event }) => event === 'restarting')).toBe(false)
    await running.stop()
  })

  it('lives while nobody answers the first pings before the server confirms them', async () => {
    const { running, events, up, say, pass, start } = await started()
    await up()
    await pass(10, (now) => `handshake 5 92 ${String(148 + now - start)} 0 0 5 0`)
    await say('test none', 'handshake 10 124 900 0 0 5 0')
    await pass(20, () => 'handshake 20 124 900 0 0 5 0')
    expect(events.some(({ event }) => event === 'restarting')).toBe(false)
    await running.stop()
    expect(await running.ended).toEqual({ end: 'stopped' })
  })

  it('is found dead in time although the helper answers early or late', async () => {
    const { running, names, up, say, pass, start } = await started()
    await up()
    await say('test full')
    const counters = (now: number) => `handshake 30 92 ${String(148 + now - start)}`
    await pass(4.96)
    await say(counters(start + 4960))
    await pass(4.99)
    await say(counters(start + 9950))
    expect(names().at(-1)).toBe('restarting')
    await running.stop()
  })

  it('is taken down if the server does not come back within 20 s', async () => {
    const { running, up, say, pass, start } = await started()
    await up()
    await say('test full')
    await pass(45, (now) => `handshake 30 92 ${String(148 + now - start)}`)
    expect(await running.ended).toMatchObject({
      error: { code: 'wireguard/no-answer', failureClass: 'silent' },
    })
  })

  it('is dead with keys of more than 180 s while there is traffic', async () => {
    const { running, events, up, say, pass, start } = await started()
    await up()
    await say('test full')
    const counters = (now: number) => {
      const passed = Math.floor((now - start) / 1000)
      return `handshake ${String(passed)} 92 ${String(148 + 32 * Math.floor(passed / 25))}`
    }
    await pass(180, counters)
    expect(events.some(({ event }) => event === 'restarting')).toBe(false)
    await pass(60, counters)
    expect(events.find(({ event }) => event === 'restarting')).toMatchObject({ reason: 'handshake-too-old' })
    await running.stop()
  })

  it('tries nothing without a network, and looks for the server at once when there is one', async () => {
    const { running, names, sent, up, say, pass, start } = await started()
    await up()
    await say('test full')
    running.pause?.()
    const before = sent.length
    await pass(300, (now) => `handshake 30 92 ${String(148 + now - start)}`)
    expect(sent).toHaveLength(before)
    running.recover?.()
    expect(sent.slice(before)).toEqual(['state', 'resolve', 'test'])
    // An answer that came before the network went.
    await say('handshake 30 900 900')
    expect(names().filter((name) => name === 'connected')).toHaveLength(1)
    await say('test full')
    expect(names().filter((name) => name === 'restarting' || name === 'connected')).toEqual([
      'connected',
      'connected',
    ])
    await running.stop()
  })
})

describe('the size of packets', () => {
  /** The counters of a tunnel in which large packets are lost: connections that wait for their first one. */
  const stalled = (start: number) => (now: number) => {
    const rounds = Math.floor((now - start) / 5000)
    const received = 92 + 300 * rounds
    return `handshake 5 ${String(received)} ${String(148 + 400 * rounds)} ${String(2 * rounds)} ${String(120 * rounds)} ${String(4 * rounds)} 0`
  }

  it('is tested again after a change of network, on which it is lowered, and grows on the next one', async () => {
    const { running, sent, names, up, say } = await started()
    await up()
    await say('test full')
    const before = sent.length
    running.recover?.()
    await say('test small', 'mtu 1280', 'test full')
    expect(sent.slice(before)).toEqual(['state', 'resolve', 'test', 'mtu 1280', 'test'])
    expect(names().at(-1)).toBe('connected')
    running.recover?.()
    await say('mtu 1420', 'resolve same', 'test full')
    expect(sent.slice(before + 5)).toEqual(['state', 'mtu full', 'resolve', 'test'])
    await running.stop()
  })

  it('is tested again when data stalls', async () => {
    const { running, sent, up, say, pass, start } = await started()
    await up()
    await say('test full', 'handshake 0 92 148 0 0 0 0')
    const before = sent.length
    await pass(5, stalled(start))
    expect(sent.slice(before)).toEqual(['state', 'test'])
    await say('test small')
    expect(sent.at(-1)).toBe('mtu 1280')
    await running.stop()
  })

  it('is lowered when data stalls behind a gateway that answers no pings', async () => {
    const { running, sent, up, say, pass, start } = await started()
    await up()
    await say('test none', 'handshake 0 124 148 0 0 0 0')
    await pass(6, stalled(start))
    expect(sent).toContain('mtu 1280')
    await running.stop()
  })

  it('stays if a service has set one that every network has room for', async () => {
    const { running, sent, up, say } = await started(grant({ MTU: '1280' }))
    await up()
    await say('test small')
    expect(sent.at(-1)).toBe('test')
    await running.stop()
  })
})

describe('the end of the helper', () => {
  it.each([
    ['gone route', { exitCode: 71 }, 'wireguard/stopped-unexpectedly', 'device-gone'],
    ['exited 1', { exitCode: 70 }, 'wireguard/stopped-unexpectedly', 'process-ended'],
    ['killed KILL', { signal: 'KILL' }, 'wireguard/stopped-unexpectedly', 'process-ended'],
  ])('%s', async (output, how, code, reason) => {
    const { running, up, say, exit } = await started()
    await up()
    await say(output)
    exit(how)
    expect(await running.ended).toMatchObject({ error: { code, reason, failureClass: 'retry' } })
  })

  it.each([
    ['failed no-wireguard', { code: 'wireguard/not-available' }],
    ['failed wireguard-of-others', { code: 'wireguard/not-available', variant: 'of-others' }],
    ['failed unresolved', { code: 'wireguard/name-not-resolved', failureClass: 'retry' }],
    ['failed endpoint', { code: 'profile-configuration/invalid-argument', variant: 'resolved' }],
    [
      'failed unreachable',
      {
        code: 'wireguard/unreachable',
        variant: undefined,
        failureClass: 'retry',
        reason: 'network-unreachable',
      },
    ],
    [
      'failed no-ipv4',
      { code: 'wireguard/unreachable', message: expect.stringContaining('only IPv6') as string },
    ],
    ['failed no-tun', { code: 'wireguard/device-unavailable' }],
    ['failed setting', { code: 'wireguard/answers-dropped', variant: undefined }],
    ['failed nft-missing', { code: 'wireguard/answers-dropped', variant: 'no-nft' }],
    ['failed route', { code: 'helper/failed' }],
  ])('%s', async (output, error) => {
    const { running, say } = await started()
    await say(output)
    expect(await running.ended).toMatchObject({ end: 'failed', error })
  })
})

it('refuses a hostile text before anything starts', async () => {
  await expect(started(grant({ Endpoint: '127.0.0.1:1' }))).rejects.toMatchObject({
    code: 'profile-configuration/invalid-argument',
  })
})

it('describes a tunnel without its key', async () => {
  const backend = backendOf({})
  const text = await backend.describe(grant(), { mode: 'full', preferTcp: false })
  expect(text).toContain('PrivateKey = [private key]')
  expect(text).not.toContain(privateKey.toString('base64'))
})
