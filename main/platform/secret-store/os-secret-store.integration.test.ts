import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PrivateHome } from './private-session.testing'

const account = 'key-pair:vpn.example.org'
/** As long as an RSA-4096 key in PEM, and in lines like one; making a real one takes seconds. */
const longKey = randomBytes(2400).toString('base64').replace(/.{64}/g, '$&\n')

let home: PrivateHome

beforeEach(async () => {
  home = await PrivateHome.make()
})

afterEach(() => home.dispose())

describe.runIf(process.platform === 'linux')('with a real Secret Service', () => {
  it('keeps a secret as long as an RSA-4096 key across restarts, replaces it with a short secret, and deletes it', async () => {
    expect(longKey.length).toBeGreaterThan(3200)
    expect(
      await home.run('unlocked', [
        { do: 'get', account },
        { do: 'set', account, secret: longKey },
        { do: 'get', account },
      ]),
    ).toEqual([{}, {}, { secret: longKey }])

    expect(
      await home.run('unlocked', [
        { do: 'get', account },
        { do: 'set', account, secret: 'short, été' },
        { do: 'get', account },
        { do: 'delete', account },
        { do: 'get', account },
        { do: 'delete', account },
      ]),
    ).toEqual([{ secret: longKey }, {}, { secret: 'short, été' }, {}, {}, {}])
  })

  it('reports a locked keyring as locked, never its secrets as missing', async () => {
    await home.run('unlocked', [{ do: 'set', account, secret: longKey }])
    const outcomes = await home.run('locked', [
      { do: 'get', account },
      { do: 'get', account: 'never stored' },
      { do: 'set', account, secret: 'x' },
      { do: 'delete', account },
      { do: 'delete', account: 'never stored' },
    ])
    expect(outcomes.map(({ error }) => error?.code)).toEqual(Array(5).fill('secret-store/locked'))
    expect(await home.run('unlocked', [{ do: 'get', account }])).toEqual([{ secret: longKey }])
  })

  it('gives up on a key store that does not respond, and works again when it does', async () => {
    const outcomes = await home.run('unlocked', [
      { do: 'set', account, secret: 'kept' },
      { do: 'stop' },
      { do: 'get', account, limitMs: 100 },
      { do: 'continue' },
      { do: 'get', account },
    ])
    expect(outcomes[2]?.error?.code).toBe('secret-store/locked')
    expect(outcomes[4]).toEqual({ secret: 'kept' })
  })

  it.each(['none', 'bare', 'empty'] as const)('reports a missing key store (%s)', async (session) => {
    const outcomes = await home.run(session, [
      { do: 'get', account },
      { do: 'set', account, secret: longKey },
      { do: 'delete', account },
    ])
    expect(outcomes.map(({ error }) => error?.code)).toEqual(Array(3).fill('secret-store/unavailable'))
    const received = JSON.stringify(outcomes)
    expect(received).not.toContain(longKey.slice(100, 140))
    // Without a default collection, there is a key store, but nothing to store in.
    expect(received.includes('no key store')).toBe(session !== 'empty')
    expect(received.includes('no keyring for your sign-in')).toBe(session === 'empty')
  })
})
