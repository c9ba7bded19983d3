import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The tests share one Windows, so they run one after another.
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['scripts/windows/**/*.test.ts'],
    globalSetup: ['scripts/test-programs.ts', 'scripts/windows/set-up.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
