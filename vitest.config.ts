import { defineConfig } from 'vitest/config'

// No test is about time, and a slow machine is no defect.
const testTimeout = 20_000

// What is trusted in a test is that test's decision; Node.js reads the first as it starts.
for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'])
  Reflect.deleteProperty(process.env, name)

export default defineConfig({
  test: {
    // A test waits for sockets and processes more than it computes, so that one core need not be kept free.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          testTimeout,
          globalSetup: ['scripts/build-helper.ts', 'scripts/test-programs.ts'],
          include: ['{main,preload,mock-server,scripts,bench}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'renderer',
          environment: 'jsdom',
          testTimeout,
          include: ['renderer/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
