import {
  type AppCount,
  asPerson,
  asRoot,
  askAddress,
  connect,
  disconnect,
  expect,
  families,
  isDirect,
  type Protocol,
  protocols,
  type Stage,
  type Step,
  until,
} from './stage'
import { askedBy } from './world'

const modes = ['except', 'only'] as const
type Mode = (typeof modes)[number]

/** Apps as a desktop starts them, in units of the person's own systemd. */
export const appsSteps: readonly Step[] = protocols.flatMap((protocol) =>
  modes.flatMap((mode) =>
    [false, true].map((killSwitch) => ({
      name: `${protocol}: apps, ${mode === 'except' ? 'all but the listed one' : 'only the listed one'}, kill switch ${killSwitch ? 'on' : 'off'}`,
      run: (stage: Stage) => divideApps(stage, protocol, mode, killSwitch),
    })),
  ),
)

/** Has a listed app and another one ask, while the tunnel is up, and with the kill switch also while it is gone. */
async function divideApps(stage: Stage, protocol: Protocol, mode: Mode, killSwitch: boolean): Promise<void> {
  await asRoot(stage, desktopEntry)
  await asPerson(
    stage,
    `causeway settings set killSwitch ${killSwitch}; causeway apps add bank; causeway apps mode ${mode}`,
  )
  await asPerson(stage, startApp('bank', 'early', 'listed'))
  await connect(stage, protocol)
  await asPerson(stage, startApp('bank', 'late', 'listed') + startApp('other', 'other', 'other'))
  const [listed, other] =
    mode === 'except' ? (['outside', 'inside'] as const) : (['inside', 'outside'] as const)
  const kind = { protocol, mode, killSwitch }
  await expectSides(stage, { ...kind, tunnel: 'up' }, { listed, other })
  const list = await asPerson(stage, 'causeway apps list')
  expect(/running|now/i.test(list) && list.includes('bank'), list)
  if (killSwitch) {
    await stage.world.cutOff(true)
    try {
      // As a crash.
      await asRoot(stage, 'pkill -KILL -x causeway-helper')
      await asPerson(stage, until(`causeway status --json | grep -q '"state": *"reconnecting"'`))
      const blocked = { inside: 'nowhere', outside: 'outside' } as const
      await expectSides(
        stage,
        { ...kind, tunnel: 'gone' },
        { listed: blocked[listed], other: blocked[other] },
      )
    } finally {
      await stage.world.cutOff(false)
    }
  }
  await asPerson(stage, 'systemctl --user stop "app-*.scope"; causeway apps mode all')
  await disconnect(stage)
}

type Side = 'outside' | 'inside' | 'nowhere'

/** Has every app ask over each family, and expects that what it sends takes its side, and that nothing takes the other one. */
async function expectSides(
  stage: Stage,
  kind: {
    readonly protocol: Protocol
    readonly mode: Mode
    readonly killSwitch: boolean
    readonly tunnel: 'up' | 'gone'
  },
  sides: { readonly listed: Side; readonly other: Side },
): Promise<void> {
  for (const family of families) {
    const before = await counts(stage, family)
    const seen = new Map<string, [Side, string]>()
    for (const [app, who] of [
      ['early', 'listed'],
      ['late', 'listed'],
      ['other', 'other'],
    ] as const)
      seen.set(app, [sides[who], (await asPerson(stage, askIn(app, family))).trim()])
    const after = await counts(stage, family)
    const rise = (who: 'listed' | 'other'): AppCount => ({
      outside: after[who].outside - before[who].outside,
      inside: after[who].inside - before[who].inside,
    })
    const sent = { listed: rise('listed'), other: rise('other') }
    stage.captured.push({ ...kind, family, ...sent })
    for (const [app, [side, address]] of seen) {
      const came = /^[\da-f:.]+$/.test(address) ? (isDirect(address) ? 'outside' : 'inside') : 'nowhere'
      expect(came === side, `${app} over ${family}, tunnel ${kind.tunnel}: the internet sees ${address}`)
    }
    for (const who of ['listed', 'other'] as const)
      for (const way of ['outside', 'inside'] as const)
        expect(
          sent[who][way] > 0 === (sides[who] === way),
          `${who} over ${family}, tunnel ${kind.tunnel}: ${JSON.stringify(sent)}`,
        )
  }
}

/** Returns how many packets of each app a network card has sent, and how many have come out of a tunnel. */
async function counts({ machine, world }: Stage, family: 'ipv4' | 'ipv6') {
  const of = async (who: 'listed' | 'other'): Promise<AppCount> => ({
    outside: await machine.sentTo([askedBy[who].bytes[family]]),
    inside: await world.insideTo(who, family),
  })
  return { listed: await of('listed'), other: await of('other') }
}

const desktopEntry = `umask 022
mkdir -p /usr/local/share/applications
printf '[Desktop Entry]\\nType=Application\\nName=Bank\\nExec=/usr/local/bin/bank\\n' >/usr/local/share/applications/bank.desktop
printf '#!/bin/sh\\n' >/usr/local/bin/bank
chmod +x /usr/local/bin/bank`

/**
 * Starts an app as GNOME does; it asks its own host over the family that comes through its pipe, and writes what that one sees into
 * another.
 */
function startApp(app: string, name: string, who: 'listed' | 'other'): string {
  const ask = (family: 'ipv4' | 'ipv6') => askAddress(family, askedBy[who])
  return `cd; rm -f ${name}.ask ${name}.seen; mkfifo ${name}.ask ${name}.seen
cat >${name}.sh <<'END'
while read -r family <${name}.ask; do
  case $family in ipv4) ${ask('ipv4')};; *) ${ask('ipv6')};; esac >${name}.seen
done
END
systemd-run --user --scope --quiet --collect --slice=app.slice --unit=app-gnome-${app}-$RANDOM.scope bash ${name}.sh >${name}.log 2>&1 </dev/null &
until systemctl --user list-units --no-legend "app-gnome-*.scope" | grep -q .; do sleep 0.2; done
`
}

const askIn = (name: string, family: 'ipv4' | 'ipv6') => `cd; echo ${family} >${name}.ask; cat ${name}.seen`
