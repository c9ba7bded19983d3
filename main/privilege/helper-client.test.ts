import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { helperLauncher } from './helper-client'

/** A helper that notes its command, and what it is asked to do. */
async function standIn(): Promise<{ readonly helper: string; readonly noted: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-helper-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [helper, notes] = [join(folder, 'causeway-helper'), join(folder, 'notes')]
  await writeFile(notes, '')
  await writeFile(
    helper,
    `#!/bin/sh\necho "$1" >>${notes}\necho "causeway-helper: started cw1t" >&2\ncat >>${notes}\necho ended >>${notes}\n`,
  )
  await chmod(helper, 0o755)
  return { helper, noted: () => readFile(notes, 'utf8') }
}

describe.skipIf(process.platform === 'win32')(
  'a helper that is started before there is a configuration',
  () => {
    it.each(['sudo', 'sudo-askpass'] as const)(
      'is not started with %s, which may ask for a password',
      async (elevation) => {
        const { helper, noted } = await standIn()
        expect(await helperLauncher({ helper, elevation }).begin?.('run')).toBeUndefined()
        expect(await noted()).toBe('')
      },
    )

    it('gets the whole request once it is there', async () => {
      const { helper, noted } = await standIn()
      const waiting = await helperLauncher({ helper, elevation: 'root' }).begin?.('run')
      expect(waiting?.isRunning()).toBe(true)
      let onMessage: () => void = () => undefined
      const started = new Promise<void>((resolve) => (onMessage = resolve))
      const program = waiting?.launch({
        command: 'run',
        configuration: 'client\n',
        killSwitch: true,
        onMessage,
      })
      const log = program?.followLog(() => undefined)
      // Before it has spoken, it would be ended by a signal as well.
      await started
      program?.end({ hasBegun: true })
      await log
      await program?.exited
      expect(await noted()).toBe('run\nkill-switch on\ndns on\nlocal-network block\nclient\n#END\nended\n')
      expect(waiting?.isRunning()).toBe(false)
    })

    it('ends without a request if none comes', async () => {
      const { helper, noted } = await standIn()
      const waiting = await helperLauncher({ helper, elevation: 'root' }).begin?.('wireguard')
      await waiting?.end()
      expect(await noted()).toBe('wireguard\nended\n')
      expect(waiting?.isRunning()).toBe(false)
    })
  },
)
