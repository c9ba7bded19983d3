import { join, relative } from 'node:path'
import { answerHelp } from './help'
import { packMockServer } from './mock-package'

/** `npm run pack:mock`: makes the package of the mock server in `dist/mock-server`. */
answerHelp(
  'Usage: npm run pack:mock\n\nMakes the package of the mock server in dist/mock-server and prints its path.',
)
const tarball = await packMockServer(join(import.meta.dirname, '..', 'dist', 'mock-server'))
console.log(relative(process.cwd(), tarball))
