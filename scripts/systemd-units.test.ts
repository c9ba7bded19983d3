import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { programPath } from './dist-targets'

const folder = join(import.meta.dirname, '../build/linux/systemd/system')

/** What `systemd-analyze` says of each setting that confines a service, and what it costs to leave it out. */
const findings = z.array(
  z.object({ set: z.boolean().nullable(), name: z.string(), exposure: z.string().nullable() }),
)

describe.skipIf((await programPath('systemd-analyze')) === undefined)('the units of the system', async () => {
  it.each(await readdir(folder))('%s confines its service, and says what it leaves out', async (file) => {
    const analyze = (...words: string[]) =>
      execa('systemd-analyze', ['security', '--no-pager', '--offline=true', ...words, join(folder, file)])
    // Ends with an error above 4.0.
    await analyze('--threshold=40')
    const { stdout } = await analyze('--json=short')
    const unit = await readFile(join(folder, file), 'utf8')
    const missing = findings
      .parse(JSON.parse(stdout))
      .filter(({ set, exposure }) => set === false && Number(exposure) > 0)
      .flatMap(({ name }) => name.replace(/=~.*/, '').split(/=\/?/))
      .filter((name) => !unit.includes(name))
    expect(missing).toEqual([])
  })
})
