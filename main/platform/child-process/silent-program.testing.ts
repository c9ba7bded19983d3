import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates a program that never ends, and another process of which keeps its output open; until the test has finished.
 *
 * @returns its path
 */
export async function silentProgram(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-silent-program-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  const untilRemoved = `while [ -e '${folder}' ]; do sleep 0.2; done`
  await writeFile(path, `#!/bin/sh\ntrap '' TERM\n(${untilRemoved}) &\n${untilRemoved}\n`, { mode: 0o755 })
  return path
}
