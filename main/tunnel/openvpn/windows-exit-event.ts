import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

import { CausewayError } from '../../errors'

/**
 * Windows' named event that ends an OpenVPN in order (OpenVPN's `--service`). It belongs to a process of its own, which sets
 * it when Causeway is gone too, however that went.
 */
export interface ExitEvent {
  readonly name: string
  /** Says whose end is meant: a process that ends in no order is then ended at once, also without Causeway. */
  belongsTo(pid: number): void
  /** Ends OpenVPN, also one that has not read the name yet. */
  set(): void
  /** There is nobody left to end. */
  forget(): void
  /** Settles when the owner has gone though nothing was set or forgotten; never rejects. */
  readonly lost: Promise<void>
}

/**
 * The command of a process that owns the event of this name, and first sets that of an earlier tunnel, where there still is
 * one: see `script`.
 */
export type OwnerCommand = (name: string, earlier: string | undefined) => readonly [string, ...string[]]

export interface ExitEventOptions {
  /** Other than a PowerShell. */
  readonly command?: OwnerCommand
  /** Far longer than a PowerShell takes to start on a slow computer, in milliseconds; default 20 s. */
  readonly patienceMs?: number
  /** The event of a tunnel that may be left of a Causeway that was killed. */
  readonly earlier?: string
}

/** The name of an event, and of nothing else. */
export function isExitEventName(text: string): boolean {
  return /^causeway-[0-9a-f]{32}$/.test(text)
}

/**
 * The command says `ready` once there is the event; it reads OpenVPN's process number, and sets the event at the end of its
 * input, where it has not read `gone`.
 *
 * @throws CausewayError `helper/powershell-refused`
 */
export async function openExitEvent({
  command = powershell,
  patienceMs = 20_000,
  earlier,
}: ExitEventOptions = {}): Promise<ExitEvent> {
  const name = `causeway-${randomBytes(16).toString('hex')}`
  const [program, ...words] = command(name, earlier)
  const owner = execa(program, words, {
    stdin: 'pipe',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    // It has to outlive this process.
    cleanup: false,
    windowsHide: true,
    windowsVerbatimArguments: true,
  })
  // An owner that has gone takes nothing more, which its end tells.
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
    // It may stay a while for an OpenVPN that is about to start; nobody here waits for that.
    owner.unref()
  }

  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: owner.stdout }).on('line', (line) => {
      if (line.trim() === 'ready') resolve(true)
    })
  })
  let impatience: NodeJS.Timeout | undefined
  const patience = new Promise<boolean>((resolve) => {
    impatience = setTimeout(resolve, patienceMs, false)
  })
  const isReady = await Promise.race([ready, lost.then(() => false), patience])
  clearTimeout(impatience)
  if (!isReady) {
    close('gone\n')
    throw new CausewayError(
      'helper/powershell-refused',
      "Windows doesn't allow Causeway to run PowerShell, which ends the connection if Causeway quits unexpectedly. Ask this computer's administrator to allow PowerShell for your account.",
    )
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
 * An OpenVPN that was asked for but is not known yet finds the event set for as long as it may take to start, and ends at
 * once. No quotation marks, percent signs or line ends: it is one word of a command line of cmd's.
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
 * Node puts the programs that it starts into a job that Windows ends together with Node, and PowerShell does not run
 * detached (nodejs/node#51018). What such a program starts itself is not in the job: cmd ends with Causeway, the
 * PowerShell that it started does not, and finds the end of its input.
 */
export function powershell(
  name: string,
  earlier: string | undefined,
  systemRoot = process.env.SystemRoot ?? 'C:\\Windows',
): readonly [string, ...string[]] {
  const system = `${systemRoot}\\System32`
  const program = `"${system}\\WindowsPowerShell\\v1.0\\powershell.exe"`
  // Without this input format PowerShell would read the input itself.
  const words = '-NoProfile -NoLogo -NonInteractive -InputFormat None -Command'
  return [`${system}\\cmd.exe`, '/d', '/s', '/c', `"${program} ${words} "${script(name, earlier)}""`]
}
