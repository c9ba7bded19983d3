import { execa } from 'execa'
import { answerHelp } from './help'

/** `npm run lint` and `npm run format`. */

answerHelp(`Usage: npm run lint
       npm run format

lint checks types, style, dead code and licences, and changes nothing. format fixes what can be fixed.`)

const steps = process.argv.includes('--fix')
  ? ['prettier --write .', 'oxlint --fix']
  : ['oxlint', 'prettier --check --cache .', 'knip --no-progress', 'tsx scripts/check-licenses.ts']
for (const step of steps) {
  const [file = '', ...words] = step.split(' ')
  const { exitCode } = await execa(file, words, { stdio: 'inherit', preferLocal: true, reject: false })
  if (exitCode === 0) continue
  process.exitCode = exitCode ?? 1
  break
}
