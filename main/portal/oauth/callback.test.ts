import { expect, it } from 'vitest'
import { judgeCallback } from './callback'

const judge = (query: string): unknown =>
  judgeCallback(new URLSearchParams(query), {
    state: 'right',
    isIssuer: (iss) => iss === 'https://vpn.example.org/',
  })

it.each([
  'code=c&state=right',
  'code=c&state=right&iss=https%3A%2F%2Fvpn.example.org%2F',
  'state=right&code=c&x=1',
])('is an approval: %s', (query) => {
  expect(judge(query)).toMatchObject({ outcome: 'code' })
})

it.each([
  ['state=right', 'oauth/invalid-callback'],
  ['code=&state=right', 'oauth/invalid-callback'],
  ['code=c&code=d&state=right', 'oauth/invalid-callback'],
  ['code=c&state=right&state=right', 'oauth/invalid-callback'],
  ['code=c&state=right&iss=https%3A%2F%2Fevil.example%2F', 'oauth/issuer-mismatch'],
  ['code=c&state=right&iss=', 'oauth/issuer-mismatch'],
  ['error=access_denied&state=right&iss=https%3A%2F%2Fevil.example%2F', 'oauth/issuer-mismatch'],
  ['error=access_denied&state=right', 'oauth/access-denied'],
  ['error=access_denied&state=right&code=c', 'oauth/access-denied'],
  ['error=server_error&state=right', 'oauth/authorization-failed'],
  ['error=&state=right', 'oauth/authorization-failed'],
])('is an error: %j', (query, code) => {
  expect(judge(query)).toMatchObject({ outcome: 'error', error: { code } })
})

it('needs an issuer with a code, if at all, and not with a refusal', () => {
  const judged = (query: string) =>
    judgeCallback(new URLSearchParams(query), { state: 'right', isIssuer: () => true, needsIssuer: true })
  expect(judged('code=c&state=right')).toMatchObject({ error: { code: 'oauth/issuer-mismatch' } })
  expect(judged('code=c&state=right&iss=x')).toMatchObject({ outcome: 'code' })
  expect(judged('error=access_denied&state=right')).toMatchObject({ error: { code: 'oauth/access-denied' } })
})

it.each(['code=c&state=wrong', 'code=c', '', 'error=access_denied&state=wrong', 'code=c&code=d&state=wrong'])(
  'may come from anybody: %j',
  (query) => {
    expect(judge(query)).toBeUndefined()
  },
)

it('removes control characters from the error of the server', () => {
  expect(judge(`state=right&error=bad%1b[2J${'x'.repeat(1000)}`)).toMatchObject({
    error: { details: { error: expect.stringMatching(/^bad \[2Jx{92}…$/) as string } },
  })
})

it('shows neither code nor state', () => {
  const result = judge('code=secret-code&code=secret-too&state=right') as { error: Error }
  expect(JSON.stringify(result) + result.error.message).not.toMatch(/secret|right/)
})
