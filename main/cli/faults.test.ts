import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mayMakePrivateComputer, PrivateComputer } from '../privilege/private-computer.testing'
import { BuiltCommand, type Person, type Running } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'
import { slow } from '../../scripts/slow.testing'

// docs/faults.md: faults of a real server with a real tunnel through the helper, and the messages that users see.

const here = await mayMakePrivateComputer([])
if (!here) {
  process.stderr.write(
    'Left out, because no private computer can be made here: faults of servers and networks.\n',
  )
}

const tree = join(import.meta.dirname, '..', '..')

/** Installs the helper, creates a network with a default route, and records each time that Causeway reads the network. */
const setUp = `
install -D -m 0755 "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
ip link add cable type veth peer name wall
ip address add 192.0.2.2/25 dev cable
ip link set wall up
ip link set cable up
ip route add default via 192.0.2.1
cp "$(readlink -f "$(command -v ip)")" /srv/ip
rm -f /usr/sbin/ip
cat >/usr/sbin/ip <<'END'
#!/bin/sh
[ "$*" = '-json link show type tun' ] || exec /srv/ip "$@"
/srv/ip "$@" && echo >>/run/looked
END
chmod 755 /usr/sbin/ip
`

describe.runIf(here)('causeway connect', () => {
  let command: BuiltCommand
  let computer: PrivateComputer
  let mock: Awaited<ReturnType<typeof startMockThrough>>
  let person: Person
  let routesBefore: string
  const running: Running[] = []

  beforeAll(async () => {
    command = await BuiltCommand.make({ ownProcesses: true })
    computer = await PrivateComputer.make(tree, setUp)
    mock = await startMockThrough(computer.asRoot)
    person = await command.person(mock.instance)
    expect(await person.run(['login'], { through: computer.asRoot })).toMatchObject({ status: 0 })
    routesBefore = await computer.run('ip route')
  })

  afterAll(async () => {
    await mock.stop()
    await computer.remove()
    await command.remove()
  })

  afterEach(async () => {
    for (const run of running.splice(0)) {
      run.kill('SIGKILL')
      await run
    }
    await servers('start')
  })

  async function ask(path: string, body: object = {}): Promise<void> {
    const script = `const answer = await fetch(${JSON.stringify(mock.control + path)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }); if (!answer.ok) throw new Error(await answer.text())`
    const [program, ...words] = computer.asRoot
    await execa(program, [...words, '/srv/node', '--input-type=module', '-e', script])
  }
  const servers = (action: string) => ask('/tunnel', { action })

  /** Starts `connect`; `says` resolves with the next line on either output that contains the text. */
  function connect(...words: string[]) {
    const run = person.start(['connect', 'office', ...words], { through: computer.asRoot })
    running.push(run)
    const lines: string[] = []
    let read = 0
    const waiting = new Set<() => void>()
    for (const input of [run.stdout, run.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        for (const look of waiting) look()
      })
    }
    const says = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          for (const line of lines.slice(read)) {
            read += 1
            if (!line.includes(text)) continue
            waiting.delete(look)
            resolve(line)
            return
          }
        }
        waiting.add(look)
        look()
        void run.then(() => {
          look()
          reject(new Error(`It ended without saying "${text}":\n${lines.join('\n')}`))
        })
      })
    const endsWith = async () => {
      const { exitCode } = await run
      return { exitCode, said: lines.at(-1) }
    }
    return { run, says, endsWith }
  }

  async function endsInOrder({ run }: ReturnType<typeof connect>): Promise<void> {
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(0)
    await nothingIsLeft()
  }

  async function nothingIsLeft(): Promise<void> {
    expect(await computer.run('ip route')).toBe(routesBefore)
    expect(await computer.run('ip -o link')).not.toMatch(/\bcw\d+t\b/)
    expect(await computer.run('ls /run/causeway/0')).toBe('')
    const left = await computer.processes()
    expect(
      left.filter((words) => /causeway-helper|^openvpn.* --dev cw|command\/cli\.js/.test(words)),
    ).toEqual([])
  }

  const overTcpAndUdp = [['--prefer-tcp'], []]

  slow('reports that no server responds, over TCP and with UDP first', async () => {
    await servers('stop')
    for (const words of overTcpAndUdp) {
      expect(await connect(...words).endsWith()).toEqual({
        exitCode: 7,
        said: "causeway: None of this profile's servers responded. Check your network. Some networks block VPNs, so try another one. (openvpn/unreachable)",
      })
      await nothingIsLeft()
    }
  })

  slow('times out if the servers freeze in the handshake, over TCP and with UDP first', async () => {
    await servers('freeze')
    for (const words of overTcpAndUdp) {
      expect(await connect('--timeout', '5', ...words).endsWith()).toEqual({
        exitCode: 7,
        said: 'causeway: The connection timed out after 5 seconds. Try again, or use another network. (openvpn/timed-out)',
      })
      await nothingIsLeft()
    }
  })

  slow('reconnects after a restart of the servers', async () => {
    const client = connect('--prefer-tcp')
    await client.says('Connected to office')
    await servers('restart')
    expect(await client.says('Reconnecting to')).toContain('The server closed the connection.')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  it('retries while the servers are down, and reconnects when they are back', async () => {
    const client = connect('--prefer-tcp')
    await client.says('Connected to office')
    await servers('stop')
    await client.says('The server closed the connection.')
    expect(await client.says('Reconnecting to')).toContain("The server couldn't be reached.")
    await servers('start')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  it('detects frozen servers over UDP, and reconnects when they continue', async () => {
    const client = connect()
    await client.says('Connected to office')
    await servers('freeze')
    expect(await client.says('Reconnecting to')).toContain('The server stopped responding.')
    await servers('thaw')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  /** Connects and waits until Causeway has read the network, so that it notices later changes. */
  async function connectAndWatch() {
    await computer.run('rm -f /run/looked')
    const client = connect('--prefer-tcp')
    await client.says('Connected to office')
    await computer.run('until [ -e /run/looked ]; do sleep 0.05; done')
    return client
  }

  slow('reconnects on another network with another address', async () => {
    const client = await connectAndWatch()
    await computer.run(
      'ip address add 192.0.2.130/25 dev cable; ip address delete 192.0.2.2/25 dev cable; ip route replace default via 192.0.2.129',
    )
    expect(await client.says('Reconnecting to')).toContain('This computer switched to another network.')
    await client.says('Connected to office')
    await computer.run(
      'ip address add 192.0.2.2/25 dev cable; ip address delete 192.0.2.130/25 dev cable; ip route replace default via 192.0.2.1',
    )
    await client.says('This computer switched to another network')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  slow('says what the tunnel carries when routes change', async () => {
    const client = connect('--json')
    const connected = await client.says('"state":"connected"')
    expect(JSON.parse(connected)).toMatchObject({ allTraffic: false })
    const { device } = JSON.parse(connected) as { readonly device: string }
    // The monitor may not run yet: its first reading covers that.
    await computer.run(`ip route add 203.0.113.0/24 dev ${device}`)
    expect(JSON.parse(await client.says('203.0.113.0/24'))).toMatchObject({ state: 'connected', device })
    await computer.run(`ip route add 0.0.0.0/1 dev ${device}; ip route add 128.0.0.0/1 dev ${device}`)
    // The network of the cable has public addresses, which stay outside: that isn't all traffic.
    expect(JSON.parse(await client.says('"0.0.0.0/0"'))).toMatchObject({
      allTraffic: false,
      outside: expect.arrayContaining(['192.0.2.0/25']) as unknown,
    })
    await computer.run('ip address replace 10.20.0.2/24 dev cable; ip address delete 192.0.2.2/25 dev cable')
    await client.says('"allTraffic":true')
    await computer.run('ip route delete 128.0.0.0/1')
    await client.says('"allTraffic":false')
    await computer.run(
      'ip address replace 192.0.2.2/25 dev cable; ip address delete 10.20.0.2/24 dev cable; ip route replace default via 192.0.2.1',
    )
    await endsInOrder(client)
  })

  slow('waits while there is no network', async () => {
    const client = await connectAndWatch()
    await computer.run('ip link set cable down')
    expect(await client.says("There's no network.")).toContain('Causeway reconnects when there is one')
    await computer.run('ip link set cable up; ip route add default via 192.0.2.1')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  slow('ends cleanly while waiting for the next attempt', async () => {
    const client = connect('--prefer-tcp')
    await client.says('Connected to office')
    const device = /dev (cw\d+t)/.exec(await computer.run('ip route'))?.[1] ?? 'none'
    await computer.run(`kill -s KILL $(pgrep -x -f 'openvpn.* --dev ${device} .*')`)
    expect(await client.says('Next attempt')).toMatch(
      /Next attempt at \d+:\d\d:\d\d\s[AP]M[.] .*OpenVPN stopped unexpectedly[.]$/,
    )
    await endsInOrder(client)
  })

  it('gets one new certificate if the instance does not know the current one', async () => {
    await ask('/certificates/revoke')
    const client = connect('--prefer-tcp')
    await client.says('Connected to office')
    await endsInOrder(client)
  })

  slow('reports the reason of a permanently refused certificate', async () => {
    await ask('/scenarios/user-disabled')
    expect(await connect('--prefer-tcp').endsWith()).toEqual({
      exitCode: 5,
      said: "causeway: The service rejected your certificate (user_disabled) and didn't issue a new one. Ask your organization whether your account is still active. (certificate/refused)",
    })
    await nothingIsLeft()
  })
})
