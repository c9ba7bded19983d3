import { expect, it } from 'vitest'
import { argumentsOfNextStart, bothStarts, parseSecondStart } from './second-start'

const nothing = { hidden: false, connect: false, link: undefined }

it.each([
  [['--data-dir', '/d', '--hidden', '--connect'], nothing, ['--data-dir', '/d']],
  [['.', '--lang=nl', '--', 'causeway://add/a'], nothing, ['.', '--lang=nl']],
  [['causeway://add/a', '--hidden'], { ...nothing, link: 'causeway://add/b' }, ['causeway://add/b']],
  [[], { ...nothing, hidden: true, connect: true }, ['--hidden', '--connect']],
])('keeps the options of %j, and does what the new start asks', (args, asked, next) => {
  expect(argumentsOfNextStart(args, asked)).toEqual(next)
})

it.each([undefined, null, 'text', [], {}, { hidden: 1, connect: 'yes', link: 2 }])(
  'takes %j for a start that wants the window',
  (data) => {
    expect(parseSecondStart(data)).toEqual(nothing)
  },
)

it('keeps what an earlier start has asked for', () => {
  const link = 'causeway://add/a'
  const hidden = { ...nothing, hidden: true }
  expect(bothStarts(undefined, hidden)).toEqual(hidden)
  expect(bothStarts(hidden, nothing)).toEqual(nothing)
  expect(bothStarts({ ...nothing, connect: true, link }, hidden)).toEqual({ ...nothing, connect: true, link })
  expect(bothStarts({ ...nothing, link }, { ...nothing, link: 'causeway://add/b' }).link).toBe(
    'causeway://add/b',
  )
})
