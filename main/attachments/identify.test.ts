import { expect, it } from 'vitest'
import type { Attachment } from './attachment'
import { identify } from './identify'

const file = { title: 'Notes', extension: 'pdf' }
const awaited = { uploadUrl: new URL('https://storage.example.org/key-1?expires=1&signature=a') }

function waiting(id: string, change: Partial<Attachment> = {}): Attachment {
  return {
    id,
    userId: 'u',
    url: '',
    status: 'IN_PROGRESS',
    type: 'INTERNAL',
    title: 'Notes',
    extension: 'pdf',
    videos: [],
    modules: [],
    ...change,
  }
}

it('finds the attachment of a file by its address, whatever is signed into that', () => {
  const page = [
    waiting('b', { url: 'https://storage.example.org/key-2?signature=b' }),
    waiting('a', { url: 'https://storage.example.org/key-1?expires=2&signature=c' }),
  ]
  expect(identify(page, file, awaited, new Set())).toBe('a')
})

it('takes the only one that fits where no address tells', () => {
  const others = [
    waiting('title', { title: 'Other' }),
    waiting('extension', { extension: 'txt' }),
    waiting('done', { status: 'COMPLETED' }),
    waiting('link', { type: 'EXTERNAL' }),
    waiting('known'),
  ]
  expect(identify([...others, waiting('a', { extension: 'PDF' })], file, awaited, new Set(['known']))).toBe(
    'a',
  )
})

it('says nothing rather than something wrong', () => {
  expect(identify([waiting('a'), waiting('b')], file, awaited, new Set())).toBeUndefined()
  expect(identify([], file, awaited, new Set())).toBeUndefined()
})
