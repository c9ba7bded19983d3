import { expect, it } from 'vitest'
import type { ProfileChoice } from '../../contract/connection'
import { type ConnectOptions, wantedFor } from './connect-options'

const target = { instanceId: 'vpn.example.org', profileId: 'office' }

/** What connecting asks the portal for, with settings, a choice for the profile, and a network. */
function wanted(
  options: ConnectOptions,
  {
    choice,
    prefersTcp = false,
    isBlocked = false,
  }: {
    readonly choice?: Pick<ProfileChoice, 'protocol' | 'tcpOnly'>
    readonly prefersTcp?: boolean
    readonly isBlocked?: boolean
  } = {},
) {
  return wantedFor(
    {
      preferences: () => Promise.resolve({ remoteStrategy: 1, preferTcp: prefersTcp, reconnect: true }),
      choiceFor: () => Promise.resolve(choice),
      blockedNetworks: {
        current: () => Promise.resolve('hotel'),
        has: (network) => Promise.resolve(isBlocked && network === 'hotel'),
        add: () => Promise.resolve(),
      },
    },
    target,
    options,
  )
}

const settings = {
  remoteStrategy: 1,
  preferTcp: false,
  protocol: undefined,
  handshakeOnly: false,
  tcpFirst: false,
}

it('asks for what the settings say', async () => {
  expect(await wanted({})).toEqual(settings)
  expect(await wanted({}, { prefersTcp: true })).toEqual({ ...settings, preferTcp: true })
  expect(await wanted({}, { isBlocked: true })).toEqual({ ...settings, tcpFirst: true })
})

it('asks for what the person chose for the profile instead', async () => {
  expect(await wanted({}, { choice: { protocol: 'wireguard', tcpOnly: false } })).toEqual({
    ...settings,
    protocol: 'wireguard',
  })
  expect(await wanted({}, { choice: { protocol: 'auto', tcpOnly: true } })).toEqual({
    ...settings,
    preferTcp: true,
  })
})

it('asks for what this call wishes instead of either', async () => {
  const choice = { protocol: 'wireguard', tcpOnly: true } as const
  expect(await wanted({ protocol: 'auto', preferTcp: false }, { choice, prefersTcp: true })).toEqual(settings)
  expect(await wanted({ protocol: 'openvpn', remoteStrategy: 0 }, { choice })).toEqual({
    ...settings,
    preferTcp: true,
    protocol: 'openvpn',
    remoteStrategy: 0,
  })
})

it('asks for what a handshake needs where there is to be no more', async () => {
  expect(await wanted({ mode: 'handshake-only' })).toEqual({ ...settings, handshakeOnly: true })
  expect(await wanted({ mode: 'full' })).toEqual(settings)
})
