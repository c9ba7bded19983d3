import { dirname } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { silentProgram } from '../../platform/child-process/silent-program.testing'
import { hasTray } from './tray-host'

it.skipIf(process.platform === 'win32')('is none if nothing answers', async () => {
  vi.stubEnv('PATH', `${dirname(await silentProgram('gdbus'))}:/usr/bin:/bin`)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await hasTray('linux')).toBe(false)
})
