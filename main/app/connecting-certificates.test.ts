import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { TestClient } from '../../mock-server/test-client'
import { type Computer, failure, MockControl, newComputer, runningClients } from './connecting.testing'

// Where the servers may have no device, each client waits a second for one of its own.
vi.setConfig({ testTimeout: 20_000 })

let mock: MockServer
let control: MockControl

beforeAll(async () => {
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
  control = new MockControl(mock.control)
})
afterAll(() => mock.close())
beforeEach(() => control.post('/reset'))

const accepted = { body: { check_certificate: { ok: true, data: { is_valid: true } } } }

/** Over TCP a server that refuses a certificate breaks off at once; over UDP it says nothing for ten seconds. */
const quickly = { preferTcp: true } as const

/** A computer that was connected once, so that it holds a key pair; the journal is empty. */
async function computerWithKeyPair(): Promise<Computer> {
  const computer = await newComputer(mock.instance)
  await computer.connect()
  await computer.services.connection.disconnect()
  computer.steps.length = 0
  await control.requests()
  return computer
}

/** From now on the instance issues one and the same key pair, which its OpenVPN servers refuse. */
async function issueRefusedKeyPair(): Promise<void> {
  const person = new TestClient(mock)
  const { accessToken } = await person.logIn()
  const form = { method: 'POST', body: new URLSearchParams({ display_name: 'other' }) }
  const body = (await (await person.call(accessToken, '/create_keypair', form)).json()) as object
  await control.post('/certificates/revoke', { refusedIn: 'handshake' })
  await control.fault('/api/vpn/create_keypair', { body })
}

async function madeKeyPairs(): Promise<number> {
  return (await control.requests()).filter((request) => request === 'POST /api/vpn/create_keypair').length
}

it('makes one new pair when the instance does not know the certificate any more', async () => {
  const computer = await computerWithKeyPair()
  await control.post('/certificates/revoke')
  await expect(computer.connect()).resolves.toBe('connected')
  expect(await madeKeyPairs()).toBe(1)
})

it('says that the clocks disagree, and makes no new pair, when the certificate is not valid yet', async () => {
  const computer = await computerWithKeyPair()
  await control.fault('/api/vpn/check_certificate', {
    body: { check_certificate: { ok: true, data: { is_valid: false, reason: 'certificate_not_yet_valid' } } },
  })
  expect(await failure(computer.connect())).toMatchObject({ code: 'certificate/clock-mismatch' })
  expect(await madeKeyPairs()).toBe(0)
})

it.each([100, -100])(
  'says that the clock is wrong, and makes no new pair at each attempt, where it is off by %i days',
  async (days) => {
    const computer = await newComputer(mock.instance, {
      now: () => new Date(Date.now() + days * 24 * 3_600_000),
    })
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await failure(computer.connect())).toMatchObject({ code: 'clock/wrong' })
    expect(await madeKeyPairs()).toBe(1)
  },
)

it('makes one new pair and tries once more when only the OpenVPN server refuses the certificate', async () => {
  const computer = await computerWithKeyPair()
  await control.fault('/api/vpn/check_certificate', accepted)
  await control.post('/certificates/revoke', { refusedIn: 'handshake' })
  await expect(computer.connect('internet', quickly)).resolves.toBe('connected')
  expect(computer.steps.filter((step) => ['preparing', 'connecting/starting'].includes(step))).toEqual([
    'preparing',
    'connecting/starting',
    'preparing',
    'connecting/starting',
  ])
  expect(await madeKeyPairs()).toBe(1)
})

it('gives up when the server refuses the new pair as well', async () => {
  const computer = await computerWithKeyPair()
  await control.fault('/api/vpn/check_certificate', accepted)
  await issueRefusedKeyPair()
  await control.requests()
  expect(await failure(computer.connect('internet', quickly))).toMatchObject({
    code: 'openvpn/certificate-rejected',
  })
  expect(await madeKeyPairs()).toBe(1)
  expect(runningClients()).toEqual([])
})

it('makes no second pair when the very first one is refused', async () => {
  await issueRefusedKeyPair()
  const computer = await newComputer(mock.instance)
  await control.requests()
  expect(await failure(computer.connect('internet', quickly))).toMatchObject({
    code: 'openvpn/certificate-rejected',
  })
  expect(await madeKeyPairs()).toBe(1)
})
