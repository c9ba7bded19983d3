import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import type { Portal, Profile } from '../portal/portal'
import { startCommandAndMock } from './causeway.testing'
import { withProfile } from './profile-name'

const { command, mock } = await startCommandAndMock()
const instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }

/** Names a profile of a portal that offers these; returns the profile's id, and how often the portal was asked for the list. */
async function named(
  text: string,
  offered: Profile[],
  refused: readonly string[] = [],
): Promise<{ id: string; lists: number }> {
  let lists = 0
  const context = {
    signal: new AbortController().signal,
    authorized: <T>(_instance: unknown, call: (portal: Portal) => Promise<T>) =>
      call({
        profiles: () => {
          lists += 1
          return Promise.resolve({ items: offered, unreadable: 0 })
        },
      } as unknown as Portal),
  }
  const id = await withProfile(context, instance, text, (profileId) =>
    offered.some((profile) => profile.profileId === profileId) && !refused.includes(profileId)
      ? Promise.resolve(profileId)
      : Promise.reject(new CausewayError('vpn-api/profile-unavailable')),
  )
  return { id, lists }
}

const profiles: Profile[] = [
  { profileId: 'a', displayName: { en: 'Office', 'de-AT': 'Büro' } },
  { profileId: 'b', displayName: 'a' },
  { profileId: 'c', displayName: 'Twice' },
  { profileId: 'd', displayName: 'Twice' },
]

describe('the name of a profile', () => {
  it('is its id, without another request', async () => {
    expect(await named('a', profiles)).toEqual({ id: 'a', lists: 0 })
  })

  it.each(['office', 'BÜRO', ' Bu\u0308ro '])('is its display name in any language: %s', async (text) => {
    expect(await named(text, profiles)).toEqual({ id: 'a', lists: 1 })
  })

  it.each(['Off', 'Twice', ''])('has to be exact and the only one: "%s"', async (text) => {
    await expect(named(text, profiles)).rejects.toMatchObject({
      code: 'vpn-api/profile-unavailable',
      details: { profiles: ['a', 'b', 'c', 'd'] },
      message: expect.stringContaining('Choose one of these: a, b, c, d.') as string,
    })
  })
})

it('suggests only profiles that can be used', async () => {
  const wireGuard: Profile = { profileId: 'w', displayName: 'Fast', protocols: ['wireguard'] }
  await expect(named('c', [...profiles, wireGuard], ['c'])).rejects.toMatchObject({
    details: { profiles: ['a', 'b', 'd'] },
  })
  const error = await named('w', [wireGuard], ['w']).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'vpn-api/profile-unavailable' })
  expect(String(error)).not.toContain('Choose one of these')
})

it('is understood by connect and profile config', async () => {
  const person = await command.person(mock.instance)
  const { status, stdout } = await person.run(['connect', 'office network', '--check', '--json'])
  expect(status).toBe(0)
  const states = stdout.split('\n').map((line) => JSON.parse(line) as { state: string; profileId: string })
  expect(states.find(({ state }) => state === 'connected')).toMatchObject({ profileId: 'office' })
  expect(states.map(({ state }) => state)).not.toContain('failed')
  expect(await person.json('profile', 'config', 'Internettoegang')).toMatchObject({
    config: expect.stringContaining('remote') as string,
  })
  const failed = await person.run(['connect', 'nowhere', '--json'])
  expect(JSON.parse(failed.stdout.split('\n').at(-1) ?? '')).toMatchObject({
    state: 'failed',
    error: { details: { profiles: ['internet', 'office'] } },
  })
  expect(failed.status).toBe(5)
})

it('may be left out where there is only one', async () => {
  const person = await command.person(mock.instance)
  const only = [{ profile_id: 'only', display_name: 'Only one' }]
  await fetch(`${mock.control}/profiles`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(only),
  })
  expect(await person.json('profile', 'config')).toEqual({
    config: expect.stringContaining('[private key]') as string,
  })
})
