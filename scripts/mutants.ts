import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { parseSync, Visitor } from 'vite'

/** A change of a source file that a test should notice. */
interface Mutant {
  readonly start: number
  readonly end: number
  readonly text: string
}

const boundaries: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/** Returns the mutants of a source: negated conditions, moved boundaries, swapped booleans and removed calls. */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`)
  const found: Mutant[] = []
  const negate = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    found.push({ start, end, text: `!(${source.slice(start, end)})` })
  }
  const swap = (operator: string, start: number, end: number): void => {
    const other = boundaries[operator]
    const at = source.indexOf(operator, start)
    if (other !== undefined && at >= start && at < end)
      found.push({ start: at, end: at + operator.length, text: other })
  }
  new Visitor({
    IfStatement: ({ test }) => {
      negate(test)
    },
    ConditionalExpression: ({ test }) => {
      negate(test)
    },
    BinaryExpression: ({ operator, left, right }) => {
      swap(operator, left.end, right.start)
    },
    LogicalExpression: ({ operator, left, right }) => {
      swap(operator, left.end, right.start)
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') found.push({ start, end, text: String(!value) })
    },
    ExpressionStatement: ({ expression, start, end }) => {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type === 'CallExpression' && call.callee.type !== 'Super')
        found.push({ start, end, text: ';' })
    },
  }).visit(program)
  return found
}

interface Score {
  readonly room: string
  readonly mutants: number
  readonly tried: number
  readonly killed: number
  readonly survivors: readonly string[]
}

/** A mutant that hangs is killed by the time. */
const testLimitMs = 300_000

/** Returns whether the tests of the room pass. */
async function pass(room: string): Promise<boolean> {
  const { exitCode } = await execa('vitest', ['run', '--bail', '1', room], {
    preferLocal: true,
    reject: false,
    stdio: 'ignore',
    timeout: testLimitMs,
  })
  return exitCode === 0
}

/** Tries mutants of a folder, spread over it, with the tests in it until the time is up. Restores every file. */
async function tryRoom(room: string, limitMs: number): Promise<Score> {
  const until = performance.now() + limitMs
  if (!(await pass(room))) throw new Error(`The tests of ${room} fail without a mutant.`)
  const all: { readonly path: string; readonly source: string; readonly mutant: Mutant }[] = []
  for (const name of await readdir(room, { recursive: true })) {
    const path = join(room, name)
    if (!/\.tsx?$/.test(path) || /\.(test|testing)\.tsx?$/.test(basename(path))) continue
    const source = await readFile(path, 'utf8')
    all.push(...mutantsOf(path, source).map((mutant) => ({ path, source, mutant })))
  }
  // A step that has no common divisor with the count reaches each of them once.
  const step = 7919
  const survivors: string[] = []
  let tried = 0
  for (; tried < all.length && performance.now() < until; tried += 1) {
    const each = all[(tried * step) % all.length]
    if (each === undefined) break
    const { path, source, mutant } = each
    const { start, end, text } = mutant
    const restore = () => writeFile(path, source)
    try {
      await writeFile(path, source.slice(0, start) + text + source.slice(end))
      if (await pass(room)) {
        const line = source.slice(0, start).split('\n').length
        survivors.push(`${path}:${line}: ${source.slice(start, end)} → ${text}`)
      }
    } finally {
      await restore()
    }
  }
  return { room, mutants: all.length, tried, killed: tried - survivors.length, survivors }
}

const rooms = [
  'main/connection',
  'main/tunnel',
  'main/portal',
  'main/privilege',
  'renderer/store',
  'renderer/features/connection',
]

/** Tries the mutants of each room for its share of the time, and prints the scores. */
export async function tryMutants(minutesPerRoom: number, chosen: readonly string[] = rooms): Promise<number> {
  for (const room of chosen) {
    const { mutants, tried, killed, survivors } = await tryRoom(room, minutesPerRoom * 60_000)
    for (const each of survivors) console.log(`Survived: ${each}`)
    console.log(`${room}: ${mutants} mutants, ${tried} tried, ${killed} killed`)
  }
  return 0
}
