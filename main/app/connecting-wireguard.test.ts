import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { TestNamespace } from '../platform/network/namespace.testing'
import { asksResolved, mayMakeNamespaces, ownEtc } from '../privilege/helper.testing'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import type { Observations } from './wireguard-computer.testing'

const folder = '/usr/libexec/causeway'
/** With the helper installed, and a program in place of systemd's resolvectl. */
const asInstalled = `
mount -t tmpfs layers /mnt
mkdir /mnt/upper /mnt/work
printf '#!/bin/sh\n' >/mnt/upper/resolvectl
chmod 755 /mnt/upper/resolvectl
mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=/mnt/upper,workdir=/mnt/work /usr/bin
mount -t tmpfs -o mode=755 libexec /usr/libexec
mkdir ${folder}
mkdir /mnt/own
cp -a /etc /mnt/own
${ownEtc('/mnt/own')}${asksResolved('/mnt/own')}cp "$0"/causeway-helper "$0"/causeway-wireguard ${folder}
exec "$@"
`

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)

/** Needs root, a tun device, nft and wg. The computer has a network of its own, in which the tunnel takes all traffic. */
it.runIf(may)(
  'connects through the real helper, and mends what happens to the tunnel',
  async () => {
    const network = await TestNamespace.make(`causeway-cw-${process.pid}`)
    if (network === undefined) throw new Error('No network namespace.')
    try {
      const [ip, ...through] = network.through
      const words = ['unshare', '-m', 'sh', '-ec', asInstalled, join(builtUserspaceWireGuard, '..')]
      const node = [
        process.execPath,
        inject('programs').processes.wireGuardComputer,
        join(folder, 'causeway-helper'),
      ]
      const { stdout } = await execa(ip, [...through, ...words, ...node], { timeout: 150_000 })
      const login = ['GET /oauth/authorize', 'GET /oauth/authorize', 'POST /oauth/token']
      const asked = ['GET /api/v3/info', 'POST /api/v3/connect']
      const started = ['remote SERVER', 'started DEVICE', 'dns-way resolvectl=used', 'dns applied resolvectl']
      const up = { answers: [true, true], leftovers: 'a tunnel' }
      const down = {
        states: ['disconnecting', 'disconnected'],
        output: [],
        answers: [],
        leftovers: 'nothing',
        notes: [],
      }
      const connecting = [
        'connecting/starting',
        'connecting/contacting',
        'connecting/configuring',
        'connected',
      ]
      expect(JSON.parse(stdout) as Observations).toEqual({
        connected: {
          ...up,
          states: ['discovering', 'authorizing', 'preparing', ...connecting],
          requests: ['GET /.well-known/vpn-user-portal', ...login, ...asked],
          output: [...started, 'test full'],
          notes: ['secret-store/in-file', 'wireguard over udp, handshake'],
        },
        reconnected: {
          ...up,
          states: ['reconnecting/requested', 'connected'],
          requests: [],
          output: ['resolve same', 'test full'],
          notes: [],
        },
        refused: {
          ...up,
          states: ['reconnecting/unreachable', 'connected'],
          requests: [],
          output: ['resolve same', 'test full'],
          notes: [],
        },
        renewed: {
          ...up,
          states: ['connected', 'reconnecting/no-answer', 'connected'],
          requests: asked,
          output: ['resolve same', ...started, ...started, 'test full'],
          notes: [],
        },
        mended: {
          ...up,
          states: ['reconnecting/device-gone', 'connected'],
          requests: [],
          output: ['gone route', ...started, 'test full'],
          notes: [],
        },
        disconnected: { ...down, requests: ['POST /api/v3/disconnect'] },
        'with small packets': {
          ...up,
          states: ['discovering', 'preparing', ...connecting],
          requests: asked,
          output: [...started, 'test small', 'mtu 1280', 'test full'],
          notes: [],
        },
        'disconnected again': { ...down, requests: ['POST /api/v3/disconnect'] },
        'over TCP': {
          ...up,
          states: ['discovering', 'preparing', ...connecting.slice(0, 2), 'preparing', ...connecting],
          requests: [...asked, ...asked],
          output: [...started, ...started, 'test full'],
          notes: ['moved to TCP', 'wireguard over tcp, handshake'],
        },
        'disconnected from TCP': { ...down, requests: ['POST /api/v3/disconnect'] },
      })
    } finally {
      await network.remove()
    }
  },
  180_000,
)
