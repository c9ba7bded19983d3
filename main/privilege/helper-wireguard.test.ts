import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { runHelper } from './helper-client'
import type { HelperMessage } from './helper-messages'

/** A program that repeats what it reads on its standard output, and says these lines after `#END`. */
const stub = (says: readonly string[]) => `#!${process.execPath}
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  process.stdout.write(process.argv[2] + ': ' + line + '\\n')
  if (line === '#END') for (const each of ${JSON.stringify(says)}) process.stderr.write('causeway-helper: ' + each + '\\n')
  if (line === 'state') process.stderr.write('causeway-helper: handshake 7 1000 2000\\n')
})
`

it('sends the command for WireGuard, its lines and its questions, and reads the answers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-stub-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const helper = join(folder, 'causeway-helper')
  await writeFile(
    helper,
    stub(['remote 2001:db8::1 51820', 'ipv6 off', 'started cw12t userspace', 'handshake - 0 148']),
  )
  await chmod(helper, 0o755)
  const received: HelperMessage[] = []
  let onHandshake = (): void => undefined
  const asked = new Promise<void>((resolve) => (onHandshake = resolve))
  const program = await runHelper(
    {
      helper,
      elevation: 'root',
      onMessage: (message) => {
        received.push(message)
        if (message.message === 'started') program.send('state')
        if (message.message === 'handshake' && message.seconds !== undefined) onHandshake()
      },
    },
    { command: 'wireguard', configuration: Buffer.from('peer KEY\n'), killSwitch: true },
  )
  const log: string[] = []
  const followed = program.followLog((line) => log.push(line))
  await asked
  program.end({ hasBegun: true })
  await followed
  expect(await program.exited).toEqual({ exitCode: 0 })
  expect(log).toEqual(
    ['kill-switch on', 'dns on', 'local-network block', 'peer KEY', '#END', 'state'].map(
      (line) => `wireguard: ${line}`,
    ),
  )
  expect(received).toEqual([
    { message: 'remote', address: '2001:db8::1', port: 51_820 },
    { message: 'ipv6' },
    { message: 'started', device: 'cw12t' },
    { message: 'handshake', counters: { received: 0, sent: 148 } },
    { message: 'handshake', seconds: 7, counters: { received: 1000, sent: 2000 } },
  ])
})
