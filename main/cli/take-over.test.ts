import { link, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { mayMakePrivateComputer, PrivateComputer } from '../privilege/private-computer.testing'
import { BuiltCommand, Person, said } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'

vi.setConfig({ testTimeout: 60_000 })

const tree = resolve(import.meta.dirname, '../..')
const here = await mayMakePrivateComputer(['nft'])
if (!here) {
  console.warn('Left out: taking over with a kill switch, which needs root, namespaces, overlays and nft.')
}

const installHelper = `
install -D -m 0755 -- "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
`

it.runIf(here)('keeps the kill switch up while another process takes over the tunnel', async () => {
  const command = await BuiltCommand.make({ ownProcesses: true })
  onTestFinished(() => command.remove())
  const computer = await PrivateComputer.make(tree, installHelper)
  onTestFinished(() => computer.remove())
  const { instance, stop } = await startMockThrough(computer.asRoot)
  onTestFinished(stop)
  const { dataDir } = await command.person()
  const [, script] = command.words
  const person = new Person(['/srv/node', join('/srv/tree', relative(tree, script))], dataDir, true)
  const through = computer.asRoot
  for (const args of [['instance', 'add', instance], ['login'], ['settings', 'set', 'killSwitch', 'true']])
    expect(await person.run(args, { through })).toMatchObject({ status: 0 })
  const isUp = async () => (await computer.run('nft list tables')).includes('causeway_0')

  const first = person.start(['connect', 'office', '--json'], { through })
  await said(first, '"state":"connected"')
  expect(await isUp()).toBe(true)
  // Lifting the kill switch deletes this file. A second link shows whether that happened in between.
  const remembered = join(dataDir, 'traffic-block')
  await link(remembered, join(dataDir, 'second-name'))

  const second = person.start(['connect', 'office', '--take-over', '--json'], { through })
  await said(second, '"state":"connected"')
  const { exitCode, stdout, stderr } = await first
  expect(exitCode).toBe(0)
  expect(stdout.split('\n').at(-1)).toContain('"takesOver":true')
  expect(stderr).not.toContain('traffic-blocked')
  expect((await stat(remembered)).nlink).toBe(2)
  expect(await isUp()).toBe(true)

  second.kill('SIGINT')
  expect((await second).exitCode).toBe(0)
  expect(await isUp()).toBe(false)
  await expect(stat(remembered)).rejects.toMatchObject({ code: 'ENOENT' })
})
