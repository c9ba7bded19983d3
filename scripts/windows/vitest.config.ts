import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { hasOpenVpn, needOpenVpn } from './computer'

// The tests share one Windows, so they run one after another.
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['scripts/windows/**/*.test.ts'],
    exclude: hasOpenVpn() ? [] : [...needOpenVpn],
    globalSetup: ['scripts/test-authority.ts', 'scripts/test-programs.ts', 'scripts/windows/set-up.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
