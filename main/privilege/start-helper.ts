import path from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CausewayError } from '../errors'
import { startProgram } from '../platform/child-process/start-program'
import { rootPrograms } from './find-helper'
import type { Elevation, HelperProcess } from './helper-process'
import { callHelper } from './helper-socket'
import { asksInTerminal } from './terminal-agent'

/** The helper to start, and how it gets its rights. */
export interface HelperStart {
  /** The absolute path of causeway-helper, or on Windows of causeway-helper.exe. */
  readonly helper: string
  readonly elevation: Elevation
  /** Path of launchd's socket, if not the default. */
  readonly socket?: string
}

/** Returns the command line that starts the helper with a command (`run`, `wireguard`, `release`, `version`). */
export function helperCommand(
  helper: string,
  elevation: Exclude<Elevation, 'launchd'>,
  command: string,
): readonly [string, ...string[]] {
  switch (elevation) {
    case 'root':
      return [helper, command]
    case 'service':
      return [helper, 'call', command]
    case 'pkexec':
      // Its own agent can't ask: see startTerminalAgent.
      return [rootPrograms.pkexec, '--disable-internal-agent', helper, command]
    case 'sudo':
      return [rootPrograms.sudo, ...(asksInTerminal() ? [] : ['-n']), '--', helper, command]
    case 'sudo-askpass': {
      // macOS: asks in a system window, which nobody sees over SSH, unless the password was entered a moment ago.
      if (asksInTerminal()) return [rootPrograms.sudo, '--', helper, command]
      const askpass = path.join(path.dirname(helper), 'causeway-askpass')
      return ['/usr/bin/env', `SUDO_ASKPASS=${askpass}`, rootPrograms.sudo, '-A', '--', helper, command]
    }
  }
}

/** Starts the helper with a command. */
export function startHelper({ helper, elevation, socket }: HelperStart, command: string): HelperProcess {
  if (elevation === 'launchd') return callHelper(command, socket)
  const program = startProgram(helperCommand(helper, elevation, command), {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  })
  // It may end before it has read everything, which `ended` tells.
  program.stdin.on('error', () => undefined)
  return {
    ...program,
    stop: () => {
      program.kill('SIGTERM')
    },
  }
}

/** How often a password may be entered in the terminal. */
const maxTries = 3
/** The exit status of pkexec without permission, also after a wrong password. */
const notAuthorized = 127

/** A helper that is started again after a wrong password. */
export interface TriedHelper extends HelperProcess {
  /** Must be called once the helper runs: its own exit status may be that of a wrong password, and nothing has to be written again. */
  readonly hasBegun: () => void
}

/**
 * Starts the helper again after a wrong password, with what was written to it so far: polkit's agent for terminals gives one try
 * for each start.
 */
export function startWithTries(options: HelperStart, command: string): TriedHelper {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const written: Buffer[] = []
  let isLastTry = false
  let current = startHelper(options, command)

  const connect = (): void => {
    current.stdout.pipe(stdout, { end: false })
    current.stderr.pipe(stderr, { end: false })
    for (const chunk of written) current.stdin.write(chunk)
    if (stdin.readableEnded) current.stdin.end()
  }
  stdin
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      if (!isLastTry) written.push(chunk)
      current.stdin.write(chunk)
    })
    .on('end', () => current.stdin.end())

  async function tried(): ReturnType<typeof startHelper>['ended'] {
    for (let tries = 1; ; tries += 1) {
      connect()
      const [end] = await Promise.all([current.ended, finished(current.stdout), finished(current.stderr)])
      if (end.exitCode !== notAuthorized || isLastTry || tries === maxTries) {
        stdout.end()
        stderr.end()
        return end
      }
      current = startHelper(options, command)
    }
  }
  const hasBegun = (): void => {
    isLastTry = true
    written.length = 0
  }
  const stop = (): void => {
    hasBegun()
    current.stop()
  }
  return { stdin, stdout, stderr, ended: tried(), stop, hasBegun }
}

/** True for what sudo says, in the locale C, after as many wrong passwords as it accepts. */
export function saysWrongPassword(line: string): boolean {
  return /^sudo: \d+ incorrect password attempts?/.test(line)
}

/**
 * Returns the error for a helper that did not start. pkexec exits with 126 when the request is dismissed, and with 127
 * without permission or an agent; `isWrongPassword` if this terminal has asked for the password.
 */
export function helperDidNotStart(
  elevation: Elevation,
  exitCode: number | undefined,
  isWrongPassword = false,
): CausewayError {
  if (elevation === 'service' && exitCode === undefined)
    return new CausewayError('helper/windows-helper-unusable')
  if (elevation === 'pkexec' && exitCode === 126) {
    return new CausewayError('helper/dismissed')
  }
  if (
    (elevation === 'pkexec' && exitCode === notAuthorized) ||
    (elevation.startsWith('sudo') && exitCode === 1)
  ) {
    return new CausewayError('helper/not-authorized', isWrongPassword ? { variant: 'wrong-password' } : {})
  }
  return new CausewayError('helper/failed', {
    details: { reason: 'not-started', exitCode },
  })
}
