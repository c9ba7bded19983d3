import type { Growth } from './growth'

/** A figure over all rounds of a soak. */
export interface SoakFigure extends Growth {
  readonly of: 'app' | 'mock'
  readonly name: string
  readonly median: number
}

export interface SoakResults {
  readonly date: string
  readonly seed: number
  readonly rounds: number
  readonly appHours: number
  readonly realMinutes: number
  /** How often each thing happened. */
  readonly happened: Readonly<Record<string, number>>
  readonly figures: readonly SoakFigure[]
  readonly problems: readonly string[]
}

const marked = /(<!-- soak: .*? -->\n).*(\n<!-- \/soak -->)/s

/** The figures on the page, by what they count. */
const figureNames = [
  'heap',
  'memory outside the heap',
  'resident memory',
  'open file',
  'open socket',
  'open pipe',
  'functions',
  'promises',
  'abort signals',
  'emitters',
  'child processes',
  'listeners of the process',
  'files of the app',
]

/** Returns the text of `docs/reliability.md` with the results between its marks. */
export function soakSection(page: string, results: SoakResults): string {
  const { date, seed, rounds, appHours, realMinutes, happened, figures, problems } = results
  const value = (name: string, of: SoakFigure['of']) => {
    const figure = figures.find((each) => each.name === name && each.of === of)
    if (figure === undefined) return ['', '']
    const isMemory = /heap|memory/.test(name)
    const [middle, rise] = isMemory ? [figure.median / 1e6, figure.rise / 1e6] : [figure.median, figure.rise]
    const digits = isMemory ? 1 : 0
    return [
      `${middle.toFixed(digits)}${isMemory ? ' MB' : ''}`,
      `${rise.toFixed(digits)}${figure.isGrowing ? ' **grows**' : ''}`,
    ]
  }
  const rows = figureNames.map(
    (name) => `| ${[name, ...value(name, 'app'), ...value(name, 'mock')].join(' | ')} |`,
  )
  const times = Object.entries(happened).map(([name, count]) => `${name} (${count})`)
  const text = `
${rounds} rounds, ${appHours} hours of the app's clock in ${realMinutes} minutes (${date}, seed ${seed}): ${
    problems.length === 0
      ? 'nothing was left, and nothing rose by more than its tolerance'
      : `${problems.length} problems`
  }.

|  | app | rise | mock server | rise |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

What happened: ${times.join(', ')}.
${problems.map((problem) => `\n- ${problem}`).join('')}`
  return page.replace(marked, (_all, start: string, end: string) => `${start}${text}${end}`)
}
