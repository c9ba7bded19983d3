import { expect, it } from 'vitest'
import { browserWait } from './browser-wait'

const service = (id: string, until?: number) =>
  ({ id, login: 'waiting-for-browser', browser: until === undefined ? undefined : { until } }) as const

it('is the sign-in that waits for the browser', () => {
  expect(browserWait([{ id: 'one', login: 'signed-in' }, service('two', 7)])).toEqual({
    instanceId: 'two',
    until: 7,
  })
  expect(browserWait([{ id: 'one', login: 'signed-out' }])).toBeUndefined()
})

it('is the one that began last, also before its browser is opened', () => {
  expect(browserWait([service('one', 5), service('two', 9), service('three', 8)])?.instanceId).toBe('two')
  expect(browserWait([service('one', 5), service('two'), service('three', 8)])?.instanceId).toBe('two')
})
