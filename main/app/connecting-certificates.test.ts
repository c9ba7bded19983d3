import { expect, it } from 'vitest'
import { TestClient } from '../../mock-server/test-client'
import { computerWithKeyPair, failure, newComputer, runningClients, startMock } from './connecting.testing'

const server = await startMock()
const { mock, control } = server

const accepted = { body: { check_certificate: { ok: true, data: { is_valid: true } } } }

/** Over TCP a server refuses a certificate at once; over UDP the client only times out after ten seconds. */
const quickly = { preferTcp: true } as const

/** Makes the instance always issue the same key pair, which its OpenVPN servers refuse. */
async function issueRefusedKeyPair(): Promise<void> {
  const person = new TestClient(mock)
  const { accessToken } = await person.logIn()
  const form = { method: 'POST', body: new URLSearchParams({ display_name: 'other' }) }
  const body = (await (await person.call(accessToken, '/create_keypair', form)).json()) as object
  await control.post('/certificates/revoke', { refusedIn: 'handshake' })
  await control.fault('/api/vpn/create_keypair', { body })
}

async function createdKeyPairs(): Promise<number> {
  return (await control.requests()).filter((request) => request === 'POST /api/vpn/create_keypair').length
}

it('creates one new key pair when the instance no longer knows the certificate', async () => {
  const computer = await computerWithKeyPair(server)
  await control.post('/certificates/revoke')
  await expect(computer.connect()).resolves.toBe('connected')
  expect(await createdKeyPairs()).toBe(1)
})

it('reports a clock mismatch, without a new key pair, when the certificate is not valid yet', async () => {
  const computer = await computerWithKeyPair(server)
  await control.fault('/api/vpn/check_certificate', {
    body: { check_certificate: { ok: true, data: { is_valid: false, reason: 'certificate_not_yet_valid' } } },
  })
  expect(await failure(computer.connect())).toMatchObject({ code: 'certificate/clock-mismatch' })
  expect(await createdKeyPairs()).toBe(0)
})

it.each([100, -100])(
  'reports a clock that is off by %i days, without a new key pair for each attempt',
  async (days) => {
    const computer = await newComputer(mock.instance, {
      now: () => new Date(Date.now() + days * 24 * 3_600_000),
    })
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await failure(computer.connect())).toMatchObject({ code: 'clock/wrong' })
    expect(await createdKeyPairs()).toBe(1)
  },
)

it('creates one new key pair and retries once when only the OpenVPN server refuses the certificate', async () => {
  const computer = await computerWithKeyPair(server)
  await control.fault('/api/vpn/check_certificate', accepted)
  await control.post('/certificates/revoke', { refusedIn: 'handshake' })
  await expect(computer.connect('internet', quickly)).resolves.toBe('connected')
  expect(computer.steps.filter((step) => ['preparing', 'connecting/starting'].includes(step))).toEqual([
    'preparing',
    'connecting/starting',
    'preparing',
    'connecting/starting',
  ])
  expect(await createdKeyPairs()).toBe(1)
})

it('gives up when the server also refuses the new key pair', async () => {
  const computer = await computerWithKeyPair(server)
  await control.fault('/api/vpn/check_certificate', accepted)
  await issueRefusedKeyPair()
  await control.requests()
  expect(await failure(computer.connect('internet', quickly))).toMatchObject({
    code: 'openvpn/certificate-rejected',
  })
  expect(await createdKeyPairs()).toBe(1)
  expect(runningClients()).toEqual([])
})

it('creates no second key pair when the first one is refused', async () => {
  await issueRefusedKeyPair()
  const computer = await newComputer(mock.instance)
  await control.requests()
  expect(await failure(computer.connect('internet', quickly))).toMatchObject({
    code: 'openvpn/certificate-rejected',
  })
  expect(await createdKeyPairs()).toBe(1)
})
