import { expect, it } from 'vitest'
import { ipcError } from './ipc-error'

const error = (code: 'internal/unexpected' | 'usage/unknown-instance' | 'http/unreachable') => ({
  code,
  message: '',
})

it.each(['internal/unexpected', 'usage/unknown-instance'] as const)(
  'shows %s, unless the state shows it already',
  (code) => {
    expect(ipcError(error(code), undefined)).toEqual(error(code))
    expect(ipcError(error(code), error('http/unreachable'))).toEqual(error(code))
    expect(ipcError(error(code), error(code))).toBeUndefined()
  },
)

it('shows nothing that the state will show, and nothing without an error', () => {
  expect(ipcError(error('http/unreachable'), undefined)).toBeUndefined()
  expect(ipcError(undefined, error('http/unreachable'))).toBeUndefined()
})
