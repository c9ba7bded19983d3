import { expect, it } from 'vitest'
import { ContentImages } from './content-images'
import type { FetchedImage } from './fetch-image'

const baseUrl = 'https://news.example.org'
const picture = (bytes: number): FetchedImage => ({ type: 'image/png', bytes: new Uint8Array(bytes) })

/** Creates images whose fetches the test completes. */
function slowPictures() {
  const asked: string[] = []
  const answers: ((image: FetchedImage | undefined) => void)[] = []
  const images = new ContentImages({
    fetchImage: ({ imageUrl }) => {
      asked.push(imageUrl)
      return new Promise((resolve) => answers.push(resolve))
    },
  })
  return { images, asked, answers }
}

it('gives each picture one opaque id', () => {
  const { images } = slowPictures()
  const id = images.idOf('https://pictures.example.org/1.png', baseUrl)
  expect(id).toMatch(/^[0-9a-f]{40}$/)
  expect(images.idOf('https://pictures.example.org/1.png', baseUrl)).toBe(id)
  expect(images.idOf('https://pictures.example.org/2.png', baseUrl)).not.toBe(id)
  expect(images.idOf('https://pictures.example.org/1.png', 'https://other.example.org')).not.toBe(id)
  expect(slowPictures().images.idOf('https://pictures.example.org/1.png', baseUrl)).not.toBe(id)
})

it('fetches nothing for an unknown id', async () => {
  const { images, asked } = slowPictures()
  expect(await images.image('0'.repeat(40))).toBeUndefined()
  expect(asked).toEqual([])
})

it('fetches a picture once for several requests, and keeps it', async () => {
  const { images, asked, answers } = slowPictures()
  const id = images.idOf('https://pictures.example.org/1.png', baseUrl)
  const wanted = [images.image(id), images.image(id)]
  answers[0]?.(picture(10))
  expect(await Promise.all(wanted)).toEqual([picture(10), picture(10)])
  expect(await images.image(id)).toEqual(picture(10))
  expect(asked).toHaveLength(1)
})

it('fetches again after a failure', async () => {
  const { images, asked, answers } = slowPictures()
  const id = images.idOf('https://pictures.example.org/1.png', baseUrl)
  const first = images.image(id)
  answers[0]?.(undefined)
  expect(await first).toBeUndefined()
  const second = images.image(id)
  answers[1]?.(picture(1))
  expect(await second).toEqual(picture(1))
  expect(asked).toHaveLength(2)
})

it('fetches six pictures at a time, the others in turn', async () => {
  const { images, asked, answers } = slowPictures()
  const ids = Array.from({ length: 8 }, (_, n) =>
    images.idOf(`https://pictures.example.org/${n}.png`, baseUrl),
  )
  const wanted = ids.map((id) => images.image(id))
  expect(asked).toHaveLength(6)
  answers[3]?.(picture(1))
  await wanted[3]
  expect(asked).toHaveLength(7)
  for (const answer of answers) answer(undefined)
  await Promise.all(wanted.slice(0, 7))
  answers[7]?.(picture(1))
  expect(await wanted[7]).toEqual(picture(1))
})

it('keeps the most recently shown pictures, up to 48 MB', async () => {
  const asked: string[] = []
  const images = new ContentImages({
    fetchImage: ({ imageUrl }) => {
      asked.push(imageUrl)
      return Promise.resolve(picture(5_000_000))
    },
  })
  const ids = Array.from({ length: 12 }, (_, n) =>
    images.idOf(`https://pictures.example.org/${n}.png`, baseUrl),
  )
  for (const id of ids) await images.image(id)
  asked.length = 0
  for (const id of ids.slice(-9)) await images.image(id)
  expect(asked).toEqual([])
  await images.image(ids[0] ?? '')
  expect(asked).toEqual(['https://pictures.example.org/0.png'])
})
