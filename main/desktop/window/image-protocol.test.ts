import { expect, it } from 'vitest'
import { answerWithImage, requestedImage } from './image-protocol'

const id = 'a'.repeat(40)

it('returns the id of a picture', () => {
  expect(requestedImage({ method: 'GET', url: `app://causeway/images/${id}` })).toBe(id)
})

it.each([
  ['GET', 'app://causeway/index.html'],
  ['GET', 'app://causeway/images'],
  ['GET', `app://causeway/images/${id}/more`],
  ['GET', 'app://causeway/images/https://example.org/a.png'],
  ['GET', `app://causeway/images/..%2f${id}`],
  ['GET', `app://other/images/${id}`],
  ['POST', `app://causeway/images/${id}`],
])('ignores other requests: %s %s', (method, url) => {
  expect(requestedImage({ method, url })).toBeUndefined()
})

it("answers with the picture's type and a policy that blocks scripts", () => {
  const answer = answerWithImage({ type: 'image/webp', bytes: new Uint8Array([1, 2]) })
  expect(answer).toMatchObject({
    statusCode: 200,
    mimeType: 'image/webp',
    headers: {
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
  expect([...answer.data]).toEqual([1, 2])
  expect(answerWithImage(undefined).statusCode).toBe(404)
})
