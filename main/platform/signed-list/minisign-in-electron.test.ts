import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { hasElectron } from '../../../scripts/electron-runtime'
import { minisignVectors } from './minisign-vectors.testing'

// Electron's crypto differs from that of Node.js: it has no BLAKE2b.
it.runIf(hasElectron())('every signature has the same outcome in Electron as in Node.js', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-minisign-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'minisign-in-electron.testing.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  // Outside Electron, the electron package exports the path of the program.
  const electron = createRequire(import.meta.url)('electron') as string
  const { stdout } = await execa(electron, [program], {
    env: { ELECTRON_RUN_AS_NODE: '1' },
    input: JSON.stringify(minisignVectors),
  })
  const { electron: version, outcomes } = JSON.parse(stdout) as { electron?: string; outcomes: unknown[] }
  expect(version).toBeDefined()
  expect(outcomes).toEqual(minisignVectors.map(({ outcome }) => outcome))
})
