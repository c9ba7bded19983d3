import { validateHeaderValue } from 'node:http'
import { expect, it } from 'vitest'
import { contentDisposition } from './add-storage'

it.each([
  ['notes.pdf', `attachment; filename="notes.pdf"; filename*=UTF-8''notes.pdf`],
  [
    'a "b" \\ c.txt',
    `attachment; filename="a \\"b\\" \\\\ c.txt"; filename*=UTF-8''a%20%22b%22%20%5C%20c.txt`,
  ],
  ['数字.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E6%95%B0%E5%AD%97.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  [
    'a\r\nSet-Cookie: b\0',
    `attachment; filename="a__Set-Cookie: b_"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b%00`,
  ],
])('%j becomes a valid header with the complete file name', (name, expected) => {
  const header = contentDisposition(name)
  expect(header).toBe(expected)
  validateHeaderValue('content-disposition', header)
})
