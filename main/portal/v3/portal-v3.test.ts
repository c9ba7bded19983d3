import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { rejection } from '../../platform/http/test-server.testing'
import type { Validity } from '../portal'
import type { ProfileV3 } from './info'
import { createPortalV3, type PortalV3Options } from './portal-v3'
import { testReporter } from '../../reporter.testing'

const end = new Date('2027-02-18T12:00:00Z')
const loggedInAt = new Date('2026-11-20T12:00:00Z')
const { signal } = new AbortController()
const wanted = { remoteStrategy: undefined, preferTcp: false }
const internet: ProfileV3 = {
  profileId: 'internet',
  displayName: 'Internet',
  defaultGateway: true,
  protocols: ['openvpn'],
}

function world(more: Partial<PortalV3Options> = {}, profiles: ProfileV3[] = [internet]) {
  const calls: string[] = []
  const asked: string[] = []
  const keys: Buffer[] = []
  const places: (string | undefined)[] = []
  const saved: (readonly [Validity, string])[] = []
  const failed: unknown[] = []
  const notStored: unknown[] = []
  const clock = { now: new Date('2026-11-20T13:00:00Z') }
  const disconnected = { isSo: true }
  const pauses: (() => void)[] = []
  const waited: number[] = []
  let owed: string | undefined
  const portal = createPortalV3({
    instance: { id: 'vpn.example.org', address: 'https://vpn.example.org/' },
    api: {
      info: () => {
        calls.push('info')
        return Promise.resolve({ items: profiles, unreadable: 0 })
      },
      connect: ({ preferTcp, types }) => {
        calls.push(preferTcp ? 'connect tcp' : 'connect')
        asked.push(types.join(' '))
        const [type] = types
        if (type !== undefined && type !== 'openvpn') {
          const transport = type === 'wireguard+tcp' ? ('tcp' as const) : ('udp' as const)
          const key = Buffer.alloc(32, 1)
          keys.push(key)
          return Promise.resolve({
            tunnel: { protocol: 'wireguard', transport, profile: '', namedBy: '', privateKey: key },
            expires: end,
            apiBaseUri: 'https://nl.example.org/api',
          })
        }
        const privateKey = `key ${calls.length}`
        return Promise.resolve({
          tunnel: { protocol: 'openvpn', profile: '', certificate: '', privateKey },
          expires: end,
          apiBaseUri: 'https://nl.example.org/api',
        })
      },
      disconnect: (_signal, apiBaseUri) => {
        calls.push('disconnect')
        places.push(apiBaseUri)
        return Promise.resolve()
      },
    },
    store: {
      save: (...session) => {
        saved.push(session)
        owed = undefined
        return Promise.resolve()
      },
      markPendingDisconnect: (_login, apiBaseUri) => {
        owed = apiBaseUri
        return Promise.resolve()
      },
      pendingDisconnect: () => Promise.resolve(owed),
    },
    session: {
      loginTime: () => Promise.resolve({ login: 'login-1', loggedInAt }),
      keepFor: (_login, work) => work(),
    },
    runnable: () => ['openvpn'],
    now: () => clock.now,
    wrongClock: () => Promise.resolve(undefined),
    reporter: testReporter({
      notice: (notice) => notStored.push(notice),
      failure: (_event, error) => failed.push(error),
    }),
    whileDisconnected: (work) =>
      disconnected.isSo
        ? work()
        : Promise.reject(
            new CausewayError('connection/in-use', { details: { instance: 'vpn.example.org' } }),
          ),
    delay: (milliseconds) => {
      waited.push(milliseconds)
      return new Promise((resolve) => {
        pauses.push(resolve)
      })
    },
    ...more,
  })
  return {
    asked,
    keys,
    portal,
    calls,
    places,
    saved,
    failed,
    notStored,
    clock,
    disconnected,
    waited,
    owed: () => owed,
    /** Ends the pause before another attempt. */
    goOn: () => pauses.shift()?.(),
  }
}

describe('a grant of version 3', () => {
  it('comes from /connect after /info, and its session is stored', async () => {
    const { portal, calls, saved } = world()
    expect(await portal.connect('internet', wanted, signal)).toMatchObject({ validUntil: end, isNew: true })
    expect(calls).toEqual(['info', 'connect'])
    expect(saved).toEqual([[{ notBefore: loggedInAt, notAfter: end }, 'login-1']])
  })

  it('is used also if its end cannot be stored, which is reported', async () => {
    const locked = new CausewayError('secret-store/locked')
    const { portal, calls, notStored } = world({
      store: {
        save: () => Promise.reject(locked),
        markPendingDisconnect: () => Promise.resolve(),
        pendingDisconnect: () => Promise.resolve(undefined),
      },
    })
    expect(await portal.connect('internet', wanted, signal)).toMatchObject({ validUntil: end })
    expect(notStored).toMatchObject([{ code: 'session/not-stored', details: { problem: locked.code } }])
    await portal.disconnect?.()
    expect(calls).toEqual(['info', 'connect', 'disconnect'])
  })

  it('is not used if its login has ended meanwhile', async () => {
    const ended = new CausewayError('oauth/login-required')
    const { portal, notStored } = world({
      session: {
        loginTime: () => Promise.resolve({ login: 'login-1', loggedInAt }),
        keepFor: () => Promise.reject(ended),
      },
    })
    await expect(portal.connect('internet', wanted, signal)).rejects.toBe(ended)
    expect(notStored).toEqual([])
  })

  it('is checked with /info, and not replaced while it is valid', async () => {
    const profiles = [internet]
    const { portal, calls } = world({}, profiles)
    const grant = await portal.connect('internet', wanted, signal)
    expect(grant).not.toHaveProperty('refresh')
    expect(await grant.check(signal)).toBe('login-accepted')
    expect(await rejection(grant.renew(signal))).toMatchObject({ code: 'connection/ended-by-service' })
    expect(calls).toEqual(['info', 'connect', 'info', 'info'])
    profiles.length = 0
    const unavailable = { code: 'vpn-api/profile-unavailable' }
    expect(await rejection(grant.check(signal))).toMatchObject(unavailable)
    expect(await rejection(grant.renew(signal))).toMatchObject(unavailable)
  })

  it('is replaced once in ten minutes if its servers are silent for two', async () => {
    const { portal, calls, clock } = world()
    const later = (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    }
    const { reissue } = await portal.connect('internet', wanted, signal)
    expect([reissue?.isDue(119_999), reissue?.isDue(120_000)]).toEqual([false, true])
    const next = await reissue?.get(signal)
    later(599)
    expect(next?.reissue?.isDue(Infinity)).toBe(false)
    later(1)
    expect(next?.reissue?.isDue(120_000)).toBe(true)
    expect(calls).toEqual(['info', 'connect', 'info', 'connect'])
  })

  it('is replaced once it has expired', async () => {
    const { portal, calls, clock } = world()
    const grant = await portal.connect('internet', wanted, signal)
    clock.now = end
    // The portal names the same end again, which is over.
    expect(await rejection(grant.renew(signal))).toMatchObject({ code: 'session/over' })
    expect(calls).toEqual(['info', 'connect', 'info', 'connect'])
  })

  it('is refused with clock/wrong if the local clock explains its end', async () => {
    const wrong = new CausewayError('clock/wrong', {
      details: { instance: 'vpn.example.org', localTime: '2030-01-01', serverTime: '2026-01-01' },
    })
    const { portal, clock } = world({ wrongClock: () => Promise.resolve(wrong) })
    clock.now = new Date('2030-01-01T00:00:00Z')
    await expect(portal.connect('internet', wanted, signal)).rejects.toBe(wrong)
  })
})

describe('a profile', () => {
  it.each<[string, Partial<ProfileV3>, boolean, string]>([
    ['with WireGuard only', { protocols: ['wireguard'] }, false, 'wireguard/not-available'],
    ['without a known protocol', { protocols: [] }, false, 'vpn-api/protocol-not-supported'],
    ['that is not listed', { profileId: 'office' }, false, 'vpn-api/profile-unavailable'],
    [
      'without TCP',
      { transports: ['openvpn+udp', 'wireguard+tcp'] },
      true,
      'profile-configuration/no-tcp-remote',
    ],
  ])('%s is refused before /connect', async (_what, change, preferTcp, code) => {
    const { portal, calls } = world({}, [{ ...internet, ...change }])
    expect(await rejection(portal.connect('internet', { ...wanted, preferTcp }, signal))).toMatchObject({
      code,
    })
    expect(
      await rejection(portal.validate?.('internet', { ...wanted, preferTcp }, signal) ?? Promise.resolve()),
    ).toMatchObject({ code })
    expect(calls).toEqual(['info', 'info'])
  })

  it.each([undefined, ['openvpn+udp', 'openvpn+tcp']])(
    'offers TCP with the transports %j',
    async (transports) => {
      const { portal, calls } = world({}, [{ ...internet, ...(transports && { transports }) }])
      await portal.connect('internet', { ...wanted, preferTcp: true }, signal)
      expect(calls).toEqual(['info', 'connect tcp'])
    },
  )
})

describe('disconnecting', () => {
  it('is sent once, and only after /connect', async () => {
    const { portal, calls } = world()
    await portal.disconnect?.()
    expect(calls).toEqual([])
    await portal.connect('internet', wanted, signal)
    await portal.disconnect?.()
    await portal.disconnect?.()
    expect(calls).toEqual(['info', 'connect', 'disconnect'])
  })

  it('is sent to the API that issued the configuration', async () => {
    const { portal, places } = world()
    await portal.connect('internet', wanted, signal)
    await portal.disconnect?.()
    expect(places).toEqual(['https://nl.example.org/api'])
  })

  it('is answered before another configuration is asked for, unless that is given up', async () => {
    const calls: string[] = []
    let answer: () => void = () => undefined
    const { portal } = world({
      api: {
        info: () => Promise.resolve({ items: [internet], unreadable: 0 }),
        connect: () => {
          calls.push('connect')
          const tunnel = { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' } as const
          return Promise.resolve({ tunnel, expires: end, apiBaseUri: 'https://nl.example.org/api' })
        },
        disconnect: () => {
          calls.push('disconnect')
          return new Promise((resolve) => {
            answer = () => {
              calls.push('answer')
              resolve()
            }
          })
        },
      },
    })
    await portal.connect('internet', wanted, signal)
    const disconnected = portal.disconnect?.()
    const connecting = portal.connect('internet', wanted, signal)
    const givenUp = new AbortController()
    const other = rejection(portal.connect('internet', wanted, givenUp.signal))
    givenUp.abort()
    expect(await other).toMatchObject({ code: 'http/cancelled' })
    await new Promise((resolve) => setImmediate(resolve))
    answer()
    await Promise.all([disconnected, connecting])
    expect(calls).toEqual(['connect', 'disconnect', 'answer', 'connect'])
  })

  it('is not sent with the login of somebody else', async () => {
    let login = 'login-1'
    const { portal, calls, failed } = world({
      session: {
        loginTime: () => Promise.resolve({ login, loggedInAt }),
        keepFor: (_login, work) => work(),
      },
    })
    await portal.connect('internet', wanted, signal)
    login = 'login-2'
    await portal.disconnect?.()
    expect(calls).toEqual(['info', 'connect'])
    expect(failed).toMatchObject([{ code: 'oauth/login-required' }])
  })

  it('waits no longer than its limit for a key store that asks for its password', async () => {
    let answers = true
    const { portal, calls, failed } = world({
      disconnectTimeoutMs: 1,
      session: {
        loginTime: () =>
          answers ? Promise.resolve({ login: 'login-1', loggedInAt }) : new Promise(() => undefined),
        keepFor: (_login, work) => work(),
      },
    })
    await portal.connect('internet', wanted, signal)
    answers = false
    await portal.disconnect?.()
    expect(calls).toEqual(['info', 'connect'])
    expect(failed).toMatchObject([{ code: 'http/cancelled' }])
  })

  const down = new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } })

  /** A connected portal that is down for `times` calls of /disconnect, which the user then makes. */
  async function missed(times = 1, answer: CausewayError = down) {
    let left = times
    const api = {
      info: () => Promise.resolve({ items: [internet], unreadable: 0 }),
      connect: () =>
        Promise.resolve({
          tunnel: { protocol: 'openvpn' as const, profile: '', certificate: '', privateKey: '' },
          expires: end,
          apiBaseUri: 'https://nl.example.org/api',
        }),
      disconnect: (_signal: AbortSignal, place?: string) => {
        received.push(place)
        left -= 1
        return left >= 0 ? Promise.reject(answer) : Promise.resolve()
      },
    }
    const received: (string | undefined)[] = []
    const found = world({ api })
    const useOnce = async (): Promise<void> => {
      left = times
      await found.portal.connect('internet', wanted, signal)
      await found.portal.disconnect?.()
    }
    await useOnce()
    return { ...found, received, useOnce }
  }

  it('that met a portal that was down is sent once more with its next answer', async () => {
    const { portal, received, owed } = await missed()
    expect(owed()).toBe('https://nl.example.org/api')
    await portal.profiles()
    expect(received).toEqual(['https://nl.example.org/api', 'https://nl.example.org/api'])
    await portal.profiles()
    expect(received).toHaveLength(2)
    expect(owed()).toBeUndefined()
  })

  it('is also sent later without a question, less and less often', async () => {
    const { received, owed, waited, goOn } = await missed(3)
    for (const count of [2, 3, 4]) {
      goOn()
      await expect.poll(() => received.length).toBe(count)
    }
    await expect.poll(owed).toBeUndefined()
    expect(waited).toEqual([10_000, 20_000, 40_000])
  })

  it('is also sent later the next time that the portal is down', async () => {
    const { received, owed, waited, goOn, useOnce } = await missed()
    for (const count of [2, 4]) {
      goOn()
      await expect.poll(() => received.length).toBe(count)
      await expect.poll(owed).toBeUndefined()
      if (count === 2) await useOnce()
    }
    expect(waited).toEqual([10_000, 10_000])
  })

  it('is sent no sooner than a busy portal wants to be asked again', async () => {
    const details = { host: 'vpn.example.org', status: 429, retryAfterSeconds: 120 }
    const { received, owed, waited, goOn } = await missed(2, new CausewayError('service/busy', { details }))
    for (const count of [2, 3]) {
      goOn()
      await expect.poll(() => received.length).toBe(count)
    }
    await expect.poll(owed).toBeUndefined()
    expect(waited).toEqual([120_000, 120_000])
  })

  it('is not sent later for a configuration that a new one has replaced, or while a process is connected', async () => {
    const { portal, received, disconnected } = await missed()
    disconnected.isSo = false
    await portal.sendPendingDisconnect()
    expect(received).toHaveLength(1)
    await portal.connect('internet', wanted, signal)
    disconnected.isSo = true
    await portal.profiles()
    expect(received).toHaveLength(1)
  })

  it.each([
    new CausewayError('vpn-api/refused', { details: { host: 'vpn.example.org', status: 401 } }),
    new CausewayError('oauth/login-required'),
  ])('is not sent again after an answer ($code)', async (answer) => {
    const { portal, received, waited } = await missed(1, answer)
    await portal.profiles()
    expect(received).toHaveLength(1)
    expect(waited).toEqual([])
  })

  it('never throws, whatever the portal answers', async () => {
    const error = new Error('no')
    const api = {
      info: () => Promise.resolve({ items: [internet], unreadable: 0 }),
      connect: () => Promise.reject(error),
      disconnect: () => Promise.reject(error),
    }
    const { portal, failed } = world({ api })
    await expect(portal.connect('internet', wanted, signal)).rejects.toBe(error)
    await portal.disconnect?.()
    expect(failed).toEqual([error])
  })
})

it('has no messages of its own', () => {
  expect(Reflect.get(world().portal, 'messages')).toBeUndefined()
})

describe('WireGuard', () => {
  const both = { runnable: () => ['openvpn', 'wireguard'] as const }
  const all = ['openvpn+udp', 'openvpn+tcp', 'wireguard+udp', 'wireguard+tcp']
  const withBoth: ProfileV3 = { ...internet, protocols: ['openvpn', 'wireguard'], transports: all }
  const alone: ProfileV3 = { ...internet, protocols: ['wireguard'], transports: ['wireguard+udp'] }
  const older: ProfileV3 = { ...internet, protocols: ['openvpn', 'wireguard'] }

  it.each<readonly [string, ProfileV3, object, string, string]>([
    ['by default', withBoth, {}, 'wireguard+udp wireguard+tcp openvpn', 'connect'],
    ['for TCP only', withBoth, { preferTcp: true }, 'wireguard+tcp openvpn', 'connect tcp'],
    ['for WireGuard', withBoth, { protocol: 'wireguard' }, 'wireguard+udp', 'connect'],
    [
      'for WireGuard over TCP',
      withBoth,
      { protocol: 'wireguard', preferTcp: true },
      'wireguard+tcp',
      'connect tcp',
    ],
    ['for OpenVPN', withBoth, { protocol: 'openvpn' }, 'openvpn', 'connect'],
    ['for a check', withBoth, { handshakeOnly: true }, 'openvpn', 'connect'],
    ['in a network that blocks UDP', withBoth, { tcpFirst: true }, 'wireguard+tcp openvpn', 'connect tcp'],
    ['there, without TCP', alone, { tcpFirst: true }, 'wireguard+udp wireguard+tcp openvpn', 'connect'],
    ['there, of an older portal', older, { tcpFirst: true }, 'wireguard+tcp openvpn', 'connect tcp'],
    [
      'where it is only over TCP',
      { ...alone, transports: ['wireguard+tcp'] },
      { protocol: 'wireguard' },
      'wireguard+tcp',
      'connect',
    ],
  ])('is asked for %s', async (_when, profile, how, types, call) => {
    const { portal, asked, calls } = world(both, [profile])
    const announced: string[] = []
    const onAsking = (protocol: string) => announced.push(protocol)
    await portal.connect('internet', { ...wanted, ...how, onAsking }, signal)
    expect([asked, calls]).toEqual([[types], ['info', call]])
    expect(announced).toEqual([types.startsWith('wireguard') ? 'wireguard' : 'openvpn'])
  })

  it('announces the one protocol that a profile has', async () => {
    const { portal } = world(both, [{ ...withBoth, protocols: ['openvpn'] }])
    const announced: string[] = []
    await portal.connect('internet', { ...wanted, onAsking: (protocol) => announced.push(protocol) }, signal)
    expect(announced).toEqual(['openvpn'])
  })

  it.each<readonly [ProfileV3, 'openvpn' | 'wireguard' | undefined, string | undefined]>([
    [alone, 'openvpn', 'not-offered'],
    [{ ...alone, protocols: [] }, undefined, undefined],
  ])('says whether the chosen protocol alone is missing: %o with %s', async (profile, protocol, variant) => {
    const runnable = protocol === undefined ? (['openvpn'] as const) : (['openvpn', 'wireguard'] as const)
    const { portal } = world({ runnable: () => runnable }, [profile])
    await expect(portal.connect('internet', { ...wanted, protocol }, signal)).rejects.toMatchObject({
      code: 'vpn-api/protocol-not-supported',
      variant,
    })
  })

  it.each<readonly [string, ProfileV3, object, readonly ('openvpn' | 'wireguard')[], string]>([
    ['where it cannot run', alone, {}, ['openvpn'], 'wireguard/not-available'],
    [
      'where it cannot run, by choice',
      withBoth,
      { protocol: 'wireguard' },
      ['openvpn'],
      'wireguard/not-available',
    ],
    ['a check', alone, { handshakeOnly: true }, ['openvpn', 'wireguard'], 'wireguard/not-checked'],
    [
      'another protocol',
      alone,
      { protocol: 'openvpn' },
      ['openvpn', 'wireguard'],
      'vpn-api/protocol-not-supported',
    ],
    [
      'TCP only without TCP',
      alone,
      { preferTcp: true },
      ['openvpn', 'wireguard'],
      'profile-configuration/no-tcp-remote',
    ],
    [
      'TCP only of an older portal, whose TCP is OpenVPN',
      older,
      { preferTcp: true, protocol: 'wireguard' },
      ['openvpn', 'wireguard'],
      'profile-configuration/no-tcp-remote',
    ],
  ])('is refused before a call that cuts something: %s', async (_what, profile, how, runnable, code) => {
    const { portal, calls } = world({ runnable: () => runnable }, [profile])
    expect(await rejection(portal.connect('internet', { ...wanted, ...how }, signal))).toMatchObject({ code })
    expect(calls).toEqual(['info'])
  })

  it('is renewed once in ten minutes before its end, because its servers drop it silently', async () => {
    const { portal, calls, clock } = world(both, [withBoth])
    const first = await portal.connect('internet', wanted, signal)
    const second = await first.renew(signal)
    clock.now = new Date(clock.now.getTime() + 10 * 60_000 - 1)
    expect(await rejection(second.renew(signal))).toMatchObject({ code: 'connection/ended-by-service' })
    clock.now = new Date(clock.now.getTime() + 1)
    await second.renew(signal)
    expect(calls.filter((call) => call === 'connect')).toHaveLength(3)
  })

  it('is renewed after the clock was set back by hours', async () => {
    const { portal, calls, clock } = world(both, [withBoth])
    const second = await (await portal.connect('internet', wanted, signal)).renew(signal)
    clock.now = new Date(clock.now.getTime() - 2 * 3_600_000)
    await second.renew(signal)
    expect(calls.filter((call) => call === 'connect')).toHaveLength(3)
  })

  it('moves to TCP once, and not with the wrong protocol', async () => {
    const { portal, asked } = world(both, [withBoth])
    const first = await portal.connect('internet', wanted, signal)
    const second = await first.overTcp?.(signal)
    expect(second).not.toHaveProperty('overTcp')
    const only = await portal.connect('internet', { ...wanted, protocol: 'wireguard' }, signal)
    await only.overTcp?.(signal)
    expect(asked.slice(1)).toEqual(['wireguard+tcp openvpn', 'wireguard+udp', 'wireguard+tcp'])
    expect(await world(both, [alone]).portal.connect('internet', wanted, signal)).not.toHaveProperty(
      'overTcp',
    )
  })

  it('has its key overwritten when it is replaced or given back, and not made known as text', async () => {
    const { portal, keys } = world(both, [withBoth])
    await portal.connect('internet', wanted, signal)
    await portal.connect('internet', wanted, signal)
    expect(keys.map((key) => key[0])).toEqual([0, 1])
    await portal.disconnect?.()
    expect(keys.map((key) => key[0])).toEqual([0, 0])
  })
})
