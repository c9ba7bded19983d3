import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { asksResolved, ownEtc } from '../main/privilege/helper.testing'
import { buildOwnHelper, builtHelper } from '../scripts/build-helper'
import { writeFormatted } from '../scripts/format-text'
import { answerHelp } from '../scripts/help'
import { sbin } from '../scripts/program'
import { growthOf } from './growth'
import { median } from './median'
import type { Resources } from './own-resources'
import type { Plan, SoakMessage } from './soak-process'
import { type SoakFigure, type SoakResults, soakSection } from './soak-section'

const usage = `Usage: npm run soak [-- --minutes N] [--rounds N] [--hours N] [--seed N] [--keep]

Connects, disconnects and lets happen what happens to a computer, again and again, and fails by name if something grows. Two hours
of the app's clock by default. Needs root on Linux, /dev/net/tun, Go, OpenVPN, wireguard-go and nft.

  --minutes N  go on for so many minutes of real time
  --rounds N   go on for so many rounds
  --hours N    hours of the app's clock (default: 2; 0 with --rounds)
  --seed N     repeat what a seed has made happen
  --only NAME  let nothing else happen, such as "session over"
  --keep       write bench/results/soak.json and the table in docs/reliability.md`
answerHelp(usage)

const tree = join(import.meta.dirname, '..')

/** A computer with its own network, temporary files and /etc, the helper installed, and a program in place of systemd's resolvectl. */
const computer = `
mount -t tmpfs -o mode=755 run /run
mount -t tmpfs layers /mnt
mkdir /mnt/upper /mnt/work /mnt/own
printf '#!/bin/sh\\n' >/mnt/upper/resolvectl
chmod 755 /mnt/upper/resolvectl
mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=/mnt/upper,workdir=/mnt/work /usr/bin
cp -a /etc /mnt/own
${ownEtc('/mnt/own')}${asksResolved('/mnt/own')}mount -t tmpfs -o mode=755 libexec /usr/libexec
mkdir /usr/libexec/causeway
cp "$0"/causeway-helper "$0"/causeway-wireguard /usr/libexec/causeway
mount -t tmpfs -o mode=1777 tmp /tmp
ip link set lo up
ip link add cable type veth peer name wall
ip address add 10.77.9.2/24 dev cable
ip link set wall up
ip link set cable up
ip route add default via 10.77.9.1
exec "$@"
`

interface Round {
  readonly what: readonly string[]
  readonly app: Resources
  readonly mock: Resources
}

/** The rise over a whole run that isn't a leak. */
function toleranceOf(name: string, middle: number): number {
  if (name === 'resident memory') return Math.max(25e6, middle * 0.1)
  // Compiled code and full logs take about two megabytes in the first 30 rounds.
  if (name === 'heap' || name === 'memory outside the heap') return Math.max(2.5e6, middle * 0.05)
  return Math.max(3, middle * 0.002)
}

async function run(plan: Plan): Promise<{ rounds: Round[]; problems: string[]; appMinutes: number }> {
  const [rounds, problems]: [Round[], string[]] = [[], []]
  let [appMinutes, isDone] = [0, false]
  const node = [
    process.execPath,
    '--expose-gc',
    '--import',
    'tsx',
    join(import.meta.dirname, 'soak-process.ts'),
  ]
  const words = [
    '--mount',
    '--net',
    'sh',
    '-ec',
    computer,
    dirname(builtHelper),
    ...node,
    JSON.stringify(plan),
  ]
  const running = execa('unshare', words, {
    cwd: tree,
    env: { ...sbin, TSX_DISABLE_CACHE: '1' },
    stderr: 'inherit',
    buffer: false,
    reject: false,
  })
  for await (const line of createInterface({ input: running.stdout })) {
    const message = JSON.parse(line) as SoakMessage
    if (message.kind === 'problem') {
      problems.push(`round ${message.round}: ${message.problem}`)
      console.log(problems.at(-1))
    }
    if (message.kind === 'round') {
      rounds.push(message)
      appMinutes = message.appMinutes
      const heap = ((message.app.heap ?? 0) / 1e6).toFixed(1)
      console.log(`${message.round}. ${message.what.join(', ')}; ${appMinutes.toFixed(0)} min, ${heap} MB`)
    }
    if (message.kind === 'done') {
      isDone = true
      // What is still open would keep it running.
      setTimeout(() => running.kill('SIGKILL'), 30_000).unref()
    }
  }
  const { exitCode, signal } = await running
  if (!isDone) problems.push(`the run ended early, with ${String(signal ?? exitCode)}`)
  else if (exitCode !== 0) problems.push('something that is still open keeps the process running at the end')
  return { rounds, problems, appMinutes }
}

function figuresOf(rounds: readonly Round[]): SoakFigure[] {
  return (['app', 'mock'] as const).flatMap((of) => {
    const names = new Set(rounds.flatMap((round) => Object.keys(round[of])))
    return [...names].map((name) => {
      const values = rounds.map((round) => round[of][name] ?? 0)
      const middle = median(values)
      return { of, name, median: middle, ...growthOf(values, toleranceOf(name, middle)) }
    })
  })
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '0' },
    hours: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
console.log(`Seed ${seed}`)
if (!(await buildOwnHelper())) throw new Error('The soak needs Go, which builds the helper.')
const began = Date.now()
const hours = Number(values.hours ?? (values.rounds === '0' ? 2 : 0))
const { rounds, problems, appMinutes } = await run({
  seed,
  rounds: Number(values.rounds),
  realMinutes: Number(values.minutes),
  appMinutes: hours * 60,
  only: values.only,
})
const figures = rounds.length === 0 ? [] : figuresOf(rounds)
console.table(
  figures.map(({ of, name, median: middle, perRound, certainty, isGrowing }) => ({
    of,
    name,
    median: Math.round(middle),
    'a round': Number(perRound.toPrecision(3)),
    certainty: Number(certainty.toFixed(1)),
    grows: isGrowing ? 'GROWS' : '',
  })),
)
const grown = figures.filter(({ isGrowing }) => isGrowing)
for (const { of, name, perRound } of grown)
  problems.push(`the ${name} of the ${of} grow by ${perRound.toPrecision(3)} a round`)
const happened: Record<string, number> = {}
for (const { what } of rounds) for (const each of what) happened[each] = (happened[each] ?? 0) + 1
console.table(happened)
for (const each of problems) console.error(each)
console.log(
  `${rounds.length} rounds, ${(appMinutes / 60).toFixed(1)} h of the app's clock in ${((Date.now() - began) / 60_000).toFixed(1)} min, seed ${seed}`,
)
if (values.keep) {
  const results: SoakResults = {
    date: new Date().toISOString().slice(0, 10),
    seed,
    rounds: rounds.length,
    appHours: Number((appMinutes / 60).toFixed(1)),
    realMinutes: Math.round((Date.now() - began) / 60_000),
    happened,
    figures,
    problems,
  }
  await writeFile(join(tree, 'bench', 'results', 'soak.json'), `${JSON.stringify(results, undefined, 2)}\n`)
  const page = join(tree, 'docs', 'reliability.md')
  await writeFormatted(page, soakSection(await readFile(page, 'utf8'), results))
}
process.exitCode = problems.length === 0 ? 0 : 1
