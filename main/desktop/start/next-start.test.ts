import { expect, it } from 'vitest'
import { argumentsOfNextStart } from './next-start'

const nothing = { hidden: false, connect: false, link: undefined }

it.each([
  [['--data-dir', '/d', '--hidden', '--connect'], nothing, ['--data-dir', '/d']],
  [['.', '--lang=nl', '--', 'causeway://add/a'], nothing, ['.', '--lang=nl']],
  [['causeway://add/a', '--hidden'], { ...nothing, link: 'causeway://add/b' }, ['causeway://add/b']],
  [[], { ...nothing, hidden: true, connect: true }, ['--hidden', '--connect']],
])('keeps the options of %j, and does what the new start asks', (args, asked, next) => {
  expect(argumentsOfNextStart(args, asked)).toEqual(next)
})
