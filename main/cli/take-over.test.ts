import { once } from 'node:events'
import { link, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { expect, inject, it, onTestFinished, vi } from 'vitest'

import { mayMakePrivateComputer, PrivateComputer } from '../privilege/private-computer.testing'
import { BuiltCommand, Person, said } from './causeway.testing'

vi.setConfig({ testTimeout: 60_000 })

const tree = resolve(import.meta.dirname, '../..')
const here = await mayMakePrivateComputer(['nft'])
if (!here) {
  console.warn('Left out: taking over with a kill switch, which needs root, namespaces, overlays and nft.')
}

const installHelper = `
install -D -m 0755 -- "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
`

it.runIf(here)('a kill switch stays up while another process takes the tunnel over', async () => {
  const command = await BuiltCommand.make()
  onTestFinished(() => command.remove())
  const computer = await PrivateComputer.make(tree, installHelper)
  onTestFinished(() => computer.remove())
  const [program, ...words] = computer.asRoot
  const options = ['--port', '0', '--tunnel', 'openvpn', '--auto-approve', '--json']
  const mock = execa(program, [...words, process.execPath, inject('programs').mockServer, ...options], {
    reject: false,
  })
  onTestFinished(async () => {
    mock.kill('SIGTERM')
    await mock
  })
  const [line] = (await once(createInterface({ input: mock.stdout }), 'line')) as [string]
  const { instance } = JSON.parse(line) as { instance: string }
  const { dataDir } = await command.person()
  const [, script] = command.words
  const person = new Person(['/srv/node', join('/srv/tree', relative(tree, script))], dataDir)
  const through = computer.asRoot
  for (const args of [['instance', 'add', instance], ['login'], ['settings', 'set', 'killSwitch', 'true']])
    expect(await person.run(args, { through })).toMatchObject({ status: 0 })
  const isUp = async () => (await computer.run('nft list tables')).includes('causeway_0')

  const first = person.start(['connect', 'office', '--json'], { through })
  await said(first, '"state":"connected"')
  expect(await isUp()).toBe(true)
  // What is lifted is forgotten: then this would be the only name of it.
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
