import { expect, it } from 'vitest'
import { silentProgram } from '../platform/child-process/silent-program.testing'
import { askPolkit } from '../privilege/terminal-agent'
import { mayStartHelper } from './diagnostics/session'
import { askSystem } from './policy'

it.skipIf(process.platform === 'win32')('are not waited for without a limit', async () => {
  const program = await silentProgram('program')
  const helper = { helper: '/helper/causeway-helper', elevation: 'sudo' }
  expect(
    await Promise.all([
      askPolkit(program),
      mayStartHelper(helper, program),
      askSystem(program, []).catch((error: unknown) => error),
    ]),
  ).toEqual(['no', false, expect.any(Error)])
})
