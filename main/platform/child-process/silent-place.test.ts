import { expect, it } from 'vitest'
import { silentPlace } from './silent-place'

/** A program that answers for every place but `disk`, as slowly as on a busy computer. */
const script = 'for place; do [ "$place" = disk ] && exec sleep 100; sleep 0.6; done'
const asking = (...paths: string[]) =>
  silentPlace(paths, { platform: 'linux', program: ['/bin/sh', '-c', script, 'sh'], limitMs: 5000 })

it.skipIf(process.platform === 'win32')('names the place that gives no answer', async () => {
  expect(await asking('home', 'policy')).toBeUndefined()
  expect(await asking('home', 'disk', 'policy')).toBe('disk')
})

it('takes an error, and a system without the program, for an answer', async () => {
  expect(await silentPlace(['/nonexistent'])).toBeUndefined()
  expect(await silentPlace(['/'], { platform: 'linux', program: ['/nonexistent'] })).toBeUndefined()
})
