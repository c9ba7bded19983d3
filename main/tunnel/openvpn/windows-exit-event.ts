import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

import { CausewayError } from '../../errors'

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

/**
 * Returns the command of a process that owns the event of this name, after setting the event of an earlier tunnel, if it
 * still exists: see `script`.
 */
export type OwnerCommand = (name: string, earlier: string | undefined) => readonly [string, ...string[]]

interface ExitEventOptions {
  /** Command of the owner; default: a PowerShell. */
  readonly command?: OwnerCommand
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
 * Opens the event. The command writes `ready` once the event exists, reads OpenVPN's process id, and sets the event at the
 * end of its input, unless it has read `gone`.
 *
 * @throws CausewayError `helper/powershell-refused`
 */
export async function openExitEvent({
  command = powershell,
  timeoutMs = 20_000,
  earlier,
}: ExitEventOptions = {}): Promise<ExitEvent> {
  const name = `causeway-${randomBytes(16).toString('hex')}`
  const [program, ...words] = command(name, earlier)
  const owner = execa(program, words, {
    stdin: 'pipe',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    // It must outlive this process.
    cleanup: false,
    windowsHide: true,
    windowsVerbatimArguments: true,
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
    throw new CausewayError('helper/powershell-refused')
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

/**
 * Returns the script. An OpenVPN that is still starting finds the event set, as long as that may take, and exits at once.
 * The script has no quotation marks, percent signs or line ends, because it is one word of a cmd command line.
 */
function script(name: string, earlier: string | undefined): string {
  return [
    "$ErrorActionPreference = 'Stop'",
    ...(earlier === undefined
      ? []
      : [`try { [void][Threading.EventWaitHandle]::OpenExisting('${earlier}').Set() } catch { }`]),
    `$end = New-Object Threading.EventWaitHandle($false, [Threading.EventResetMode]::ManualReset, '${name}')`,
    "[Console]::Out.WriteLine('ready')",
    '$number = 0',
    "while ($null -ne ($line = [Console]::In.ReadLine())) { if ($line -eq 'gone') { exit }; $number = [int]$line }",
    '[void]$end.Set()',
    'if ($number -eq 0) { Start-Sleep -Seconds 30; exit }',
    'try { $process = [Diagnostics.Process]::GetProcessById($number) } catch { exit }',
    "if ($process.ProcessName -eq 'openvpn' -and -not $process.WaitForExit(5000)) { $process.Kill() }",
  ].join('; ')
}

/**
 * Returns the command of the owner. Node puts its child processes into a job that Windows ends with Node, and PowerShell
 * does not run detached (nodejs/node#51018). Grandchildren are not in the job: cmd ends with Causeway, but the PowerShell
 * that it started keeps running, and sees the end of its input.
 */
export function powershell(
  name: string,
  earlier: string | undefined,
  systemRoot = process.env.SystemRoot ?? 'C:\\Windows',
): readonly [string, ...string[]] {
  const system = `${systemRoot}\\System32`
  const program = `"${system}\\WindowsPowerShell\\v1.0\\powershell.exe"`
  // Without this input format PowerShell reads the input itself.
  const words = '-NoProfile -NoLogo -NonInteractive -InputFormat None -Command'
  return [`${system}\\cmd.exe`, '/d', '/s', '/c', `"${program} ${words} "${script(name, earlier)}""`]
}
