import { expect, it } from 'vitest'
import { noPolicy } from '../../contract/policy'
import { isInPackage, updateSource } from './update-source'

const policy = { ...noPolicy, updates: { url: 'https://updates.example.org/', keys: ['RWone', 'RWtwo'] } }
const env = { CAUSEWAY_UPDATES: 'http://127.0.0.1:1/', CAUSEWAY_UPDATES_KEY: 'RWown' }

it('is nowhere unless the build or the policy says so', () => {
  expect(updateSource(noPolicy, {}, true)).toBeUndefined()
})

it('is that of the policy, whatever the environment says', () => {
  const expected = { url: 'https://updates.example.org/', keys: 'RWone RWtwo', legacy: 'refuse' }
  expect(updateSource(policy, env, true)).toEqual(expected)
  expect(updateSource(policy, env, false)).toEqual(expected)
})

it('comes from the environment only for a program that runs from its sources', () => {
  expect(updateSource(noPolicy, env, true)).toBeUndefined()
  expect(updateSource(noPolicy, env, false)).toEqual({
    url: 'http://127.0.0.1:1/',
    keys: 'RWown',
    legacy: 'refuse',
  })
})

it.each([
  ['/opt/Causeway/resources/app.asar/out/main/chunks', true],
  ['C:\\Program Files\\Causeway\\resources\\app.asar\\out\\main\\chunks', true],
  ['/usr/lib/causeway/out/main/chunks', true],
  ['/home/a/causeway/out/main/chunks', false],
  ['/home/usr/lib/causeway/main/app', false],
])('knows whether %s is in a package: %s', (folder, expected) => {
  expect(isInPackage(folder)).toBe(expected)
})
