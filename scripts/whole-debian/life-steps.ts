import { expectTunnel } from './connecting-steps'
import { deb, medium } from './guest'
import {
  asPerson,
  asRoot,
  connect,
  disconnect,
  expect,
  expectNothingLeft,
  expectNothingPasses,
  type Protocol,
  protocols,
  setClock,
  type Stage,
  type Step,
} from './stage'

/** What happens to a computer while it is connected. */
export const lifeSteps: readonly Step[] = [
  ...protocols.map((protocol) => ({
    name: `${protocol}: goes on after sleep, and nothing passes it meanwhile (kill switch)`,
    run: async (stage: Stage) => {
      await asPerson(stage, 'causeway settings set killSwitch true')
      await connect(stage, protocol)
      await expectNothingPasses(stage, () => sleep(stage, protocol))
      await disconnect(stage)
    },
  })),
  {
    name: 'an upgrade leaves the connection up',
    run: async (stage) => {
      await connect(stage, 'wireguard')
      await asRoot(stage, `dpkg --install ${medium}/${deb}`, 300)
      await expectTunnel(stage, 'wireguard')
      await disconnect(stage)
    },
  },
  {
    name: 'a restart while connected leaves nothing, and it connects again',
    run: async (stage) => {
      await connect(stage, 'openvpn')
      await stage.machine.run('root', 'systemctl reboot --no-block')
      await stage.machine.started(900)
      await asRoot(
        stage,
        'systemctl is-system-running --wait || { systemctl --failed --no-pager; false; }',
        300,
      )
      await setClock(stage)
      await expectNothingLeft(stage)
      await connect(stage, 'openvpn')
      await expectTunnel(stage, 'openvpn')
      await disconnect(stage)
    },
  },
  {
    name: '`apt purge` while connected leaves nothing',
    run: async (stage) => {
      await connect(stage, 'wireguard')
      await asRoot(stage, 'apt-get purge --yes causeway-cli', 300)
      await expectNothingLeft(stage)
      const left = await asRoot(
        stage,
        `find / -xdev -name '*causeway*' -not -path '/home/*' -not -path '${medium}/*' -not -path '/proc/*' -not -path '/var/cache/*' -not -path '/var/lib/apt/*'`,
      )
      expect(left.trim() === '', `left: ${left}`)
      await asPerson(stage, '! command -v causeway')
    },
  },
]

async function sleep(stage: Stage, protocol: Protocol): Promise<void> {
  const before = await asRoot(stage, 'cat /sys/power/suspend_stats/success')
  await asRoot(stage, 'rtcwake --mode mem --seconds 20', 300)
  const after = await asRoot(stage, 'cat /sys/power/suspend_stats/success')
  expect(Number(after) === Number(before) + 1, `it has slept ${after} times`)
  await setClock(stage)
  await expectTunnel(stage, protocol)
}
