import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { ServiceRecord } from './kill-switch-record'
import { killSwitchRecord, TrafficBlock } from './traffic-block'

/** Returns the path of a record that isn't there yet, in its folder. */
async function newRecord(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-block-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const record = join(folder, '1000', 'kill-switch')
  await mkdir(dirname(record))
  return record
}

const refused = () => Promise.resolve(false)

it('tells of the record that the helper makes and removes, without being asked', async () => {
  const record = await newRecord()
  const block = new TrafficBlock({ record, probe: refused })
  expect(await block.check()).toBe(false)
  const answers: boolean[] = []
  const isTold = (isOn: boolean) =>
    vi.waitFor(() => {
      expect(answers.at(-1)).toBe(isOn)
    })
  const kept = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  const stop = block.watch(() => answers.push(block.isOn()))
  /** As the helper does it. */
  const replace = async () => {
    await writeFile(`${record}.new`, 'cw1t')
    await rename(`${record}.new`, record)
  }
  await replace()
  await isTold(true)
  stop()
  answers.length = 0
  // What is watched now goes, and another file takes its place.
  const before = kept()
  const stopAgain = block.watch(() => answers.push(block.isOn()))
  expect(kept(), 'what would keep a process running').toBeLessThanOrEqual(before)
  await replace()
  await isTold(true)
  await rm(record)
  await isTold(false)
  stopAgain()
  answers.length = 0
  // A watcher that was left would be told first.
  const watcher = watch(dirname(record))
  const changed = once(watcher, 'change')
  await replace()
  await changed
  watcher.close()
  expect(answers).toEqual([])
})

it('watches a record of which only a check could tell', async () => {
  const record = await newRecord()
  await rm(dirname(record), { recursive: true })
  const block = new TrafficBlock({ record, probe: refused })
  const answers: boolean[] = []
  const stop = block.watch(() => answers.push(block.isOn()))
  expect(await block.check()).toBe(false)
  await mkdir(dirname(record))
  await writeFile(record, 'cw1t')
  expect(await block.check()).toBe(true)
  expect(answers).toEqual([true])
  await rm(record)
  await vi.waitFor(() => {
    expect(answers.at(-1)).toBe(false)
  })
  stop()
  answers.length = 0
  expect(await block.check()).toBe(false)
  expect(answers, 'once nobody watches').toEqual([])
})

it('is recorded in a folder of the user', () => {
  const path = `${String(process.getuid?.() ?? 0)}/kill-switch`
  expect(killSwitchRecord('linux')).toMatchObject({ path: `/run/causeway/${path}` })
  expect(killSwitchRecord('darwin')).toMatchObject({ path: `/var/run/causeway/${path}` })
  expect(killSwitchRecord('win32')).toBeInstanceOf(ServiceRecord)
})

it('believes a packet that passes rather than the record', async () => {
  const record = await newRecord()
  await writeFile(record, 'cw1t')
  let passes = false
  const block = new TrafficBlock({ record, probe: () => Promise.resolve(passes) })
  let changes = 0
  onTestFinished(block.watch(() => (changes += 1)))
  expect(await block.check()).toBe(true)
  passes = true
  expect(await block.check()).toBe(false)
  expect(block.isOn()).toBe(false)
  expect(changes).toBe(1)
  passes = false
  expect(await block.check()).toBe(true)
})

it('takes a record that it may not see for one, and then tries a packet', async () => {
  const record = await newRecord()
  await rm(dirname(record), { recursive: true })
  // The kernel refuses to follow it, as root must be refused, too.
  await symlink(dirname(record), dirname(record))
  expect(await new TrafficBlock({ record, probe: refused }).check()).toBe(true)
  expect(await new TrafficBlock({ record, probe: () => Promise.resolve(true) }).check()).toBe(false)
})

it('sends nothing without a record', async () => {
  const probe = vi.fn(refused)
  expect(await new TrafficBlock({ record: await newRecord(), probe }).check()).toBe(false)
  expect(probe).not.toHaveBeenCalled()
})

it.skipIf(process.platform === 'win32')(
  'takes what the service last said of its record, if it says nothing now',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-block-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const said = join(folder, 'said')
    const record = new ServiceRecord(() => ['/bin/cat', said])
    const read = async (text: string): Promise<boolean> => {
      await writeFile(said, text)
      await record.read()
      return record.isThere()
    }
    expect(await read('nonsense')).toBe(false)
    expect(await read('{"recorded":true,"own":true}')).toBe(true)
    expect(await read('nonsense')).toBe(true)
    expect(await read('{"recorded":false,"own":false}')).toBe(false)
  },
)

describe.runIf(process.platform === 'linux')('a real packet', () => {
  const space = `causeway-block-${String(process.pid)}`
  const inSpace = (...words: string[]) => execa('ip', ['netns', 'exec', space, ...words])
  let isMade = false

  beforeAll(async () => {
    const works = async (...words: string[]) => !(await execa('ip', words, { reject: false })).failed
    isMade =
      (await works('netns', 'add', space)) && (await works('netns', 'exec', space, 'nft', 'list', 'tables'))
    if (!isMade) {
      process.stderr.write('Left out, because no network namespace can be made here: real packets.\n')
      return
    }
    await execa('ip', ['-n', space, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'wall'])
    for (const link of ['eth0', 'wall']) await execa('ip', ['-n', space, 'link', 'set', link, 'up'])
    await execa('ip', ['-n', space, 'address', 'add', '192.168.78.2/24', 'dev', 'eth0'])
  })

  beforeEach((context) => {
    context.skip(!isMade)
  })

  afterAll(() => execa('ip', ['netns', 'delete', space], { reject: isMade }))

  /** Returns what a program there is told, with these rules of nftables. */
  async function isBlocked(rules: string, more = ''): Promise<string> {
    await inSpace(
      'nft',
      `flush ruleset; table inet x { chain o { type filter hook output priority 0; ${rules} }; }; ${more}`,
    )
    const record = await newRecord()
    await writeFile(record, 'cw1t')
    return (await inSpace(process.execPath, inject('programs').processes.trafficBlock, record)).stdout
  }

  it('tells the kill switch from a firewall of the computer that refuses some packets', async () => {
    expect(await isBlocked('oifname "lo" accept; drop;')).toBe('true')
    expect(await isBlocked('')).toBe('false')
    expect(await isBlocked('tcp dport 443 accept; udp dport { 53, 443 } accept; drop;')).toBe('false')
  })

  it('tells the kill switch also on a network that has only IPv6', async () => {
    const change = (word: string, address: string) =>
      execa('ip', ['-n', space, 'address', word, address, 'dev', 'eth0', 'nodad'])
    await change('del', '192.168.78.2/24')
    await change('add', '2001:db8:78::2/64')
    onTestFinished(async () => {
      await change('del', '2001:db8:78::2/64')
      await change('add', '192.168.78.2/24')
    })
    expect(await isBlocked('oifname "lo" accept; drop;')).toBe('true')
    const counter = 'type filter hook ingress device "wall" priority 0; ip6 nexthdr udp counter;'
    expect(await isBlocked('', `table netdev y { chain arrived { ${counter} }; }`)).toBe('false')
    expect((await inSpace('nft', 'list', 'table', 'netdev', 'y')).stdout).toContain(
      'counter packets 0 bytes 0',
    )
  })

  it('is sent by no tunnel, though it has the address of the network', async () => {
    await execa('ip', ['-n', space, 'link', 'add', 'cw1t', 'type', 'veth', 'peer', 'name', 'there'])
    for (const link of ['cw1t', 'there']) await execa('ip', ['-n', space, 'link', 'set', link, 'up'])
    await execa('ip', ['-n', space, 'address', 'add', '192.168.78.2/24', 'dev', 'cw1t'])
    expect(await isBlocked('oifname { "lo", "cw1t" } accept; drop;')).toBe('true')
  })
})
