import { builtinEnvironments, type Environment } from 'vitest/runtime'

/**
 * jsdom, set up once in each worker and never taken down. The test files of a worker share their modules, and some of
 * these keep the page that they find when they are loaded.
 */
const pageEnvironment: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!('document' in global)) await builtinEnvironments.jsdom.setup(global, options)
    return { teardown: () => undefined }
  },
}

export default pageEnvironment
