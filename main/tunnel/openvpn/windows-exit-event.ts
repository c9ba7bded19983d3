import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

import { CausewayError } from '../../errors'
import { type WindowsHelper, windowsHelper } from '../../platform/child-process/windows-helper'

/**
 * A named Windows event that makes OpenVPN exit in order (OpenVPN's `--service`). A separate process owns it, which sets it
 * when Causeway has ended for any reason.
 */
export interface ExitEvent {
  readonly name: string
  /** Passes the process id of OpenVPN: if it does not exit in order, it is killed, even without Causeway. */
  belongsTo(pid: number): void
  /** Ends OpenVPN, even if it has not opened the event yet. */
  set(): void
  /** Closes the event after OpenVPN has exited. */
  forget(): void
  /** Resolves if the owner ended unexpectedly; never rejects. */
  readonly lost: Promise<void>
}

interface ExitEventOptions {
  readonly helper?: WindowsHelper
  /** Time limit for the owner to start, in milliseconds; default 20 s, far longer than a slow computer needs. */
  readonly timeoutMs?: number
  /** The event of a tunnel that a killed Causeway may have left. */
  readonly earlier?: string
}

/** Returns true for a valid name of an event. */
export function isExitEventName(text: string): boolean {
  return /^causeway-[0-9a-f]{32}$/.test(text)
}

/**
 * Opens the event. Its owner, a process of Causeway's helper, first sets the event of an earlier tunnel, if it still exists.
 * It writes `ready` once the event exists, reads OpenVPN's process id, and sets the event at the end of its input, unless it
 * has read `gone`.
 *
 * @throws CausewayError `helper/windows-helper-unusable`
 */
export async function openExitEvent({
  helper = windowsHelper,
  timeoutMs = 20_000,
  earlier,
}: ExitEventOptions = {}): Promise<ExitEvent> {
  const name = `causeway-${randomBytes(16).toString('hex')}`
  const [program, ...words] = helper('exit-event', name, ...(earlier === undefined ? [] : [earlier]))
  const owner = execa(program, words, {
    stdin: 'pipe',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    // It must outlive this process: Windows ends other child processes of Node.js together with it.
    cleanup: false,
    detached: true,
    windowsHide: true,
  })
  // An owner that has ended reads nothing, which `lost` reports.
  owner.stdin.on('error', () => undefined)
  let isOver = false
  const lost = new Promise<void>((resolve) => {
    void owner.finally(() => {
      if (!isOver) resolve()
    })
  })
  const close = (lastWords?: string): void => {
    if (isOver) return
    isOver = true
    owner.stdin.end(lastWords)
    owner.stdout.destroy()
    // The owner may wait a while for an OpenVPN that is about to start.
    owner.unref()
  }

  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: owner.stdout }).on('line', (line) => {
      if (line.trim() === 'ready') resolve(true)
    })
  })
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  const isReady = await Promise.race([ready, lost.then(() => false), timeout])
  clearTimeout(timer)
  if (!isReady) {
    close('gone\n')
    throw new CausewayError('helper/windows-helper-unusable')
  }
  return {
    name,
    belongsTo: (pid) => {
      if (!isOver) owner.stdin.write(`${pid}\n`)
    },
    set: () => {
      close()
    },
    forget: () => {
      close('gone\n')
    },
    lost,
  }
}
