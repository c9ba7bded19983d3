import { expect, it } from 'vitest'
import { connectTarget } from './connect-target'
import type { ConnectionSlice, InstanceSlice } from './contract'

const idle: ConnectionSlice = { state: 'idle' }

function instance(id: string, profiles: readonly string[], lastProfileId?: string): InstanceSlice {
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    ...(lastProfileId === undefined ? {} : { lastProfileId }),
    profiles: {
      status: 'loaded',
      items: profiles.map((profileId) => ({ profileId, displayName: profileId })),
    },
    messages: { status: 'loaded', items: [] },
  }
}

const target = (instanceId: string, profileId: string) => ({ instanceId, profileId })

it.each([
  ['nothing where there is nothing', idle, [], undefined],
  ['the only profile', idle, [instance('a', ['internet'])], target('a', 'internet')],
  ['no choice between several', idle, [instance('a', ['internet', 'office'])], undefined],
  ['the last one of several', idle, [instance('a', ['internet', 'office'], 'office')], target('a', 'office')],
  ['the last one where nobody is logged in', idle, [instance('a', [], 'office')], target('a', 'office')],
  ['not one that is gone', idle, [instance('a', ['internet', 'lab'], 'office')], undefined],
  ['no choice between instances', idle, [instance('a', ['one']), instance('b', ['one'])], undefined],
  [
    'the one that was ever used',
    idle,
    [instance('a', ['one']), instance('b', ['one'], 'one')],
    target('b', 'one'),
  ],
  [
    'what the window shows',
    { state: 'disconnected', target: target('b', 'two') },
    [instance('a', ['one'], 'one'), instance('b', ['one', 'two'], 'one')],
    target('b', 'two'),
  ],
] as const)('is %s', (_what, connection, instances, expected) => {
  expect(connectTarget({ connection: connection, instances: [...instances] })).toEqual(expected)
})
