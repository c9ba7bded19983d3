import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { PrivateNetwork, RunningHelper } from './full-tunnel.testing'
import { mayMakeNamespaces, replaceResolvConf, type TestHelper } from './helper.testing'
import { rows } from '../../scripts/slow.testing'

const group = `causeway-test-${process.pid}`
const [person, other] = [65_534, 1]

/** The caller, and a command that runs the helper. */
const asCaller = `export SUDO_UID=\${AS-${person}}\nexec $BY /mnt/causeway-helper "$@"\n`

/** Starts the helper in a group that belongs to the user, as systemd's for the user's services do; nothing else is visible. */
const inOwnGroup = `
export SUDO_UID=${person}
mkdir -p $folder/groups
mount -t cgroup2 groups $folder/groups
top=$folder/groups/${group}
mkdir -p $top/person/app
chown -R ${person} $top/person
echo $$ >$top/cgroup.procs
exec unshare -C /bin/sh -c '
mount -t cgroup2 groups /sys/fs/cgroup
echo $$ >/sys/fs/cgroup/person/app/cgroup.procs
exec /mnt/causeway-helper "$@"' sh "$@"
`

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)

/** Needs root, a tun device and control groups of version 2. */
describe.runIf(may)('helpers of several users', () => {
  const network = new PrivateNetwork()
  const helpers: TestHelper[] = []
  const running: (() => Promise<unknown>)[] = []
  let installed: TestHelper
  let before: string

  async function install(then = asCaller, build: 'linux' | 'killpoints' = 'linux') {
    const helper = await network.install(then, build)
    helpers.push(helper)
    return helper
  }

  beforeAll(async () => {
    await network.create()
    installed = await install()
  })

  beforeEach(async () => {
    before = await network.routing()
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })

  afterAll(async () => {
    await network.remove()
    for (const each of helpers) await each.remove()
  })

  async function expectNothingLeft(): Promise<void> {
    await vi.waitFor(
      async () => {
        expect(await network.routing()).toBe(before)
      },
      { timeout: 20_000, interval: 50 },
    )
  }

  function start({ helper = installed, as = person, by = '' } = {}): RunningHelper {
    const started = new RunningHelper(helper, { AS: String(as), BY: by })
    running.push(() => started.stop())
    return started
  }

  async function call(command: string, as: number, helper = installed) {
    return execa(helper.helper, [command], { env: { AS: String(as), BY: '' }, reject: false })
  }

  /** Writes to a file of the caller's group, as the caller. */
  async function writeToGroup(file: string, text: string): Promise<void> {
    const script = `mount -t cgroup2 groups /mnt && exec setpriv --reuid=${person} --clear-groups sh -c 'echo ${text} >/mnt/${group}/person/app/${file}'`
    await execa('unshare', ['-m', 'sh', '-c', script])
  }

  async function removeGroup(): Promise<void> {
    const script = `mount -t cgroup2 groups /mnt && find /mnt/${group} -depth -type d -exec rmdir {} +`
    await vi.waitFor(() => execa('unshare', ['-m', 'sh', '-c', script]), { timeout: 15_000 })
  }

  describe('in a group that its caller may freeze and end', () => {
    let delegated: TestHelper

    beforeAll(async () => {
      delegated = await install(inOwnGroup)
    })
    afterAll(removeGroup)

    it.each(rows(['cgroup.kill', 'cgroup.freeze'], 1))('goes on with its watcher after %s', async (file) => {
      const tunnel = start({ helper: delegated }).send()
      const { helper, watcher } = await tunnel.processes(person)
      if (file === 'cgroup.freeze') running.push(() => writeToGroup(file, '0'))
      await writeToGroup(file, '1')
      tunnel.send('state\n')
      await tunnel.message(/^handshake /)
      for (const pid of [helper, watcher])
        expect(await readFile(`/proc/${pid}/cgroup`, 'utf8')).toMatch(
          new RegExp(`^0::.*/${group}/causeway/${person}$`, 'm'),
        )
      expect(await tunnel.stop()).toBe(0)
      await expectNothingLeft()
    })
  })

  it.each(rows(['repair', 'release', 'wireguard'], 1))(
    'undoes by %s what another user left whose processes were all killed at once',
    async (command) => {
      const tunnel = start().send()
      const { helper, watcher, program = helper } = await tunnel.processes(person)
      // Stopped first, so that none of them undoes anything before its turn.
      for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
        for (const pid of [watcher, helper, program]) process.kill(pid, signal)
      await tunnel.child
      expect(await network.routing()).toContain('unreachable')
      if (command === 'wireguard') {
        const own = start({ as: other })
        await own.message(/^repaired cw/)
        await own.stop()
      } else {
        const { stderr, exitCode } = await call(command, other)
        expect(stderr).toContain('causeway-helper: repaired cw')
        expect(exitCode).toBe(0)
      }
      await expectNothingLeft()
    },
  )

  it('lets one user run eight at most, and others connect meanwhile', async () => {
    const waiting = Array.from({ length: 8 }, () => start())
    const records = path.join(installed.folder, 'state', String(person))
    const count = async () => (await readdir(records)).filter((name) => name.startsWith('cw')).length
    await vi.waitUntil(async () => existsSync(records) && (await count()) === waiting.length)
    const ninth = start().send()
    expect((await ninth.child).exitCode).toBe(65)
    expect(ninth.messages).toEqual(['failed too-many'])
    await start({ as: other })
      .send()
      .message(/^started /)
    expect(waiting.flatMap(({ messages }) => messages)).toEqual([])
  })

  describe('with full tunnels at once', () => {
    const ofOther = (request: string) => request.replace('address 10.88.0.2/24', 'address 10.89.0.2/24')
    const deviceOf = async (tunnel: RunningHelper) => (await tunnel.message(/^started /)).split(' ')[1] ?? ''
    const way = () => network.ip('route', 'get', '198.51.100.7')

    it('leave the packets of each to the network, and the traffic to the newest', async () => {
      const first = start().send()
      const firstDevice = await deviceOf(first)
      const second = start({ as: other })
      const secondDevice = await deviceOf(second.send(ofOther(second.request)))
      expect(await way()).toContain(`dev ${secondDevice} `)
      const marks = [...(await network.ip('rule')).matchAll(/from all fwmark (\S+) lookup main/g)]
      expect(marks).toHaveLength(2)
      for (const [, mark = ''] of marks)
        expect(await network.ip('route', 'get', '203.0.113.10', 'mark', mark)).toContain('dev wan ')
      await second.stop()
      expect(await way()).toContain(`dev ${firstDevice} `)
    })

    it('leave the traffic to the newest, also after an older one has ended', async () => {
      const first = start().send()
      await deviceOf(first)
      const second = start({ as: other })
      const between = await deviceOf(second.send(ofOther(second.request)))
      // Of the way that its packets take, and not inside the other one.
      expect(await network.ip('link', 'show', between)).toContain(' mtu 1420 ')
      await first.stop()
      const third = start()
      // Nothing else would have a way out.
      const device = await deviceOf(third.send(third.request.replace('kill-switch off', 'kill-switch on')))
      expect(await way()).toContain(`dev ${device} `)
    })

    it('are refused to others while a kill switch would block its user', async () => {
      const first = start()
      first.send(first.request.replace('kill-switch off', 'kill-switch on'))
      await deviceOf(first)
      const during = await network.routing()
      const second = start({ as: other })
      second.send(ofOther(second.request))
      expect((await second.child).exitCode).toBe(65)
      expect(second.messages).toEqual(['failed other-tunnel'])
      expect(await network.routing()).toBe(during)
      // All of IPv4, as lists have it that leave out some networks.
      const parts = start({ as: other })
      const quarters = ['0', '64', '128', '192'].map((first) => `allowed ${first}.0.0.0/2`).join('\n')
      parts.send(ofOther(parts.request).replace(/allowed 0.*\nallowed .*/, quarters))
      expect(await parts.message(/^(started|failed) /)).toBe('failed other-tunnel')
      const split = start({ as: other })
      split.send(ofOther(split.request).replace(/allowed 0.*\nallowed .*/, 'allowed 10.99.0.0/16'))
      await deviceOf(split)
      await split.stop()
      // The kill switch stays when its tunnel is over, and no longer needs it.
      await first.stop()
      const third = start({ as: other })
      await deviceOf(third.send(ofOther(third.request)))
    })

    it('are refused beside a split one, too, whose kill switch would block its user', async () => {
      const first = start()
      const split = first.request.replace(/allowed 0.*\nallowed .*/, 'allowed 10.99.0.0/16')
      first.send(split.replace('kill-switch off', 'kill-switch on'))
      const device = await deviceOf(first)
      const second = start({ as: other })
      second.send(ofOther(second.request))
      expect(await second.message(/^(started|failed) /)).toBe('failed other-tunnel')
      expect(await network.ip('route', 'get', '10.99.0.1')).toContain(`dev ${device} `)
    })

    it('are refused, as split ones, with the address of another user', async () => {
      await deviceOf(start().send())
      const second = start({ as: other })
      second.send(second.request.replace(/allowed 0.*\nallowed .*/, 'allowed 10.99.0.0/16'))
      expect((await second.child).exitCode).toBe(65)
      expect(second.messages).toEqual(['failed other-tunnel'])
    })
  })

  it('ends one that is stopped with the lock of all, instead of keeping others waiting', async () => {
    const stopping = await install(asCaller, 'killpoints')
    await replaceResolvConf(stopping.folder, 'nameserver 192.0.2.1\n')
    const stopped = start({ helper: stopping }).send()
    await stopped.message(/^started /)
    const mark = path.join(stopping.folder, 'state/stop-at')
    await writeFile(mark, 'resolv-conf-claimed')
    stopped.send('dns 10.88.0.53\n')
    await vi.waitUntil(() => !existsSync(mark))
    expect(await call('repair', other, stopping)).toMatchObject({ exitCode: 0 })
    expect((await stopped.child).exitCode).not.toBe(0)
    await expectNothingLeft()
    expect(await readFile(path.join(stopping.folder, 'etc/resolv.conf'), 'utf8')).toBe(
      'nameserver 192.0.2.1\n',
    )
  })

  it('takes no slowness over from its caller', async () => {
    const tunnel = start({ by: 'nice -n 19 chrt --idle 0 taskset 1' }).send()
    const { helper, watcher } = await tunnel.processes(person)
    const processors = async (of: number) =>
      /^Cpus_allowed:\s.*$/m.exec(await readFile(`/proc/${of}/status`, 'utf8'))?.[0]
    for (const pid of [helper, watcher]) {
      for (const thread of await readdir(`/proc/${pid}/task`)) {
        const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        // By proc(5), with the state as the first one: nice, and the policy.
        expect([fields[16], fields[38]]).toEqual(['0', '0'])
      }
      expect(await processors(pid)).toBe(await processors(1))
    }
  })
})
