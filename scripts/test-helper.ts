import { buildOwnHelper } from './build-helper'
import { answerHelp } from './help'
import { helperChecks, runInTurn } from './helper-checks'
import { exitWith } from './program'

answerHelp(
  'Usage: npm run test:helper\n\nBuilds the privileged helper and runs its Go checks, including the macOS variant.',
)
await exitWith(async () => {
  if (await buildOwnHelper()) return runInTurn(await helperChecks())
  console.log('Left out, because Go is not installed: the helper and its tests.')
  return process.env.CI === undefined ? 0 : 1
})
