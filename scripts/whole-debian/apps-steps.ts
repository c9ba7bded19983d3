import {
  asPerson,
  askAddress,
  asRoot,
  connect,
  disconnect,
  expect,
  isDirect,
  protocols,
  type Stage,
  type Step,
} from './stage'

/** Apps as a desktop starts them, in units of the person's own systemd. */
export const appsSteps: readonly Step[] = protocols.flatMap((protocol) =>
  (['except', 'only'] as const).map((mode) => ({
    name: `${protocol}: apps, ${mode === 'except' ? 'all but the listed one' : 'only the listed one'}`,
    run: async (stage: Stage) => {
      await asRoot(stage, desktopEntry)
      await asPerson(stage, `causeway apps add bank && causeway apps mode ${mode}`)
      await asPerson(stage, startApp('bank', 'early'))
      await connect(stage, protocol)
      await asPerson(stage, startApp('bank', 'late') + startApp('other', 'other'))
      const isListedDirect = mode === 'except'
      for (const [app, isOutside] of [
        ['early', isListedDirect],
        ['late', isListedDirect],
        ['other', !isListedDirect],
      ] as const)
        for (const family of ['ipv4', 'ipv6'] as const) {
          const seen = await asPerson(stage, askIn(app, family))
          expect(
            /^[\da-f:.]+$/.test(seen.trim()) && isDirect(seen) === isOutside,
            `${app} over ${family}: the internet sees ${seen}`,
          )
        }
      const listed = await asPerson(stage, 'causeway apps list')
      expect(/running|now/i.test(listed) && listed.includes('bank'), listed)
      await asPerson(stage, 'systemctl --user stop "app-*.scope"; causeway apps mode all')
      await disconnect(stage)
    },
  })),
)

const desktopEntry = `umask 022
mkdir -p /usr/local/share/applications
printf '[Desktop Entry]\\nType=Application\\nName=Bank\\nExec=/usr/local/bin/bank\\n' >/usr/local/share/applications/bank.desktop
printf '#!/bin/sh\\n' >/usr/local/bin/bank
chmod +x /usr/local/bin/bank`

/** Starts an app as GNOME does; it asks over the family that comes through its pipe, and writes what the internet sees into another. */
function startApp(app: string, name: string): string {
  return `cd; rm -f ${name}.ask ${name}.seen; mkfifo ${name}.ask ${name}.seen
cat >${name}.sh <<'END'
while read -r family <${name}.ask; do
  case $family in ipv4) ${askAddress('ipv4')};; *) ${askAddress('ipv6')};; esac >${name}.seen
done
END
systemd-run --user --scope --quiet --collect --slice=app.slice --unit=app-gnome-${app}-$RANDOM.scope bash ${name}.sh >${name}.log 2>&1 </dev/null &
until systemctl --user list-units --no-legend "app-gnome-*.scope" | grep -q .; do sleep 0.2; done
`
}

const askIn = (name: string, family: 'ipv4' | 'ipv6') => `cd; echo ${family} >${name}.ask; cat ${name}.seen`
