import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import english from '../../contract/locales/en/terminal.json' with { type: 'json' }
import { policySchema } from '../../contract/policy'
import { createPolicyFinder, parsePolicy, policyReader } from './policy'

const owner = process.getuid?.() ?? 0
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-policy-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const key = `RW${'A'.repeat(54)}`

const read = (platform: NodeJS.Platform = 'linux') =>
  policyReader(createPolicyFinder({ platform, folder, owner }))()
const write = (policy: unknown) =>
  writeFile(join(folder, 'policy.json'), typeof policy === 'string' ? policy : JSON.stringify(policy))

describe.skipIf(process.platform === 'win32')('the policy of a computer', () => {
  it('sets nothing without a policy', async () => {
    expect(await read()).toEqual({ instances: [], settings: {} })
    await rm(folder, { recursive: true })
    expect(await read()).toEqual({ instances: [], settings: {} })
  })

  it('sets instances, and only the settings that it names', async () => {
    const policy = {
      instances: [{ address: 'https://vpn.example.org/', clientId: 'org.example.client', apiVersion: 3 }],
      settings: { killSwitch: true, language: 'nl', updates: false },
      updates: { url: 'https://updates.example.org/', keys: [key] },
    }
    await write(policy)
    expect(await read()).toEqual(policy)
  })

  it.each([
    ['no JSON', '{'],
    ['no object', []],
    ['a name that is unknown', { settings: { killswitch: true } }],
    ['a part with a typing error', { setting: { killSwitch: true } }],
    ['a version that is newer than this one', { minimumVersion: '99.0.0' }],
    ['no version', { minimumVersion: 'new' }],
    ['a wrong value', { settings: { killSwitch: 'yes' } }],
    ['a setting that the system keeps', { settings: { startAtLogin: true } }],
    ['a program by a relative path', { settings: { openvpnPath: 'openvpn' } }],
    ['an invalid address', { instances: [{ address: 'not an address' }] }],
    ['a client ID with a line feed', { instances: [{ address: 'vpn.example.org', clientId: 'a\nb' }] }],
    ['updates without encryption', { updates: { url: 'http://updates.example.org/', keys: [key] } }],
    ['updates without a key', { updates: { url: 'https://updates.example.org/' } }],
    ['updates with no key in the list', { updates: { url: 'https://updates.example.org/', keys: [] } }],
    ['lists of organizations without encryption', { settings: { discovery: 'http://lists.example.org/' } }],
    ['lists of organizations without a key', { settings: { discovery: 'https://lists.example.org/' } }],
  ])('is refused with %s', async (_, policy) => {
    await write(policy)
    const path = join(folder, 'policy.json')
    await expect(read()).rejects.toMatchObject({
      code: 'policy/unusable',
      details: { path, reason: 'invalid' },
    })
  })

  it('skips what only a newer version knows, and names every mistake with what was meant', () => {
    const text = (policy: object) => JSON.stringify(policy)
    expect(
      parsePolicy(
        text({
          banner: 'Hello',
          minimumVersion: '0.1.0',
          instances: [{ address: 'vpn.example.org', displayOrder: 1 }],
          settings: { killSwitch: true, allowedHours: '8-18' },
        }),
      ),
    ).toMatchObject({
      policy: { instances: [{ address: 'vpn.example.org' }], settings: { killSwitch: true } },
      skipped: ['instances.0.displayOrder', 'settings.allowedHours', 'banner'],
      problems: [],
    })
    const wrong = text({
      setings: {},
      killSwitch: true,
      instances: [{ adress: 'vpn.example.org' }],
      settings: { killswitch: true, theme: 'pink', startAtLogin: true },
    })
    expect(parsePolicy(wrong).problems).toEqual(
      expect.arrayContaining([
        'setings is unknown (did you mean settings?)',
        'killSwitch is unknown (did you mean settings.killSwitch?)',
        'instances.0.adress is unknown (did you mean address?)',
        'settings.killswitch is unknown (did you mean killSwitch?)',
        'settings.theme: must be one of these: system, light, dark',
        "settings.startAtLogin can't be set by a policy",
      ]),
    )
  })

  it.each([
    [{ locked: ['newOne'], settings: { newOne: true } }, 'locked'],
    [{ settings: { newOne: { value: true, locked: true } } }, 'settings.newOne'],
    [{ settings: { lockNewOne: true } }, 'settings.lockNewOne'],
    [{ instances: [{ address: 'vpn.example.org', isLocked: 1 }] }, 'instances.0.isLocked'],
  ])('is refused if something unknown locks: %o', (policy, name) => {
    const problem = `${name} is unknown to this version, and locks something`
    expect(parsePolicy(JSON.stringify(policy)).problems).toEqual([problem])
  })

  it('takes what unlocks, or only sounds alike, for a newer version', () => {
    const policy = { settings: { blockAds: true, newOne: { locked: false } }, clock: '24' }
    expect(parsePolicy(`\uFEFF${JSON.stringify(policy)}`)).toMatchObject({
      skipped: ['settings.blockAds', 'settings.newOne', 'clock'],
      problems: [],
    })
  })

  it('is refused if others can change its file or its folder', async () => {
    await write({})
    const untrusted = { code: 'policy/unusable', details: { reason: 'untrusted' } }
    await expect(
      policyReader(createPolicyFinder({ platform: 'linux', folder, owner: owner + 1 }))(),
    ).rejects.toMatchObject(untrusted)
    await chmod(join(folder, 'policy.json'), 0o664)
    await expect(read()).rejects.toMatchObject(untrusted)
    await chmod(join(folder, 'policy.json'), 0o644)
    await chmod(folder, 0o777)
    await expect(read()).rejects.toMatchObject(untrusted)
    await chmod(folder, 0o755)
    await expect(read()).resolves.toEqual({ instances: [], settings: {} })
  })

  it('is refused if it is not a regular file, or never ends', async () => {
    await mkdir(join(folder, 'policy.json'))
    await expect(read()).rejects.toMatchObject({ code: 'policy/unusable', details: { reason: 'unreadable' } })
    await rm(join(folder, 'policy.json'), { recursive: true })
    await symlink('/dev/zero', join(folder, 'policy.json'))
    await expect(read()).rejects.toMatchObject({ code: 'policy/unusable' })
    await rm(join(folder, 'policy.json'))
    await write(`{}${' '.repeat(2 ** 20)}`)
    await expect(read()).rejects.toMatchObject({ code: 'policy/unusable', details: { reason: 'invalid' } })
  })

  it('is refused, and not taken for missing, if a link to it leads nowhere', async () => {
    const unreadable = { code: 'policy/unusable', details: { reason: 'unreadable' } }
    await symlink('/nonexistent/policy.json', join(folder, 'policy.json'))
    await expect(read()).rejects.toMatchObject(unreadable)
    await rm(folder, { recursive: true })
    await symlink('/nonexistent', folder)
    await expect(read()).rejects.toMatchObject(unreadable)
  })

  it('is read once, but again after a failure', async () => {
    const reader = policyReader(createPolicyFinder({ platform: 'linux', folder, owner }))
    await write('{')
    await expect(reader()).rejects.toMatchObject({ code: 'policy/unusable' })
    await write({ settings: { preferTcp: true } })
    expect(await reader()).toMatchObject({ settings: { preferTcp: true } })
    await write({ settings: { preferTcp: false } })
    expect(await reader()).toMatchObject({ settings: { preferTcp: true } })
  })
})

describe('the policy on Windows', () => {
  const inRegistry = (answer: unknown) =>
    policyReader(
      createPolicyFinder({
        platform: 'win32',
        helper: (word) => [
          process.execPath,
          '-e',
          `if (process.argv[1] === 'policy') console.log(${JSON.stringify(JSON.stringify(answer))})`,
          word,
        ],
      }),
    )()

  it('is a text in the registry', async () => {
    const text = '{"settings": {"killSwitch": true}}'
    expect(await inRegistry({ kind: 'text', text })).toMatchObject({ settings: { killSwitch: true } })
  })

  it('is absent if the value is missing, and refused with another type', async () => {
    expect(await inRegistry({ kind: 'none', text: '' })).toEqual({ instances: [], settings: {} })
    await expect(inRegistry({ kind: 'other', text: '' })).rejects.toMatchObject({
      code: 'policy/unusable',
      details: { problem: 'Policy is not a text (REG_SZ)' },
    })
  })

  it('is never taken for missing where it cannot be read', async () => {
    await expect(inRegistry({ kind: 'unknown' })).rejects.toMatchObject({
      code: 'helper/windows-helper-unusable',
    })
    const helper = () => ['/nonexistent/causeway-helper.exe'] as const
    await expect(createPolicyFinder({ platform: 'win32', helper })()).rejects.toMatchObject({
      code: 'helper/windows-helper-unusable',
    })
  })
})

it('can be pasted from its documentation', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/administrators.md'), 'utf8')
  const example = /^## Policy\n[^]*?```json\n([^]*?)```/m.exec(page)?.[1]
  expect(parsePolicy(example ?? '')).toMatchObject({ skipped: [], problems: [], policy: { instances: [{}] } })
})

it('has its schema beside its documentation', async () => {
  expect(policySchema.parse({ $schema: 'policy.schema.json' })).toMatchObject({ instances: [], settings: {} })
  const descriptions = new Map(Object.entries(english.settings.allowed))
  const schema = z.toJSONSchema(policySchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const text = descriptions.get(jsonSchema.description ?? '')
      if (text !== undefined) jsonSchema.description = text
    },
  })
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/policy.schema.json')
})

it.each([
  [
    '{"settings": {"killSwitch": true, "theme": "dark", "killSwitch": false}}',
    'settings.killSwitch is there more than once',
  ],
  ['{"settings": {"killSwitch": true}, "settings": {}}', 'settings is there more than once'],
  [
    JSON.stringify({ instances: [{ address: 'vpn.example.org' }, { address: 'https://VPN.example.org/' }] }),
    'instances.1: it has the same address as instances.0',
  ],
  [
    '{"settings": {"discovery": "https://lists.example.org/"}}',
    'settings.discovery needs settings.discoveryKey, the public key of these lists',
  ],
])('says where a policy contradicts itself: %s', (text, problem) => {
  expect(parsePolicy(text).problems).toEqual([problem])
})

it('takes lists of organizations that are turned off, without a key', () => {
  expect(parsePolicy('{"settings": {"discovery": ""}}').problems).toEqual([])
})
