import { connectingSteps } from './connecting-steps'
import { appsSteps } from './apps-steps'
import { lifeSteps } from './life-steps'
import { deb, medium } from './guest'
import {
  asPerson,
  asRoot,
  expect,
  expectNothingLeft,
  setClock,
  signIn,
  type Stage,
  type Step,
  until,
} from './stage'

export const steps: readonly Step[] = [
  { name: 'starts, with a session and a systemd of the person who sits there', run: starts },
  {
    name: '`apt install`, and the doctor',
    run: async (stage) => {
      await asRoot(stage, `cd ${medium} && apt-get install --yes ./${deb}`, 300)
      await asPerson(stage, 'causeway --version && causeway doctor')
    },
  },
  {
    name: 'sign-in without a browser',
    run: async (stage) => {
      await setClock(stage)
      await asPerson(stage, signIn('causeway'))
    },
  },
  ...connectingSteps,
  ...appsSteps,
  ...lifeSteps,
]

async function starts(stage: Stage): Promise<void> {
  await stage.machine.started(900)
  await asRoot(stage, 'systemctl is-system-running --wait || { systemctl --failed --no-pager; false; }', 300)
  await asRoot(stage, until("[ $(ip route show default | grep -c 'proto dhcp') = 2 ]"))
  const session = await asPerson(
    stage,
    'loginctl show-session "$XDG_SESSION_ID" --property Active --property Seat; systemctl --user is-system-running --wait',
  )
  expect(
    /^Active=yes$/m.test(session) && /^Seat=seat0$/m.test(session) && /^running$/m.test(session),
    session,
  )
  // All that `update-ca-certificates` would do of use here, and it takes minutes.
  await asRoot(stage, `cat ${medium}/portal.crt >>/etc/ssl/certs/ca-certificates.crt`)
  await expectNothingLeft(stage)
}
