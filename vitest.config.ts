import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './scripts/slowest-first.ts'

// No test is about time, and a slow machine is no defect.
const testTimeout = 20_000

// What is trusted in a test is that test's decision; Node.js reads the first as it starts.
for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'])
  Reflect.deleteProperty(process.env, name)

/** Test files that replace a module, which other files in the same process would get as well. */
const isolated = 'main/**/*.isolated.test.ts'

export default defineConfig({
  test: {
    // A test waits for sockets and processes more than it computes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          testTimeout,
          globalSetup: ['scripts/build-helper.ts', 'scripts/test-programs.ts'],
          // The files of a worker share one process, in which each module is loaded once.
          isolate: false,
          include: ['{contract,main,mock-server,scripts,bench,renderer}/**/*.test.ts'],
          exclude: [isolated],
        },
      },
      { test: { name: 'isolated', environment: 'node', testTimeout, include: [isolated] } },
      {
        test: {
          name: 'renderer',
          environment: 'jsdom',
          testTimeout,
          include: ['renderer/**/*.test.tsx'],
        },
      },
    ],
  },
})
