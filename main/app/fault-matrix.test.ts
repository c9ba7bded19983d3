import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFormatted } from '../../scripts/format-text'
import { isNightly } from '../../scripts/nightly-tests'
import {
  FaultyPortal,
  type Outcome,
  faults,
  mayFillDisks,
  meetFault,
  steps,
  worlds,
} from './fault-matrix.testing'
import { mayOwnHelper, meetTunnelFault, tunnelFaults } from './tunnel-faults.testing'

const path = 'docs/reliability.md'
const tunnelTitle = 'Helper, program and VPN server'
/** Set to write the tables into the document instead of comparing them with it. */
const isWriting = process.env.CAUSEWAY_WRITE_DOCS === '1'
/** One of so many faults is tried for every change: at each step others. */
const share = isNightly || isWriting ? 1 : 61
const marked = /(<!-- faults: .*? -->\n)(.*)(\n<!-- \/faults -->)/s

/** Returns the words of the tables for an outcome. */
function cellOf({ ended, lost, signedInAgain, after }: Outcome): string {
  const words = [
    ended === 'fine' ? 'works' : ended.startsWith('waits') ? ended : `\`${ended.replace(/ .*/, '')}\``,
  ]
  if (lost.includes('login')) words.push('signed out')
  if (after.ended !== 'fine') words.push(`then \`${after.ended.replace(/ .*/, '')}\``)
  else if (after.logins > 0 && !signedInAgain && !lost.includes('login') && !ended.startsWith('waits'))
    words.push('then a new sign-in')
  return words.join(', ')
}

const titleOf = ({ api, protocol }: (typeof worlds)[number]) =>
  `Version ${api}, ${protocol === 'openvpn' ? 'OpenVPN' : 'WireGuard'}`

/** Returns the rows of a table in the document by its title: the faults, and the cell of each step. */
function tableIn(text: string, title: string): Map<string, readonly string[]> {
  const [, part = ''] = (marked.exec(text)?.[2] ?? '').split(`### ${title}\n`)
  const rows = part.split('###')[0]?.trim().split('\n') ?? []
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return new Map(cells.map(([name = '', ...others]) => [name, others]))
}

const written: string[] = []

describe.each(worlds)('version $api with $protocol', (world) => {
  const its = steps.filter(({ api }) => api === 'both' || api === world.api)
  const seen = new Map(Object.keys(faults).map((name) => [name, its.map(() => '')]))
  let portal: FaultyPortal
  let table: ReturnType<typeof tableIn>
  beforeAll(async () => {
    portal = await FaultyPortal.start(world.api)
    table = tableIn(await readFile(path, 'utf8'), titleOf(world))
  })
  afterAll(async () => {
    await portal.close()
    const rows = [...seen].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`)
    const head = `| | ${its.map(({ name }) => name).join(' | ')} |\n|${'---|'.repeat(its.length + 1)}`
    written.push(`### ${titleOf(world)}\n\n${head}\n${rows.join('\n')}\n`)
  })

  const cases = its.flatMap((step, column) =>
    Object.entries(faults).map(([name, fault]) => ({ step, column, name, fault })),
  )
  const due = cases.filter(({ name }, index) => index % share === 0 && (mayFillDisks || name !== 'disk full'))
  it.each(due)('$step.name, $name', async ({ step, column, name, fault }) => {
    const outcome = await meetFault(portal, world, step, fault)
    const { ended, lost, after, state } = outcome
    // A named error, or none; nothing that was stored is gone, except a login that the service has refused.
    expect(ended).not.toMatch(/^internal/)
    expect(lost).not.toContain('service')
    if (lost.includes('login')) expect(name).toBe('401')
    if (step.act === 'connect')
      expect(state).toBe({ fine: 'connected', 'waits for the browser': 'disconnected' }[ended] ?? 'failed')
    // It works again, with one sign-in at most, except for a person who has to be asked for one.
    expect([after.ended, after.logins <= 1]).toEqual([
      lost.includes('login') && step.act !== 'connect' ? 'oauth/login-required' : 'fine',
      true,
    ])
    const row = seen.get(name)
    if (row !== undefined) row[column] = cellOf(outcome)
    if (!isWriting) expect(table.get(name)?.[column]).toBe(cellOf(outcome))
  })
})

describe('a tunnel', () => {
  const rows = new Map<string, string[]>(
    tunnelFaults.map(({ part, name }) => [`${part} ${name}`, worlds.map(() => '')]),
  )
  let table: ReturnType<typeof tableIn>
  beforeAll(async () => {
    table = tableIn(await readFile(path, 'utf8'), tunnelTitle)
  })
  afterAll(() => {
    const lines = [...rows].map(
      ([name, cells]) => `| ${name} | ${cells.map((cell) => cell || '–').join(' | ')} |`,
    )
    const head = `| | ${worlds.map(titleOf).join(' | ')} |\n|${'---|'.repeat(worlds.length + 1)}`
    written.push(`### ${tunnelTitle}\n\n${head}\n${lines.join('\n')}\n`)
  })

  describe.each(worlds.map((world, column) => ({ ...world, world, column })))(
    'of version $api with $protocol',
    ({ world, column }) => {
      let portal: FaultyPortal
      beforeAll(async () => {
        portal = await FaultyPortal.start(world.api, world.protocol === 'openvpn' ? 'openvpn' : 'none')
      })
      afterAll(() => portal.close())

      const its = tunnelFaults.filter(({ protocols }) => protocols.includes(world.protocol))
      // Others than those of the other worlds.
      const due = its.filter(
        ({ part, limitMs, isLater }, index) =>
          (mayOwnHelper || (part !== 'helper' && world.protocol === 'openvpn')) &&
          (share === 1 || ((index + 3 * column) % 11 === 0 && limitMs === undefined && isLater !== true)),
      )
      it.for(due)('$part $name', async (fault, { skip }) => {
        skip(fault.needsDevice === true && !portal.hasDevice, 'the VPN servers have no device')
        const outcome = await meetTunnelFault(portal, world, fault)
        expect(outcome.ended).not.toMatch(/^internal|^fine/)
        expect(outcome.lost).toEqual([])
        expect(outcome.state).toBe(fault.isLater === true ? 'connected' : 'failed')
        expect(outcome.after).toEqual({ ended: 'fine', logins: 0 })
        const name = `${fault.part} ${fault.name}`
        const cell = fault.isLater === true ? `reconnects: ${outcome.ended}` : cellOf(outcome)
        const row = rows.get(name)
        if (row !== undefined) row[column] = cell
        if (!isWriting) expect(table.get(name)?.[column]).toBe(cell)
      })
    },
  )
})

it.runIf(isWriting)('writes the tables', async () => {
  const text = await readFile(path, 'utf8')
  const tables = written.join('\n')
  const next = text.replace(marked, (_all, start: string, _old, end: string) => `${start}\n${tables}${end}`)
  await writeFormatted(path, next)
})
