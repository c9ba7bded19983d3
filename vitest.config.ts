import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests do not measure speed, so a slow machine must not fail them: with a load of 20 on two cores, they take ten to twenty
// times as long. At night, some try tens of thousands of cases.
const testTimeout = process.env.CAUSEWAY_NIGHTLY === '1' ? 1_200_000 : 180_000
/** Hooks start servers, such as twelve of OpenVPN with their network. */
const hookTimeout = 180_000
const setupFiles = ['scripts/checked-kill.ts', 'scripts/patient-waits.ts']
const expect = { poll: { timeout: 15_000 } }

// Each test decides which certificates it trusts. Node.js reads NODE_EXTRA_CA_CERTS at start.
for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'])
  Reflect.deleteProperty(process.env, name)

/** Test files that replace a module, which would affect other files in the same process. */
const isolated = 'main/**/*.isolated.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['scripts/test-authority.ts'],
    // Tests mostly wait for sockets and processes.
    maxWorkers: 3 * availableParallelism(),
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          setupFiles,
          testTimeout,
          hookTimeout,
          expect,
          globalSetup: ['scripts/build-helper.ts', 'scripts/test-programs.ts', 'scripts/test-keys.ts'],
          // The files of a worker share one process, in which each module is loaded once.
          isolate: false,
          include: ['{contract,main,mock-server,scripts,bench,renderer}/**/*.test.ts'],
          // Under Wine: `npm run test:windows`.
          exclude: [isolated, 'scripts/windows/**'],
        },
      },
      {
        test: {
          name: 'isolated',
          environment: 'node',
          setupFiles,
          testTimeout,
          hookTimeout,
          expect,
          include: [isolated],
        },
      },
      {
        test: {
          name: 'renderer',
          // These tests don't wait, and each worker loads the page's modules; so they take turns with the others.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
          environment: './scripts/page-environment.ts',
          setupFiles: [...setupFiles, 'renderer/page.testing.ts'],
          testTimeout,
          hookTimeout,
          expect,
          isolate: false,
          // Other style sheets are empty in tests.
          css: { include: [/\?raw$/] },
          include: ['renderer/**/*.test.tsx'],
        },
      },
    ],
  },
})
