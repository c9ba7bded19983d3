import { join } from 'node:path'

const words = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'approving-browser.ts')]

/** What to give to `--browser`: a script that visits the address in place of a browser. */
export const approvingBrowser = words.map((word) => word.replaceAll(' ', '\\ ')).join(' ')
