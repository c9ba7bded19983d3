/** A desktop in the container of scripts/installed-debian.ts, in which polkit's agent asks a person for the password. */

/** What the desktop consists of, and what takes the place of the person. */
export const desktopPackages = [
  'libpam-systemd',
  'polkitd',
  'pkexec',
  'lxpolkit',
  'xvfb',
  'openbox',
  'xdotool',
]

const person = 'anna'
const password = 'correct horse'

/** Lines of a script for root that create the person, and run the checks in a session of theirs. */
export const setUpDesktop = `useradd --create-home --groups sudo,systemd-journal ${person}
  echo '${person}:${password}' | chpasswd
  systemctl start desktop`

/**
 * Returns the files of the desktop by their paths.
 *
 * @param instance the address of a portal that approves every sign-in
 * @param profile the profile to connect to
 * @param output the file for what the checks print
 */
export function desktopFiles(instance: string, profile: string, output: string): Record<string, string> {
  return {
    // A login with a session, but without a seat, as on a remote desktop: polkit asks whoever doesn't sit at the computer.
    'etc/systemd/system/desktop.service': `[Unit]
Description=Checks in a desktop session

[Service]
Type=oneshot
User=${person}
PAMName=login
Environment=XDG_SESSION_TYPE=x11 DISPLAY=:7 CAUSEWAY_SECRET_STORE=file
WorkingDirectory=~
StandardOutput=append:${output}
StandardError=inherit
ExecStart=/usr/local/bin/use-desktop.sh
`,
    'usr/local/bin/use-desktop.sh': [startDesktop, useAgent(instance, profile)].join('\n'),
  }
}

const startDesktop = `#!/bin/bash
set -Eeuxo pipefail
trap 'kill $(jobs -p)' EXIT

wait_for() { timeout 120 sh -c "until $1; do sleep 0.5; done"; }

Xvfb "$DISPLAY" -screen 0 1024x768x24 -nolisten tcp &
wait_for 'xdotool getmouselocation'
openbox &
# Nothing gets the focus before.
wait_for 'xdotool get_desktop'
lxpolkit &
wait_for "journalctl --boot --unit polkit | grep 'Registered Authentication Agent for unix-session'"
`

/** Leaves the question with Escape, answers it, and answers it wrongly first. */
function useAgent(instance: string, profile: string): string {
  return `causeway instance add ${instance}
causeway login --browser 'curl --silent --location --output /dev/null'

# xdotool fails if a window closes while it looks through them.
focus() { wait_for "xdotool search --onlyvisible --name '^$1$' windowactivate --sync"; }
connect() {
  timeout 120 causeway connect ${profile} --detach --json >said 2>&1 &
  connecting=$!
}
# lxpolkit takes a password as soon as its window is there; other agents show where to type it later.
answer() {
  focus Authentication
  xdotool type "$1"
  xdotool key Return
}
expect_tunnel() {
  wait "$connecting"
  # Only the tunnel leads there.
  curl --silent --fail --max-time 60 --output /dev/null "$(curl --silent --fail ${instance}_mock/tunnel | grep -o 'http://10[^"]*')"
  causeway disconnect --wait
  [ -z "$(ip -oneline link show type tun)" ]
}

connect
focus Authentication
xdotool key Escape
status=0
wait "$connecting" || status=$?
cat said
[ "$status" = 7 ]
# lxpolkit doesn't tell polkit that somebody left the question.
grep '"helper/not-authorized"' said

connect
answer '${password}'
expect_tunnel

connect
answer 'battery staple'
focus Error
xdotool key Return
answer '${password}'
expect_tunnel
`
}
