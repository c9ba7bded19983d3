import { chown, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { BuiltCommand, Person, printed } from './causeway.testing'
import { startMockThrough } from './mock-through.testing'
import { polkitAgent } from './polkit-agent.testing'
import { mayMakePrivateComputer, PrivateComputer, privateUser } from '../privilege/private-computer.testing'
import { rows, slow } from '../../scripts/slow.testing'

// Runs the real pkexec, polkitd and sudo, with their own system bus and /etc.

const here = await mayMakePrivateComputer([
  '/usr/lib/polkit-1/polkitd',
  'pkexec',
  'pkttyagent',
  'script',
  'sudo',
  'gdbus',
])
if (!here) {
  process.stderr.write(
    'Left out, because no private computer with polkit can be made here: pkexec and sudo in the terminal.\n',
  )
}

const tree = join(import.meta.dirname, '..', '..')
const helper = '/usr/libexec/causeway/causeway-helper'

/** Sets up polkit with a rule that reads its answer from a file, so that tests can change it. */
const polkit = `
mkdir -p /etc/polkit-1/rules.d
cat >/etc/polkit-1/rules.d/10-test.rules <<'END'
polkit.addRule(function (action) {
  if (action.id === 'org.causeway.helper' || action.id === 'org.freedesktop.policykit.exec')
    return { yes: polkit.Result.YES, no: polkit.Result.NO, ask: polkit.Result.AUTH_SELF, own: undefined }[
      polkit.spawn(['/bin/cat', '/run/answer']).trim()
    ]
})
END
install -D -m 0755 -- "$1/out/helper/causeway-helper" /usr/libexec/causeway/causeway-helper
install -m 0644 -- "$1/helper/org.causeway.helper.policy" /usr/share/polkit-1/actions/
echo no >/run/answer
tied /usr/lib/polkit-1/polkitd --no-debug
gdbus wait --system --timeout 20 org.freedesktop.PolicyKit1
`

describe.runIf(here)('causeway connect by an unprivileged user', () => {
  let computer: PrivateComputer
  let command: BuiltCommand
  let mock: Awaited<ReturnType<typeof startMockThrough>>
  let person: Person
  let folder: string

  beforeAll(async () => {
    command = await BuiltCommand.make({ ownProcesses: true })
    computer = await PrivateComputer.make(tree, polkit)
    mock = await startMockThrough(computer.asRoot)
    const [, script] = command.words
    await chmod(join(script, '..'), 0o755)
    folder = await mkdtemp(join(tmpdir(), 'causeway-rights-'))
    person = new Person(['/srv/node', join('/srv/tree', relative(tree, script))], folder, true)
    await chown(folder, privateUser, privateUser)
    const through = computer.asUser
    expect(await person.run(['instance', 'add', mock.instance], { through })).toMatchObject({ status: 0 })
    expect(await person.run(['login'], { through })).toMatchObject({ status: 0 })
  })

  afterAll(async () => {
    await mock.stop()
    await computer.remove()
    await command.remove()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(() => computer.run('echo no >/run/answer'))

  const failure = () => person.failure(['connect', 'office'], { through: computer.asUser })

  /** Connects, checks the processes, ends with Ctrl-C, and checks that nothing is left. */
  async function connectAndLookAround(): Promise<void> {
    const run = person.start(['connect', 'office', '--prefer-tcp', '--json'], { through: computer.asUser })
    await printed(run, '"state":"connected"')
    const routes = await computer.run('ip -4 route')
    const device = /dev (cw\d+t)/.exec(routes)?.[1] ?? ''
    expect(device).not.toBe('')
    const status = await computer.run(`cat /proc/$(pgrep -x -f 'openvpn.* --dev ${device} .*')/status`)
    expect(status).toMatch(new RegExp(`^Uid:\\t${String(privateUser)}\\t${String(privateUser)}\\t`, 'm'))
    expect(status).toMatch(/^CapEff:\t0000000000001000$/m)
    const address = /^(10\.99\.\d+)\.0\/24/m.exec(routes)?.[1] ?? ''
    await computer.run(`ping -c 1 -W 5 ${address}.1`)

    run.kill('SIGINT')
    expect((await run).exitCode).toBe(0)
    expect(await computer.run('ip link; ip route')).not.toMatch(/cw\d+t/)
    await nothingRuns()
    expect(await computer.run(`ls /run/causeway/${String(privateUser)}`)).toBe('')
  }

  /** Waits until no process of the helper and OpenVPN runs on this private computer. */
  const nothingRuns = () =>
    vi.waitUntil(
      async () =>
        (await computer.processes()).every(
          (words) => !/causeway-helper|pkexec|^openvpn.* --dev cw/.test(words),
        ),
      { interval: 50 },
    )

  /** Starts a polkit agent for the process, then `connect`. */
  function connectWithAgent(answer: 'dismiss' | 'wait') {
    const waiting = `
rm -f "$HOME/agent"; mkfifo "$HOME/agent"
setpriv --pdeathsig KILL /srv/node -e "$AGENT" $$ ${answer} >"$HOME/agent" 2>"$HOME/agent.errors" </dev/null &
exec 9<"$HOME/agent"
read -r ready <&9
[ "$ready" = ready ] || exit 99
exec "$@"
`
    return person.start(['connect', 'office', '--json'], {
      through: [...computer.asUser, '/bin/sh', '-c', waiting, 'sh'],
      env: { AGENT: polkitAgent },
    })
  }

  const sessions = [
    ['ask', 'session-cannot-ask'],
    ['no', 'session-cannot-ask'],
    ['yes', 'session-without-display'],
  ] as const
  it.each(rows(sessions, 1))(
    'has a doctor that says what works here if polkit answers %s',
    async (answer, code) => {
      await computer.run(`echo ${answer} >/run/answer`)
      const { stdout } = await person.run(['doctor', '--json'], { through: computer.asUser })
      expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'session', code }))
    },
  )

  it('runs OpenVPN as the user with one capability if polkit allows it, and leaves nothing', async () => {
    await computer.run('echo yes >/run/answer')
    await connectAndLookAround()
  })

  const refusals = [
    ['polkit asks for an administrator without an agent', 'own'],
    ['polkit refuses', 'no'],
  ] as const
  it.each(rows(refusals, 1))('reports missing permission if %s', async (_what, answer) => {
    await computer.run(`echo ${answer} >/run/answer`)
    expect(await failure()).toMatchObject({
      status: 7,
      code: 'helper/not-authorized',
      message:
        "You don't have permission to set up a VPN connection on this computer. Ask this computer's administrator, or connect from the desktop session, where you can enter a password.",
    })
    await nothingRuns()
  })

  slow('works for the members of a group that an administrator allows, and for nobody else', async () => {
    await computer.run(`echo own >/run/answer
user=$(id -nu ${String(privateUser)})
echo 'strangers:x:4320:' >>/etc/group
echo "vpn-users:x:4321:$user" >>/etc/group`)
    const through = computer.asRoot
    const rule = '/etc/polkit-1/rules.d/49-causeway-helper.rules'
    const allow = (group: string) => person.run(['helper', 'allow', '--group', group], { through })
    for (const name of ['none-such', 'vpn-users")) {} //', '-x', ''])
      expect(await allow(name)).toMatchObject({ status: 2, stdout: '' })
    expect(await computer.run(`ls ${rule} 2>&1 || true`)).toContain('No such file')

    // Nobody is in it who could be asked about.
    expect(await allow('strangers')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("isn't tested") as unknown,
    })
    await expect.poll(failure, { interval: 200 }).toMatchObject({ code: 'helper/not-authorized' })
    expect(await allow('vpn-users')).toMatchObject({
      status: 0,
      stdout: 'Members of the group vpn-users can now connect without a password.',
    })
    expect(await computer.run(`stat -c '%a %u' ${rule}; ls /etc/polkit-1/rules.d`)).toMatch(
      /^644 0\n10-test.rules\n49-causeway-helper.rules$/m,
    )
    // Polkit reads its rules again when it sees that they have changed.
    await vi.waitUntil(
      async () => {
        const { stdout } = await person.run(['doctor', '--json'], { through: computer.asUser })
        return stdout.includes('session-without-display')
      },
      { interval: 200 },
    )
    const run = person.start(['connect', 'office', '--json'], { through: computer.asUser })
    await printed(run, '"state":"connected"')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(0)
    // One group more or less leaves the others.
    const listed = async () => (await person.run(['helper', 'groups', '--json'], { through })).stdout
    expect(await listed()).toBe('["strangers","vpn-users"]')
    const deny = (group: string) => person.run(['helper', 'deny', '--group', group], { through })
    expect(await deny('strangers')).toMatchObject({
      status: 0,
      stdout: "Members of the group strangers can't connect without a password any more.",
    })
    expect(await listed()).toBe('["vpn-users"]')
    // Whoever isn't permitted to hears what was refused.
    await computer.run('echo no >/run/answer')
    const refused = await person.run(['helper', 'deny', '--group', 'vpn-users'], { through: computer.asUser })
    expect(refused).toMatchObject({
      status: 7,
      stderr: expect.stringContaining(
        "The groups that may use Causeway's helper couldn't be changed.",
      ) as unknown,
    })
    await computer.run('echo own >/run/answer')
    // The rule is for one action only.
    const other = 'pkcheck --action-id org.freedesktop.policykit.exec --process $$'
    const { status } = await person.run([], { through: [...computer.asUser, '/bin/sh', '-c', other, 'sh'] })
    expect(status).not.toBe(0)
    expect(await deny('vpn-users')).toMatchObject({ status: 0 })
    expect(await computer.run(`ls ${rule} 2>&1 || true`)).toContain('No such file')
    expect(await listed()).toBe('[]')
    expect(await allow('strangers')).toMatchObject({ status: 0 })
    // A rule that comes first.
    await computer.run('echo no >/run/answer')
    expect(await allow('vpn-users')).toMatchObject({ status: 7, stdout: '' })
    expect(await listed()).toBe('["strangers"]')
    expect(await deny('strangers')).toMatchObject({ status: 0 })
  })

  slow('writes the rule in the form that polkit 0.105 reads, and asks it', async () => {
    const rules = '/etc/polkit-1/localauthority/50-local.d'
    // As polkit 0.105 does: pkcheck says yes to the group that the file names.
    await computer.run(`echo "old-users:x:4322:$(id -nu ${String(privateUser)})" >>/etc/group
mkdir -p ${rules} /run/real
cp /usr/bin/pkaction /usr/bin/pkcheck /run/real
printf '#!/bin/sh\\necho pkaction version 0.105\\n' >/usr/bin/pkaction
printf '#!/bin/sh\\n[ $(id -u) != 0 ] && grep -qE "^Identity=(.*;)?unix-group:old-users" ${rules}/*.pkla || exit 2\\n' >/usr/bin/pkcheck`)
    const through = computer.asRoot
    const allow = (group: string) => person.run(['helper', 'allow', '--group', group], { through })
    expect(await allow('old-users')).toMatchObject({
      status: 0,
      stdout: 'Members of the group old-users can now connect without a password.',
    })
    expect(await computer.run(`cat ${rules}/causeway-helper.pkla`)).toContain('Action=org.causeway.helper\n')
    expect(await computer.run('ls /etc/polkit-1/rules.d')).not.toContain('causeway')
    expect(await allow('strangers')).toMatchObject({ status: 0 })
    const identities = () => computer.run(`grep ^Identity ${rules}/causeway-helper.pkla`)
    expect(await identities()).toBe('Identity=unix-group:old-users;unix-group:strangers')
    const deny = (group: string) => person.run(['helper', 'deny', '--group', group], { through })
    expect(await deny('old-users')).toMatchObject({ status: 0 })
    expect(await allow('vpn-users')).toMatchObject({ status: 7 })
    expect(await identities()).toBe('Identity=unix-group:strangers')
    expect(await deny('strangers')).toMatchObject({ status: 0 })
    expect(await computer.run(`ls ${rules}`)).not.toContain('causeway')
    await computer.run('cp /run/real/* /usr/bin')
  })

  /** Runs a command in a pseudo-terminal, which it copies to and from its standard streams, and names it in a file. */
  const inTerminal = [
    '/bin/sh',
    '-c',
    'exec script --quiet --return --flush --command "tty >$HOME/terminal; exec $*" /dev/null',
    'sh',
  ]

  /** Starts `connect` in a terminal. `shows` waits for a text that comes after the last one that was waited for. */
  function connectInTerminal(through = [...computer.asUser, ...inTerminal]) {
    const run = person.start(['connect', 'office'], { through })
    let shown = ''
    run.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    const shows = async (text: string) => {
      await vi.waitUntil(() => shown.includes(text), { timeout: 30_000, interval: 20 })
      const end = shown.indexOf(text) + text.length
      const before = shown.slice(0, end)
      shown = shown.slice(end)
      return before
    }
    /** Answers once the terminal doesn't echo any more: what is typed between question and that is thrown away. */
    const answer = async (password: string) => {
      await shows('Password: ')
      await vi.waitUntil(
        async () => (await computer.run(`stty -a -F "$(cat ${folder}/terminal)"`)).includes(' -echo '),
        { interval: 20 },
      )
      run.stdin.write(`${password}\n`)
    }
    return { run, shows, answer }
  }

  it('asks for the password in the terminal if no agent can, and the doctor knows', async () => {
    await computer.run("echo ask >/run/answer; echo 'causeway-test:correct horse' | chpasswd")
    const { stdout } = await person.run(['doctor', '--json'], {
      through: [...computer.asUser, ...inTerminal],
    })
    expect(stdout).toContain('session-without-display')

    const { run, shows, answer } = connectInTerminal()
    await answer('correct horse')
    const shown = await shows('Press Ctrl-C to disconnect')
    expect(shown).not.toContain('correct horse')
    run.stdin.write('\x03')
    expect((await run).exitCode).toBe(0)
    await nothingRuns()
  })

  slow('gives three tries for the password in the terminal, and then says that it was wrong', async () => {
    await computer.run("echo ask >/run/answer; echo 'causeway-test:correct horse' | chpasswd")
    const wrong = connectInTerminal()
    for (let tries = 1; tries <= 3; tries += 1) await wrong.answer('battery staple')
    const { stdout, exitCode } = await wrong.run
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 7,
      stdout: expect.stringContaining("The password wasn't correct.") as string,
    })
    expect(stdout).not.toContain("Ask this computer's administrator")
    await nothingRuns()

    const right = connectInTerminal()
    await right.answer('battery staple')
    await right.answer('correct horse')
    await right.shows('Press Ctrl-C to disconnect')
    right.run.stdin.write('\x03')
    expect((await right.run).exitCode).toBe(0)
    await nothingRuns()
  })

  slow('leaves the terminal as it was if the question is left with Ctrl-C', async () => {
    await computer.run('echo ask >/run/answer')
    const script = 'trap : INT; "$@"; stty -a | tr " " "\\n" | grep -x -e echo -e -echo'
    const through = [
      ...computer.asUser,
      '/bin/sh',
      '-c',
      `exec script -qefc "/bin/sh $HOME/there $*" /dev/null`,
      'sh',
    ]
    await writeFile(join(folder, 'there'), script)
    const { run, shows } = connectInTerminal(through)
    await shows('Password: ')
    run.stdin.write('\x03')
    const { stdout } = await run
    expect(stdout.trim().split('\n').at(-1)).toBe('echo')
    await nothingRuns()
  })

  it('reports a dismissed request', async () => {
    await computer.run('echo ask >/run/answer')
    const { exitCode, stdout, stderr } = await connectWithAgent('dismiss')
    expect(stdout.split('\n').at(-1)).toContain('"state":"failed"')
    expect({ exitCode, error: JSON.parse(stderr) as unknown }).toMatchObject({
      exitCode: 7,
      error: {
        error: {
          code: 'helper/dismissed',
          message:
            "The permission request was dismissed, so Causeway didn't connect. Connect again, and answer the request.",
        },
      },
    })
    await nothingRuns()
  })

  /** Starts `connect` and waits for the request. Returns an object, because the command itself would be awaited. */
  async function connectUntilAsked(): Promise<{ readonly run: ReturnType<typeof connectWithAgent> }> {
    await computer.run('echo ask >/run/answer')
    const run = connectWithAgent('wait')
    await printed(run, '"phase":"starting"')
    await vi.waitUntil(async () => (await computer.processes()).some((words) => words.includes('pkexec')), {
      interval: 20,
    })
    return { run }
  }

  slow('ends cleanly on Ctrl-C during the request', async () => {
    const { run } = await connectUntilAsked()
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    await nothingRuns()
  })

  it('ends the request when it is killed', async () => {
    const { run } = await connectUntilAsked()
    run.kill('SIGKILL')
    expect((await run).signal).toBe('SIGKILL')
    await nothingRuns()
  })

  slow('reports a missing helper', async () => {
    await computer.run(`mv ${helper} ${helper}.away`)
    try {
      expect(await failure()).toMatchObject({ status: 7, code: 'helper/not-installed' })
    } finally {
      await computer.run(`mv ${helper}.away ${helper}`)
    }
  })

  it('installs the helper if polkit allows it, and changes nothing otherwise', async () => {
    await computer.run(`mv ${helper} ${helper}.away`)
    const install = () => person.run(['helper', 'install'], { through: computer.asUser })
    const installed = () => computer.run(`stat -c '%a %u' ${helper} 2>&1 || true`)
    try {
      const refused = await install()
      expect(refused.status).toBe(7)
      expect(refused.stderr).toContain('Permission was denied')
      expect(await installed()).toContain('No such file')
      await computer.run('echo yes >/run/answer')
      expect(await install()).toMatchObject({ status: 0 })
      expect(await installed()).toBe('755 0')
    } finally {
      await computer.run(`mv ${helper}.away ${helper}`)
    }
  })

  describe('with sudo only', () => {
    const sudoers = '/etc/sudoers.d/causeway-test'

    beforeAll(() => computer.run('mv /usr/bin/pkexec /usr/bin/pkexec.away'))
    afterAll(() => computer.run('mv /usr/bin/pkexec.away /usr/bin/pkexec'))

    it('connects with a rule without a password, and leaves nothing', async () => {
      const rule = `#${String(privateUser)} ALL=(root) NOPASSWD: ${helper}`
      await writeFile(join(folder, 'rule'), `${rule}\n`)
      await computer.run(`install -m 0440 ${join(folder, 'rule')} ${sudoers}`)
      await connectAndLookAround()
      await computer.run(`rm ${sudoers}`)
    })

    it('reports missing permission without a rule', async () => {
      expect(await failure()).toMatchObject({ status: 7, code: 'helper/not-authorized' })
      await nothingRuns()
    })
  })
})
