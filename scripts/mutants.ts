import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeFormatted } from './format-text'
import { answerHelp } from './help'
import type { Judge } from './mutants/judge-process'
import { diffOf, mutated, shuffled, type Mutant } from './mutants/mutant'
import { rooms, type Room } from './mutants/rooms'
import { exitWith, inTemporaryFolder, isStarted } from './program'
import { copyTree } from './tree-copy'

const help = `Usage: npx tsx scripts/mutants.ts [--sample NUMBER] [--seed NUMBER] [folders…]

Changes the code in a copy of the repository, one place at a time, and runs the tests of that folder, which should fail.
Lists the changes with the test that noticed, and writes the scores into docs/testing.md.

  --sample NUMBER  the changes to try in each folder (default: 25)
  --seed NUMBER    which changes these are (default: 1)

Folders: ${rooms.map(({ name }) => name).join(', ')}`

interface Score {
  readonly room: string
  readonly mutants: number
  readonly tried: number
  readonly killed: number
}

/** The part of the mutants that tests are to kill. */
const wanted = 0.85

/** Tries mutants of a room in a copy of the repository, and prints those that survive. */
async function tryRoom(tree: string, room: Room, sample: number, seed: number): Promise<Score> {
  const judge = await room.judge(tree)
  try {
    await requirePass(judge, `The tests of ${room.name} fail without a mutant`)
    const all = shuffled(await room.mutants(tree), seed)
    let tried = 0
    let killed = 0
    for (const mutant of all) {
      if (tried === sample) break
      const verdict = await tryMutant(tree, judge, mutant)
      if (verdict === 'not compiled') continue
      if (verdict === 'unsure') {
        await requirePass(judge, `The tests of ${room.name} fail after a mutant`)
        continue
      }
      tried += 1
      if (verdict === 'killed') killed += 1
    }
    const score = { room: room.name, mutants: all.length, tried, killed }
    console.log(rowOf(score, seed))
    return score
  } finally {
    await judge.end()
  }
}

/** Tries a mutant, and tells about it. It is unsure where the test that failed fails without the mutant, too. */
async function tryMutant(
  tree: string,
  judge: Judge,
  mutant: Mutant,
): Promise<'killed' | 'survived' | 'unsure' | 'not compiled'> {
  const started = performance.now()
  await writeFile(join(tree, mutant.path), mutated(mutant))
  const verdict = await judge.verdict(mutant.path)
  await writeFile(join(tree, mutant.path), mutant.source)
  if (verdict === 'not compiled') return verdict
  const seconds = Math.round((performance.now() - started) / 1000)
  if (verdict === 'survived') {
    console.log(`Survived (${seconds} s): ${diffOf(mutant)}`)
    return verdict
  }
  const failure = await judge.failure(verdict)
  const result = failure === undefined ? 'killed' : 'unsure'
  console.log(
    `${result === 'killed' ? 'Killed' : 'Unsure'} (${seconds} s): ${diffOf(mutant)}\nby ${verdict.text}`,
  )
  return result
}

async function requirePass(judge: Judge, otherwise: string): Promise<void> {
  const failure = await judge.failure()
  if (failure !== undefined) throw new Error(`${otherwise}: ${failure.text}`)
}

function rowOf({ room, mutants, tried, killed }: Score, seed: number): string {
  const percent = Math.floor((100 * killed) / tried)
  const day = new Date().toISOString().slice(0, 10)
  return `| \`${room}\` | ${mutants} | ${tried} (seed ${seed}) | ${killed} | ${percent} % | ${day} |`
}

/** Returns the page with the rows of these rooms in its table of scores. */
export function withScores(page: string, rows: ReadonlyMap<string, string>): string {
  return page.replace(/(?<=<!-- mutants -->\n)[^]*(?=<!-- \/mutants -->)/, (table) => {
    const before = new Map([...table.matchAll(/^\| `(.*?)` .*$/gm)].map(([row, room = '']) => [room, row]))
    const all = rooms.flatMap(({ name }) => rows.get(name) ?? before.get(name) ?? [])
    const head = ['| Folder | Mutants | Tried | Killed | Score | Day |', '| - | -: | -: | -: | -: | - |']
    return `\n${[...head, ...all].join('\n')}\n\n`
  })
}

/**
 * Tries a sample of the mutants of each room, and writes the scores into docs/testing.md. Returns 1 if the tests kill too few of all
 * mutants that were tried, or if those of a room fail without one.
 */
export async function tryMutants(
  sample: number,
  seed: number,
  chosen: readonly string[] = [],
): Promise<number> {
  const unknown = chosen.find((name) => !rooms.some((room) => room.name === name))
  if (unknown !== undefined) throw new Error(`No folder with mutants: ${unknown}`)
  return inTemporaryFolder('mutants', async (tree) => {
    await copyTree(tree)
    let status = 0
    let tried = 0
    let killed = 0
    for (const room of rooms.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
      try {
        const score = await tryRoom(tree, room, sample, seed)
        await writeScores(new Map([[room.name, rowOf(score, seed)]]))
        tried += score.tried
        killed += score.killed
      } catch (error) {
        // The other folders are tried all the same.
        console.error(error instanceof Error ? error.message : error)
        status = 1
      }
    }
    return killed < wanted * tried ? 1 : status
  })
}

async function writeScores(rows: ReadonlyMap<string, string>): Promise<void> {
  const page = join(import.meta.dirname, '../docs/testing.md')
  await writeFormatted(page, withScores(await readFile(page, 'utf8'), rows))
}

if (isStarted(import.meta.url)) {
  answerHelp(help)
  await exitWith(() => {
    const { values, positionals } = parseArgs({
      options: { sample: { type: 'string', default: '25' }, seed: { type: 'string', default: '1' } },
      allowPositionals: true,
    })
    return tryMutants(Number(values.sample), Number(values.seed), positionals)
  })
}
