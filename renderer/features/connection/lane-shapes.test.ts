import { expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { laneShapes, progressOf, small } from './lane-shapes'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }

it.each<[ConnectionState, number]>([
  [{ state: 'idle' }, 0],
  [{ state: 'discovering', target }, 1],
  [{ state: 'authorizing', target }, 2],
  [{ state: 'connecting', target, phase: 'tls' }, 7],
  [{ state: 'connecting', target, phase: 'configuring' }, 9],
  [{ state: 'disconnected', target }, 0],
])('in state %j, %d of nine parts of the bridge stand', (connection, parts) => {
  expect(progressOf(connection)).toBe(parts / 9)
})

it.each([
  ['direct', 'unknown', 'around'],
  ['through', 'unknown', 'onward'],
  ['direct', 'waiting', 'onward'],
  ['through', 'less', 'around'],
] as const)('beside a lane %s, one %s leads %s', (organization, rest, part) => {
  expect(laneShapes({ organization, rest }, 'limited', 0, small).at(-1)).toMatchObject({ part, lane: rest })
})

it('lets piers stand beside the gap, and at its very edge', () => {
  const measures = { from: 0, to: 100, top: 0, low: 40, stroke: 2, piers: [-20, -10, -9, 9, 10, 20] }
  const shapes = laneShapes({ organization: 'waiting', rest: 'direct' }, 'working', 1, measures)
  const standing = shapes.filter(({ part }) => part === 'piers').map(({ d }) => d)
  expect(standing).toEqual(['M30 0v14.8', 'M40 0v14.8', 'M60 0v14.8', 'M70 0v14.8'])
})
