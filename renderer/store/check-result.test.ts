import { expect, it } from 'vitest'
import { checkedResult } from './check-result'

const error = { code: 'usage/unknown-instance', message: 'No such service.' }

it('passes on a failure, and a value as the contract has it', () => {
  expect(checkedResult('logOut', { ok: false, error })).toEqual({ ok: false, error })
  expect(checkedResult('logOut', { ok: true, value: undefined })).toEqual({ ok: true, value: undefined })
})

it.each([{ ok: true, error }, { ok: false }, { ok: false, error: { code: 'none' } }, null, 'text'])(
  'refuses %j as an answer with a value',
  (result) => {
    expect(() => checkedResult('organizationCredentials', result)).toThrow()
  },
)
