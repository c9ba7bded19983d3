import { join } from 'node:path'
import { chosenLicense, lockedPackages } from './bundled-software'

/**
 * Part of `npm run lint`: refuses dependencies with a licence that Causeway can't use. Tools may have more licences than
 * what becomes part of a package, which scripts/bundled-software.ts checks again when a package is built.
 */

const forTools = new Set([
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'WTFPL',
  '(MIT AND Zlib)',
])

const packages = await lockedPackages(join(import.meta.dirname, '..'))
const refused = Object.entries(packages).flatMap(([folder, { license = 'none', dev = false }]) => {
  if (folder === '' || chosenLicense(license) !== undefined) return []
  return dev && forTools.has(license) ? [] : [`${folder}: ${license}`]
})
for (const line of refused) console.error(`Licence not allowed: ${line}`)
process.exitCode = refused.length === 0 ? 0 : 1
