import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayMakeNamespaces } from '../privilege/helper.testing'
import { createProfileChoices } from '../connection/profile-list'
import { BuiltCommand, type RunOptions } from './causeway.testing'
import { rows, slow } from '../../scripts/slow.testing'

/** Shows /etc with another folder causeway, to the command only. */
const withPolicy = `mount -t overlay overlay -o "lowerdir=$0:/etc" /etc && exec "$@"`

/** Needs root, for a mount namespace with a policy. */
describe.runIf(await mayMakeNamespaces())('causeway on a computer with a policy', () => {
  let command: BuiltCommand
  let etc: string
  let options: RunOptions

  beforeAll(async () => {
    command = await BuiltCommand.make()
    etc = await mkdtemp(join(tmpdir(), 'causeway-etc-'))
    await chmod(etc, 0o755)
    await mkdir(join(etc, 'causeway'))
    options = { through: ['/usr/bin/unshare', '-m', '/bin/sh', '-c', withPolicy, etc] }
  })

  afterAll(async () => {
    await command.remove()
    await rm(etc, { recursive: true, force: true })
  })

  const write = (policy: unknown) => writeFile(join(etc, 'causeway', 'policy.json'), JSON.stringify(policy))

  it('lists its instances and its settings as set by the administrator, and changes neither', async () => {
    await write({ instances: [{ address: 'https://vpn.example.org/' }], settings: { killSwitch: true } })
    const person = await command.person()
    const listed = await person.run(['settings', 'list'], options)
    expect(listed.stdout).toMatch(/^killSwitch +true +set by your administrator$/m)
    const instances = await person.run(['instance', 'list', '--json'], options)
    expect(JSON.parse(instances.stdout)).toEqual([
      { id: 'vpn.example.org', address: 'https://vpn.example.org/', managed: true },
    ])
    expect(await person.failure(['settings', 'set', 'killSwitch', 'false'], options)).toMatchObject({
      status: 2,
      code: 'settings/managed',
    })
    expect(await person.failure(['instance', 'remove', 'vpn.example.org'], options)).toMatchObject({
      status: 2,
      code: 'usage/managed-instance',
    })
  })

  it('lets no option replace its settings, and options for its own values or for others', async () => {
    await write({ settings: { openvpnPath: '/usr/sbin/openvpn', preferTcp: true, discovery: '' } })
    const person = await command.person('http://127.0.0.1:9')
    const replacing = [
      ['doctor', '--openvpn', '/tmp/openvpn'],
      ['discover', 'school', '--discovery', 'https://lists.example.org/'],
    ]
    for (const args of rows(replacing, 1))
      expect(await person.failure(args, options)).toMatchObject({ status: 2, code: 'settings/managed' })
    expect(await person.failure(['connect', 'office', '--prefer-tcp', '--check'], options)).toMatchObject({
      code: 'http/unreachable',
    })
  })

  slow("shows no choices for profiles where the administrator's is for all", async () => {
    const person = await command.person()
    const stored = { dataDirectory: person.dataDir, now: () => new Date(), registerForget: () => undefined }
    const target = { instanceId: 'vpn.example.org', profileId: 'office' }
    await createProfileChoices(stored).choose({ ...target, appsMode: 'only' })
    const profiles = async (): Promise<unknown> =>
      (JSON.parse((await person.run(['apps', 'list', '--json'], options)).stdout) as { profiles: unknown })
        .profiles
    await write({})
    expect(await profiles()).toEqual([{ instance: 'vpn.example.org', profileId: 'office', mode: 'only' }])
    await write({ settings: { appsMode: 'except' } })
    expect(await profiles()).toEqual([])
  })

  it('refuses to work with a policy that has a mistake, and names it', async () => {
    await write({ settings: { killswitch: true } })
    const person = await command.person()
    for (const args of rows([['connect'], ['settings', 'list'], ['profile', 'list']], 1)) {
      const failure = await person.failure(args, options)
      expect(failure).toMatchObject({ status: 1, code: 'policy/unusable' })
      expect(failure.message).toContain('killswitch')
    }
  })

  slow('diagnoses, reports, and ends a connection with a policy that has a mistake', async () => {
    await write({ settings: { killswitch: true } })
    const person = await command.person('http://127.0.0.1:9')
    const json = async (...args: string[]) => {
      const { stdout, stderr } = await person.run([...args, '--json'], options)
      return JSON.parse(stdout === '' ? stderr : stdout) as unknown
    }
    const finding = {
      name: 'policy',
      status: 'missing',
      code: 'policy-invalid',
      facts: {
        path: '/etc/causeway/policy.json',
        problem: 'settings.killswitch is unknown (did you mean killSwitch?)',
      },
    }
    const findings = (await json('doctor')) as { name: string }[]
    expect(findings[0]).toMatchObject(finding)
    expect(JSON.stringify(findings)).not.toContain('policy/unusable')
    expect(await json('report')).toMatchObject({ settings: { killSwitch: false }, managed: [] })
    expect(await json('status')).toMatchObject({ state: 'disconnected' })
    expect(await json('disconnect')).toMatchObject({ state: 'disconnected' })
    expect(await json('log')).toContainEqual(expect.objectContaining({ event: 'started' }))
    expect(await json('helper', 'status')).not.toHaveProperty('error')
  })

  slow('tells support what it sets, and in the doctor what it leaves out', async () => {
    await write({ settings: { killSwitch: true, allowedHours: '8-18' } })
    const person = await command.person()
    const { stdout } = await person.run(['report', '--json'], options)
    expect(JSON.parse(stdout)).toMatchObject({ settings: { killSwitch: true }, managed: ['killSwitch'] })
    const received = await person.run(['report'], options)
    expect(received.stdout).toMatch(/^Set by the policy\n {2}killSwitch$/m)
    expect(received.stdout).toMatch(/settings\.allowedHours/)
  })

  it('checks a policy before it is rolled out, also where the one in effect has a mistake', async () => {
    await write({ settings: { killswitch: true } })
    const person = await command.person()
    const file = join(etc, 'new.json')
    await writeFile(file, JSON.stringify({ settings: { killSwitch: true, allowedHours: '8-18' } }))
    const { status, stdout } = await person.run(['policy', 'check', file], options)
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^settings\.killSwitch +true +users can't change it\nsettings\.allowedHours +this version doesn't know it/m,
      ) as string,
    })
    // The one in effect doesn't matter.
    const json = await person.run(['policy', 'check', file, '--json'])
    expect(JSON.parse(json.stdout)).toEqual({
      usable: true,
      instances: [],
      settings: { killSwitch: true },
      skipped: ['settings.allowedHours'],
    })
    await writeFile(file, JSON.stringify({ settings: { killswitch: true } }))
    expect(await person.failure(['policy', 'check', file])).toMatchObject({
      status: 1,
      code: 'policy/invalid-file',
      details: { problem: 'settings.killswitch is unknown (did you mean killSwitch?)' },
    })
    expect(await person.failure(['policy', 'check', join(etc, 'none.json')])).toMatchObject({
      status: 1,
      code: 'policy/invalid-file',
    })
  })
})
