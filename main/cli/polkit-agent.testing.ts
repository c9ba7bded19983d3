/**
 * A Node program that registers with polkit as the authentication agent of the process in its first argument and prints
 * `ready`. Its second argument is the answer to all requests: `dismiss`, or `wait` for ever. It implements only the part of
 * D-Bus that it needs, so no desktop is required.
 */
export const polkitAgent = `
const { connect } = require('node:net')
const { readFileSync } = require('node:fs')
const [pid, answer] = process.argv.slice(1)
const start = readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/^.*[)] /s, '').split(' ')[19]

class Writer {
  bytes = []
  align(to) { while (this.bytes.length % to !== 0) this.bytes.push(0); return this }
  byte(...values) { this.bytes.push(...values); return this }
  u32(value) { this.align(4); for (let shift = 0; shift < 32; shift += 8) this.bytes.push((value >>> shift) & 255); return this }
  u64(text) { this.align(8); const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(text)); this.bytes.push(...b); return this }
  string(text) { this.u32(Buffer.byteLength(text)); this.bytes.push(...Buffer.from(text), 0); return this }
  signature(text) { this.bytes.push(text.length, ...Buffer.from(text), 0); return this }
}

let serial = 0
function message(type, fields, signature, body) {
  const header = new Writer().byte(108, type, 0, 1).u32(body.length).u32(++serial).u32(0)
  const all = signature === '' ? fields : [...fields, [8, 'g', signature]]
  for (const [code, kind, value] of all) {
    header.align(8).byte(code).signature(kind)
    if (kind === 'g') header.signature(value)
    else if (kind === 'u') header.u32(value)
    else header.string(value)
  }
  const length = header.bytes.length - 16
  for (let at = 0; at < 4; at += 1) header.bytes[12 + at] = (length >>> (8 * at)) & 255
  socket.write(Buffer.from([...header.align(8).bytes, ...body]))
}
const call = (to, path, type, member, signature, body) =>
  message(1, [[1, 'o', path], [2, 's', type], [3, 's', member], [6, 's', to]], signature, body)

const socket = connect('/run/dbus/system_bus_socket')
socket.write('\\0AUTH EXTERNAL ' + Buffer.from(String(process.getuid())).toString('hex') + '\\r\\n')
let heard = Buffer.alloc(0)
let began = false
socket.on('data', (chunk) => {
  heard = Buffer.concat([heard, chunk])
  if (!began) {
    if (!heard.includes('\\r\\n')) return
    began = true
    heard = Buffer.alloc(0)
    socket.write('BEGIN\\r\\n')
    call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'Hello', '', [])
    register()
    return
  }
  for (;;) {
    if (heard.length < 16) return
    const fieldsEnd = 16 + heard.readUInt32LE(12)
    const whole = Math.ceil(fieldsEnd / 8) * 8 + heard.readUInt32LE(4)
    if (heard.length < whole) return
    take(heard[1], heard.readUInt32LE(8), heard.subarray(16, fieldsEnd))
    heard = heard.subarray(whole)
  }
})

function register() {
  const body = new Writer().string('unix-process')
  const properties = new Writer()
  properties.string('pid').signature('u').u32(Number(pid))
  properties.align(8).string('start-time').signature('t').u64(start)
  properties.align(8).string('uid').signature('i').u32(process.getuid())
  body.u32(properties.bytes.length).align(8).byte(...properties.bytes)
  body.string('C').string('/agent')
  const authority = 'org.freedesktop.PolicyKit1.Authority'
  call('org.freedesktop.PolicyKit1', '/org/freedesktop/PolicyKit1/Authority', authority,
    'RegisterAuthenticationAgent', '(sa{sv})ss', body.bytes)
}

function take(type, number, fields) {
  // The second call was the registration.
  if (type === 3) throw new Error(heard.toString('latin1'))
  if (type === 2 && replyTo(fields) === 2) console.log('ready')
  if (type !== 1) return
  console.log('asked')
  if (answer === 'dismiss') {
    message(3, [[4, 's', 'org.freedesktop.PolicyKit1.Error.Cancelled'], [5, 'u', number], [6, 's', senderOf(fields)]], '', [])
  }
}
const replyTo = (fields) => {
  const at = fields.indexOf(Buffer.from([5, 1, 117, 0]))
  return at < 0 ? 0 : fields.readUInt32LE(at + 4)
}
const senderOf = (fields) => {
  const at = fields.indexOf(Buffer.from([7, 1, 115, 0]))
  return fields.toString('latin1', at + 8, at + 8 + fields.readUInt32LE(at + 4))
}
`
