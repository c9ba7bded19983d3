import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { endOrphans, startedByThisProcess } from './orphans'

const [variable = ''] = Object.keys(startedByThisProcess)
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
const isRoot = process.getuid?.() === 0

/** A process that has ended may still have its id. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    return false
  }
}

/** Starts OpenVPN through a shell that ends, or stays its parent; resolves with its process id when it has its socket. */
async function start({
  parent,
  env,
  through = '',
}: {
  readonly parent: 'ended' | 'alive'
  readonly env: string
  readonly through?: string
}): Promise<number> {
  const wait = parent === 'alive' ? 'wait' : 'exit'
  // Since 2.7, OpenVPN needs the option to run without keys.
  const withoutKeys = 'allow-deprecated-insecure-static-crypto'
  const options = ['dev null', 'remote 127.0.0.1 9 udp', 'nobind', 'connect-retry-max 1']
  const words = [...options, `ignore-unknown-option ${withoutKeys}`, withoutKeys].map((word) => `'${word}'`)
  const script = `printf '%s\\n' ${words.join(' ')} | ${env} ${through} openvpn --config stdin & echo $!; ${wait}`
  const shell = spawn('/bin/sh', ['-c', script], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(shell, 'exit')
  const lines = createInterface({ input: shell.stdout })
  let pid = 0
  let hasSocket = false
  // Either may come first.
  for await (const line of lines) {
    if (/^\d+$/.test(line)) pid = Number(line)
    hasSocket ||= line.includes('link remote')
    if (pid > 0 && hasSocket) break
  }
  shell.stdout.resume()
  onTestFinished(async () => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    await ended
  })
  if (parent === 'ended') await ended
  return pid
}

it.runIf(process.platform === 'linux')('ends an OpenVPN of this user whose Causeway has died', async () => {
  const orphan = await start({ parent: 'ended', env: `env ${variable}=$$` })
  await endOrphans()
  expect(isRunning(orphan)).toBe(false)
})

it.runIf(process.platform === 'linux').each([
  ['whose Causeway lives', { parent: 'alive', env: `env ${variable}=$$` }],
  ['that Causeway has not started', { parent: 'ended', env: 'env' }],
  ...(isRoot
    ? [
        [
          'of another user',
          {
            parent: 'ended',
            env: `env ${variable}=$$`,
            through: 'setpriv --reuid 65534 --regid 65534 --clear-groups',
          },
        ] as const,
        [
          'whose process ids are others than those of this process',
          { parent: 'ended', env: `env ${variable}=$$`, through: 'unshare --pid --fork --kill-child' },
        ] as const,
      ]
    : []),
] as const)('never ends an OpenVPN %s', async (_, how) => {
  const openVpn = await start(how)
  await endOrphans()
  expect(isRunning(openVpn)).toBe(true)
})
