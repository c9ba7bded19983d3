import { expect, it } from 'vitest'
import { silentProgram } from '../child-process/silent-program.testing'
import { linuxRoutes } from './linux-routes'
import { macosRoutes } from './macos-routes'

it.skipIf(process.platform === 'win32')('are unknown if the system gives no answer', async () => {
  const program = await silentProgram('ip')
  const readers = [linuxRoutes([program]), macosRoutes({ route: program, netstat: program })]
  expect(await Promise.all(readers.map((each) => each.read()))).toEqual([undefined, undefined])
})
