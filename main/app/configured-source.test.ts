import { expect, it } from 'vitest'
import { settingsSchema } from '../../contract/settings'
import { configuredSource } from './organization-services'

const none = settingsSchema.parse({})
const set = { ...none, discovery: 'https://set.example.org/', discoveryKey: 'RWset' }
const build = {
  discovery: { url: 'https://build.example.org/', keys: ['RWone', 'RWtwo'], legacy: 'refuse' },
} as const

it('has no lists unless somebody says so, also in the build as it is', () => {
  expect(configuredSource(undefined, none, {})).toBeUndefined()
  expect(configuredSource(undefined, none)).toBeUndefined()
})

it('takes the lists of the build, with its keys and its rule for signatures', () => {
  expect(configuredSource(undefined, none, build)).toEqual({
    url: 'https://build.example.org/',
    keys: 'RWone RWtwo',
    legacy: 'refuse',
  })
})

it('prefers the settings to the build, and options to both', () => {
  expect(configuredSource(undefined, set, build)).toMatchObject({
    url: 'https://set.example.org/',
    keys: 'RWset',
  })
  const given = { url: 'https://given.example.org/', keys: 'RWgiven' }
  expect(configuredSource(given, set, build)).toMatchObject(given)
})
