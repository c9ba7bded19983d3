import type { App } from '../http/app'

const extraBytes = 20 * 1024 * 1024

/** Adds twenty megabytes: a field to JSON, a comment to a configuration. */
function oversized(payload: Buffer, contentType: string): Buffer {
  const padding = Buffer.alloc(extraBytes, 'a')
  if (contentType !== 'application/json') return Buffer.concat([payload, Buffer.from('\r\n# '), padding])
  const start = payload.subarray(0, payload.lastIndexOf('}'))
  return Buffer.concat([start, Buffer.from(',"padding":"'), padding, Buffer.from('"}')])
}

/** Makes the answers of these routes longer than any client should read while the scenario requires it. */
export function addOversizedAnswers(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (request.world.vpn.situation.isOversized !== true || !isText) {
      done(null, payload)
      return
    }
    const bytes = Buffer.from(payload)
    const longer = oversized(bytes, String(reply.getHeader('content-type')))
    reply.header('content-length', longer.length)
    done(null, longer)
  })
}
