#!/usr/bin/env node
import { completeValues, valuesCommand } from './cli/complete-values'
import { leave } from './platform/child-process/leave'
import { after } from './timer'

// The completion of a shell asks at each Tab: it must not wait until everything else is loaded.
if (process.argv[2] === valuesCommand) {
  await completeValues(process.argv.slice(3))
} else {
  await import('../contract/zod-without-eval')
  const { survive } = await import('./cli/output')
  survive(process.stdout)
  survive(process.stderr)
  const { runCommand } = await import('./cli/run-command')
  await runCommand()
  // What still waits then, such as for a key store that doesn't answer, would keep the process for ever.
  after(1000, () => leave(process.exitCode))
}
