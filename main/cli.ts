#!/usr/bin/env node
import '../contract/zod-without-eval'
import { survive } from './cli/output'
import { runCommand } from './cli/run-command'

survive(process.stdout)
survive(process.stderr)
await runCommand()
