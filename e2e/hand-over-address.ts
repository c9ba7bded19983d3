import { argv } from 'node:process'

/** Stands where the app expects a browser: hands the address to the test, which opens it in a real one. */
const [, , receiver = '', address = ''] = argv
await fetch(receiver, { method: 'POST', body: address })
