import { describe, expect, it } from 'vitest'
import { helperError, parseHelperMessage } from './helper-messages'

it('has a sentence of its own for a user with the most helpers at once', () => {
  const error = helperError({ message: 'failed', reason: 'too-many' })
  expect(error.code).toBe('helper/too-many-tunnels')
  expect(error.message).toContain('the most VPN connections')
})

it('says to restart where something could not be undone', () => {
  const { message } = helperError({ message: 'failed', reason: 'undo', step: 'undo', cause: 'EIO' })
  expect(message).toMatch(/couldn't undo everything .* Restart this computer/)
})

describe('the cause of a failure', () => {
  it.each([
    ['failed stopped', { reason: 'stopped' }],
    ['failed records make-folder', { reason: 'records', step: 'make-folder' }],
    ['failed device make-device EPERM', { reason: 'device', step: 'make-device', cause: 'EPERM' }],
  ])('is read from: %s', (line, expected) => {
    const message = parseHelperMessage(`causeway-helper: ${line}`)
    expect(message).toEqual({ message: 'failed', step: undefined, cause: undefined, ...expected })
  })

  it('picks no other error than the reason alone', () => {
    const failure = { message: 'failed', reason: 'kill-switch', step: 'nft', cause: 'exit-1' } as const
    const error = helperError(failure)
    expect(error).toMatchObject({
      code: 'helper/kill-switch-failed',
      variant: process.platform === 'win32' ? 'windows' : undefined,
      details: { reason: 'kill-switch', step: 'nft', cause: 'exit-1' },
    })
  })
})

const device = { inPackets: 3, inBytes: 400, outPackets: 5, lost: 6 }

describe('a message of the helper', () => {
  it.each([
    ['problem nft', { message: 'problem' }],
    ['started cw12t kernel', { message: 'started', device: 'cw12t' }],
    ['dns applied resolvconf all', { message: 'dns', outcome: 'applied', way: 'resolvconf', allNames: true }],
    ['dns applied else', { message: 'dns', outcome: 'applied', way: undefined, allNames: undefined }],
    ['dns cannot immutable', { message: 'dns', outcome: 'cannot', problem: 'immutable' }],
    ['dns lost networkmanager', { message: 'dns', outcome: 'lost', problem: undefined }],
    ['kill-switch left', { message: 'kill-switch', state: 'left' }],
    ['local-network blocked', { message: 'local-network', state: 'blocked' }],
    ['local-network unknown', { message: 'local-network', state: 'unknown' }],
    ['remote 192.0.2.1 51820', { message: 'remote', address: '192.0.2.1', port: 51_820 }],
    ['remote 2001:db8::1 1', { message: 'remote', address: '2001:db8::1', port: 1 }],
    ['handshake', { message: 'handshake' }],
    ['handshake - 1 2', { message: 'handshake', counters: { received: 1, sent: 2 } }],
    [
      'handshake 9 1 2 no-way',
      { message: 'handshake', seconds: 9, counters: { received: 1, sent: 2, hasNoWay: true } },
    ],
    [
      'handshake 9 1 2 3 400 5 6',
      { message: 'handshake', seconds: 9, counters: { received: 1, sent: 2, device } },
    ],
    [
      'handshake 9 1 2 3 400 - 6',
      {
        message: 'handshake',
        seconds: 9,
        counters: { received: 1, sent: 2, device: { ...device, outPackets: undefined } },
      },
    ],
    ['resolve same', { message: 'resolve', outcome: 'same' }],
    ['next changed', { message: 'next', outcome: 'changed' }],
    ['dial permitted 5', { message: 'dial', outcome: 'permitted' }],
    ['test small', { message: 'test', outcome: 'small' }],
    ['app added', { message: 'app', outcome: 'added' }],
    ['route-kept 192.168.1.0/24', { message: 'route-kept', network: '192.168.1.0/24' }],
    ['repaired cw1t', { message: 'repaired', device: 'cw1t' }],
    ['killed SIGKILL', { message: 'killed', signal: 'SIGKILL' }],
    ['refused apps', { message: 'refused', directive: 'apps' }],
  ])('is read: %s', (line, expected) => {
    expect(parseHelperMessage(`causeway-helper: ${line}`)).toEqual(expected)
  })

  it('names the addresses of each server that may be reached', () => {
    expect(parseHelperMessage('causeway-helper: permitted 0=192.0.2.1 2=2001:db8::1 0=192.0.2.2')).toEqual({
      message: 'permitted',
      addresses: new Map([
        [0, ['192.0.2.1', '192.0.2.2']],
        [2, ['2001:db8::1']],
      ]),
    })
  })

  it.each([
    'sudo: a password is required',
    ' causeway-helper: started cw1t',
    'causeway-helper: unheard-of',
    'causeway-helper: dns perhaps',
    'causeway-helper: kill-switch perhaps',
    'causeway-helper: local-network perhaps',
    'causeway-helper: permitted 0=vpn.example.org',
    'causeway-helper: permitted 192.0.2.1',
    'causeway-helper: remote vpn.example.org 51820',
    'causeway-helper: remote 192.0.2.1 none',
    'causeway-helper: next perhaps',
    'causeway-helper: dial perhaps',
    'causeway-helper: test perhaps',
    'causeway-helper: app perhaps',
  ])('is nothing else, such as of another version: %s', (line) => {
    expect(parseHelperMessage(line)).toBeUndefined()
  })
})

it('blames the apps where an older helper refuses them', () => {
  for (const directive of ['apps', 'app'])
    expect(helperError({ message: 'refused', directive })).toMatchObject({ variant: 'apps' })
  expect(helperError({ message: 'refused', directive: 'plugin' }, 'linux')).toMatchObject({
    code: 'helper/refused',
    variant: undefined,
    details: { directive: 'plugin' },
  })
})

describe('an error on Windows', () => {
  it('names the service that refused, and what the user can do there', () => {
    const error = helperError({ message: 'refused', directive: 'plugin' }, 'win32')
    expect(error).toMatchObject({
      code: 'helper/refused',
      variant: 'own-service',
      details: { directive: 'plugin' },
    })
    expect(error.message).toMatch(/^Causeway's service .* installer\.$/)
    expect(error.message).not.toContain('helper')
  })

  it.each([
    ['kill-switch', 'helper/kill-switch-failed', 'windows', undefined],
    ['records', 'helper/failed', 'own-service', undefined],
  ] as const)('has its own words for the reason %s', (reason, code, onWindows, elsewhere) => {
    const failure = { message: 'failed', reason } as const
    expect(helperError(failure, 'win32')).toMatchObject({ code, variant: onWindows })
    for (const platform of ['linux', 'darwin'] as const)
      expect(helperError(failure, platform)).toMatchObject({ code, variant: elsewhere })
  })
})

it.each([
  ['pf', 'helper/kill-switch-failed', 'pf'],
  ['no-nft', 'helper/kill-switch-failed', undefined],
  ['other-tunnel', 'helper/other-tunnel', undefined],
  ['not-at-console', 'helper/not-authorized', undefined],
  ['not-owner', 'helper/not-authorized', 'not-owner'],
  ['service-missing', 'helper/not-installed', 'service'],
  ['service-of-others', 'helper/failed', 'own-service'],
])('blames what failed: %s', (reason, code, variant) => {
  expect(helperError({ message: 'failed', reason })).toMatchObject({ code, variant })
})
