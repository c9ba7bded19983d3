import { expect, it } from 'vitest'
import { differences } from './computer-traces'

it('names what is left and what is gone, also of equal lines', () => {
  const before = { processes: ['ip', 'node', 'openvpn'], rules: ['0: from all'] }
  expect(differences(before, before)).toEqual([])
  expect(
    differences(before, { processes: ['ip', 'node', 'node'], rules: ['0: from all', '1: from all'] }),
  ).toEqual(['processes: node', 'processes, gone: openvpn', 'rules: 1: from all'])
})
