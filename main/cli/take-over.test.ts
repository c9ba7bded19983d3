import { join, relative, resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'

import { mayMakePrivateComputer, PrivateComputer } from '../privilege/private-computer.testing'
import { BuiltCommand, Person, printed } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'
import { isSlowRun } from '../../scripts/nightly-tests'

const tree = resolve(import.meta.dirname, '../..')
const here = await mayMakePrivateComputer(['nft'])
if (!here) {
  console.warn('Left out: taking over with a kill switch, which needs root, namespaces, overlays and nft.')
}

const installHelper = `
install -D -m 0755 -- "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
`

/** The helper's record that the kill switch of root is up. */
const record = '/run/causeway/0/kill-switch'

/** Root on a computer of its own, with a service and the kill switch. */
async function rootWithKillSwitch() {
  const command = await BuiltCommand.make()
  onTestFinished(() => command.remove())
  const computer = await PrivateComputer.make(tree, installHelper)
  onTestFinished(() => computer.remove())
  const { instance, stop } = await startMockThrough(computer.asRoot)
  onTestFinished(stop)
  const owner = await command.person(instance)
  expect(await owner.run(['settings', 'set', 'killSwitch', 'true'])).toMatchObject({ status: 0 })
  const [, script] = command.words
  const person = new Person(['/srv/node', join('/srv/tree', relative(tree, script))], owner.dataDir, true)
  const through = computer.asRoot
  const isUp = async () => (await computer.run('nft list tables')).includes('causeway_0')
  const status = async () =>
    JSON.parse((await person.run(['status', '--json'], { through })).stdout) as object
  return { computer, person, through, isUp, status }
}

it.runIf(here)('keeps the kill switch up while another process takes over the tunnel', async () => {
  const { computer, person, through, isUp } = await rootWithKillSwitch()
  const first = person.start(['connect', 'office', '--json'], { through })
  await printed(first, '"state":"connected"')
  expect(await isUp()).toBe(true)
  const [enter, ...words] = through
  const monitor = execa(enter, [...words, 'nft', 'monitor'], { reject: false })

  const second = person.start(['connect', 'office', '--take-over', '--json'], { through })
  await printed(second, '"state":"connected"')
  const { exitCode, stdout, stderr } = await first
  expect(exitCode).toBe(0)
  expect(stdout.split('\n').at(-1)).toContain('"takesOver":true')
  expect(stderr).not.toContain('traffic-blocked')
  expect(await isUp()).toBe(true)
  monitor.kill()
  const changes = (await monitor).stdout
    .split('# new generation')
    .filter((all) => all.includes('table inet causeway_0'))
  expect(changes).not.toEqual([])
  // Each transaction that deletes the table adds it again.
  for (const change of changes)
    expect(change).toMatch(/add table inet causeway_0(?![^]*delete table inet causeway_0)/)

  second.kill('SIGINT')
  expect((await second).exitCode).toBe(0)
  expect(await isUp()).toBe(false)
  await computer.run(`test ! -e ${record}`)
})

it.runIf(isSlowRun && here)(
  'tells when others lift the kill switch, and believes the firewall rather than a file',
  async () => {
    const { computer, person, through, isUp, status } = await rootWithKillSwitch()
    const first = person.start(['connect', 'office', '--json', '--no-reconnect'], { through })
    await printed(first, '"state":"connected"')
    await computer.run('nft flush ruleset')
    await expect.poll(() => computer.run(`test -e ${record} || echo gone`)).toBe('gone')
    first.kill('SIGINT')
    expect((await first).stderr).toContain('"code":"helper/kill-switch-lifted"')

    // A connection that is lost leaves it up.
    const second = person.start(['connect', 'office', '--json', '--no-reconnect'], { through })
    await printed(second, '"state":"connected"')
    const watching = person.start(['status', '--watch', '--json'], { through })
    await printed(watching, '"state":"connected"')
    const blocked = printed(watching, '{"state":"disconnected","trafficBlocked":true}')
    // By its device: the processes of other tests are here, too.
    const [device = ''] = /\bcw\d+t\b/.exec(await computer.run('ip link')) ?? []
    await computer.run(`kill -9 $(pgrep -f "^openvpn.* --dev ${device} ")`)
    await second
    expect(await isUp()).toBe(true)
    expect(await status()).toEqual({ state: 'disconnected', trafficBlocked: true })
    await blocked
    await computer.run('nft flush ruleset')
    expect(await status()).toEqual({ state: 'disconnected' })

    // The package's script before removal.
    const third = person.start(['connect', 'office', '--json'], { through })
    await printed(third, '"state":"connected"')
    await computer.run('sh "/srv/tree/build/linux/before-remove" remove')
    const { exitCode, stdout } = await third
    expect({ exitCode, last: JSON.parse(stdout.split('\n').at(-1) ?? '') as unknown }).toMatchObject({
      exitCode: 7,
      last: { state: 'failed', error: { code: 'helper/failed', details: { reason: 'stopped' } } },
    })
    expect(await isUp()).toBe(false)
    expect((await computer.processes()).filter((words) => /^openvpn.* --dev cw/.test(words))).toEqual([])
    expect(await computer.run('ls /run/causeway/0')).toBe('')
    expect(await status()).toEqual({ state: 'disconnected' })
    watching.kill('SIGINT')
    expect((await watching).stdout.split('\n').at(-1)).toBe('{"state":"disconnected"}')
    // Installed again.
    await computer.run('rm /run/causeway/stopped')
    const fourth = person.start(['connect', 'office', '--json'], { through })
    await printed(fourth, '"state":"connected"')
    fourth.kill('SIGINT')
    expect((await fourth).exitCode).toBe(0)
  },
)
