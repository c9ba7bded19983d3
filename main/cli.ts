#!/usr/bin/env node
import '../contract/zod-without-eval'
import { CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { createProgram } from './cli/program'
import { reportUsageErrorsAs } from './cli/usage-error'
import { survive } from './cli/output'
import { isOn } from './cli/options'

survive(process.stdout)
survive(process.stderr)
const program = createProgram(packageJson.version)
reportUsageErrorsAs(program, process.argv.includes('--json') || isOn(process.env.CAUSEWAY_JSON))
try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : 2
}
