import { expect, it } from 'vitest'

import { gatherPushReply, readPushedDns, readPushedOptions } from './push-reply'

it('joins a push reply of several messages', () => {
  const first = gatherPushReply([], ['route 10.0.0.0 255.0.0.0', 'push-continuation 2'])
  expect(first.complete).toBe(false)
  const second = gatherPushReply(first.options, ['ifconfig 10.88.0.10 255.255.255.0', 'push-continuation 1'])
  expect(second).toEqual({
    options: ['route 10.0.0.0 255.0.0.0', 'ifconfig 10.88.0.10 255.255.255.0'],
    complete: true,
  })
})

it('reads addresses and cipher, the last of each', () => {
  expect(
    readPushedOptions([
      'ifconfig 10.0.0.1 255.255.255.0',
      'ifconfig 10.88.0.10 255.255.255.0',
      'ifconfig-ipv6 fd88::1000/64 fd88::1',
      'cipher AES-256-GCM',
    ]),
  ).toEqual({ ipv4: '10.88.0.10', ipv6: 'fd88::1000', cipher: 'AES-256-GCM' })
})

it('ignores similar options', () => {
  expect(
    readPushedOptions([
      'ifconfig <b>x</b> 1',
      'ifconfig-ipv6 10.0.0.1/8 x',
      'cipher $(reboot)',
      'ifconfigx 1.2.3.4',
    ]),
  ).toEqual({})
})

it('takes no name server on this computer, on its link, or nowhere', () => {
  expect(
    readPushedDns([
      'dhcp-option DNS 127.0.0.53',
      'dhcp-option DNS 0.0.0.0',
      'dhcp-option DNS6 ::1',
      'dhcp-option DNS6 ::ffff:127.0.0.1',
      'dhcp-option DNS 169.254.169.253',
      'dhcp-option DNS6 fe80::1',
      'dhcp-option DNS 224.0.0.251',
      'dhcp-option DNS6 ff02::fb',
      'dhcp-option DNS 255.255.255.255',
      'dns server 1 address 127.9.9.9:53 10.89.0.53',
    ]),
  ).toEqual({ servers: ['10.89.0.53'], domains: [] })
  expect(readPushedDns(['dhcp-option DNS 127.0.0.1'])).toBeUndefined()
})
