import { answerHelp } from './help'
import { run } from './program'

/** `npm run lint` and `npm run format`. */

answerHelp(`Usage: npm run lint
       npm run format

lint checks types, style, dead code and licences, and changes nothing. format fixes what can be fixed.`)

const steps = process.argv.includes('--fix')
  ? ['oxfmt .', 'oxlint --fix']
  : ['oxlint', 'oxfmt --check .', 'knip --no-progress', 'tsx scripts/check-licenses.ts']
for (const step of steps) {
  const [file = '', ...words] = step.split(' ')
  process.exitCode = await run([file, ...words])
  if (process.exitCode !== 0) break
}
