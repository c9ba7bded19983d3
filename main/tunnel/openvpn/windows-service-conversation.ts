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

/** Far more than the service ever says. */
const maxAnswerBytes = 16_384

/** An OpenVPN that the service runs. */
export interface ServiceConversation {
  readonly pid: number
  /**
   * Settles when OpenVPN is gone and the service has undone its settings, with its exit code; undefined where the service
   * went away without a word of it. Never rejects.
   */
  readonly ended: Promise<number | undefined>
}

/**
 * Asks the service to start OpenVPN. The connection stays: its end tells that OpenVPN has ended.
 *
 * @throws CausewayError `helper/service-missing`, `helper/service-refused`, `helper/not-authorized`, `helper/failed`
 */
export function askService(
  pipe: string,
  data: StartupData,
  patienceMs: number,
): Promise<ServiceConversation> {
  const message = startupMessage(data)
  return new Promise((resolve, reject) => {
    const socket = connect(pipe)
    const impatience = setTimeout(() => socket.destroy(serviceFailed('silent')), patienceMs)
    let heard = Buffer.alloc(0)
    let failure: Error | undefined
    let startLength: number | undefined
    let tellEnd: (exitCode: number | undefined) => void = () => undefined

    // In one piece: the service takes what it reads first as the whole message.
    socket.on('connect', () => socket.write(message))
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk])
      if (heard.length > maxAnswerBytes) {
        socket.destroy(serviceFailed('unreadable-answer'))
        return
      }
      const start = startLength === undefined ? readStart(textOf(heard)) : undefined
      if (start === undefined) return
      clearTimeout(impatience)
      startLength = start.length
      resolve({ pid: start.pid, ended: new Promise((settle) => (tellEnd = settle)) })
    })
    // The service ends by breaking the pipe, also when it has said all.
    socket.on('error', (error) => (failure = error))
    socket.on('close', () => {
      clearTimeout(impatience)
      const text = textOf(heard)
      if (startLength === undefined) {
        const said = readFailure(text)
        reject(said === undefined ? unheard(failure) : serviceError(said))
      } else {
        tellEnd(exitCode(text.slice(startLength)))
      }
    })
  })
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf16le')
}

/** The service says something at the end only where OpenVPN has failed. */
function exitCode(lastWords: string): number | undefined {
  return lastWords === '' ? 0 : readFailure(lastWords)?.exitCode
}

function unheard(failure: Error | undefined): CausewayError {
  if (failure instanceof CausewayError) return failure
  const code = (failure as NodeJS.ErrnoException | undefined)?.code ?? ''
  switch (code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return serviceMissing()
    case 'EACCES':
    case 'EPERM':
      return new CausewayError(
        'helper/not-authorized',
        "You don't have permission to set up a VPN connection on this computer. Ask this computer's administrator.",
      )
    default:
      return serviceFailed('unreadable-answer')
  }
}
