import { expect, it } from 'vitest'
import { fillLoginTemplate } from './login-template'

const returnTo = new URL('https://vpn.example.org/oauth?state=a%20b&client_id=x')
const orgId = 'https://idp.example.org/@RETURN_TO@ é'

it('inserts the form-encoded authorization request and organization, each once', () => {
  const template = 'https://vpn.example.org/login?to=@RETURN_TO@&idp=@ORG_ID@&more=@ORG_ID@'
  expect(fillLoginTemplate(template, { returnTo, orgId })?.href).toBe(
    'https://vpn.example.org/login?to=https%3A%2F%2Fvpn.example.org%2Foauth%3Fstate%3Da%2520b%26client_id%3Dx' +
      '&idp=https%3A%2F%2Fidp.example.org%2F%40RETURN_TO%40+%C3%A9&more=@ORG_ID@',
  )
})

it.each([
  'https://vpn.example.org/login?to=@RETURN_TO@',
  'https://vpn.example.org/login?idp=@ORG_ID@',
  'http://vpn.example.org/login?to=@RETURN_TO@&idp=@ORG_ID@',
  'javascript:alert("@RETURN_TO@@ORG_ID@")',
  '@RETURN_TO@@ORG_ID@',
])('ignores a template without both marks, or that is no secure address: %s', (template) => {
  expect(fillLoginTemplate(template, { returnTo, orgId })).toBeUndefined()
})
