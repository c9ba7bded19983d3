import { argv } from 'node:process'

/** Stands in for the browser: visits the address as a browser would. The mock server approves at once. */
const answer = await fetch(argv.at(-1) ?? '')
if (!answer.ok) process.exitCode = 1
