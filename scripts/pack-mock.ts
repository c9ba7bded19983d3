import { join, relative } from 'node:path'
import { packMockServer } from './mock-package'

/** `npm run pack:mock`: makes the package of the mock server in `dist/mock-server`. */
const tarball = await packMockServer(join(import.meta.dirname, '..', 'dist', 'mock-server'))
console.log(relative(process.cwd(), tarball))
