import { expect, it } from 'vitest'
import { startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({ autoApprove: true })

it.each([
  ['--version'],
  ['settings', 'list', '--json'],
  ['settings', 'get', 'nonsense', '--json'],
  ['instance', 'list', '--wrong'],
  ['instance'],
  ['organization', 'delete', '--yes'],
  ['profile', 'list'],
  ['attachment', 'list', '--instance', 'unknown'],
  ['instance', 'add', 'https://127.0.0.1:9/'],
])('a shared process has the same outcome as one of its own: %s %s %s', async (...args) => {
  const person = await command.person(mock.instance)
  await person.json('login')
  // A variable that Node.js reads at its start, with the value that it has anyway.
  const own = await person.run(args, { env: { TZ: 'UTC' } })
  expect(await person.run(args)).toEqual(own)
})
