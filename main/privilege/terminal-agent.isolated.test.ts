import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { helperCommand } from './start-helper'

const terminals = vi.hoisted(() => new Set<number>())
vi.mock('node:tty', () => ({ isatty: (descriptor: number) => terminals.has(descriptor) }))

beforeEach(() => {
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'SSH_CONNECTION', 'SSH_TTY']) vi.stubEnv(name, undefined)
  terminals.add(0).add(2)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const inTerminal = ['/usr/bin/sudo', '--', '/helper/causeway-helper', 'run']
const askpass = 'SUDO_ASKPASS=/helper/causeway-askpass'
const inWindow = ['/usr/bin/env', askpass, '/usr/bin/sudo', '-A', '--', '/helper/causeway-helper', 'run']

function onMac() {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin')
  return helperCommand('/helper/causeway-helper', 'sudo-askpass', 'run')
}

it.skipIf(process.platform === 'win32')(
  'asks in a window on the desktop of a Mac, also from a terminal',
  () => {
    expect(onMac()).toEqual(inWindow)
    vi.stubEnv('SSH_CONNECTION', '')
    expect(onMac()).toEqual(inWindow)
  },
)

it.skipIf(process.platform === 'win32').each([
  ['SSH_CONNECTION', '192.0.2.1 50000 192.0.2.2 22'],
  ['SSH_TTY', '/dev/ttys001'],
])('asks in the terminal of a Mac over SSH (%s), where nobody sees a window', (name, value) => {
  vi.stubEnv(name, value)
  expect(onMac()).toEqual(inTerminal)
  for (const descriptor of [0, 2]) {
    terminals.delete(descriptor)
    expect(onMac()).toEqual(inWindow)
    terminals.add(descriptor)
  }
})

it.skipIf(process.platform === 'win32')('asks in a terminal on Linux only away from the desktop', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux')
  const command = () => helperCommand('/helper/causeway-helper', 'sudo', 'run')
  expect(command()).toEqual(inTerminal)
  vi.stubEnv('DISPLAY', ':0')
  expect(command()).toEqual(['/usr/bin/sudo', '-n', '--', '/helper/causeway-helper', 'run'])
  vi.stubEnv('SSH_CONNECTION', '192.0.2.1 50000 192.0.2.2 22')
  expect(command()).toEqual(inTerminal)
})
