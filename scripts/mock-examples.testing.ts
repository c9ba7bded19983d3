import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isNightly, isSlowRun } from './nightly-tests'

/** An example of the mock server in tests of another language or runner. */
interface MockExample {
  /** The name of its folder. */
  name: string
  /** The packages of this repository that it imports. */
  packages?: readonly string[]
  /** Returns the reason why it can't run on this machine. */
  missing?: () => string | undefined
  /** The programs to run in its folder, with their parameters. */
  run: readonly (readonly [program: string, ...parameters: string[]])[]
}

const without = (program: string, ...parameters: string[]) =>
  spawnSync(program, parameters).status === 0
    ? undefined
    : `${[program, ...parameters].join(' ')} does not work`

const jars = '/usr/share/java'
const consoleLauncher = 'org.junit.platform.console.ConsoleLauncher'

export const examples: readonly MockExample[] = [
  { name: 'vitest', packages: ['vitest'], run: [['vitest', 'run']] },
  {
    name: 'jest',
    missing: () => (isNightly ? undefined : 'Jest comes from the registry, at night only'),
    run: [
      ['npm', 'install', '--no-save', '--no-audit', '--no-fund', '--prefix', '.', 'jest@30'],
      ['npx', 'jest', '--testMatch', '**/*.test.cjs'],
    ],
  },
  {
    name: 'playwright',
    missing: () => (isSlowRun ? undefined : 'at night only'),
    packages: ['@playwright/test'],
    run: [['playwright', 'test']],
  },
  {
    name: 'pytest',
    missing: () => (isSlowRun ? without('python3', '-m', 'pytest', '--version') : 'at night only'),
    run: [['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']],
  },
  {
    name: 'go',
    // The first page's example in Go runs each time.
    missing: () => (isNightly ? without('go', 'version') : 'at night only'),
    run: [['go', 'test', './...']],
  },
  {
    name: 'junit',
    missing: () =>
      existsSync(`${jars}/junit-platform-console.jar`)
        ? without('javac', '-version')
        : `there is no JUnit 5 in ${jars}`,
    run: [
      [
        'javac',
        '-cp',
        `${jars}/*`,
        '-d',
        'classes',
        '../node_modules/causeway-mock-server/java/causeway/mock/MockServer.java',
        'MockServerTest.java',
      ],
      [
        'java',
        '-cp',
        `classes:${jars}/*`,
        consoleLauncher,
        '--disable-banner',
        '--scan-classpath',
        'classes',
      ],
    ],
  },
]
