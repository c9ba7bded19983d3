import { describe, expect, it } from 'vitest'
import { ConnectionLog } from './connection-log'

function open(): ConnectionLog {
  return new ConnectionLog(() => new Date('2026-11-20T12:00:00Z'))
}

describe('the log of the connection', () => {
  it('returns the lines after a given number', () => {
    const log = open()
    log.add('TUN/TAP device tun0 opened')
    log.add('Initialization Sequence Completed')
    const at = Date.parse('2026-11-20T12:00:00Z')
    const second = { number: 2, at, text: 'Initialization Sequence Completed' }
    expect(log.after(0)).toEqual([{ number: 1, at, text: 'TUN/TAP device tun0 opened' }, second])
    expect(log.after(1)).toEqual([second])
    expect(log.after(2)).toEqual([])
    expect(log.after(99)).toEqual([])
  })

  it('keeps the last 2000 lines', () => {
    const log = open()
    for (let line = 1; line <= 9001; line++) log.add(`line ${line}`)
    const kept = log.after(0)
    expect(kept).toHaveLength(2000)
    expect(kept[0]).toMatchObject({ number: 7002, text: 'line 7002' })
    expect(log.after(9000).map(({ text }) => text)).toEqual(['line 9001'])
  })

  it('contains no secrets and nothing that identifies the user', () => {
    const log = open()
    const planted = [
      '-----BEGIN PRIVATE KEY-----MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg-----END PRIVATE KEY-----',
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgplanted',
      'Authorization: Bearer eyJhbGciOiJFZERTQSJ9planted',
      "PUSH: Received control message: 'PUSH_REPLY,auth-token SESS_ID_AT_0_Xk3kd93kd9Zk3kd93kd9Qm2planted=',",
      'Options error: cannot read /home/alice/planted-token',
      'password hunter-two-and-three of alice at 198.51.100.7',
    ]
    for (const line of planted) log.add(line)
    const received = log.after(0).map(({ text }) => text)
    expect(received).toHaveLength(planted.length)
    for (const secret of ['MIGH', 'eyJh', 'SESS_ID', '/home/alice', 'alice', 'hunter', '198.51'])
      expect(
        received.filter((text) => text.includes(secret)),
        secret,
      ).toEqual([])
  })
})
