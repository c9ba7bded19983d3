import { expect, it } from 'vitest'
import { silentPlace } from './silent-place'

/** A program that answers for every place but `disk`. */
const program = ['/bin/sh', '-c', 'for place; do [ "$place" = disk ] && exec sleep 100; done', 'sh'] as const
const asking = (...paths: string[]) =>
  silentPlace(paths, { platform: 'linux', program: [...program], limitMs: 2000 })

it.skipIf(process.platform === 'win32')('names the place that gives no answer', async () => {
  expect(await asking('home', 'policy')).toBeUndefined()
  expect(await asking('home', 'disk', 'policy')).toBe('disk')
})

it('takes an error, and a system without the program, for an answer', async () => {
  expect(await silentPlace(['/nonexistent'])).toBeUndefined()
  expect(await silentPlace(['/'], { platform: 'linux', program: ['/nonexistent'] })).toBeUndefined()
})
