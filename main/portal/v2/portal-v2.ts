import { CausewayError } from '../../errors'
import type { Grant, Portal, PortalReads } from '../portal'
import type { InstanceKeyPairs } from './instance-key-pairs'
import type { KeyPair } from './key-pair'
import type { VpnApi } from './vpn-api'

/** Selects all servers of the profile, because a random selection differs each time. */
const allRemotes = 2

/** The reads of a portal of version 2. */
export function readsV2(api: Pick<VpnApi, 'profileList' | 'systemMessages'>): PortalReads {
  return {
    profiles: (signal) => api.profileList(signal),
    messages: (signal) => api.systemMessages(signal),
  }
}

/** A portal of version 2. A grant consists of the instance's key pair and the profile's configuration. */
export function createPortalV2(
  api: VpnApi,
  keyPairs: Pick<InstanceKeyPairs, 'usable' | 'accepted' | 'renew'>,
): Portal {
  const grantOf = (profileId: string, profile: string, keyPair: KeyPair, isNew: boolean): Grant => {
    const { certificate, privateKey, notAfter } = keyPair
    const grant: Grant = {
      tunnel: { protocol: 'openvpn', profile, certificate, privateKey },
      validUntil: notAfter,
      isNew,
      check: async (signal) => {
        const accepted = await keyPairs.accepted(signal)
        if (accepted === undefined) return undefined
        return accepted.certificate === certificate ? grant : grantOf(profileId, profile, accepted, true)
      },
      renew: async (signal) => grantOf(profileId, profile, await keyPairs.renew(signal), true),
      refresh: async (signal) =>
        grantOf(profileId, await api.profileConfig(profileId, allRemotes, signal), keyPair, isNew),
    }
    return grant
  }
  return {
    ...readsV2(api),
    connect: async (profileId, { remoteStrategy, protocol = 'openvpn', onAsking }, signal) => {
      if (protocol !== 'openvpn')
        throw new CausewayError('vpn-api/protocol-not-supported', { variant: 'not-offered' })
      onAsking?.('openvpn')
      // Both are awaited even when one fails, so that a key pair that the instance has just issued is not lost.
      const [usable, profile] = await Promise.allSettled([
        keyPairs.usable(signal),
        api.profileConfig(profileId, remoteStrategy, signal),
      ])
      if (usable.status === 'rejected') throw usable.reason
      if (profile.status === 'rejected') throw profile.reason
      const { keyPair, fresh } = usable.value
      return grantOf(profileId, profile.value, keyPair, fresh)
    },
    begin: async (signal) => {
      await keyPairs.renew(signal)
    },
  }
}
