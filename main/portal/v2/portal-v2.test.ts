import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import type { VpnProtocol } from '../portal'
import type { KeyPair } from './key-pair'
import { createPortalV2 } from './portal-v2'

const { signal } = new AbortController()
const keyPair = (certificate: string): KeyPair => ({
  certificate,
  privateKey: `key of ${certificate}`,
  commonName: certificate,
  notBefore: new Date(0),
  notAfter: new Date(1_000_000),
})

/** A portal that accepts the certificate `held`, or none if undefined. */
function world({ held, offers = true }: { readonly held?: string; readonly offers?: boolean } = {}) {
  const asked: (string | number | undefined)[] = []
  let made = 0
  const portal = createPortalV2(
    {
      profileList: () => Promise.resolve({ items: [], unreadable: 0 }),
      systemMessages: () => Promise.resolve({ items: [], unreadable: 0 }),
      createKeyPair: () => Promise.reject(new Error('asked past the key pairs')),
      checkCertificate: () => Promise.reject(new Error('asked past the key pairs')),
      profileConfig: (_, strategy) => {
        asked.push(strategy)
        return offers
          ? Promise.resolve(`with strategy ${strategy}`)
          : Promise.reject(new CausewayError('vpn-api/profile-unavailable'))
      },
    },
    {
      usable: () => Promise.resolve({ keyPair: keyPair('first'), fresh: false }),
      accepted: () => Promise.resolve(held === undefined ? undefined : keyPair(held)),
      renew: () => {
        made += 1
        return Promise.resolve(keyPair(`new ${made}`))
      },
    },
  )
  return {
    portal,
    asked,
    connect: (onAsking?: (protocol: VpnProtocol) => void) =>
      portal.connect('office', { remoteStrategy: 1, preferTcp: false, onAsking }, signal),
  }
}

describe('a grant', () => {
  it('contains key pair and configuration, and ends with the certificate', async () => {
    const { connect } = world()
    expect(await connect()).toMatchObject({
      tunnel: {
        protocol: 'openvpn',
        profile: 'with strategy 1',
        certificate: 'first',
        privateKey: 'key of first',
      },
      validUntil: new Date(1_000_000),
      isNew: false,
    })
  })

  it('is announced before the portal is asked for it', async () => {
    const { connect, asked } = world()
    const announced: string[] = []
    await connect((protocol) => announced.push(`${protocol}, ${String(asked.length)} asked`))
    expect(announced).toEqual(['openvpn, 0 asked'])
  })

  it('is not created if the profile is not offered', async () => {
    await expect(world({ offers: false }).connect()).rejects.toMatchObject({
      code: 'vpn-api/profile-unavailable',
    })
  })

  it('is returned by its check while its certificate is accepted', async () => {
    const grant = await world({ held: 'first' }).connect()
    expect(await grant.check(signal)).toBe(grant)
  })

  it('is replaced by its check if another process has got a certificate', async () => {
    const grant = await world({ held: 'second' }).connect()
    expect(await grant.check(signal)).toMatchObject({ tunnel: { certificate: 'second' }, isNew: true })
  })

  it('is undefined after its check if its certificate is not accepted, and can be renewed', async () => {
    const grant = await world().connect()
    expect(await grant.check(signal)).toBeUndefined()
    expect(await grant.renew(signal)).toMatchObject({
      tunnel: { profile: 'with strategy 1', certificate: 'new 1' },
      isNew: true,
    })
  })

  it('is refreshed with all servers, because a random selection differs each time', async () => {
    const { connect, asked } = world()
    const grant = await connect()
    expect(await grant.refresh?.(signal)).toMatchObject({
      tunnel: { profile: 'with strategy 2', certificate: 'first' },
      isNew: false,
    })
    expect(asked).toEqual([1, 2])
  })
})
