import { expect, it } from 'vitest'
import { type ConnectionState, connectTarget } from './connection'
import type { InstanceSlice } from './state'

const idle: ConnectionState = { state: 'idle' }

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

it.each([
  ['the only profile of it', 'a', idle, target('a', 'one')],
  ['what was used last there', 'b', idle, target('b', 'two')],
  ['nothing elsewhere where it leaves a choice', 'c', idle, undefined],
  [
    'not what was connected elsewhere',
    'b',
    { state: 'disconnected', target: target('a', 'one') },
    target('b', 'two'),
  ],
  [
    'what was connected there',
    'b',
    { state: 'disconnected', target: target('b', 'one') },
    target('b', 'one'),
  ],
  [
    'as ever where it is gone',
    'gone',
    { state: 'disconnected', target: target('a', 'one') },
    target('a', 'one'),
  ],
] as const)(
  'of several instances, with one shown in the window, is %s',
  (_what, shown, connection, expected) => {
    const instances = [
      instance('a', ['one']),
      instance('b', ['one', 'two'], 'two'),
      instance('c', ['one', 'two']),
    ]
    expect(connectTarget({ connection, instances, shown: { instanceId: shown } })).toEqual(expected)
  },
)
