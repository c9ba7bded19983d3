import { expect, it } from 'vitest'
import { parseHttpDate } from './http-date'

it('reads the preferred format of HTTP', () => {
  expect(parseHttpDate('Fri, 06 Aug 2021 03:59:59 GMT')).toEqual(new Date('2021-08-06T03:59:59Z'))
})

it.each([
  null,
  '',
  '0',
  '2021-08-06T03:59:59Z',
  'Fri, 06 Aug 2021 03:59:59 +0200',
  'Friday, 06-Aug-21 03:59:59 GMT',
  'Thu, 06 Aug 2021 03:59:59 GMT',
  'Wed, 31 Feb 2021 03:59:59 GMT',
  'in three months',
])('takes %j for no date', (text) => {
  expect(parseHttpDate(text)).toBeUndefined()
})
