import type { AppsSplit } from '../../contract/apps'
import type { TunnelEvent } from './tunnel'

/** The user whose apps they are. */
export const appsUser = 65_534
/** Answer in the clear and through the tunnel. */
export const everywhere = ['198.51.100.7', '2001:db8:7::7'] as const
/** The beginnings of the computer's own addresses on the network and in the tunnels. */
export const own = {
  outside: ['10.77.1.2', 'fd77:1::2'],
  wireguard: ['10.88.0.2', 'fd88::2'],
  run: ['10.89.0.', 'fd89::'],
} as const
/** Where TCP and UDP answer with the address that they see: one port for each app, whose packets nobody else's can be. */
export const firstPort = 7001
export const ports = 64

/** A program of the user in a control group: it connects and sends, and says who the other end takes it for. */
export const appProgram = `
const net = require('net'), dgram = require('dgram')
const kept = {}
const commands = {
  tcp: (host, port, name) => new Promise((resolve) => {
    const socket = kept[name] = net.connect({ host, port })
    const timer = setTimeout(resolve, 3000, 'silence')
    socket.setNoDelay()
    socket.once('data', (data) => { clearTimeout(timer); resolve(String(data)) })
    socket.on('error', (error) => resolve(error.code))
    socket.on('close', () => resolve('closed'))
  }),
  again: (name) => new Promise((resolve) => {
    const socket = kept[name]
    setTimeout(resolve, 3000, 'silence').unref()
    socket.once('data', (data) => resolve(String(data)))
    socket.once('error', (error) => resolve(error.code))
    socket.once('close', () => resolve('closed'))
    socket.write('x')
  }),
  udp: (host, port, name) => new Promise((resolve) => {
    const socket = kept[name] ??= dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4')
    const done = (answer) => { clearTimeout(timer); socket.removeAllListeners(); socket.on('error', () => undefined); resolve(answer) }
    const timer = setTimeout(done, 1500, 'silence')
    socket.once('message', (data) => done(String(data)))
    socket.once('error', (error) => done(error.code))
    socket.send('x', port, host, (error) => { if (error) done(error.code) })
  }),
  listen: (port) => new Promise((resolve) => {
    net.createServer((socket) => socket.end('hello')).listen(port, '::', () => resolve('listening'))
  }),
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [id, command, ...words] = JSON.parse(line)
  commands[command](...words).then((answer) => console.log(JSON.stringify([id, answer])))
}).on('close', () => process.exit())
console.log('ready')
`

/** Answers with the address that it sees. */
export const echoProgram = `
const net = require('net'), dgram = require('dgram')
const plain = (address) => address.replace(/^::ffff:/, '')
const answer = (socket) => {
  socket.on('error', () => undefined)
  socket.write(plain(socket.remoteAddress))
  socket.on('data', () => socket.write(plain(socket.remoteAddress)))
}
const udp = (port, address, answer) => {
  const socket = dgram.createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (_, from) => socket.send(answer + from.address, from.port, from.address))
  socket.bind(port, address)
}
for (let port = ${firstPort}; port < ${firstPort + ports}; port += 1) {
  net.createServer(answer).listen(port, '::')
  for (const address of ${JSON.stringify(everywhere)}) udp(port, address, '')
}
udp(53, '10.88.0.1', 'inside asked by ')
udp(53, '10.77.1.1', 'outside asked by ')
console.log('ready')
process.stdin.on('end', () => process.exit()).resume()
`

/** Returns what a tunnel said last of its apps. */
export function lastApps(events: readonly TunnelEvent[]): AppsSplit | undefined {
  return events
    .flatMap((event) =>
      event.event === 'apps' ? [event.apps] : 'details' in event ? (event.details.apps ?? []) : [],
    )
    .at(-1)
}
