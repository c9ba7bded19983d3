import { describe, expect, it } from 'vitest'
import type { ConnectionTarget } from '../../../contract/connection'
import type { InstanceSlice } from '../../../contract/state'
import { findProfiles, searchedProfiles, toPick } from './find-profiles'

function service(id: string, names: readonly string[], name?: string): InstanceSlice {
  return {
    id,
    address: `https://${id}/`,
    login: 'signed-in',
    listing: name === undefined ? undefined : { name, supportContacts: [] },
    profiles: {
      status: 'loaded',
      items: names.map((displayName, index) => ({ profileId: `p${index}`, displayName })),
    },
    messages: { status: 'loaded', items: [] },
  }
}

function namesMatching(instances: readonly InstanceSlice[], text: string): string[] {
  return findProfiles(searchedProfiles(instances), text).map(({ profile }) => profile.displayName)
}

describe('a search', () => {
  const institute = service(
    'vpn1.example.edu',
    ['Laboratory 0', 'Laboratory 1', 'Laboratory 10', 'New lab 1', 'Old collaboration 1', 'Lab 1'],
    'Institute of Applied Sciences 1',
  )

  it('ranks the name itself, its start, words in it, parts of it, and the name of the service', () => {
    expect(namesMatching([institute], 'lab 1')).toEqual([
      'Lab 1',
      'Laboratory 1',
      'Laboratory 10',
      'New lab 1',
      'Old collaboration 1',
      'Laboratory 0',
    ])
  })

  it('ranks over all services, each in its own order where two are as good', () => {
    const other = service('vpn.example.org', ['Laboratory 1', 'Laboratory 11'])
    expect(namesMatching([institute, other], 'laboratory 1')).toEqual([
      'Laboratory 1',
      'Laboratory 1',
      'Laboratory 10',
      'Laboratory 11',
      'Laboratory 0',
    ])
  })

  it('looks at ids only if nothing else fits', () => {
    const two = [service('vpn1.example.edu', ['Office', 'Lab p0'], 'Example University')]
    expect(namesMatching(two, 'p0')).toEqual(['Lab p0'])
    expect(namesMatching(two, 'p1')).toEqual(['Lab p0'])
    expect(namesMatching(two, 'vpn1 office')).toEqual(['Office'])
  })

  it('ignores case, accents and spaces around', () => {
    expect(namesMatching([service('vpn.example.edu', ['Über uns', 'Réseau'])], '  UBER  uns ')).toEqual([
      'Über uns',
    ])
  })

  it('finds names without spaces between words', () => {
    expect(namesMatching([service('vpn.example.jp', ['大学の研究室', '研究室 1'])], '研究室')).toEqual([
      '研究室 1',
      '大学の研究室',
    ])
  })

  it('finds nothing without words', () => {
    expect(namesMatching([institute], '  ')).toEqual([])
  })
})

describe('the picker', () => {
  const university = service(
    'vpn.example.edu',
    Array.from({ length: 30 }, (_, index) => `Profile ${index}`),
  )
  const company = service('vpn.example.com', ['Office'])
  const at = (index: number, instanceId = university.id): ConnectionTarget => ({
    instanceId,
    profileId: `p${index}`,
  })
  const names = (current: ConnectionTarget, starred: ConnectionTarget[], recent: ConnectionTarget[]) =>
    toPick([university, company], { starred, recent }, current).map(({ profile }) => profile.displayName)

  it('offers ten: the starred and recent first, and the one in view', () => {
    expect(names(at(20), [at(0, company.id)], [at(7), at(0, company.id)])).toEqual([
      'Office',
      'Profile 7',
      'Profile 20',
      ...[0, 1, 2, 3, 4, 5, 6].map((index) => `Profile ${index}`),
    ])
  })

  it('keeps a place for the one in view among many stars', () => {
    const starred = Array.from({ length: 12 }, (_, index) => at(index))
    expect(names(at(20), starred, [])).toEqual([
      ...starred.slice(0, 9).map((_, index) => `Profile ${index}`),
      'Profile 20',
    ])
  })

  it('leaves out what Causeway does not support', () => {
    const [item] = company.profiles.items
    const items = [{ ...item, profileId: 'wg', displayName: 'Other', notSupported: true as const }]
    const old = { ...company, profiles: { ...company.profiles, items } }
    expect(toPick([old], { starred: [], recent: [] }, at(0))).toEqual([])
  })
})
