import { beforeEach, describe, expect, it } from 'vitest'
import { CertificateAuthority } from '../../../mock-server/vpn/certificate-authority'
import { CausewayError } from '../../errors'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { CertificateCheck, IssuedKeyPair } from './vpn-api'
import { InstanceKeyPairs } from './instance-key-pairs'

const minute = 60_000
const day = 24 * 60 * minute
const start = Date.parse('2026-11-20T18:29:34Z')

/** A portal with a real certificate authority, its own clock, and a record of the requests. */
class Portal {
  now = start
  /** The validity of issued certificates, relative to its clock. */
  validityMs = 90 * day
  readonly asked: string[] = []
  /** Replaces the answer of the authority. */
  verdict: CertificateCheck | undefined
  issued: IssuedKeyPair | undefined
  readonly authority = new CertificateAuthority({ now: () => new Date(this.now) })

  createKeyPair(displayName: string): Promise<IssuedKeyPair> {
    this.asked.push(`create ${displayName}`)
    const pair = this.authority.issueClient(new Date(this.now + this.validityMs))
    return Promise.resolve(this.issued ?? { certificate: pair.certificate, privateKey: pair.private_key })
  }

  checkCertificate(commonName: string): Promise<CertificateCheck> {
    this.asked.push('check')
    const check = this.authority.check(commonName)
    return Promise.resolve(
      this.verdict ?? (check.is_valid ? { isValid: true } : { isValid: false, reason: check.reason }),
    )
  }
}

const create = 'create Causeway (Linux)'

let portal: Portal
let localNow: number
let login: string
let secrets: Map<string, string>
let keyPairs: InstanceKeyPairs

beforeEach(() => {
  portal = new Portal()
  localNow = start
  login = 'first'
  secrets = new Map()
  keyPairs = open('vpn.example.org')
})

function open(instanceId: string, { comparesClocks = false } = {}): InstanceKeyPairs {
  const secretStore: SecretStore = {
    get: (account) => Promise.resolve(secrets.get(account)),
    set: (account, secret) => {
      secrets.set(account, secret)
      return Promise.resolve()
    },
    delete: (account) => {
      secrets.delete(account)
      return Promise.resolve()
    },
  }
  return new InstanceKeyPairs({
    instanceId,
    api: portal,
    secretStore,
    session: {
      login: () => Promise.resolve(login),
      keepFor: async (wanted, work) => {
        if (wanted !== login) throw new CausewayError('oauth/login-required')
        await work()
      },
    },
    now: () => new Date(localNow),
    wrongClock: (cause) =>
      Promise.resolve(
        comparesClocks && Math.abs(localNow - portal.now) > 5 * minute
          ? new CausewayError('clock/wrong', {
              cause,
              details: { instance: '', localTime: '', serverTime: '' },
            })
          : undefined,
      ),
    platform: 'linux',
  })
}

/** Moves the local clock and the portal's. */
function pass(ms: number): void {
  portal.now += ms
  localNow += ms
}

describe('a usable key pair', () => {
  it('is made at first use, kept, and not asked about', async () => {
    const { keyPair, fresh } = await keyPairs.usable()
    expect(fresh).toBe(true)
    expect(portal.asked).toEqual([create])
    expect([...secrets.keys()]).toEqual(['key-pair:vpn.example.org'])
    expect(keyPair.notAfter).toEqual(new Date(start + 90 * day))
  })

  it('is reused while the instance accepts it, also after a restart', async () => {
    const first = await keyPairs.usable()
    pass(30 * day)
    expect(await open('vpn.example.org').usable()).toEqual({ keyPair: first.keyPair, fresh: false })
    expect(portal.asked).toEqual([create, 'check'])
  })

  it('belongs to one instance', async () => {
    const first = await keyPairs.usable()
    const second = await open('vpn.example.com').usable()
    expect(second.fresh).toBe(true)
    expect(second.keyPair.commonName).not.toBe(first.keyPair.commonName)
    expect(await keyPairs.load()).toEqual(first.keyPair)
  })

  it.each([90 * day + minute, 90 * day, 90 * day - minute])(
    'takes the place of one that has run out, or is about to, without asking (%i ms later)',
    async (ms) => {
      const first = await keyPairs.usable()
      pass(ms)
      const second = await keyPairs.usable()
      expect(second.fresh).toBe(true)
      expect(second.keyPair.commonName).not.toBe(first.keyPair.commonName)
      expect(portal.asked).toEqual([create, create])
    },
  )

  it('is reused shortly before that', async () => {
    await keyPairs.usable()
    pass(90 * day - minute - 1000)
    expect((await keyPairs.usable()).fresh).toBe(false)
  })

  it('replaces one that the instance no longer knows', async () => {
    await keyPairs.usable()
    portal.authority.revoke()
    const second = await keyPairs.usable()
    expect(second.fresh).toBe(true)
    expect(await keyPairs.load()).toEqual(second.keyPair)
    expect(portal.asked).toEqual([create, 'check', create])
  })

  it('is checked without creating one', async () => {
    expect(await keyPairs.accepted()).toBeUndefined()
    const { keyPair } = await keyPairs.usable()
    expect(await keyPairs.accepted()).toEqual(keyPair)
    portal.authority.revoke()
    expect(await keyPairs.accepted()).toBeUndefined()
    expect(portal.asked).toEqual([create, 'check', 'check'])
  })

  it('is created only once if the instance reports every certificate as expired', async () => {
    portal.verdict = { isValid: false, reason: 'certificate_expired' }
    await keyPairs.usable()
    expect((await keyPairs.usable()).fresh).toBe(true)
    expect(portal.asked).toEqual([create, 'check', create])
  })

  it('is created once for two concurrent callers', async () => {
    const [one, other] = await Promise.all([keyPairs.usable(), keyPairs.usable()])
    expect(other.keyPair).toEqual(one.keyPair)
    expect(portal.asked).toEqual([create, 'check'])
  })

  it.each(['not JSON', '{}', '{"certificate": "x", "privateKey": "y"}'])(
    'takes the place of something else in the key store: %s',
    async (kept) => {
      secrets.set('key-pair:vpn.example.org', kept)
      expect(await keyPairs.load()).toBeUndefined()
      expect((await keyPairs.usable()).fresh).toBe(true)
    },
  )
})

describe('when no new key pair would help', () => {
  it.each(['user_disabled', 'certificate_disabled', 'unknown', 'some word of tomorrow'])(
    'the reason is told and none is made: %s',
    async (reason) => {
      await keyPairs.usable()
      portal.verdict = { isValid: false, reason }
      await expect(keyPairs.usable()).rejects.toMatchObject({
        code: 'certificate/refused',
        details: { reason },
      })
      expect(portal.asked).toEqual([create, 'check'])
    },
  )

  it('reports a clock mismatch if the instance reports it as not valid yet', async () => {
    await keyPairs.usable()
    portal.verdict = { isValid: false, reason: 'certificate_not_yet_valid' }
    await expect(keyPairs.usable()).rejects.toMatchObject({ code: 'certificate/clock-mismatch' })
    expect(portal.asked).toEqual([create, 'check'])
  })

  it('reports a clock mismatch without a request if the local clock was set back', async () => {
    await keyPairs.usable()
    localNow -= 6 * minute
    await expect(keyPairs.usable()).rejects.toMatchObject({
      code: 'certificate/clock-mismatch',
      details: { notBefore: '2026-11-20T18:24:34.000Z', now: '2026-11-20T18:23:34.000Z' },
    })
    expect(portal.asked).toEqual([create])
  })

  it('reports a clock mismatch for a new one from a portal with a clock ahead, and uses it once the clock is right', async () => {
    localNow -= day
    await expect(keyPairs.usable()).rejects.toMatchObject({ code: 'certificate/clock-mismatch' })
    await expect(keyPairs.usable()).rejects.toMatchObject({ code: 'certificate/clock-mismatch' })
    localNow += day
    expect((await keyPairs.usable()).fresh).toBe(false)
    expect(portal.asked).toEqual([create, 'check'])
  })

  it('reports a clock mismatch for a new one that is already expired by the local clock', async () => {
    localNow += 365 * day
    await expect(keyPairs.renew()).rejects.toMatchObject({ code: 'certificate/clock-mismatch' })
    expect(portal.asked).toEqual([create])
  })
})

describe('a clock of this computer that is wrong', () => {
  it.each([100 * day, -100 * day])('creates one new pair, however often it is tried (%i ms)', async (ms) => {
    const compared = open('vpn.example.org', { comparesClocks: true })
    localNow += ms
    for (const attempt of [() => compared.usable(), () => compared.usable(), () => compared.renew()])
      await expect(attempt()).rejects.toMatchObject({ code: 'clock/wrong' })
    expect(portal.asked).toEqual([create])
    localNow -= ms
    expect((await compared.usable()).fresh).toBe(false)
  })

  it('does not prevent the replacement of a pair that is expired by both clocks', async () => {
    const compared = open('vpn.example.org', { comparesClocks: true })
    await compared.usable()
    pass(90 * day)
    expect((await compared.usable()).fresh).toBe(true)
  })
})

it('keeps the stored key pair if the instance issues an unusable one', async () => {
  const first = await keyPairs.usable()
  portal.issued = { certificate: first.keyPair.certificate, privateKey: 'no key' }
  await expect(keyPairs.renew()).rejects.toMatchObject({ code: 'certificate/invalid' })
  expect(await keyPairs.load()).toEqual(first.keyPair)
})

it('creates a new one on demand', async () => {
  const first = await keyPairs.usable()
  const second = await keyPairs.renew()
  expect(second.commonName).not.toBe(first.keyPair.commonName)
  expect(await keyPairs.load()).toEqual(second)
})

describe('another login', () => {
  it('gets its own pair, even if the instance accepts the stored one', async () => {
    const first = await keyPairs.usable()
    login = 'second'
    const second = await keyPairs.usable()
    expect(second.fresh).toBe(true)
    expect(second.keyPair.commonName).not.toBe(first.keyPair.commonName)
    expect(await keyPairs.load()).toEqual(second.keyPair)
  })

  it('does not get a pair that was being created for the previous login', async () => {
    const issue = portal.createKeyPair.bind(portal)
    portal.createKeyPair = async (name) => {
      const pair = await issue(name)
      login = 'second'
      return pair
    }
    await expect(keyPairs.usable()).rejects.toMatchObject({ code: 'oauth/login-required' })
    expect(secrets.size).toBe(0)
  })

  it('does not get a pair that was stored without a login', async () => {
    const first = await keyPairs.usable()
    const { certificate, privateKey } = first.keyPair
    secrets.set('key-pair:vpn.example.org', JSON.stringify({ certificate, privateKey }))
    expect((await keyPairs.usable()).fresh).toBe(true)
  })
})

describe('the stored key pair', () => {
  it('is not used without the version of the API or the login that it belongs to', async () => {
    const { keyPair } = await keyPairs.usable()
    const [[account, kept] = ['', '']] = secrets
    expect(await keyPairs.load()).toEqual(keyPair)
    for (const change of [{ apiVersion: undefined }, { apiVersion: 3 }, { login: undefined }]) {
      secrets.set(account, JSON.stringify({ ...(JSON.parse(kept) as object), ...change }))
      expect(await keyPairs.load()).toBeUndefined()
    }
  })
})
