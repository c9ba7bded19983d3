import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exitStatus, sysexits } from '../main/cli/exit-status'
import { programPath } from './dist-targets'

const units = join(import.meta.dirname, '../build/linux/systemd')
const folder = join(units, 'system')

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

describe.skipIf((await programPath('systemd-analyze')) === undefined)('the units that connect', () => {
  it.each(['system', 'user'])('of the %s end with statuses that systemd names rightly', async (whose) => {
    const unit = await readFile(join(units, whose, 'causeway@.service'), 'utf8')
    expect(unit).toContain(' --sysexits ')
    const final = (['usage/unknown-instance', 'oauth/login-required'] as const).map(
      (code) => sysexits[exitStatus(code)],
    )
    expect(/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]).toBe(final.join(' '))
    expect(unit).toContain('Restart=on-failure')
    expect(unit).toContain('SuccessExitStatus=130')
    const statuses = Object.values(sysexits).map(String)
    const { stdout } = await execa('systemd-analyze', ['exit-status', ...statuses])
    const docs = await readFile(join(import.meta.dirname, '../docs/terminal.md'), 'utf8')
    const [, ...lines] = stdout.split('\n').map((line) => line.trim().split(/ +/))
    // The class of init scripts is LSB.
    expect(lines.map(([, ...rest]) => rest)).toEqual(statuses.map((status) => [status, 'BSD']))
    for (const [name = '', status = ''] of lines) expect(docs).toContain(`${status} \`${name}\``)
  })
})
