import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, vi } from 'vitest'

import { type HelperOptions, type TunnelProgram, runHelper } from '../../privilege/helper-client'
import type { HelperMessage } from '../../privilege/helper-messages'
import { installTestHelper } from '../../privilege/helper.testing'

/**
 * Fakes macOS for the helper, with programs that record their arguments. OpenVPN runs until it is told to end if the file
 * `stay` exists. `pfctl` knows the calls that docs/helper.md describes, and prints rules as Apple's does.
 */
const macos = `
mount -t tmpfs -o mode=755 opt /opt
mkdir -p /opt/local/sbin /opt/homebrew/sbin $folder/programs $folder/anchors
if [ ! -f $folder/programs/scutil ]; then
cat >$folder/programs/scutil <<'END'
#!/bin/sh
input=$(cat)
printf '%s\\n' "$input" >>FOLDER/scutil.log
case $input in
  show*) cat FOLDER/names ;;
  remove*) rm -f FOLDER/names ;;
  *) [ -f FOLDER/deaf ] || printf '%s\\n' "$input" >FOLDER/names ;;
esac
END
cat >$folder/programs/route <<'END'
#!/bin/sh
printf '%s\\n' "$*" >>FOLDER/route.log
[ "$2" != delete ] || rm -f FOLDER/added
END
cat >$folder/programs/netstat <<'END'
#!/bin/sh
printf '%s\\n' 'Destination Gateway Flags Netif Expire' 'default 192.168.1.1 UGScg en0' '192.0.2.7/32 192.168.1.1 UGSc en0'
[ ! -f FOLDER/added ] || printf '%s\\n' '192.0.2.1/32 192.168.1.1 UGSc en0'
END
cat >$folder/programs/dscacheutil <<'END'
#!/bin/sh
rm -f FOLDER/asker
id -u >FOLDER/asker
[ "$*" != '-q host -a name vpn.example' ] || cat FOLDER/hosts
END
# dscacheutil runs as the user.
chmod 777 $folder
cat >$folder/programs/pfctl <<'END'
#!/bin/sh
printf '%s\\n' "$*" >>FOLDER/pfctl.log
case $* in
  '-s rules')
    echo 'scrub-anchor "com.apple/*" all fragment reassemble'
    [ -f FOLDER/foreign ] || echo 'anchor "com.apple/*" all' ;;
  '-s info')
    if [ -s FOLDER/tokens ]; then echo 'Status: Enabled for 0 days 00:00:01'; else echo 'Status: Disabled'; fi ;;
  -E)
    date +%s%N >FOLDER/token
    cat FOLDER/token >>FOLDER/tokens
    printf 'pf enabled\\nToken : %s\\n' "$(cat FOLDER/token)" >&2 ;;
  '-X '*)
    grep -qx -- "$2" FOLDER/tokens || exit 1
    sed -i "/^$2$/d" FOLDER/tokens ;;
  '-F states') ;;
  '-a com.apple/org.causeway.'*' -o none -f -')
    if [ -f FOLDER/deaf ]; then cat >/dev/null; else
      sed 's/ user \\([0-9]*\\)/ user = \\1/' >FOLDER/loading
      mv FOLDER/loading "FOLDER/anchors/\${2##*.}"
    fi ;;
  '-a com.apple/org.causeway.'*' -s rules') cat "FOLDER/anchors/\${2##*.}" ;;
  '-a com.apple/org.causeway.'*' -F rules') rm -f "FOLDER/anchors/\${2##*.}" ;;
  *) exit 2 ;;
esac
END
cat >$folder/programs/openvpn <<'END'
#!/bin/sh
printf '%s\\n' "$@" >FOLDER/arguments
env >FOLDER/environment
cat >FOLDER/configuration
[ -f FOLDER/stay ] || exit 0
trap 'rm -f FOLDER/added; printf ended >FOLDER/ended; exit 0' TERM
cp -r FOLDER/anchors FOLDER/anchors-before
touch FOLDER/added
printf '%s\\n' '/sbin/route add -net 192.0.2.1 192.168.1.1 255.255.255.255' \\
  '/sbin/route add -net 0.0.0.0 192.168.1.1 0.0.0.0' \\
  '/sbin/route add -net 192.0.2.7 192.168.1.1 255.255.255.255' '/sbin/route add -net 192.0.2.8;id x y' \\
  'Initialization Sequence Completed'
while :; do sleep 0.05; done
END
sed -i "s#FOLDER#$folder#g" $folder/programs/*
chmod 755 $folder/programs/*
cp $folder/programs/openvpn $folder/script
stand_in $folder/programs/openvpn
fi
[ ! -f $folder/stay ] || mount -t overlay overlay -o lowerdir=$folder/programs:/usr/sbin /usr/sbin
place=/opt/local/sbin
[ ! -f $folder/homebrew ] || place=/opt/homebrew/sbin
cp $folder/programs/openvpn $place/openvpn
[ ! -f $folder/homebrew ] || chown 501 $place
[ ! -f $folder/wrapped ] || cp $folder/script $place/openvpn
`

export const harmless = ['client', 'remote 192.0.2.1 1194 udp']

export interface RunningTunnel {
  readonly openVpn: TunnelProgram
  readonly lines: readonly string[]
  readonly words: readonly HelperMessage[]
}

/** A computer on which the helper of macOS runs with fake programs. */
export interface MacosComputer {
  readonly helper: string
  file(name: string): string
  /** Returns the text of a file in its folder, or undefined. */
  text(name: string): Promise<string | undefined>
  /** Deletes what an earlier test left. */
  reset(): Promise<void>
  /** Starts a tunnel through the app's launcher, which runs until it is ended. */
  launch(options?: Partial<HelperOptions & { killSwitch: boolean; remote: string }>): Promise<RunningTunnel>
  remove(): Promise<void>
}

export async function fakeMacos(prepare = ''): Promise<MacosComputer> {
  const installed = await installTestHelper(macos + prepare, '', 'macos')
  const file = (name: string) => path.join(installed.folder, name)
  return {
    helper: installed.helper,
    file,
    text: (name) => readFile(file(name), 'utf8').catch(() => undefined),
    reset: async () => {
      const left = [
        'stay',
        'deaf',
        'homebrew',
        'wrapped',
        'foreign',
        'ended',
        'names',
        'added',
        'arguments',
        'tokens',
      ]
      for (const name of [...left, 'anchors', 'anchors-before', 'scutil.log', 'route.log', 'pfctl.log'])
        await rm(file(name), { force: true, recursive: true })
      await writeFile(file('hosts'), '')
    },
    launch: async ({ killSwitch = false, remote = '192.0.2.1 1194 udp', ...options } = {}) => {
      await writeFile(file('stay'), '')
      const [lines, words]: [string[], HelperMessage[]] = [[], []]
      const openVpn = await runHelper(
        {
          helper: installed.helper,
          elevation: 'root',
          onMessage: (message) => words.push(message),
          ...options,
        },
        { command: 'run', configuration: `client\nremote ${remote}\n`, killSwitch },
      )
      void openVpn.followLog((line) => lines.push(line))
      await vi.waitFor(() => {
        expect(lines).toContain('Initialization Sequence Completed')
      })
      return { openVpn, lines, words }
    },
    remove: () => installed.remove(),
  }
}
