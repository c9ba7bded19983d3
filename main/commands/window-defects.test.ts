import { expect, it } from 'vitest'
import { WindowDefects } from './window-defects'

it('logs at most twenty defects per minute, and that there were more', () => {
  const events: string[] = []
  let now = 0
  const defects = new WindowDefects({ write: (_level, _part, event) => events.push(event) }, () => now)
  for (let count = 0; count < 1000; count += 1) defects.add({ kind: 'TypeError', at: [] })
  expect(events).toEqual([...Array<string>(20).fill('defect'), 'more-defects'])
  now = 60_000
  defects.add({ kind: 'TypeError', at: [] })
  expect(events.slice(21)).toEqual(['defect'])
})
