import { join } from 'node:path'
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const configuration = await getConfig(root, 'electron-builder.yml', null)

async function validate(candidate: typeof configuration): Promise<void> {
  await validateConfiguration(candidate, new DebugLogger(false))
}

it('electron-builder takes electron-builder.yml, and would not take a key that it does not know', async () => {
  await expect(validate(configuration)).resolves.toBeUndefined()
  await expect(validate(Object.assign({ asarUnpacked: [] }, configuration))).rejects.toThrow('asarUnpacked')
})

it('the app cannot be started as a bare Node with its rights', () => {
  expect(configuration.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    onlyLoadAppFromAsar: true,
  })
})
