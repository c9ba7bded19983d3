import { connect } from 'node:net'

import { CausewayError } from '../../errors'
import {
  readFailure,
  readStart,
  serviceError,
  serviceFailed,
  serviceMissing,
  type StartupData,
  startupMessage,
} from './windows-service-messages'

/** Far more than the service ever sends. */
const maxAnswerBytes = 16_384

/** An OpenVPN started by the service. */
export interface ServiceConversation {
  readonly pid: number
  /**
   * Resolves with OpenVPN's exit code once it has ended and the service has undone its settings; undefined if the service
   * disappeared without one. Never rejects.
   */
  readonly ended: Promise<number | undefined>
  /** Ends the conversation: `ended` resolves without an exit code. */
  giveUp(): void
}

/**
 * Asks the service to start OpenVPN. The connection stays open: its end means that OpenVPN has ended.
 *
 * @throws CausewayError `helper/service-missing`, `helper/service-refused`, `helper/not-authorized`, `helper/failed`
 */
export function askService(pipe: string, data: StartupData, timeoutMs: number): Promise<ServiceConversation> {
  const message = startupMessage(data)
  return new Promise((resolve, reject) => {
    const socket = connect(pipe)
    const timer = setTimeout(() => socket.destroy(serviceFailed('silent')), timeoutMs)
    let received = Buffer.alloc(0)
    let failure: Error | undefined
    let startLength: number | undefined
    let tellEnd: (exitCode: number | undefined) => void = () => undefined

    // In one write: the service treats its first read as the whole message.
    socket.on('connect', () => socket.write(message))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length > maxAnswerBytes) {
        socket.destroy(serviceFailed('unreadable-answer'))
        return
      }
      const start = startLength === undefined ? readStart(textOf(received)) : undefined
      if (start === undefined) return
      clearTimeout(timer)
      startLength = start.length
      resolve({
        pid: start.pid,
        ended: new Promise((settle) => (tellEnd = settle)),
        giveUp: () => {
          tellEnd(undefined)
          socket.destroy()
        },
      })
    })
    // The service always breaks the pipe at the end.
    socket.on('error', (error) => (failure = error))
    socket.on('close', () => {
      clearTimeout(timer)
      const text = textOf(received)
      if (startLength === undefined) {
        const refusal = readFailure(text)
        reject(refusal === undefined ? noAnswer(failure) : serviceError(refusal))
      } else {
        tellEnd(exitCode(text.slice(startLength)))
      }
    })
  })
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf16le')
}

/** Returns the exit code; the service sends a last message only if OpenVPN failed. */
function exitCode(lastWords: string): number | undefined {
  return lastWords === '' ? 0 : readFailure(lastWords)?.exitCode
}

function noAnswer(failure: Error | undefined): CausewayError {
  if (failure instanceof CausewayError) return failure
  switch (failure !== undefined && 'code' in failure ? failure.code : undefined) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return serviceMissing()
    case 'EACCES':
    case 'EPERM':
      return new CausewayError('helper/not-authorized')
    default:
      return serviceFailed('unreadable-answer')
  }
}
