#!/usr/bin/env node
import { isatty } from 'node:tty'
import packageJson from '../package.json' with { type: 'json' }
import { refusedOption, removeTrustVariables } from './platform/http/trust-variables'
import { repairHome } from './platform/storage/home-variable'
import { completeValues, valuesCommand } from './cli/complete-values'
import { leave } from './platform/child-process/leave'
import { after } from './timer'

const terminals = [0, 1, 2].filter(isatty)
// Node.js aborts, with a core dump, if a terminal is gone at its end. So this process ends by the signal of that instead.
process.once('exit', () => {
  if (terminals.every(isatty)) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
})
repairHome(process.env)
const refused = removeTrustVariables(process)
if (refused !== undefined) {
  process.stderr.write(`causeway: ${refusedOption(refused)}\n`)
  leave(1)
}
const [first, ...rest] = process.argv.slice(2)
// The completion of a shell asks at each Tab, and scripts ask for the version: they don't wait until everything is loaded, nor for
// a disk that gives no answer.
if (first === valuesCommand) {
  const stop = after(1000, () => leave(0))
  await completeValues(rest)
  stop()
} else if (first === '--version' && rest.length === 0) {
  process.stdout.once('error', (error: Error) => {
    void import('./cli/output').then(({ tellLost }) => {
      tellLost(error)
    })
  })
  process.stdout.write(`${packageJson.version}\n`)
} else {
  await import('../contract/zod-without-eval')
  const { survive, written } = await import('./cli/output')
  survive(process.stdout)
  survive(process.stderr)
  const { runCommand } = await import('./cli/run-command')
  await runCommand()
  // Whoever reads the output may take their time: a pager, or a shell over a slow line.
  await Promise.all([process.stdout, process.stderr].map(written))
  // What still waits then, such as for a key store that doesn't answer, would keep the process for ever.
  after(1000, () => leave(process.exitCode))
}
