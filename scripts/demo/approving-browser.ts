import { argv } from 'node:process'

/** Requests the address like a browser would. The mock server approves immediately. */
const answer = await fetch(argv.at(-1) ?? '')
if (!answer.ok) process.exitCode = 1
