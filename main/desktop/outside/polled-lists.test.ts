import { describe, expect, it } from 'vitest'
import type { AppState, InstanceSlice } from '../../../contract/state'
import { polledLists } from './polled-lists'

const version2: InstanceSlice = {
  id: 'two.example.org',
  address: 'https://two.example.org/',
  login: 'signed-in',
  profiles: { status: 'loaded', items: [] },
  messages: { status: 'loaded', items: [] },
}
const version3: InstanceSlice = {
  ...version2,
  id: 'three.example.org',
  address: 'https://three.example.org/',
  hasNoMessages: true,
}
const instances = [version2, version3]
const connectedTo = ({ id }: InstanceSlice): AppState['connection'] => ({
  state: 'connecting',
  target: { instanceId: id, profileId: 'internet' },
  phase: 'starting',
})
const idsOf = (connection: AppState['connection'], list: 'messages' | 'profiles'): string[] =>
  polledLists({ instances, connection }, list).map(({ id }) => id)

describe('lists that are kept up to date', () => {
  it('are the messages of services that have some', () => {
    expect(idsOf({ state: 'idle' }, 'messages')).toEqual(['two.example.org'])
  })

  it('are the profiles of all services without a connection', () => {
    expect(idsOf({ state: 'idle' }, 'profiles')).toEqual(['two.example.org', 'three.example.org'])
    expect(idsOf(connectedTo(version2), 'profiles')).toEqual(['two.example.org', 'three.example.org'])
  })

  it('are not the profiles of a service of version 3 that is in use', () => {
    expect(idsOf(connectedTo(version3), 'profiles')).toEqual(['two.example.org'])
  })
})
